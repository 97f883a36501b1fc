package io.adrastea.barrier;

import io.adrastea.layout.BarrierDescriptor;
import io.adrastea.layout.SegmentHeaderDescriptor;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Rounds one after the other: the counter is 0 before the signal shows, so that who is let go may count at once. How
 * many were gone through.
 */
@JCStressTest
@Outcome(id = "3, 3", expect = Expect.ACCEPTABLE, desc = "both went through all rounds")
@Outcome(
    id = "-71, .*|.*, -71",
    expect = Expect.FORBIDDEN,
    desc = "a rank counted for the next round before the counter was 0")
@State
public class BarrierRoundsRace {
  private static final int ROUNDS = 3;

  private final MemorySegment memory =
      GivenView.memory(SegmentHeaderDescriptor.BARRIER_OFFSET + BarrierDescriptor.BYTES);
  private final Barrier first = new Barrier(memory, 2);
  private final Barrier second = new Barrier(memory, 2);

  private static int rounds(Barrier barrier) {
    for (int round = 0; round < ROUNDS; round++) {
      int status = barrier.arrive();
      while (status == 0 && (status = barrier.await(100)) == Barrier.AGAIN) {
        status = 0;
      }
      if (status != 0) {
        return status;
      }
    }
    return ROUNDS;
  }

  @Actor
  public void first(II_Result done) {
    done.r1 = rounds(first);
  }

  @Actor
  public void second(II_Result done) {
    done.r2 = rounds(second);
  }
}
