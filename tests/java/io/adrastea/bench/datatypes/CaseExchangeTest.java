package io.adrastea.bench.datatypes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.Job;
import io.adrastea.ThreadLevel;
import io.adrastea.bench.datatypes.Case.Group;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("loops")
class CaseExchangeTest {
  private static final int MOST_BYTES = 64 << 20;

  private static void run(Way way, Memory memory, List<Case> cases) {
    Job.builder()
        .threads(ThreadLevel.MULTIPLE)
        .runThreads(
            2,
            job -> {
              Side side = Side.of(job, memory);
              for (Case one : cases) {
                Exchange exchange = new DatatypeExchanges().make(way.kind(one.group()).command(), side);
                exchange.prepare(one.number());
                exchange.batch(3);
                exchange.check();
                exchange.verify();
              }
            });
  }

  /** The first size of each shape, and some blocks. */
  private static List<Case> some(Way way) {
    Stream<Case> strided = IntStream.of(8, 64, 4096).mapToObj(Cases::noncontig);
    Stream<Case> firsts = Cases.shapes().stream()
        .filter(one -> one.memoryBytes() <= MOST_BYTES)
        .filter(one -> Cases.shapes(List.of(one.shape())).get(0).equals(one));
    return Stream.concat(strided, firsts).filter(way::isFor).toList();
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void everyWayBringsEveryShapeAcross(Way way) {
    run(way, Memory.NATIVE, some(way));
  }

  @Test
  void dataOfASharedAllocationArrivesByItsTypeToo() {
    run(Way.TYPE, Memory.SHARED, some(Way.TYPE));
  }

  @Test
  void noTwoWaysShareACommand() {
    assertEquals(Way.values().length * Group.values().length, new DatatypeExchanges().commands().size());
  }
}
