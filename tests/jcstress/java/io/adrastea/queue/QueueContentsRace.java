package io.adrastea.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** SYNC queue-link onto an empty queue, by head: who gets a cell gets what it carries. */
@JCStressTest
@Outcome(id = "-, A", expect = Expect.ACCEPTABLE, desc = "looked before head was linked")
@Outcome(id = "A, -", expect = Expect.ACCEPTABLE, desc = "head was seen, so the contents are")
@Outcome(
    id = "A\\?, .*",
    expect = Expect.FORBIDDEN,
    desc = "the cell without its contents: release of head or acquire in peek is gone")
@Outcome(
    id = "P, .*",
    expect = Expect.FORBIDDEN,
    desc = "no link can be pending: the only enqueuer links before the cell is found")
@Outcome(id = "-, -", expect = Expect.FORBIDDEN, desc = "the cell is lost")
@State
public class QueueContentsRace extends QueueMemory {
  @Actor
  public void enqueue() {
    send(0, A);
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
