package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Links;
import io.adrastea.segment.ProcessIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Started by Open MPI's {@code mpirun}, whose variables are those of PMIx and its own. Twin of
 * {@code bootstrap/adr_pmix.c}.
 */
final class PmixBootstrap implements Bootstrap {
  static final String NAMESPACE = "PMIX_NAMESPACE";
  private static final String SIZE = "OMPI_COMM_WORLD_SIZE";

  /** The variables that tell where the server is, one for each version of its protocol. */
  private static final List<String> SERVERS =
      List.of("PMIX_SERVER_URI41", "PMIX_SERVER_URI4", "PMIX_SERVER_URI3", "PMIX_SERVER_URI21", "PMIX_SERVER_URI2");

  @Override
  public String name() {
    return "pmix";
  }

  @Override
  public Set<String> launchers() {
    return Set.of("orted", "prted", "prterun", "mpirun", "mpirun.openmpi", "mpiexec", "orterun");
  }

  private static String server(Map<String, String> environment) {
    return SERVERS.stream().map(name -> variable(environment, name)).filter(uri -> !uri.isEmpty()).findFirst()
        .orElse("");
  }

  /** srun sets PMIx' variables too (--mpi=pmix), without the size: there Slurm's are asked. */
  @Override
  public Optional<Claim> claim(Map<String, String> environment) {
    String name = variable(environment, NAMESPACE);
    boolean bySlurm =
        !variable(environment, "SLURM_STEP_ID").isEmpty() && variable(environment, SIZE).isEmpty();
    if (name.isEmpty() || bySlurm) {
      return Optional.empty();
    }
    if (server(environment).isEmpty()) {
      throw new JoinException(
          ("PMIX_NAMESPACE=%.64s, but no PMIX_SERVER_URI tells where its server is: the variables of mpirun are here "
              + "in part; start the program by mpirun, or set adrastea.bootstrap=none for a job of one")
              .formatted(PlainText.of(name)));
    }
    return Optional.of(Variables.claim(environment, "%s=%.64s".formatted(NAMESPACE, name), "PMIX_RANK", SIZE));
  }

  /** Ranks of one node need no more than the variables; those of several ask each other where they are. */
  @Override
  public Membership membership(Claim claim, Map<String, String> environment) {
    long job =
        Variables.jobNumber("pmix %.256s %.512s".formatted(variable(environment, NAMESPACE), server(environment)));
    Optional<ProcessIdentity> launcher = Variables.parentNamed(launchers());
    int here = Variables.digits(variable(environment, "OMPI_COMM_WORLD_LOCAL_SIZE"));
    if (here <= 0 || here >= claim.size()) {
      return Membership.byOther(job, claim, launcher, "");
    }
    if (Links.inForce().beyondNode().isEmpty()) {
      return Membership.byOther(job, claim, launcher,
          "mpirun has %d of %d ranks on the node of this one, and adrastea.links lets them use shared memory alone"
              .formatted(here, claim.size()));
    }
    return meet(job, claim, launcher);
  }

  /**
   * Where ranks are on several nodes, as the launcher says: they ask each other by its PMIx.
   *
   * @param job number of the job, which counts where this is rank 0
   */
  static Membership meet(long job, Claim claim, Optional<ProcessIdentity> launcher) {
    PmixSpace space = PmixSpace.open(System.nanoTime() + Tunable.JOIN_TIMEOUT.intValue() * 1_000_000L);
    return KeyExchange.meet(space, job, claim, launcher);
  }
}
