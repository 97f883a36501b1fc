package io.adrastea.bench.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.measure.Csv;
import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallTableTest {
  private static final int CALLS = 100;

  private static Series series(Call call, String variant, long... nanosPerCall) {
    Series series = new Series(variant, new Plan(call.kind(), call.bytes(), 1, 1, CALLS, Duration.ofMillis(1)));
    for (long nanos : nanosPerCall) {
      series.addRound(List.of(new long[] {1_000_000, nanos * CALLS})); // the first batch is not counted
    }
    return series;
  }

  private static CallTable table(boolean withC) {
    Map<Call, Results> results = new EnumMap<>(Call.class);
    Series inC = series(Call.NOTHING, "c", 2, 4, 2);
    Series core = series(Call.NOTHING, "ffm", 6, 12, 8);
    results.put(Call.NOTHING, new Results(Call.NOTHING.kind(), withC ? List.of(inC, core) : List.of(core)));
    Series array = series(Call.SEND_ARRAY, "ffm", 10, 10, 10);
    results.put(Call.SEND_ARRAY, new Results(Call.SEND_ARRAY.kind(), List.of(array)));
    return new CallTable(results);
  }

  @Test
  void aCallHasTheMedianOfItsRoundsAndWhatCHasNotIsADash() {
    assertEquals(List.of("variant", "empty call", "send of array"), table(true).nanos().head());
    assertEquals(
        List.of(List.of("c", "2.00 +-0.50", "-"), List.of("ffm", "8.00 +-1.50", "10.00 +-0.00")),
        table(true).nanos().rows());
  }

  @Test
  void ratiosAreTakenWithinTheRounds() {
    assertEquals(
        List.of(List.of("c", "1.00 +-0.00", "-"), List.of("ffm", "3.00 +-0.25", "-")), table(true).ratios().rows());
  }

  @Test
  void withoutTheProgramInCThereAreNoRatios() {
    assertEquals(List.of(List.of("ffm", "-", "-")), table(false).ratios().rows());
  }

  @Test
  void theFiguresOfAllCallsAreUnderOneHead() {
    Map<Call, Results> results = new EnumMap<>(Call.class);
    for (Call call : new Call[] {Call.SEND, Call.POLL}) {
      results.put(call, new Results(call.kind(), List.of(series(call, "ffm", 5))));
    }
    List<String> lines = Csv.lines(results.values());
    assertEquals("bench,variant,bytes,metric,value,unit", lines.get(0));
    assertEquals(List.of("call-send,ffm,8,p50,5.00,ns", "call-poll,ffm,8,p50,5.00,ns"),
        lines.stream().filter(line -> line.contains("p50")).toList());
    assertEquals(1, lines.stream().filter(line -> line.startsWith("bench,")).count());
  }
}
