package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * All ranks meet at a barrier, that of {@link Communicator#barrier} unless it is made otherwise: an exchange is one of
 * them.
 */
public class BarrierExchange implements Exchange {
  private static final int TAG = 12;
  private static final long LATE_NANOS = 50_000;

  /** The ranks that meet. */
  protected final Communicator world;

  private final MemorySegment mine = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private final MemorySegment theirs = Arena.global().allocate(ValueLayout.JAVA_LONG);
  private int late;

  protected BarrierExchange(Communicator world) {
    this.world = world;
  }

  /** Returns when all ranks have called it. */
  protected void barrier() {
    world.barrier();
  }

  /** There is no payload. */
  @Override
  public void prepare(int bytes) {}

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      barrier();
    }
  }

  /**
   * One rank, another one each time, comes late: nobody may leave before it has come. The processes of a machine share
   * the clock.
   */
  @Override
  public void verify() {
    late = (late + 1) % world.size();
    long begin = System.nanoTime();
    while (world.rank() == late && System.nanoTime() - begin < LATE_NANOS) {
      Thread.onSpinWait();
    }
    long came = System.nanoTime();
    barrier();
    long left = System.nanoTime();
    mine.set(ValueLayout.JAVA_LONG, 0, came);
    for (int rank = 0; rank < world.size(); rank++) {
      world.send(mine, rank, TAG);
    }
    for (int rank = 0; rank < world.size(); rank++) {
      world.recv(theirs, rank, TAG);
      check(rank, left - theirs.get(ValueLayout.JAVA_LONG, 0));
    }
  }

  private void check(int rank, long since) {
    if (since < 0) {
      throw new IllegalStateException(
          "rank %d left the barrier %d ns before rank %d came to it"
              .formatted(world.rank(), -since, rank));
    }
  }
}
