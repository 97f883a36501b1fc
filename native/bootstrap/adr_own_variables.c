#include "bootstrap/adr_own_variables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_setting.h"

static int require_all(adr_error *error) {
  for (int setting = ADR_SETTING_JOB; setting <= ADR_SETTING_SIZE; setting++) {
    if (!adr_setting_is_set(setting)) {
      return adr_fail(error, -EINVAL,
                      "a job needs ADRASTEA_JOB, ADRASTEA_RANK and ADRASTEA_SIZE; missing: %s (without any of "
                      "them a program is a job of one; 'adrastea run' sets all)",
                      adr_setting_table[setting].name);
    }
  }
  return 0;
}

/* Where ranks meet to agree on a job, rank and size belong to that. */
static int claim(struct adr_claim *claim, adr_error *error) {
  if (!adr_setting_is_set(ADR_SETTING_JOB) && !adr_setting_is_set(ADR_SETTING_RANK)
      && !adr_setting_is_set(ADR_SETTING_SIZE)) {
    return 0;
  }
  if (!adr_setting_is_set(ADR_SETTING_JOB) && adr_setting_is_set(ADR_SETTING_RENDEZVOUS)) { return 0; }
  int status = require_all(error);
  if (status == 0) { status = adr_setting_number(&claim->size, ADR_SETTING_SIZE, error); }
  if (status == 0) { status = adr_setting_number(&claim->rank, ADR_SETTING_RANK, error); }
  if (status < 0) { return status; }
  snprintf(claim->words, sizeof claim->words, "ADRASTEA_RANK=%" PRIu32 ", ADRASTEA_SIZE=%" PRIu32, claim->rank,
           claim->size);
  if (claim->rank < claim->size) { return 1; }
  return adr_fail(error, -EINVAL, "ADRASTEA_RANK=%" PRIu32 ", but ADRASTEA_SIZE=%" PRIu32 ": ranks are 0 to %" PRIu32,
                  claim->rank, claim->size, claim->size - 1);
}

static int read_job(uint64_t *job, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_given(ADR_SETTING_JOB, given);
  if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
    return adr_setting_refuse(ADR_SETTING_JOB, text, error);
  }
  *job = strtoull(text, NULL, 16);
  return 0;
}

/* How many digits there are, at most `most`, with one of `ends` or the end of the text behind them; 0: it is not so. */
static size_t digits(const char *text, size_t most, const char *ends) {
  size_t count = strspn(text, "0123456789");
  return count <= most && strchr(ends, text[count]) != NULL ? count : 0;
}

static bool is_launcher(const char *text) {
  size_t pid = digits(text, 9, ":");
  size_t start = pid == 0 || text[pid] != ':' ? 0 : digits(text + pid + 1, 18, ":");
  const char *rest = text + pid + 1 + start;
  return start > 0 && (*rest == '\0' || digits(rest + 1, 18, "") > 0);
}

/* Its number means nothing here when it is in another PID namespace: then it cannot be watched. */
static int read_launcher(struct adr_process *launcher, adr_error *error) {
  adr_setting_value given;
  const char *text = adr_setting_given(ADR_SETTING_LAUNCHER, given);
  if (*text == '\0') { return 0; }
  if (!is_launcher(text)) { return adr_setting_refuse(ADR_SETTING_LAUNCHER, text, error); }
  char *colon;
  launcher->pid = (uint32_t)strtoul(text, &colon, 10);
  launcher->start = strtoull(colon + 1, &colon, 10);
  uint64_t here = adr_process_visible_namespace();
  if (*colon == ':' && (here == 0 || strtoull(colon + 1, NULL, 10) != here)) { launcher->pid = 0; }
  return 0;
}

int adr_own_variables_join(struct adr_membership *membership, adr_error *error) {
  membership->ours = true;
  int status = read_job(&membership->job, error);
  return status < 0 ? status : read_launcher(&membership->launcher, error);
}

const struct adr_bootstrap adr_own_variables = {"adrastea", claim, adr_own_variables_join};
