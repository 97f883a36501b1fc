package io.adrastea.bench.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.BenchException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read out of the lines of ucx_perftest. */
class UcxReportTest {
  private static final String NAMES =
      "iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr\n";

  @Test
  void shouldReadMedianLatencyAndOverallRate() throws BenchException {
    UcxReport report = UcxReport.parse(NAMES + "  100,82.213,391.126,391.126,2556.72,2556.72,2557,2500\n\n");
    assertEquals(164_426, report.roundTripNanos(), 1e-6);
    assertEquals(400_000, report.messageNanos(), 1e-6);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        NAMES,
        "1,2,3",
        "100,nothing,1,1,1,1,1,1",
        "100,0.000,1,1,1,1,1,0",
        "[1700000000.0] connect() failed: Connection refused"
      })
  void shouldRefuseWhatHoldsNoFiguresAndShowIt(String text) {
    BenchException refusal = assertThrows(BenchException.class, () -> UcxReport.parse(text));
    assertTrue(refusal.getMessage().startsWith("ucx_perftest wrote no figures"), refusal.getMessage());
  }
}
