package io.adrastea.bench.datatypes;

import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Cast;
import io.adrastea.bench.measure.Cpus;
import io.adrastea.bench.measure.Kind;
import io.adrastea.bench.measure.Variant;
import io.adrastea.bench.peer.Peer;
import io.adrastea.bench.peer.Peers;
import io.adrastea.bench.peer.SearchPath;
import java.util.List;
import java.util.function.Consumer;

/** The micro-benchmark of [SCI-MPICH 2002, 3.4], for the paper's experiments; its sizes are those of blocks. */
public final class Noncontig {
  /** What stands behind the name of the sender: the same bytes in one piece. */
  public static final String CONTIGUOUS = Way.CONTIGUOUS.title();
  /** Sent by datatype. */
  public static final String BY_TYPE = Way.TYPE.title();
  /** Packed by the library, sent, and unpacked: the paper's generic technique. */
  public static final String GENERIC = Way.PACKED.title();
  /** Bytes of a message. */
  public static final int BYTES = Cases.NONCONTIG_BYTES;
  /** A message there and one back. */
  public static final Kind KIND = Way.kind(Group.NONCONTIG.word(), false);

  private static final List<Way> WAYS = List.of(Way.CONTIGUOUS, Way.TYPE, Way.PACKED);

  private Noncontig() {}

  /**
   * Refuses blocks that do not make up the message.
   *
   * @throws IllegalArgumentException when one does not
   */
  public static List<Integer> checked(List<Integer> blocks) {
    blocks.forEach(Cases::noncontig);
    return blocks;
  }

  /** Adds the three ways of processes that run already. */
  public static void add(Cast cast, Variant processes) {
    WAYS.forEach(way -> cast.add(new WayVariant(processes, Group.NONCONTIG, way)));
  }

  /**
   * Adds those of the MPIs that are installed.
   *
   * @param notes is told what is left out
   */
  public static void addPeers(Cast cast, List<Integer> blocks, Cpus cpus, Consumer<String> notes)
      throws InterruptedException {
    List<Case> cases = blocks.stream().map(Cases::noncontig).toList();
    for (Peer peer : Peers.datatypes(SearchPath.here(), DatatypesRun.peerKinds(),
        DatatypesRun.trial(cases.get(0), Way.HAND), Cases.words(cases))) {
      Peers.start(peer, 2, cpus, notes).ifPresent(started -> add(cast, started));
    }
  }
}
