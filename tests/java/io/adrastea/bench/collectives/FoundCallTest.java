package io.adrastea.bench.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Plan;
import io.adrastea.bench.measure.Results;
import io.adrastea.bench.measure.Series;
import io.adrastea.bench.peer.JobFigures;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FoundCallTest {
  private static FoundCall found(Form form, Map<String, Long> nanos) {
    Call call = new Call(Collective.ALLREDUCE, "", form);
    List<Series> series = nanos.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(one -> {
      Series made = new Series(one.getKey(), new Plan(call.kind(), 1 << 20, 0, 1, 1, Duration.ofMillis(1)));
      made.addRound(List.of(new long[] {one.getValue()}));
      return made;
    }).toList();
    return new FoundCall(call, new JobFigures(call.title(), 2, new Results(call.kind(), series), List.of("ffm"),
        List.of("mpich", "openmpi")));
  }

  @Test
  void theBetterPeerIsNamed() {
    assertEquals(Optional.of("2 ranks, allreduce: ffm takes 0.50 of openmpi at 1M"),
        found(Form.BLOCKING, Map.of("ffm", 1000L, "mpich", 4000L, "openmpi", 2000L)).said());
    assertTrue(found(Form.BLOCKING, Map.of("mpich", 4000L)).said().isEmpty());
  }

  @Test
  void noVerdictIsGivenOnFiguresThatWereNotWarm() {
    FoundCall cold = found(Form.BOTH, Map.of("ffm", 1000L, "openmpi", 2000L));
    cold.figures().results().series().getFirst().addCompilers(900, 1000);
    String none = "2 ranks, allreduce both: no verdict at 1M: figures were not warm (*)";
    assertEquals(Optional.of(none), cold.said());
    assertEquals(Optional.of(none), cold.saidOver(found(Form.ALONE, Map.of("ffm", 1000L))));
    assertEquals(List.of(none), cold.saidHidden(found(Form.ALONE, Map.of("ffm", 1000L)),
        found(Form.COMPUTE, Map.of("ffm", 1000L))));
    assertEquals("0.50*", cold.rows(List.of("ffm")).getFirst().get(3));
    assertTrue(cold.ratioChart().orElseThrow().curves().getLast().points().getFirst().starred());
  }

  @Test
  void aFormIsToldBesideAnotherOne() {
    FoundCall started = found(Form.STARTED, Map.of("ffm", 1300L));
    assertEquals(Optional.of("2 ranks, allreduce started: ffm takes, of its time of allreduce, 1.30 at 1M"),
        started.saidOver(found(Form.BLOCKING, Map.of("ffm", 1000L))));
    assertTrue(started.saidOver(found(Form.BLOCKING, Map.of("mpich", 1L))).isEmpty());
  }

  @Test
  void aTimeOfSeveralCallsIsSharedOut() {
    FoundCall some = found(Form.OUTSTANDING, Map.of("ffm", 16_000L));
    assertEquals(List.of("allreduce 16 outstanding", "1048576", "1.000", "-", "-"), some.rows(List.of("ffm")).get(0));
  }

  @Test
  void whatHidIsToldOfEachVariant() {
    FoundCall both = found(Form.BOTH, Map.of("ffm", 1200L, "openmpi", 2000L, "mpich", 5000L));
    FoundCall alone = found(Form.ALONE, Map.of("ffm", 1000L, "openmpi", 1000L));
    FoundCall compute = found(Form.COMPUTE, Map.of("ffm", 1000L, "openmpi", 1000L, "mpich", 1000L));
    assertEquals(
        List.of("2 ranks, allreduce both: ffm hides 80 % at 1M", "2 ranks, allreduce both: openmpi hides 0 % at 1M"),
        both.saidHidden(alone, compute));
  }
}
