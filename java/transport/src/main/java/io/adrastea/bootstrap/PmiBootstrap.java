package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Links;
import io.adrastea.segment.ProcessIdentity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Started by MPICH's {@code mpiexec.hydra}, or by another process manager that speaks PMI-1: over an inherited socket
 * (PMI_FD), or over a connection (PMI_PORT, {@code mpiexec -pmi-port}). Twin of {@code bootstrap/adr_pmi.c}.
 */
final class PmiBootstrap implements Bootstrap {
  static final String FD = "PMI_FD";
  private static final String PORT = "PMI_PORT";
  private static final String KEY = "adrastea"; // under which rank 0 puts the job's number and its node ...
  private static final String APART = "adrastea-apart"; // ... and a rank on another node its own number and node
  private static final String FAR = "adrastea-far"; // ... or here, if it has links to other nodes
  private static final int LINES_OF_CONNECTION = 3;

  @Override
  public String name() {
    return "pmi";
  }

  @Override
  public Set<String> launchers() {
    return Set.of("hydra_pmi_proxy");
  }

  @Override
  public Optional<Claim> claim(Map<String, String> environment) {
    String fd = variable(environment, FD);
    String port = variable(environment, PORT);
    if (!fd.isEmpty()) {
      if (Variables.digits(fd) < 0) {
        throw new JoinException("PMI_FD is '%.32s'; allowed is the number of an open descriptor".formatted(fd));
      }
      return Optional.of(Variables.claim(environment, FD + "=" + fd, "PMI_RANK", "PMI_SIZE"));
    }
    return port.isEmpty()
        ? Optional.empty()
        : Optional.of(Variables.claimOfRank(environment, "%s=%.64s".formatted(PORT, port), "PMI_ID"));
  }

  @Override
  public Membership membership(Claim claim, Map<String, String> environment) {
    boolean connects = variable(environment, FD).isEmpty();
    PmiClient client = connects
        ? PmiClient.connect(variable(environment, PORT), deadline())
        : take(environment, PmiClient.MPIEXEC);
    boolean goesOn = false;
    try {
      Membership membership = talk(client, connects ? introduce(client, claim) : claim);
      goesOn = membership.cards() != null;
      return membership;
    } finally {
      if (!goesOn) {
        client.close();
      }
    }
  }

  /**
   * Where ranks are on several nodes, as another launcher says: they ask each other by the PMI-1 that it offers.
   *
   * @param job number of the job, which counts where this is rank 0
   * @param manager name of that launcher
   */
  static Membership meet(
      long job, Claim claim, Optional<ProcessIdentity> launcher, String manager, Map<String, String> environment) {
    PmiClient client = take(environment, manager);
    try {
      return KeyExchange.meet(PmiSpace.open(client), job, claim, launcher);
    } catch (JoinException e) {
      client.close();
      throw e;
    }
  }

  private static PmiClient take(Map<String, String> environment, String manager) {
    return PmiClient.take(Cores.choose(Tunable.CORE.word()), variable(environment, FD), manager, deadline());
  }

  private static long deadline() {
    return System.nanoTime() + Tunable.JOIN_TIMEOUT.intValue() * 1_000_000L;
  }

  /** A connection says first which process it is of, and is told size, rank and whether to debug, a line each. */
  private static Claim introduce(PmiClient client, Claim claim) {
    int rank = -1;
    int size = 0;
    client.ask("cmd=initack pmiid=" + claim.rank(), "initack");
    for (int i = 0; i < LINES_OF_CONNECTION; i++) {
      client.await("set");
      size = client.value("size").map(text -> number(client, text)).orElse(size);
      rank = client.value("rank").map(text -> number(client, text)).orElse(rank);
    }
    if (size > Tunable.SIZE.most() || rank < 0 || rank >= size) {
      throw client.refused("it tells no rank and size; allowed are a size from 1 to %d and a rank below it"
          .formatted(Tunable.SIZE.most()));
    }
    return new Claim(rank, size, claim.words());
  }

  private static int number(PmiClient client, String text) {
    int number = Variables.digits(text);
    if (number < 0) {
      throw client.refused("whole numbers are allowed");
    }
    return number;
  }

  /**
   * Asks for the space of keys, and exchanges the nodes, so that all ranks join or none. The conversation ends with
   * that, or with the cards: what follows is told by the segment, and a rank that ends without a word is no failure to
   * the manager then.
   */
  private Membership talk(PmiClient client, Claim claim) {
    String node = NodeIdentity.here();
    boolean isLinked = !Links.inForce().beyondNode().isEmpty();
    PmiSpace space = PmiSpace.open(client);
    if (claim.rank() == 0) {
      space.put(KEY, "%016x,%s".formatted(Variables.drawJobNumber(), node));
    }
    space.fence();
    First first = readFirst(client, space);
    if (!first.node().equals(node)) { // refused where another rank has put it: one is enough
      space.put(isLinked ? FAR : APART, claim.rank() + "," + node);
    }
    space.fence();
    requireNone(space.get(APART), client, first.node());
    Optional<String> far = space.get(FAR);
    Optional<ProcessIdentity> launcher = Variables.parentNamed(launchers());
    if (far.isEmpty()) {
      space.finish();
      return Membership.byOther(first.job(), claim, launcher, "");
    }
    if (!isLinked) {
      requireNone(far, client, first.node());
    }
    return KeyExchange.meet(space, first.job(), claim, launcher);
  }

  private static First readFirst(PmiClient client, PmiSpace space) {
    String[] words = space.get(KEY).filter(text -> text.matches("[0-9a-f]{16},.*")).orElseThrow(
        () -> client.refused("rank 0 has not put the number of its job; are all ranks of one version?")).split(",", 2);
    return new First(Long.parseUnsignedLong(words[0], 16), words[1]);
  }

  /** Fails with the rank that has told that it is on another node than rank 0, if there is one. */
  private static void requireNone(Optional<String> told, PmiClient client, String first) {
    if (told.isPresent()) {
      String[] words = told.get().split(",", 2);
      if (words.length < 2 || Variables.digits(words[0]) < 0) {
        throw client.refused("no rank and node are in it; are all ranks of one version?");
      }
      throw new JoinException(NodeIdentity.apart(Variables.digits(words[0]), words[1], first));
    }
  }

  /**
   * What rank 0 has put.
   *
   * @param job number of the job
   * @param node that rank 0 is on
   */
  private record First(long job, String node) {}
}
