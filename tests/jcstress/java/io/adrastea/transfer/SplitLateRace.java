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
 * A sender looks late, while the receiver has copied all of a message and makes the word whole for the next: of that it
 * takes nothing.
 */
@JCStressTest
@Outcome(id = "0-0, -", expect = Expect.ACCEPTABLE, desc = "nothing of either message")
@Outcome(
    id = "0-0, 0-0",
    expect = Expect.FORBIDDEN,
    desc = "the page of the next message is taken twice, for the old one too")
@Outcome(id = "-, .*", expect = Expect.FORBIDDEN, desc = "the receiver lost its page to a sender of the old message")
@State
public class SplitLateRace {
  private static final int OLD = 3;
  private static final int NEXT = 4;

  private final MemorySegment word = GivenView.memory(Long.BYTES);

  public SplitLateRace() {
    Split.reset(word, 0, OLD);
    Split.take(word, 0, OLD, Split.PAGE, false, true);
  }

  @Actor
  public void receiver(LL_Result taken) {
    Split.reset(word, 0, NEXT);
    taken.r1 = SplitRace.pages(Split.take(word, 0, NEXT, Split.PAGE, false, false), Split.PAGE);
  }

  @Actor
  public void lateSender(LL_Result taken) {
    taken.r2 = SplitRace.pages(Split.take(word, 0, OLD, Split.PAGE, true, false), Split.PAGE);
  }
}
