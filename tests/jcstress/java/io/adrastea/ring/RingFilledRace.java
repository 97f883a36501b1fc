package io.adrastea.ring;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** SYNC ring-filled: bytes come before the count that shows them, chunk by chunk. */
@JCStressTest
@Outcome(id = "\\+", expect = Expect.ACCEPTABLE, desc = "nothing shown yet")
@Outcome(id = "\\+1", expect = Expect.ACCEPTABLE, desc = "one chunk")
@Outcome(id = "\\+12", expect = Expect.ACCEPTABLE, desc = "both")
@Outcome(id = ".*0.*", expect = Expect.FORBIDDEN, desc = "a count without its bytes")
@State
public class RingFilledRace extends RingMemory {
  @Actor
  public void put() {
    put(0, 2);
  }

  @Actor
  public void take(L_Result found) {
    found.r1 = take(0, 2);
  }
}
