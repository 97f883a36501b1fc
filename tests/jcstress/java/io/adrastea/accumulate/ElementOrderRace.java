package io.adrastea.accumulate;

import io.adrastea.atomic.Words;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JI_Result;

/** SYNC accumulate-element: a lock of two bytes is given back and taken; what was done under it is there. */
@JCStressTest
@Outcome(id = "7, .*", expect = Expect.ACCEPTABLE, desc = "it was not free")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "it is taken, and all is there")
@Outcome(id = "0, 0", expect = Expect.FORBIDDEN, desc = "it is taken, and what its holder did is not there yet")
@State
public class ElementOrderRace {
  private static final int LOCK = 66;

  private final MemorySegment memory = GivenView.memory(128);

  public ElementOrderRace() {
    Accumulate.fetchAndOp(Operator.REPLACE, ElementKind.INT16, memory, LOCK, 7);
  }

  @Actor
  public void release() {
    Words.store(memory, 0, 1);
    Accumulate.fetchAndOp(Operator.REPLACE, ElementKind.INT16, memory, LOCK, 0);
  }

  @Actor
  public void take(JI_Result found) {
    found.r1 = Accumulate.compareAndSwap(ElementKind.INT16, memory, LOCK, 0, 9);
    found.r2 = Words.load(memory, 0);
  }
}
