#include "bootstrap/adr_pmix.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_variables.h"

/* The variables that tell where the server is, one for each version of its protocol. */
static const char *server(void) {
  static const char *const names[] = {"PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3",
                                      "PMIX_SERVER_URI21", "PMIX_SERVER_URI2", NULL};
  for (int i = 0; names[i] != NULL; i++) {
    if (*adr_variable(names[i]) != '\0') { return adr_variable(names[i]); }
  }
  return "";
}

/* srun sets PMIx' variables too (--mpi=pmix), without the size: there Slurm's are asked. */
static int claim(struct adr_claim *claim, adr_error *error) {
  const char *name = adr_variable("PMIX_NAMESPACE");
  bool by_slurm = *adr_variable("SLURM_STEP_ID") != '\0' && *adr_variable("OMPI_COMM_WORLD_SIZE") == '\0';
  if (*name == '\0' || by_slurm) { return 0; }
  if (*server() == '\0') {
    return adr_fail(error, -EINVAL,
                    "PMIX_NAMESPACE=%.64s, but no PMIX_SERVER_URI tells where its server is: the variables of mpirun "
                    "are here in part; start the program by mpirun, or set ADRASTEA_BOOTSTRAP=none for a job of one",
                    name);
  }
  snprintf(claim->words, sizeof claim->words, "PMIX_NAMESPACE=%.64s", name);
  return adr_variables_claim(claim, "PMIX_RANK", "OMPI_COMM_WORLD_SIZE", error);
}

static int join(struct adr_membership *membership, adr_error *error) {
  static const char *const names[] = {"orted",          "prted",   "prterun", "mpirun",
                                      "mpirun.openmpi", "mpiexec", "orterun", NULL};
  char name[1024];
  (void)error;
  snprintf(name, sizeof name, "pmix %.256s %.512s", adr_variable("PMIX_NAMESPACE"), server());
  membership->job = adr_job_number(name);
  membership->launcher = adr_parent_named(names);
  uint32_t here;
  if (adr_read_digits(adr_variable("OMPI_COMM_WORLD_LOCAL_SIZE"), &here) && here > 0 && here < membership->size) {
    snprintf(membership->node_words, sizeof membership->node_words,
             "mpirun has %" PRIu32 " of %" PRIu32
             " ranks on the node of this one; use one host, or adrastea run --hosts",
             here, membership->size);
  }
  return 0;
}

const struct adr_bootstrap adr_pmix = {"pmix", claim, join};
