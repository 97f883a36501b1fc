#include "bootstrap/adr_slurm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bootstrap/adr_job_error.h"
#include "bootstrap/adr_variables.h"

/* SLURM_PROCID and SLURM_NTASKS are there in a batch script too, which is no task; the step is not. */
static int claim(struct adr_claim *claim, adr_error *error) {
  if (*adr_variable("SLURM_STEP_ID") == '\0') { return 0; }
  bool step = *adr_variable("SLURM_STEP_NUM_TASKS") != '\0';
  snprintf(claim->words, sizeof claim->words, "SLURM_STEP_ID=%.32s", adr_variable("SLURM_STEP_ID"));
  return adr_variables_claim(claim, "SLURM_PROCID", step ? "SLURM_STEP_NUM_TASKS" : "SLURM_NTASKS", error);
}

/* A step, a restart of its job and a start of srun differ in one of these, and all tasks of a step have the same. */
static uint64_t job_number(void) {
  char name[512];
  snprintf(name, sizeof name, "slurm %.64s %.64s %.64s %.128s %.64s", adr_variable("SLURM_JOB_ID"),
           adr_variable("SLURM_STEP_ID"), adr_variable("SLURM_RESTART_COUNT"), adr_variable("SLURM_SRUN_COMM_HOST"),
           adr_variable("SLURM_SRUN_COMM_PORT"));
  return adr_job_number(name);
}

static int join(struct adr_membership *membership, adr_error *error) {
  static const char *const names[] = {"slurmstepd", NULL};
  (void)error;
  membership->job = job_number();
  membership->launcher = adr_parent_named(names);
  uint32_t nodes;
  if (adr_read_digits(adr_variable("SLURM_STEP_NUM_NODES"), &nodes) && nodes > 1) {
    snprintf(membership->node_words, sizeof membership->node_words,
             "Slurm has this rank on node %.16s of %.16s (%.64s); use srun -N 1, or adrastea run --hosts",
             adr_variable("SLURM_NODEID"), adr_variable("SLURM_STEP_NUM_NODES"), adr_variable("SLURMD_NODENAME"));
  }
  return 0;
}

const struct adr_bootstrap adr_slurm = {"slurm", claim, join};

void adr_slurm_warn_without_step(void) {
  uint32_t tasks;
  if (*adr_variable("SLURM_JOB_ID") != '\0' && adr_read_digits(adr_variable("SLURM_NTASKS"), &tasks) && tasks > 1) {
    adr_error warning; /* which makes one line of it */
    adr_fail(&warning, 0,
             "adrastea: a job of one rank: Slurm's job %.64s has %.16s tasks, and this process is not one of them; "
             "start it by srun (ADRASTEA_BOOTSTRAP=none says that it is meant so)",
             adr_variable("SLURM_JOB_ID"), adr_variable("SLURM_NTASKS"));
    fprintf(stderr, "%s\n", warning.text);
  }
}
