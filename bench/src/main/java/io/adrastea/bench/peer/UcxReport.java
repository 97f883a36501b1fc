package io.adrastea.bench.peer;

import io.adrastea.bench.measure.BenchException;

/**
 * The figures in what {@code ucx_perftest -f -v} writes: a line of names and one of values, {@code
 * iterations, 50% latency, average, overall [us], bandwidth average, overall [MB/s], message rate
 * average, overall [1/s]}.
 *
 * @param latencyMicros the median over the iterations: one way for ping-pong
 * @param messagesPerSecond over the whole run
 */
record UcxReport(double latencyMicros, double messagesPerSecond) {
  private static final int COLUMNS = 8;

  static UcxReport parse(String text) throws BenchException {
    String last = text.lines().map(String::strip).reduce("", (a, b) -> b.isEmpty() ? a : b);
    String[] values = last.split(",");
    try {
      if (values.length == COLUMNS) {
        return new UcxReport(number(values[1]), number(values[COLUMNS - 1]));
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new BenchException("ucx_perftest wrote no figures: '" + last + "'");
  }

  private static double number(String word) {
    double value = Double.parseDouble(word.strip());
    if (value <= 0) {
      throw new NumberFormatException(word);
    }
    return value;
  }

  double roundTripNanos() {
    return 2000 * latencyMicros;
  }

  double messageNanos() {
    return 1e9 / messagesPerSecond;
  }
}
