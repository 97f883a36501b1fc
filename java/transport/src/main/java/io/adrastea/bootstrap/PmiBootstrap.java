package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Started by MPICH's {@code mpiexec.hydra}, or by another process manager that speaks PMI-1: over an inherited socket
 * (PMI_FD), or over a connection (PMI_PORT, {@code mpiexec -pmi-port}). Twin of {@code bootstrap/adr_pmi.c}.
 */
final class PmiBootstrap implements Bootstrap {
  private static final String FD = "PMI_FD";
  private static final String PORT = "PMI_PORT";
  private static final String KEY = "adrastea"; // under which rank 0 puts the job's number and its node ...
  private static final String APART = "adrastea-apart"; // ... and a rank on another node its own number and node
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
    long deadline = System.nanoTime() + Tunable.JOIN_TIMEOUT.intValue() * 1_000_000L;
    String fd = variable(environment, FD);
    if (!fd.isEmpty()) {
      try (PmiClient client = PmiClient.take(Cores.choose(Tunable.CORE.word()), fd, deadline)) {
        return talk(client, claim);
      }
    }
    try (PmiClient client = PmiClient.connect(variable(environment, PORT), deadline)) {
      return talk(client, introduce(client, claim));
    }
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
   * that: what follows is told by the segment, and a rank that ends without a word is no failure to the manager then.
   */
  private Membership talk(PmiClient client, Claim claim) {
    String node = NodeIdentity.here();
    client.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
    if (!client.value("rc").equals(Optional.of("0"))) {
      throw client.refused("it does not speak version 1 of PMI");
    }
    client.ask("cmd=get_my_kvsname", "my_kvsname");
    String space = client.value("kvsname").orElseThrow(() -> client.refused("there is no kvsname"));
    if (claim.rank() == 0) {
      client.ask("cmd=put kvsname=%s key=%s value=%016x,%s".formatted(space, KEY, Variables.drawJobNumber(), node),
          "put_result");
    }
    client.ask("cmd=barrier_in", "barrier_out");
    Card card = readCard(client, claim, space, node);
    client.ask("cmd=barrier_in", "barrier_out");
    checkApart(client, space, card.node());
    client.ask("cmd=finalize", "finalize_ack");
    return Membership.byOther(card.job(), claim, Variables.parentNamed(launchers()), "");
  }

  /** What was put under a key; empty: nothing. */
  private static Optional<String> get(PmiClient client, String space, String key) {
    client.ask("cmd=get kvsname=%s key=%s".formatted(space, key), "get_result");
    return client.value("rc").filter("0"::equals).flatMap(code -> client.value("value"));
  }

  /** What rank 0 has put; where this rank is on another node, it tells the others. */
  private static Card readCard(PmiClient client, Claim claim, String space, String node) {
    String[] words = get(client, space, KEY).filter(text -> text.matches("[0-9a-f]{16},.*")).orElseThrow(
        () -> client.refused("rank 0 has not put the number of its job; are all ranks of one version?")).split(",", 2);
    if (!words[1].equals(node)) { // refused where another rank has put it: one is enough
      client.ask("cmd=put kvsname=%s key=%s value=%d,%s".formatted(space, APART, claim.rank(), node), "put_result");
    }
    return new Card(Long.parseUnsignedLong(words[0], 16), words[1]);
  }

  /** Fails with the rank that is on another node than rank 0, if there is one. */
  private static void checkApart(PmiClient client, String space, String first) {
    Optional<String> apart = get(client, space, APART);
    if (apart.isPresent()) {
      String[] words = apart.get().split(",", 2);
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
  private record Card(long job, String node) {}
}
