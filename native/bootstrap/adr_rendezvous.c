#include "bootstrap/adr_rendezvous.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_own_variables.h"
#include "bootstrap/adr_rendezvous_client.h"
#include "bootstrap/adr_setting.h"
#include "bootstrap/adr_variables.h"

#define INDEX "JOB_COMPLETION_INDEX" /* which Kubernetes gives to the pods of an indexed job */

/* A rank of its own counts, and where there is none the index. */
static const char *rank_name(void) {
  bool indexed = !adr_setting_is_set(ADR_SETTING_RANK) && *adr_variable(INDEX) != '\0';
  return indexed ? INDEX : adr_setting_table[ADR_SETTING_RANK].name;
}

static int require_all(const char *address, adr_error *error) {
  bool rank = adr_setting_is_set(ADR_SETTING_RANK) || *adr_variable(INDEX) != '\0';
  bool size = adr_setting_is_set(ADR_SETTING_SIZE);
  if (rank && size) { return 0; }
  return adr_fail(error, -EINVAL,
                  "ADRASTEA_RENDEZVOUS=%.128s needs ADRASTEA_RANK (or " INDEX
                  ") and ADRASTEA_SIZE too; missing: %s%s%s",
                  address, rank ? "" : "ADRASTEA_RANK", rank || size ? "" : ", ", size ? "" : "ADRASTEA_SIZE");
}

static int read_rank(struct adr_claim *claim, adr_error *error) {
  if (strcmp(rank_name(), INDEX) != 0) { return adr_setting_number(&claim->rank, ADR_SETTING_RANK, error); }
  const struct adr_setting *rank = &adr_setting_table[ADR_SETTING_RANK];
  const char *text = adr_variable(INDEX);
  if (adr_read_digits(text, &claim->rank)) { return 0; }
  char allowed[ADR_SETTING_TEXT];
  adr_setting_tell_allowed(rank, allowed);
  return adr_fail(error, -EINVAL, INDEX " is '%.64s'; %s", text, allowed);
}

static int claim(struct adr_claim *claim, adr_error *error) {
  adr_setting_value given;
  struct adr_rendezvous_address address;
  const char *text = adr_setting_given(ADR_SETTING_RENDEZVOUS, given);
  if (*text == '\0') { return 0; }
  if (!adr_rendezvous_address_parse(&address, text)) {
    return adr_setting_refuse(ADR_SETTING_RENDEZVOUS, address.words, error);
  }
  int status = require_all(text, error);
  if (status == 0) { status = adr_setting_number(&claim->size, ADR_SETTING_SIZE, error); }
  if (status == 0) { status = read_rank(claim, error); }
  if (status < 0) { return status; }
  snprintf(claim->words, sizeof claim->words, "ADRASTEA_RENDEZVOUS=%s, %s=%" PRIu32 ", ADRASTEA_SIZE=%" PRIu32,
           address.words, rank_name(), claim->rank, claim->size);
  if (claim->rank < claim->size) { return 1; }
  return adr_fail(error, -EINVAL, "%s=%" PRIu32 ", but ADRASTEA_SIZE=%" PRIu32 ": ranks are 0 to %" PRIu32, rank_name(),
                  claim->rank, claim->size, claim->size - 1);
}

/* A job of one meets nobody. Under our own launcher, of several hosts, the job has its number beforehand, and the
 * launcher of this host is watched. */
static int join(struct adr_membership *membership, adr_error *error) {
  adr_setting_value given;
  struct adr_rendezvous_meeting meeting = {.rank = membership->rank, .size = membership->size};
  if (membership->size == 1) { return adr_job_number_draw(&membership->job, error); }
  adr_rendezvous_address_parse(&meeting.address, adr_setting_given(ADR_SETTING_RENDEZVOUS, given));
  int status = adr_setting_number(&meeting.timeout, ADR_SETTING_JOIN_TIMEOUT, error);
  if (status == 0) { status = adr_node_identity(meeting.node, error); }
  if (status == 0 && adr_setting_is_set(ADR_SETTING_JOB)) {
    status = adr_own_variables_join(membership, error);
    snprintf(meeting.job, sizeof meeting.job, "%016" PRIx64, membership->job);
  }
  if (status < 0) { return status; }
  return meeting.rank == 0 ? adr_rendezvous_serve(&meeting, &membership->job, error)
                           : adr_rendezvous_ask(&meeting, &membership->job, error);
}

const struct adr_bootstrap adr_rendezvous = {"rendezvous", claim, join};
