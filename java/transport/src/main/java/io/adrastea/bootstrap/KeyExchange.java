package io.adrastea.bootstrap;

import io.adrastea.bootstrap.Bootstrap.Claim;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Nodes;
import io.adrastea.segment.ProcessIdentity;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How ranks on several nodes find out who is where, and then tell each other their cards, by a start-up service.
 *
 * @param space what they put and read
 * @param rank of this process in the job
 * @param size ranks of the job
 */
record KeyExchange(KeySpace space, int rank, int size) implements CardExchange {
  private static final String NODE = "adrastea-node-"; // each puts its own, ...
  private static final String JOINED = "adrastea-card-"; // ... and its card, with its number behind it

  /**
   * Asks all ranks what node they are on, and the first for the number of the job. Ends the conversation when that
   * fails, or all are on one node.
   *
   * @param job number of the job, which counts where this is rank 0
   * @throws JoinException when the service fails, or ranks of other versions put something else
   */
  static Membership meet(KeySpace space, long job, Claim claim, Optional<ProcessIdentity> launcher) {
    boolean goesOn = false;
    try {
      Membership membership = new KeyExchange(space, claim.rank(), claim.size()).meet(job, launcher);
      goesOn = membership.cards() != null;
      return membership;
    } finally {
      if (!goesOn) {
        space.close();
      }
    }
  }

  private Membership meet(long job, Optional<ProcessIdentity> launcher) {
    List<String> each = all(NODE, "%016x,%s".formatted(job, NodeIdentity.here()));
    String first = each.getFirst();
    if (!first.matches("[0-9a-f]{16},.*")) {
      throw new JoinException(
          "rank 0 has put '%.64s' where the number of the job and its node were to be; are all ranks of one version?"
              .formatted(PlainText.ascii(first)));
    }
    List<String> nodes = each.stream().map(text -> text.substring(text.indexOf(',') + 1)).toList();
    Membership membership = membership(Long.parseUnsignedLong(first.substring(0, 16), 16), launcher, nodes);
    if (membership.cards() == null) {
      space.finish();
    }
    return membership;
  }

  /** Among ranks on these nodes, by rank; they go on to tell their cards where the nodes are several. */
  private Membership membership(long job, Optional<ProcessIdentity> launcher, List<String> nodes) {
    List<String> distinct = nodes.stream().distinct().toList();
    return Membership.onNodes(job, rank, Nodes.of(nodes.stream().mapToInt(distinct::indexOf).toArray()), launcher,
        distinct.size() > 1 ? this : null);
  }

  /** Each rank puts a value under a key of its own, and reads those of all. */
  private List<String> all(String keys, String value) {
    space.put(keys + rank, value);
    space.fence();
    return IntStream.range(0, size)
        .mapToObj(other -> space.get(other, keys + other).orElseThrow(() -> new JoinException(
            "rank %d has put nothing under %s%d; are all ranks of one version?".formatted(other, keys, other))))
        .toList();
  }

  @Override
  public List<String> exchange(String card) {
    List<String> cards = all(JOINED, card);
    space.finish();
    return cards;
  }

  @Override
  public void close() {
    space.close();
  }
}
