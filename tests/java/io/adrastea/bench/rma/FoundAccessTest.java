package io.adrastea.bench.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.peer.JobFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is told of an access beside others. */
class FoundAccessTest {
  private static FoundAccess found(Access access, int ranks, int bytes, List<String> beside, Map<String, Long> nanos) {
    List<Series> series = nanos.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(one -> {
      Series made = new Series(one.getKey(), new Plan(access.kind(), bytes, 0, 1, 1, Duration.ofMillis(1)));
      made.addRound(List.of(new long[] {one.getValue()}));
      return made;
    }).toList();
    List<String> ours = nanos.keySet().stream().filter(name -> name.matches("(ffm|java)[-a-z]*")).toList();
    return new FoundAccess(access, beside,
        new JobFigures(access.word(), ranks, new Results(access.kind(), series), ours, List.of("mpich")));
  }

  @Test
  void aFenceHasARowAndALineOfTheBarrier() {
    FoundAccess fence = found(Access.FENCE, 2, 0, List.of("barrier"),
        Map.of("ffm-shared", 300L, "ffm-shared barrier", 200L, "floor", 100L, "mpich", 600L));
    List<String> columns = fence.rows().columns();
    assertEquals(List.of("ffm-shared", "floor", "mpich"), columns);
    assertEquals(List.of(List.of("fence", "0", "300.0", "100.0", "600.0", "3.00", "2.00"),
        List.of("  barrier", "0", "200.0", "-", "-", "-", "-")), fence.rows().rows(columns));
    assertEquals(List.of("2 ranks, fence: ffm-shared takes 1.50 of the time of its barrier"), fence.said());
  }

  @Test
  void aPutIntoPrivateMemoryIsToldBesideTheSystem() {
    assertEquals(
        List.of("2 ranks, put of 8: ffm takes 2.00 of the time of the bare call of the system",
            "2 ranks, put of 8: ffm takes 1.50 of the time of the copy of the space alone"),
        found(Access.PUT, 2, 8, List.of(), Map.of("ffm", 600L, "floor-cma", 300L, "floor-space", 400L)).said());
    assertEquals(List.of(), found(Access.PUT, 2, 8, List.of(), Map.of("ffm-shared", 60L, "floor-cma", 300L)).said());
    assertEquals(List.of(), found(Access.PUT, 2, 8, List.of(), Map.of("java", 6000L, "floor-cma", 300L)).said());
  }

  @Test
  void aSumWithinALockIsToldBesideACopyWhereMemoryIsMapped() {
    assertEquals(List.of("2 ranks, accumulate-locked of 8: ffm-shared takes 2.00 of the time of a copy of as much"),
        found(Access.ACCUMULATE_LOCKED, 2, 8, List.of(), Map.of("ffm", 900L, "ffm-shared", 60L, "floor", 30L)).said());
  }

  @Test
  void aLockIsToldBesideThatOfFewerRanks() {
    FoundAccess few = found(Access.LOCK_ALL, 2, 0, List.of(), Map.of("ffm-shared", 100L));
    FoundAccess many = found(Access.LOCK_ALL, 64, 0, List.of(), Map.of("ffm-shared", 110L));
    assertEquals(List.of("64 ranks, lockAll: ffm-shared takes 1.10 of its time with 2 ranks; it is to be the same"),
        many.saidOver(few));
    many.figures().results().series().getFirst().addCompilers(900, 1000);
    assertEquals(List.of("64 ranks, lockAll: ffm-shared takes 1.10* of its time with 2 ranks; it is to be the same,"
        + " no verdict: figures were not warm (*)"), many.saidOver(few));
    FoundAccess fence = found(Access.FENCE, 2, 0, List.of(), Map.of("ffm-shared", 100L));
    assertEquals(List.of(), fence.saidOver(fence));
  }
}
