package io.adrastea.barrier;

import io.adrastea.atomic.Words;
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
 * SYNC barrier-counter, barrier-signal: who is let go sees what the other one did before it arrived. Each stores a word
 * without any order, arrives, looks once: the other's word, or -1 when it is not let go.
 */
@JCStressTest
@Outcome(id = "7, 7", expect = Expect.ACCEPTABLE, desc = "both were let go")
@Outcome(id = "-1, 7", expect = Expect.ACCEPTABLE, desc = "the second, which came last, alone")
@Outcome(id = "7, -1", expect = Expect.ACCEPTABLE, desc = "the first, which came last, alone")
@Outcome(
    id = "-1, -1",
    expect = Expect.FORBIDDEN,
    desc = "nobody was let go: the one that came last has told itself nothing")
@Outcome(id = "0, .*|.*, 0", expect = Expect.FORBIDDEN, desc = "let go before the other one's work was there")
@State
public class BarrierRace {
  private static final long WORDS = SegmentHeaderDescriptor.BARRIER_OFFSET + BarrierDescriptor.BYTES;

  private final MemorySegment memory = GivenView.memory(WORDS + 2 * Long.BYTES);
  private final Barrier first = new Barrier(memory, 2);
  private final Barrier second = new Barrier(memory, 2);

  private int meet(Barrier barrier, int own) {
    Words.storeLong(memory, WORDS + own * Long.BYTES, 7);
    barrier.arrive();
    return barrier.check() == 0 ? (int) Words.loadLong(memory, WORDS + (1 - own) * Long.BYTES) : -1;
  }

  @Actor
  public void first(II_Result seen) {
    seen.r1 = meet(first, 0);
  }

  @Actor
  public void second(II_Result seen) {
    seen.r2 = meet(second, 1);
  }
}
