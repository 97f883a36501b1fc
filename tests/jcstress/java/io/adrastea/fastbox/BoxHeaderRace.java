package io.adrastea.fastbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** SYNC box-header: a header that has the number looked for shows the payload. */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "7", expect = Expect.ACCEPTABLE, desc = "header and payload")
@Outcome(id = "5", expect = Expect.FORBIDDEN, desc = "the header without its payload")
@Outcome(id = "-1", expect = Expect.FORBIDDEN, desc = "a header that was not written")
@State
public class BoxHeaderRace extends BoxMemory {
  @Actor
  public void write() {
    send(1, 7, false);
  }

  @Actor
  public void read(I_Result found) {
    found.r1 = receive(1);
  }
}
