package io.adrastea.fastbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A burst shows its first header last, by one release store: all messages of it are there at once. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not shown yet")
@Outcome(id = "7, 8", expect = Expect.ACCEPTABLE, desc = "shown: both are there")
@Outcome(id = "0, 7", expect = Expect.ACCEPTABLE, desc = "shown between the looks")
@Outcome(id = ".*5.*", expect = Expect.FORBIDDEN, desc = "a header without its payload")
@Outcome(
    id = "7, 0",
    expect = Expect.FORBIDDEN,
    desc = "shown, and the second is missing: its relaxed header was not ordered by the first's release")
@State
public class BoxBurstRace extends BoxMemory {
  @Actor
  public void write() {
    send(1, 7, true);
    send(2, 8, true);
    outbox.show();
  }

  @Actor
  public void read(II_Result found) {
    found.r1 = receive(1);
    found.r2 = receive(found.r1 == 0 ? 1 : 2);
  }
}
