#include "bootstrap/adr_bootstrap.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_own_variables.h"
#include "bootstrap/adr_pmi.h"
#include "bootstrap/adr_pmix.h"
#include "bootstrap/adr_rendezvous.h"
#include "bootstrap/adr_setting.h"
#include "bootstrap/adr_slurm.h"
#include "bootstrap/adr_variables.h"

#define AUTO "auto"
#define NONE "none" /* a job of one, whatever the environment says */

/* In the order in which they are asked. */
static const struct adr_bootstrap *const all[] = {&adr_own_variables, &adr_slurm, &adr_pmix, &adr_pmi, &adr_rendezvous};

enum { COUNT = sizeof all / sizeof *all, TOLD_WORDS = ADR_CLAIM_WORDS + 64 };

static int alone(struct adr_membership *membership, adr_error *error) {
  *membership = (struct adr_membership){.size = 1};
  return adr_job_number_draw(&membership->job, error);
}

static int join(struct adr_membership *membership, const struct adr_bootstrap *by, const struct adr_claim *claim,
                adr_error *error) {
  *membership = (struct adr_membership){.rank = claim->rank, .size = claim->size};
  return by->join(membership, error);
}

static int by_name(struct adr_membership *membership, const char *name, adr_error *error) {
  struct adr_claim claim;
  for (int i = 0; i < COUNT; i++) {
    if (strcasecmp(name, all[i]->name) != 0) { continue; }
    int status = all[i]->claim(&claim, error);
    if (status > 0) { return join(membership, all[i], &claim, error); }
    return status < 0 ? status
                      : adr_fail(error, -EINVAL,
                                 "ADRASTEA_BOOTSTRAP is '%s', but this process was not started so: its variables are "
                                 "missing; leave ADRASTEA_BOOTSTRAP out, or start it in that way",
                                 all[i]->name);
  }
  return adr_setting_refuse(ADR_SETTING_BOOTSTRAP, name, error);
}

static bool agree(const struct adr_claim *one, const struct adr_claim *other) {
  return one->rank == other->rank && (one->size == other->size || one->size == 0 || other->size == 0);
}

/* Says what a way claims. */
static void tell(char words[TOLD_WORDS], const struct adr_bootstrap *by, const struct adr_claim *claim) {
  char size[16] = "";
  if (claim->size > 0) { snprintf(size, sizeof size, " of %" PRIu32, claim->size); }
  snprintf(words, TOLD_WORDS, "rank %" PRIu32 "%s by %s (%s)", claim->rank, size, by->name, claim->words);
}

static int refuse_both(const struct adr_bootstrap *one, const struct adr_claim *of_one,
                       const struct adr_bootstrap *other, const struct adr_claim *of_other, adr_error *error) {
  char words[TOLD_WORDS];
  char more[TOLD_WORDS];
  tell(words, one, of_one);
  tell(more, other, of_other);
  return adr_fail(error, -EINVAL,
                  "two launchers disagree about this process: %s, %s; choose one by ADRASTEA_BOOTSTRAP=%s or %s", words,
                  more, one->name, other->name);
}

int adr_bootstrap_find(struct adr_membership *membership, adr_error *error) {
  adr_setting_value given;
  const char *name = adr_setting_in_force(ADR_SETTING_BOOTSTRAP, given);
  if (strcasecmp(name, NONE) == 0) { return alone(membership, error); }
  if (strcasecmp(name, AUTO) != 0) { return by_name(membership, name, error); }
  struct adr_claim claims[COUNT];
  int first = -1;
  for (int i = 0; i < COUNT; i++) {
    int status = all[i]->claim(&claims[i], error);
    if (status < 0) { return status; }
    if (status == 0) { continue; }
    if (first < 0) { first = i; }
    if (!agree(&claims[first], &claims[i])) {
      return refuse_both(all[first], &claims[first], all[i], &claims[i], error);
    }
  }
  if (first >= 0) { return join(membership, all[first], &claims[first], error); }
  adr_slurm_warn_without_step();
  return alone(membership, error);
}
