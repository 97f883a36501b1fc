package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which times {@code --timeout} takes. */
class TimeLimitTest {
  @ParameterizedTest
  @CsvSource({"30,PT30S", "30s,PT30S", "5m,PT5M", "1h,PT1H", "0.25,PT0.25S", "1.5m,PT90S", "100000h,PT100000H"})
  void aNumberIsOfSecondsUnlessAnotherUnitStandsBehindIt(String option, String duration) {
    assertEquals(Duration.parse(duration), TimeLimit.parse(option).duration());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"0", "0.0s", "-1", "5x", "5 m", "1m30s", "", "s", "1e3", "1.", ".5", "100001h", "9999999999999", "∞"})
  void anythingElseIsRefusedAndWhatIsAllowedIsSaid(String option) {
    Exception refused = assertThrows(IllegalArgumentException.class, () -> TimeLimit.parse(option));
    assertEquals(
        "--timeout is '" + option + "'; allowed are seconds, or a number with s, m or h, above 0 and up to 100000h, "
            + "as in 90, 1.5m",
        refused.getMessage());
  }
}
