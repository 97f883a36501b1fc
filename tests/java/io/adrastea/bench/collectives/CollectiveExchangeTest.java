package io.adrastea.bench.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Job;
import io.adrastea.ThreadLevel;
import io.adrastea.bench.collectives.Rows.Row;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("loops")
class CollectiveExchangeTest {
  private static final List<Call> CALLS = Call.all(List.of(Collective.values()), List.of(Call.MOVING, "1"),
      List.of(Form.values()));

  @Test
  void everyCallHasATimeAndTheRightOutputs() {
    run(Memory.NATIVE, CALLS.stream().filter(call -> !call.form().isOverlap()).toList(), 8,
        200_000);
  }

  @ParameterizedTest
  @EnumSource(value = Memory.class, names = {"ARRAY", "SHARED"})
  void everyMemoryHasThemToo(Memory memory) {
    run(memory, CALLS.stream().filter(call -> call.form() == Form.BLOCKING).toList(), 1024,
        200_000);
  }

  /** What takes long is how long one takes alone, which is found out once. */
  @Test
  void aCallBehindComputingHasThemToo() {
    run(Memory.NATIVE, CALLS.stream().filter(
        call -> call.collective() == Collective.ALLREDUCE && call.form().isOverlap()).toList(), 1 << 20);
  }

  private static void run(Memory memory, List<Call> calls, Integer... sizes) {
    Clock clock = Clock.calibrated();
    Job.builder()
        .threads(ThreadLevel.MULTIPLE)
        .runThreads(
            3,
            job -> {
              Side side = Side.of(job, memory);
              for (Call call : calls) {
                Exchange exchange = new CollectiveExchanges().make(call.kind().command(), side);
                for (int bytes : call.collective().hasBytes() ? List.of(sizes) : List.of(0)) {
                  exchange.prepare(bytes);
                  long nanos = exchange.timed(2, clock);
                  assertTrue(side.world().rank() == 0 ? nanos > 0 : nanos == 0, call + " " + nanos);
                  exchange.verify();
                }
              }
            });
  }

  @Test
  void aRowThatIsNotWhatItHasToBeIsSeen() {
    Row[] rows = new Rows(Memory.NATIVE, null).take(2, 800);
    Rows.write(rows[0].memory(), 5);
    Rows.write(rows[1].memory(), 6);
    assertTrue(Rows.holds(rows[0].memory(), 0, 5, 1, 1));
    assertFalse(Rows.holds(rows[1].memory(), 0, 5, 1, 8));
    assertFalse(Rows.holds(rows[0].memory(), 0, 5, 2, 1));
    assertTrue(Rows.holds(rows[0].memory().asSlice(560, 160), 70, 5, 1, 1));
    assertFalse(Rows.holds(rows[0].memory().asSlice(560, 160), 71, 5, 1, 1));
  }

  @Test
  void theRootMovesOrStays() {
    assertEquals(1, new Call(Collective.BCAST, Call.MOVING, Form.BLOCKING).rootOf(5, 4));
    assertEquals(3, new Call(Collective.BCAST, "3", Form.STARTED).rootOf(5, 4));
    assertEquals(-1, new Call(Collective.ALLREDUCE, "", Form.BLOCKING).rootOf(5, 4));
  }

  @Test
  void aCallIsKnownByItsCommand() {
    for (Call call : CALLS) {
      assertEquals(call, Call.of(call.kind().command()).orElseThrow());
      assertTrue(new CollectiveExchanges().commands().contains(call.kind().command()), call.title());
    }
    assertEquals("coll-bcast-moving", new Call(Collective.BCAST, Call.MOVING, Form.BLOCKING).kind().command());
    assertEquals("coll-inturn-reduceScatterBlock",
        new Call(Collective.REDUCE_SCATTER_BLOCK, "", Form.IN_TURN).kind().command());
    assertTrue(Call.of("coll-started").isEmpty());
    assertTrue(Call.of("coll-barrier-0").isEmpty());
    assertTrue(Call.of("coll-bcast").isEmpty());
    assertTrue(Call.of("coll-gossip").isEmpty());
    assertTrue(Call.of("barrier").isEmpty());
  }
}
