package io.adrastea.bench.measure;

/** The line {@code ns T1 T2 ...} with which a measuring process answers. */
public final class Answer {
  private static final int SHOWN = 80;

  private Answer() {}

  /** Reads the times of the batches; refuses anything else than exactly {@code batches} of them. */
  public static long[] times(String who, String line, int batches) throws BenchException {
    String[] words = line.strip().split(" ");
    if (!words[0].equals("ns") || words.length != batches + 1) {
      throw new BenchException(
          who + " answered nonsense to a request for " + batches + " batches: " + shorten(line));
    }
    long[] times = new long[batches];
    for (int i = 0; i < batches; i++) {
      times[i] = time(who, words[i + 1]);
    }
    return times;
  }

  private static long time(String who, String word) throws BenchException {
    try {
      // A batch shorter than the clock's own cost may come out as 0 or below.
      return Math.max(1, Long.parseLong(word));
    } catch (NumberFormatException e) {
      throw new BenchException(
          who + " answered nonsense where a time in ns is due: " + shorten(word));
    }
  }

  private static String shorten(String line) {
    return "'" + (line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...") + "'";
  }
}
