package io.adrastea.bench.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.crowd.Windows.Window;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said of jobs beside others. */
class FoundCrowdTest {
  private static final Call CALL = new Call("latency", 8, 2);

  private static Spells spells(String variant, long compilers, double... nanosOneWay) {
    Spells spells = new Spells(variant, CALL.messages());
    for (double nanos : nanosOneWay) {
      Window window = new Window(100, Math.round(200 * nanos));
      spells.addRound(new Windows(compilers, List.of(window, window)));
    }
    return spells;
  }

  private static FoundCrowd found(long compilers) {
    Map<Situation, Map<String, Spells>> all = new LinkedHashMap<>();
    for (Beside beside : List.of(Beside.ALONE, Beside.NICE19)) {
      int factor = beside == Beside.ALONE ? 1 : 10;
      Map<String, Spells> spells = new LinkedHashMap<>();
      spells.put("ffm", spells("ffm", compilers, 100 * factor, 100 * factor));
      spells.put("openmpi", spells("openmpi", 0, 200, 200));
      spells.put("mpich", spells("mpich", 0, 250, 250));
      all.put(new Situation(2, CALL, beside), spells);
    }
    return new FoundCrowd(all, List.of("ffm"), List.of("openmpi", "mpich"));
  }

  @Test
  void aRowHasTheRatioToTheBestPeerThereAndToTheTimeAlone() {
    var table = found(0).details().getFirst();
    assertEquals("2 ranks: latency of 8 bytes", table.caption());
    assertEquals(List.of("alone", "ffm", "0.100", "0.100", "0.100", "0.50 +-0.00", "1.00 +-0.00"),
        table.rows().get(0));
    assertEquals(List.of("nice19", "ffm", "1.000", "1.000", "1.000", "5.00 +-0.00", "10.00 +-0.00"),
        table.rows().get(3));
    assertEquals(List.of("nice19", "openmpi", "0.200", "0.200", "0.200", "-", "1.00 +-0.00"), table.rows().get(4));
  }

  @Test
  void theSummaryHasAColumnForEachVariant() {
    var table = found(0).summary().getFirst();
    assertEquals(List.of("beside", "ffm [us]", "openmpi", "mpich", "ffm/best peer"), table.head());
    assertEquals(List.of("nice19", "1.000", "0.200", "0.250", "5.00 +-0.00"), table.rows().get(1));
  }

  @Test
  void theAnswerNamesTheBestPeer() {
    assertEquals(List.of("2 ranks: latency of 8 bytes, ffm: beside alone 0.50 +-0.00 of openmpi;"
        + " beside nice19 5.00 +-0.00 of openmpi and 10.00 +-0.00 of its time alone"), found(0).said());
  }

  @Test
  void noVerdictIsGivenOnFiguresThatWereNotWarm() {
    FoundCrowd cold = found(1_000_000_000);
    assertTrue(cold.said().getFirst().contains("no verdict beside alone,nice19: figures were not warm (*)"),
        cold.said()::toString);
    assertEquals("0.100*", cold.summary().getFirst().rows().getFirst().get(1));
    assertTrue(cold.charts().getFirst().curves().getLast().points().getFirst().starred());
    assertTrue(cold.csv().stream().anyMatch(line -> line.startsWith("latency/2/alone,ffm,8,compiling,")));
    assertFalse(found(0).csv().stream().anyMatch(line -> line.contains("compiling")));
  }

  @Test
  void figuresAreToldByCallRanksAndWhatRunsBeside() {
    List<String> csv = found(0).csv();
    assertTrue(csv.contains("latency/2/nice19,ffm,8,p50,1000.00,ns"), csv::toString);
    assertTrue(csv.contains("latency/2/nice19,ffm,8,max,1000.00,ns"), csv::toString);
    assertTrue(csv.contains("latency/2/alone,mpich,8,round-2,250.00,ns"), csv::toString);
  }

  @Test
  void firstMessagesAreToldInStretchesAsMediansOverRounds() {
    Map<String, List<Windows>> all = new LinkedHashMap<>();
    all.put("ffm", List.of(cold(10_000, 1000), cold(12_000, 1100), cold(90_000, 1200)));
    all.put("mpich", List.of(cold(2000, 1000)));
    FirstMessages first = new FirstMessages(all, List.of("ffm"), List.of("mpich"));
    var table = first.grid().orElseThrow();
    assertEquals(List.of("variant", "first 5K [us]", "5K-10K", "10K-20K", "20K-40K", "first 40K", "40K-200K",
        "after 200K", "last tenth", "first 40K/best peer", "after 200K/last tenth"), table.head());
    assertEquals(List.of("ffm", "12.0", "12.0", "12.0", "12.0", "12.0", "1.100", "1.100", "1.100", "6.00", "1.00"),
        table.rows().getFirst());
    assertEquals("-", table.rows().get(1).get(9));
    assertTrue(first.csv().contains("cold/2,ffm,8,messages-1-40000,12000.00,ns"), first.csv()::toString);
    assertTrue(first.csv().contains("cold/2,ffm,8,messages-200001-end,1100.00,ns"), first.csv()::toString);
    assertEquals(50, first.chart().orElseThrow().curves().getFirst().x().size());
  }

  /** The first 40,000 messages take one time, one way, and all others another one. */
  private static Windows cold(long first, long then) {
    int exchanges = CrowdEffort.STEP_MESSAGES / 2;
    List<Window> steps = new ArrayList<>(
        Collections.nCopies(8, new Window(exchanges, first * CrowdEffort.STEP_MESSAGES)));
    steps.addAll(Collections.nCopies(42, new Window(exchanges, then * CrowdEffort.STEP_MESSAGES)));
    return new Windows(0, steps);
  }

  @Test
  void whatIsAskedForIsReadInTheOrderOfTheTables() {
    assertEquals(List.of(Beside.ALONE, Beside.WAKER), Beside.of(List.of("waker", " alone", "waker")));
    assertEquals(List.of(new Call("latency", 8, 2), new Call("latency", 64, 2), new Call("barrier", 0, 1)),
        Call.of(List.of("latency", "barrier"), List.of(8, 64)));
    assertEquals("windows-latency 8 500 10000", new CrowdEffort(3, 0.5, 10, 2, 100).round(CALL));
    assertEquals("windows-latency 8 250 10000", new CrowdEffort(3, 0.5, 10, 2, 100).slice(CALL));
    assertEquals(4, new CrowdEffort(3, 0.5, 10, 2, 100).passes(2));
    assertEquals(1, new CrowdEffort(3, 0.5, 10, 0, 100).passes(2));
    assertEquals("steps-latency-untouched 8 100 2500", new CrowdEffort(3, 0.5, 10, 2, 100).firstMessages());
  }
}
