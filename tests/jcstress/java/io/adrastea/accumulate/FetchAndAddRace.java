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
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Two ranks count: each gets a number of its own, and nothing is lost. */
@JCStressTest
@Outcome(id = "0, 1, 2", expect = Expect.ACCEPTABLE, desc = "the first came first")
@Outcome(id = "1, 0, 2", expect = Expect.ACCEPTABLE, desc = "the second came first")
@Outcome(expect = Expect.FORBIDDEN, desc = "both have one number, or a change is lost")
@State
public class FetchAndAddRace {
  private final MemorySegment target = GivenView.memory(8);

  private long count() {
    return Accumulate.fetchAndOp(Operator.SUM, ElementKind.INT64, target, 0, 1);
  }

  @Actor
  public void first(JJJ_Result found) {
    found.r1 = count();
  }

  @Actor
  public void second(JJJ_Result found) {
    found.r2 = count();
  }

  @Arbiter
  public void look(JJJ_Result found) {
    found.r3 = Words.loadRelaxedLong(target, 0);
  }
}
