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

/** As IntentRace, when the rank goes on to another queue at once: who sees that one named sees the link made before. */
@JCStressTest
@Outcome(id = "0, [01], [01]", expect = Expect.ACCEPTABLE, desc = "tail was read before the SWAP: nothing is promised")
@Outcome(id = "1, 1, [01]", expect = Expect.ACCEPTABLE, desc = "seen at this queue: the repair waits")
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "seen nowhere, or at the other queue: linked here")
@Outcome(id = "1, 0, 0", expect = Expect.FORBIDDEN, desc = "the other queue's name was seen before this one's link")
@State
public class IntentOfNextQueueRace extends QueueMemory {
  private static final long OTHER = intent(2) + io.adrastea.layout.RankEntryDescriptor.INTENT_QUEUE_OFFSET;

  public IntentOfNextQueueRace() {
    send(1, A);
  }

  @Actor
  public void enqueueHereAndThere() {
    send(0, B);
    Intent.declare(memory, intent(0), OTHER, C, 0);
  }

  @Actor
  public void look(III_Result seen) {
    seen.r1 = Words.loadAcquireLong(memory, QUEUE + TAIL_OFFSET) == B ? 1 : 0;
    seen.r2 = Intent.stands(memory, intent(0), QUEUE) ? 1 : 0;
    seen.r3 = Words.loadAcquireLong(memory, A + NEXT_OFFSET) == B ? 1 : 0;
  }
}
