package io.adrastea.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LI_Result;

/**
 * SYNC ring-drained: room is written over after it was read. The ring is full of 1 and 2; r2: bytes of 3 and 4 that
 * found room.
 */
@JCStressTest
@Outcome(id = "\\+12, 0", expect = Expect.ACCEPTABLE, desc = "no room yet")
@Outcome(id = "\\+12, 8", expect = Expect.ACCEPTABLE, desc = "room for 3 where 1 was")
@Outcome(id = "\\+12, 16", expect = Expect.ACCEPTABLE, desc = "room for both")
@Outcome(id = "\\+(3|.4).*, .*", expect = Expect.FORBIDDEN, desc = "read what was written later")
@State
public class RingDrainedRace extends RingMemory {
  public RingDrainedRace() {
    put(0, 2);
  }

  @Actor
  public void take(LI_Result found) {
    found.r1 = take(0, 2);
  }

  @Actor
  public void put(LI_Result found) {
    found.r2 = put(2, 2);
  }
}
