package io.adrastea.queue;

import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;

import io.adrastea.atomic.Words;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * SYNC intent: who repairs a queue reads tail, then looks whether a living rank stands in an enqueue there; when it
 * does not, the cells up to that tail are linked. r1: tail names the new cell; r2: its enqueuer was seen at it; r3: the
 * link.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "before the intent")
@Outcome(
    id = "0, 1, [01]",
    expect = Expect.ACCEPTABLE,
    desc = "tail was read before the SWAP; the rank was seen at it later")
@Outcome(
    id = "0, 0, 1",
    expect = Expect.ACCEPTABLE,
    desc = "tail was read before the SWAP; all was over, or began, between the reads")
@Outcome(id = "1, 1, [01]", expect = Expect.ACCEPTABLE, desc = "swapped, and still at it: the repair waits")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "swapped and no longer at it: linked")
@Outcome(
    id = "1, 0, 0",
    expect = Expect.FORBIDDEN,
    desc = "swapped, not at it and not linked: a repair would take the queue for broken")
@State
public class IntentRace extends QueueMemory {
  public IntentRace() {
    send(1, A);
  }

  @Actor
  public void enqueue() {
    send(0, B);
  }

  @Actor
  public void look(III_Result seen) {
    seen.r1 = Words.loadAcquireLong(memory, QUEUE + TAIL_OFFSET) == B ? 1 : 0;
    seen.r2 = Intent.stands(memory, intent(0), QUEUE) ? 1 : 0;
    seen.r3 = Words.loadAcquireLong(memory, A + NEXT_OFFSET) == B ? 1 : 0;
  }
}
