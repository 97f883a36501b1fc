package io.adrastea.transfer;

import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Both ends take pages of a message of three, the receiver from the front, the sender from the back: each page once,
 * and all of them.
 */
@JCStressTest
@Outcome(id = "0-1, 2-2", expect = Expect.ACCEPTABLE, desc = "the receiver took first")
@Outcome(id = "0-0, 1-2", expect = Expect.ACCEPTABLE, desc = "the sender took first")
@Outcome(id = "0-1, 1-2", expect = Expect.FORBIDDEN, desc = "page 1 is taken twice")
@Outcome(id = "0-0, 2-2", expect = Expect.FORBIDDEN, desc = "page 1 is not taken")
@State
public class SplitRace {
  private static final int TAG = 9;
  private static final long BYTES = 3 * Split.PAGE;

  private final MemorySegment word = GivenView.memory(Long.BYTES);

  public SplitRace() {
    Split.reset(word, 0, TAG);
  }

  /** First and last page. */
  static String pages(long part, long bytes) {
    return part == Split.NOTHING
        ? "-"
        : Split.start(part) / Split.PAGE + "-" + (Split.end(part, bytes) - 1) / Split.PAGE;
  }

  @Actor
  public void receiver(LL_Result taken) {
    taken.r1 = pages(Split.take(word, 0, TAG, BYTES, false, false), BYTES);
  }

  @Actor
  public void sender(LL_Result taken) {
    taken.r2 = pages(Split.take(word, 0, TAG, BYTES, true, false), BYTES);
  }
}
