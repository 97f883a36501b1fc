package io.adrastea.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * Two enqueuers on an empty queue, one of which is the dequeuer, which looks once afterwards: SYNC queue-tail,
 * queue-link by head and by next.
 */
@JCStressTest
@Outcome(id = "A, B", expect = Expect.ACCEPTABLE, desc = "A swapped and linked first")
@Outcome(id = "B, A", expect = Expect.ACCEPTABLE, desc = "B swapped first, A comes behind it or later")
@Outcome(
    id = "-, AB",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "A swapped first and has not linked head: the queue looks empty")
@Outcome(id = "P, BA", expect = Expect.ACCEPTABLE_INTERESTING, desc = "A swapped behind B and has not linked: B stays")
@Outcome(id = "P, AB", expect = Expect.FORBIDDEN, desc = "B behind A was linked by the dequeuer itself")
@Outcome(id = ".*\\?.*", expect = Expect.FORBIDDEN, desc = "a cell without its contents")
@Outcome(id = "[-ABP], [-AB]", expect = Expect.FORBIDDEN, desc = "a cell is lost")
@State
public class QueueEnqueuersRace extends QueueMemory {
  @Actor
  public void enqueue() {
    send(0, A);
  }

  @Actor
  public void enqueueAndDequeue(LL_Result found) {
    send(1, B);
    found.r1 = receive();
  }

  @Arbiter
  public void drain(LL_Result found) {
    found.r2 = rest();
  }
}
