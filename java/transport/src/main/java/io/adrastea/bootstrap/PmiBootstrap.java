package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.Variables.variable;

import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Links;
import io.adrastea.peers.Nodes;
import io.adrastea.segment.ProcessIdentity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Started by MPICH's {@code mpiexec.hydra}, or by another process manager that speaks PMI-1: over an inherited socket
 * (PMI_FD), or over a connection (PMI_PORT, {@code mpiexec -pmi-port}). Twin of {@code bootstrap/adr_pmi.c}.
 */
final class PmiBootstrap implements Bootstrap {
  private static final String FD = "PMI_FD";
  private static final String PORT = "PMI_PORT";
  private static final String KEY = "adrastea"; // under which rank 0 puts the job's number and its node ...
  private static final String APART = "adrastea-apart"; // ... and a rank on another node its own number and node
  private static final String FAR = "adrastea-far"; // ... or here, if it has links to other nodes
  private static final String NODE = "adrastea-node-"; // where ranks are on several, each puts its own, ...
  private static final String JOINED = "adrastea-card-"; // ... and its card
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
    PmiClient client =
        fd.isEmpty()
            ? PmiClient.connect(variable(environment, PORT), deadline)
            : PmiClient.take(Cores.choose(Tunable.CORE.word()), fd, deadline);
    boolean goesOn = false;
    try {
      Membership membership = talk(client, fd.isEmpty() ? introduce(client, claim) : claim);
      goesOn = membership.cards() != null;
      return membership;
    } finally {
      if (!goesOn) {
        client.close();
      }
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
   * that, or with the cards: what follows is told by the segment, and a rank that ends without a word is no failure to
   * the manager then.
   */
  private Membership talk(PmiClient client, Claim claim) {
    String node = NodeIdentity.here();
    boolean isLinked = !Links.inForce().beyondNode().isEmpty();
    client.ask("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
    if (!client.value("rc").equals(Optional.of("0"))) {
      throw client.refused("it does not speak version 1 of PMI");
    }
    client.ask("cmd=get_my_kvsname", "my_kvsname");
    String space = client.value("kvsname").orElseThrow(() -> client.refused("there is no kvsname"));
    if (claim.rank() == 0) {
      put(client, space, KEY, "%016x,%s".formatted(Variables.drawJobNumber(), node));
    }
    client.ask("cmd=barrier_in", "barrier_out");
    First first = readFirst(client, space);
    if (!first.node().equals(node)) { // refused where another rank has put it: one is enough
      put(client, space, isLinked ? FAR : APART, claim.rank() + "," + node);
    }
    client.ask("cmd=barrier_in", "barrier_out");
    requireNone(get(client, space, APART), client, first.node());
    Optional<String> far = get(client, space, FAR);
    Optional<ProcessIdentity> launcher = Variables.parentNamed(launchers());
    if (far.isEmpty()) {
      client.ask("cmd=finalize", "finalize_ack");
      return Membership.byOther(first.job(), claim, launcher, "");
    }
    if (!isLinked) {
      requireNone(far, client, first.node());
    }
    List<String> each = exchange(client, space, NODE, claim, node);
    List<String> identities = each.stream().distinct().toList();
    return Membership.onNodes(first.job(), claim.rank(),
        Nodes.of(each.stream().mapToInt(identities::indexOf).toArray()), launcher, new Cards(client, space, claim));
  }

  private static void put(PmiClient client, String space, String key, String value) {
    client.ask("cmd=put kvsname=%s key=%s value=%s".formatted(space, key, value), "put_result");
  }

  /** Each rank puts a value under a key of its own, and reads those of all. */
  private static List<String> exchange(PmiClient client, String space, String keys, Claim claim, String value) {
    put(client, space, keys + claim.rank(), value);
    client.ask("cmd=barrier_in", "barrier_out");
    return IntStream.range(0, claim.size())
        .mapToObj(rank -> get(client, space, keys + rank).orElseThrow(() -> client.refused(
            "rank %d has put nothing under %s%d; are all ranks of one version?".formatted(rank, keys, rank))))
        .toList();
  }

  /** What goes on with the conversation where ranks are on several nodes. */
  private record Cards(PmiClient client, String space, Claim claim) implements CardExchange {
    @Override
    public List<String> exchange(String card) {
      List<String> cards = PmiBootstrap.exchange(client, space, JOINED, claim, card);
      client.ask("cmd=finalize", "finalize_ack");
      return cards;
    }

    /** The manager ends all ranks when one of them ends before the conversation has. */
    @Override
    public void close() {
      client.close();
    }
  }

  /** What was put under a key; empty: nothing. */
  private static Optional<String> get(PmiClient client, String space, String key) {
    client.ask("cmd=get kvsname=%s key=%s".formatted(space, key), "get_result");
    return client.value("rc").filter("0"::equals).flatMap(code -> client.value("value"));
  }

  private static First readFirst(PmiClient client, String space) {
    String[] words = get(client, space, KEY).filter(text -> text.matches("[0-9a-f]{16},.*")).orElseThrow(
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
