package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.peers.Links;
import io.adrastea.segment.ProcessIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Started by Slurm's {@code srun}, as a task of a step. Twin of {@code bootstrap/adr_slurm.h}. */
final class SlurmBootstrap implements Bootstrap {
  private static final String STEP = "SLURM_STEP_ID";
  private static final String STEP_TASKS = "SLURM_STEP_NUM_TASKS";
  private static final String STEP_NODES = "SLURM_STEP_NUM_NODES";
  private static final String TASKS = "SLURM_NTASKS";

  @Override
  public String name() {
    return "slurm";
  }

  @Override
  public Set<String> launchers() {
    return Set.of("slurmstepd");
  }

  /** SLURM_PROCID and SLURM_NTASKS are there in a batch script too, which is no task; the step is not. */
  @Override
  public Optional<Claim> claim(Map<String, String> environment) {
    String step = variable(environment, STEP);
    if (step.isEmpty()) {
      return Optional.empty();
    }
    boolean counted = !variable(environment, STEP_TASKS).isEmpty();
    return Optional.of(
        Variables.claim(environment, "%s=%.32s".formatted(STEP, step), "SLURM_PROCID", counted ? STEP_TASKS : TASKS));
  }

  /** Ranks of one node need no more than the variables; those of several meet by what {@code srun --mpi} offers. */
  @Override
  public Membership membership(Claim claim, Map<String, String> environment) {
    long job = jobNumber(environment);
    Optional<ProcessIdentity> launcher = Variables.parentNamed(launchers());
    boolean isApart = Variables.digits(variable(environment, STEP_NODES)) > 1;
    boolean isLinked = !Links.inForce().beyondNode().isEmpty();
    if (isApart && isLinked) {
      if (!variable(environment, PmixBootstrap.NAMESPACE).isEmpty()) {
        return PmixBootstrap.meet(job, claim, launcher);
      }
      if (!variable(environment, PmiBootstrap.FD).isEmpty()) {
        return PmiBootstrap.meet(job, claim, launcher, "srun", environment);
      }
    }
    return Membership.byOther(job, claim, launcher, isApart ? nodeWords(environment, isLinked) : "");
  }

  /** A step, a restart of its job and a start of srun differ in one of these, and all tasks of a step have the same. */
  static long jobNumber(Map<String, String> environment) {
    return Variables.jobNumber(
        "slurm %.64s %.64s %.64s %.128s %.64s".formatted(
            variable(environment, "SLURM_JOB_ID"), variable(environment, STEP),
            variable(environment, "SLURM_RESTART_COUNT"), variable(environment, "SLURM_SRUN_COMM_HOST"),
            variable(environment, "SLURM_SRUN_COMM_PORT")));
  }

  private static String nodeWords(Map<String, String> environment, boolean isLinked) {
    return "Slurm has this rank on node %.16s of %.16s (%.64s)%s".formatted(
        variable(environment, "SLURM_NODEID"), variable(environment, STEP_NODES),
        variable(environment, "SLURMD_NODENAME"),
        isLinked
            ? "; use srun --mpi=pmix or --mpi=pmi2, by which ranks of several nodes meet, or adrastea run --hosts"
            : ", and adrastea.links lets them use shared memory alone; use srun -N 1");
  }

  /** A line of warning where a batch script starts a program that was probably meant for its tasks. */
  static Optional<String> warningWithoutStep(Map<String, String> environment) {
    String job = variable(environment, "SLURM_JOB_ID");
    String tasks = variable(environment, TASKS);
    return job.isEmpty() || Variables.digits(tasks) <= 1
        ? Optional.empty()
        : Optional.of(
            ("adrastea: a job of one rank: Slurm's job %.64s has %.16s tasks, and this process is not one of them; "
                + "start it by srun (adrastea.bootstrap=none says that it is meant so)")
                .formatted(PlainText.of(job), tasks));
  }
}
