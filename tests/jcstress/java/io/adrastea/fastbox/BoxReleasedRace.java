package io.adrastea.fastbox;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * SYNC box-released: what the writer writes over was read before. The ring is as full as it gets; r1: the first two
 * messages as they were read; r2: how many were sent then, the second of them where the first lay.
 */
@JCStressTest
@Outcome(id = "78, 0", expect = Expect.ACCEPTABLE, desc = "no room yet")
@Outcome(id = "78, 1", expect = Expect.ACCEPTABLE, desc = "room at the ring's end")
@Outcome(id = "78, 2", expect = Expect.ACCEPTABLE, desc = "the place of the first was written over after it was read")
@Outcome(id = "98, .*|79, .*|99, .*", expect = Expect.FORBIDDEN, desc = "a new message in the place of an old one")
@State
public class BoxReleasedRace extends BoxMemory {
  private final int sent;

  public BoxReleasedRace() {
    int filled = 0;
    while (send(1 + filled, 7 + filled, false)) {
      filled++;
    }
    sent = filled;
  }

  @Actor
  public void read(II_Result found) {
    found.r1 = 10 * receive(1);
    found.r1 += receive(2);
  }

  @Actor
  public void writeOver(II_Result found) {
    int more = 0;
    while (more < 2 && send(1 + sent + more, 9, false)) {
      more++;
    }
    found.r2 = more;
  }
}
