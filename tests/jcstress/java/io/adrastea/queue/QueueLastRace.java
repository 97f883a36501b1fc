package io.adrastea.queue;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * The last cell is taken out while another one comes behind it: the dequeuer's CAS against the enqueuer's SWAP, SYNC
 * queue-tail.
 */
@JCStressTest
@Outcome(
    id = "A-, B",
    expect = Expect.ACCEPTABLE,
    desc = "the CAS came first: B found the queue empty and linked head later")
@Outcome(id = "AB, -", expect = Expect.ACCEPTABLE, desc = "B was linked, by next or by head, before the second look")
@Outcome(
    id = "PP, AB",
    expect = Expect.ACCEPTABLE_INTERESTING,
    desc = "the SWAP came first, and no link was seen in either look")
@Outcome(id = "PA, B", expect = Expect.ACCEPTABLE_INTERESTING, desc = "the SWAP came first, the link between the looks")
@Outcome(id = ".*\\?.*", expect = Expect.FORBIDDEN, desc = "B without its contents")
@Outcome(id = "A-, -", expect = Expect.FORBIDDEN, desc = "B is lost: head = null came after tail = null")
@State
public class QueueLastRace extends QueueMemory {
  public QueueLastRace() {
    send(1, A);
  }

  @Actor
  public void enqueue() {
    send(0, B);
  }

  @Actor
  public void dequeue(LL_Result found) {
    found.r1 = receive() + receive();
  }

  @Arbiter
  public void drain(LL_Result found) {
    found.r2 = rest();
  }
}
