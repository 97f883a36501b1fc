package io.adrastea.engine.resources;

import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.peers.Peers;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.WordSleepers;
import io.adrastea.ranktable.RankTable;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.shared.SymmetricRegions;
import io.adrastea.space.RemoteMemory;
import io.adrastea.transfer.Path;
import java.util.stream.IntStream;

/**
 * What all parts of the engine of a rank share: {@code peers} are the ranks of the job, {@code table} tells of those of
 * the node, {@code heap} holds the shared allocations of the rank itself, {@code reach} finds those of the ranks of the
 * node, {@code symmetric} has the regions with parts of several ranks, {@code memory} copies from and to the
 * allocations of all ranks, and what else other processes let it.
 */
public record Resources(Peers peers, Spaces spaces, RankTable table, SharedHeap heap, SharedReach reach,
    SymmetricRegions symmetric, RemoteMemory memory, EngineSettings settings, Gate gate, Liveness liveness,
    Movement movement, WordSleepers wordSleepers, boolean checksTypes) {
  /**
   * The resources of a rank whose engine is about to be made.
   *
   * @param reach finds the shared allocations of all ranks of the node
   * @param symmetric its symmetric regions
   * @param checksTypes receivers are told the types of messages, and compare them
   */
  public static Resources of(Peers peers, Spaces spaces, RankTable table, SharedHeap heap, SharedReach reach,
      SymmetricRegions symmetric, EngineSettings settings, boolean checksTypes) {
    boolean oversubscribed = settings.waiting().isOversubscribed(table.isOversubscribed());
    Gate gate = new Gate(peers.self(), settings.threads(), () -> settings.waiting().waiter(oversubscribed));
    Liveness liveness = new Liveness(peers, settings.isMultithreaded());
    int[] localRanks = localRanks(peers, Movement.ELSEWHERE);
    int localRank = localRanks[peers.self()];
    return new Resources(peers, spaces, table, heap, reach, symmetric,
        memory(peers, spaces, table, heap, reach, settings, liveness),
        settings, gate, liveness, new Movement(table, localRank, localRanks),
        new WordSleepers(table, localRank, localRanks), checksTypes);
  }

  /** Local ranks by ranks of the job. */
  private static int[] localRanks(Peers peers, int elsewhere) {
    return IntStream.range(0, peers.size())
        .map(rank -> peers.isOnNode(rank) ? peers.nodes().localRank(rank) : elsewhere).toArray();
  }

  private static RemoteMemory memory(Peers peers, Spaces spaces, RankTable table, SharedHeap heap, SharedReach reach,
      EngineSettings settings, Liveness liveness) {
    int[] localRanks = localRanks(peers, RemoteMemory.ELSEWHERE);
    int[] pids =
        IntStream.of(localRanks)
            .map(rank -> rank == RemoteMemory.ELSEWHERE ? 0 : table.addressablePid(rank, localRanks[peers.self()]))
            .toArray();
    int allowed = Path.spaces(settings.large().paths());
    return new RemoteMemory(spaces, heap, reach, localRanks, pids, allowed, liveness::isReachable);
  }

  /** This rank, in the job. */
  public int rank() {
    return peers.self();
  }

  /** Number of ranks of the job. */
  public int ranks() {
    return peers.size();
  }

  /** Whether the ranks of the node outnumber its CPUs, as they are counted or as a setting says. */
  public boolean isOversubscribed() {
    return settings.waiting().isOversubscribed(table.isOversubscribed());
  }
}
