package io.adrastea.fastbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two messages, one behind the other: the place of the second header is zero until its message is there. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "neither is there")
@Outcome(id = "7, 0", expect = Expect.ACCEPTABLE, desc = "the first is there")
@Outcome(id = "7, 8", expect = Expect.ACCEPTABLE, desc = "both are there")
@Outcome(id = "0, 7", expect = Expect.ACCEPTABLE, desc = "the first came between the looks")
@Outcome(id = ".*5.*", expect = Expect.FORBIDDEN, desc = "a header without its payload")
@Outcome(id = "0, 8", expect = Expect.FORBIDDEN, desc = "the second before the first")
@State
public class BoxOrderRace extends BoxMemory {
  @Actor
  public void write() {
    send(1, 7, false);
    send(2, 8, false);
  }

  @Actor
  public void read(II_Result found) {
    found.r1 = receive(1);
    found.r2 = receive(found.r1 == 0 ? 1 : 2);
  }
}
