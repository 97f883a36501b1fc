package io.adrastea.bench.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.crowd.Windows.Window;
import io.adrastea.bench.measure.BenchException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What jobs answer, and how their windows are weighed. */
class WindowsTest {
  private static Windows windows(long... exchangesAndNanos) {
    Window[] all = new Window[exchangesAndNanos.length / 2];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Window(exchangesAndNanos[2 * i], exchangesAndNanos[2 * i + 1]);
    }
    return new Windows(0, List.of(all));
  }

  @Test
  void anAnswerIsReadAsItWasWritten() throws Exception {
    Windows written = new Windows(17, List.of(new Window(1, 900), new Window(20, 8000)));
    assertEquals("windows 17 1/900 20/8000", written.line());
    assertEquals(written, Windows.parse("ffm", written.line()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ns 1 2", "windows", "windows 0", "windows x 1/2", "windows 0 1", "windows 0 0/5",
        "windows 0 1/2 -1/3", "windows 0 1/2/3", "windows 0 1/99999999999999999999"})
  void anythingElseIsRefusedWithTheNameOfTheOneThatSaidIt(String line) {
    String said = assertThrows(BenchException.class, () -> Windows.parse("mpich", line)).getMessage();
    assertTrue(said.startsWith("mpich answered nonsense where windows are due: "), said);
  }

  @Test
  void theLeadIsWhatEndedBeforeItsTime() {
    Windows four = windows(1, 10, 1, 10, 1, 10, 1, 10);
    assertEquals(4, four.after(0).size());
    assertEquals(3, four.after(10).size());
    assertEquals(3, four.after(15).size());
    assertEquals(1, four.after(1000).size());
    assertEquals(1, windows(1, 1_000_000).after(100_000).size());
  }

  @Test
  void aMedianIsOneOverTimeAndNotOverWindowsOrExchanges() {
    Spells spells = new Spells("ffm", 2);
    // Nine quick windows of 10 ns, 100 ns in all with the lead, and a slow one that lasts longer than all of them.
    spells.addRound(windows(5, 10, 5, 10, 5, 10, 5, 10, 5, 10, 5, 10, 5, 10, 5, 10, 5, 10, 1, 200));
    assertEquals(100, spells.nanos(0.5));
    assertEquals(1, spells.nanos(0.2));
    assertEquals(100, spells.worst());
    assertEquals(List.of(100.0), spells.medians());
  }

  @Test
  void eachRoundHasItsMedianAndLosesItsLead() {
    Spells spells = new Spells("ffm", 1);
    spells.addRound(windows(1, 100, 1, 300, 1, 300, 1, 300));
    spells.addRound(windows(1, 200, 1, 200, 1, 200));
    assertEquals(List.of(300.0, 200.0), spells.medians());
    assertEquals(300, spells.nanos(0.9));
    assertEquals(0, spells.compiling());
  }

  @Test
  void whatWasCompiledMostOfTheTimeIsNotWarm() {
    Spells spells = new Spells("java", 1);
    spells.addRound(new Windows(900, List.of(new Window(1, 1000))));
    assertTrue(spells.isCold());
    assertEquals(0.9, spells.compiling());
  }

  @Test
  void theNextWindowFitsItsTimeAndGrowsByStages() {
    assertEquals(1000, CrowdRank.next(new Window(1000, 10_000), 10_000));
    assertEquals(500, CrowdRank.next(new Window(1000, 20_000), 10_000));
    assertEquals(4, CrowdRank.next(new Window(1, 100), 10_000));
    assertEquals(1, CrowdRank.next(new Window(1, 1_000_000), 10_000));
    assertEquals(4, CrowdRank.next(new Window(1, 0), 10_000));
  }
}
