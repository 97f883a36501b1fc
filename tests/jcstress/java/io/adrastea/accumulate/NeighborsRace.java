package io.adrastea.accumulate;

import io.adrastea.atomic.Words;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Elements of 1 and 2 bytes beside each other in one word: none undoes what another one has become. */
@JCStressTest
@Outcome(id = "50462977", expect = Expect.ACCEPTABLE, desc = "0x03020101: all have been changed")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change is lost")
@State
public class NeighborsRace {
  private final MemorySegment target = GivenView.memory(8);

  @Actor
  public void addToBytes() {
    Accumulate.fetchAndOp(Operator.SUM, ElementKind.INT8, target, 0, 1);
    Accumulate.fetchAndOp(Operator.MAX, ElementKind.INT8, target, 1, 1);
  }

  @Actor
  public void replaceShort() {
    Accumulate.compareAndSwap(ElementKind.INT16, target, 2, 0, 0x302);
  }

  @Arbiter
  public void look(I_Result found) {
    found.r1 = Words.loadRelaxed(target, 0);
  }
}
