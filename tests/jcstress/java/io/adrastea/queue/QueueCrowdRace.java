package io.adrastea.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** Two enqueuers and the dequeuer on an empty queue; left out by jcstress on fewer than three CPUs. */
@JCStressTest
@Outcome(id = "-, AB", expect = Expect.ACCEPTABLE, desc = "looked before head was linked; A swapped first")
@Outcome(id = "-, BA", expect = Expect.ACCEPTABLE, desc = "looked before head was linked; B swapped first")
@Outcome(id = "A, B", expect = Expect.ACCEPTABLE, desc = "A swapped first and was taken")
@Outcome(id = "B, A", expect = Expect.ACCEPTABLE, desc = "B swapped first and was taken")
@Outcome(
    id = "P, AB",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "B is between its SWAP and its link behind A, which stays")
@Outcome(
    id = "P, BA",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "A is between its SWAP and its link behind B, which stays")
@Outcome(id = ".*\\?.*", expect = Expect.FORBIDDEN, desc = "a cell without its contents")
@Outcome(id = "[-AB], [-AB]", expect = Expect.FORBIDDEN, desc = "a cell is lost")
@State
public class QueueCrowdRace extends QueueMemory {
  @Actor
  public void first() {
    send(0, A);
  }

  @Actor
  public void second() {
    send(1, B);
  }

  @Actor
  public void dequeue(LL_Result found) {
    found.r1 = receive();
  }

  @Arbiter
  public void drain(LL_Result found) {
    found.r2 = rest();
  }
}
