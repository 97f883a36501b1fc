package io.adrastea.cli.run;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a job may take.
 *
 * @param text as it was written
 * @param duration at most {@value #MOST_HOURS} hours
 */
record TimeLimit(String text, Duration duration) {
  private static final long MOST_HOURS = 100_000;
  private static final Pattern FORM = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)([smh]?)");
  private static final Map<String, Double> SECONDS = Map.of("", 1.0, "s", 1.0, "m", 60.0, "h", 3600.0);
  private static final double NANOS = 1e9;

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException when it is no time, or too short or too long a one
   */
  static TimeLimit parse(String option) {
    Matcher form = FORM.matcher(option);
    double seconds = form.matches() ? Double.parseDouble(form.group(1)) * SECONDS.get(form.group(2)) : 0;
    if (seconds * NANOS < 1 || seconds > SECONDS.get("h") * MOST_HOURS) {
      throw new IllegalArgumentException(
          "--timeout is '%s'; allowed are seconds, or a number with s, m or h, above 0 and up to %dh, as in 90, 1.5m"
              .formatted(option, MOST_HOURS));
    }
    return new TimeLimit(option, Duration.ofNanos((long) (seconds * NANOS)));
  }
}
