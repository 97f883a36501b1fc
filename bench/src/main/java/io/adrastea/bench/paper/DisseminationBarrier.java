package io.adrastea.bench.paper;

import io.adrastea.Communicator;
import io.adrastea.bench.measure.BarrierExchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A barrier of point-to-point messages, as MPICH2 makes it without shared variables: dissemination ([MPICH2 2007, 3.4],
 * after Hensgen, Finkel and Manber 1988). In round k each rank tells the one 2^k further on and hears of the one 2^k
 * before it; after the logarithm of the ranks, rounded up, everybody has heard of all.
 */
final class DisseminationBarrier extends BarrierExchange {
  private static final int TAG = 13;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final int[] further;
  private final int[] before;

  DisseminationBarrier(Communicator world) {
    super(world);
    int rounds = rounds(world.size());
    this.further = new int[rounds];
    this.before = new int[rounds];
    for (int round = 0; round < rounds; round++) {
      further[round] = Math.floorMod(world.rank() + (1 << round), world.size());
      before[round] = Math.floorMod(world.rank() - (1 << round), world.size());
    }
  }

  /** The logarithm to base 2, rounded up. */
  static int rounds(int ranks) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(ranks - 1);
  }

  @Override
  protected void barrier() {
    for (int round = 0; round < further.length; round++) {
      world.send(NOTHING, further[round], TAG);
      world.recv(NOTHING, before[round], TAG);
    }
  }
}
