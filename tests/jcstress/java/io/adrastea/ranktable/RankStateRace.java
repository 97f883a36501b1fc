package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.CORE_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.STATE_ATTACHED;
import static io.adrastea.layout.RankEntryDescriptor.STATE_OFFSET;

import io.adrastea.atomic.Words;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** SYNC rank-state, with the words and the orders of RankTable: a state shows what its rank wrote before. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not attached yet")
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "attached, and its core is there")
@Outcome(id = "-1", expect = Expect.FORBIDDEN, desc = "attached, and its core is missing")
@State
public class RankStateRace {
  private final MemorySegment entry = GivenView.memory(64);

  @Actor
  public void attach() {
    Words.store(entry, CORE_OFFSET, 7);
    Words.storeRelease(entry, STATE_OFFSET, STATE_ATTACHED);
  }

  @Actor
  public void look(I_Result seen) {
    if (Words.loadAcquire(entry, STATE_OFFSET) == STATE_ATTACHED) {
      int core = Words.load(entry, CORE_OFFSET);
      seen.r1 = core == 0 ? -1 : core;
    }
  }
}
