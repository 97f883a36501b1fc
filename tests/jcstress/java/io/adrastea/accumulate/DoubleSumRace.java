package io.adrastea.accumulate;

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
import org.openjdk.jcstress.infra.results.DDD_Result;

/** A sum of doubles, by CAS, beside a compare-and-swap of the same element. */
@JCStressTest
@Outcome(id = "0.0, 0.5, 1.5", expect = Expect.ACCEPTABLE, desc = "swapped, then added to")
@Outcome(id = "1.0, 0.0, 1.0", expect = Expect.ACCEPTABLE, desc = "added to, so that it was not swapped")
@Outcome(expect = Expect.FORBIDDEN, desc = "a change is lost")
@State
public class DoubleSumRace {
  private final MemorySegment target = GivenView.memory(8);

  @Actor
  public void swap(DDD_Result found) {
    long half = Double.doubleToRawLongBits(0.5);
    found.r1 = Double.longBitsToDouble(Accumulate.compareAndSwap(ElementKind.DOUBLE, target, 0, 0, half));
  }

  @Actor
  public void add(DDD_Result found) {
    found.r2 = Accumulate.fetchAndOp(Operator.SUM, target, 0, 1.0);
  }

  @Arbiter
  public void look(DDD_Result found) {
    found.r3 = Accumulate.fetchAndOp(Operator.NO_OP, target, 0, 0.0);
  }
}
