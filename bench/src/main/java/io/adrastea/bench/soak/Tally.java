package io.adrastea.bench.soak;

import java.util.Arrays;
import java.util.stream.Collectors;

/** What was done, of a rank or of all; it crosses to the bench as a line of numbers. */
final class Tally {
  private static final int SENT = 0;
  private static final int RECEIVED = 1;
  private static final int BYTES = 2;
  private static final int MEANS = 3;

  private final long[] numbers = new long[MEANS + Means.ALL.length];
  private volatile long beats; // read by the watchdog

  void sent(Means means) {
    numbers[SENT]++;
    did(means);
  }

  void received(Means means, long bytes) {
    numbers[RECEIVED]++;
    numbers[BYTES] += bytes;
    did(means);
  }

  void did(Means means) {
    numbers[MEANS + means.ordinal()]++;
    beats = beats + 1; // one thread writes
  }

  /** Changes as long as something is done. */
  long beats() {
    return beats;
  }

  long sent() {
    return numbers[SENT];
  }

  long received() {
    return numbers[RECEIVED];
  }

  long bytes() {
    return numbers[BYTES];
  }

  long of(Means means) {
    return numbers[MEANS + means.ordinal()];
  }

  String line() {
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  /** Adds what a rank did. */
  void add(String line) {
    String[] words = line.split(" ");
    if (words.length != numbers.length) {
      throw new IllegalArgumentException("a rank answered with nonsense: '" + line + "'");
    }
    for (int i = 0; i < words.length; i++) {
      numbers[i] += Long.parseLong(words[i]);
    }
  }

  void clear() {
    Arrays.fill(numbers, 0);
  }
}
