package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.SLEEPS_ON_WORDS_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * SYNC word-sleeper, with the words and the orders of RankTable. r1: the word, as the sleeper's last look finds it; r2:
 * the flag, as the writer finds it after it has written the word, in the plainest order that a writer may take.
 */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the sleeper is woken")
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the sleeper finds the word")
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "the sleeper finds the word, and is woken")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "it sleeps, and nobody wakes it")
@State
public class WordSleeperRace {
  private final MemorySegment entry = GivenView.memory(512);
  private final MemorySegment region = GivenView.memory(64);

  @Actor
  public void sleep(II_Result seen) {
    Words.storeRelease(entry, SLEEPS_ON_WORDS_OFFSET, 1);
    Words.fullFence();
    seen.r1 = Words.loadAcquire(region, 0);
  }

  @Actor
  public void write(II_Result seen) {
    Words.storeRelaxed(region, 0, 1);
    Words.fullFence();
    seen.r2 = Words.loadAcquire(entry, SLEEPS_ON_WORDS_OFFSET);
  }
}
