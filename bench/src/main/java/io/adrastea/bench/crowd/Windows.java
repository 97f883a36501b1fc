package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.BenchException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job answers: windows of time, each with the exchanges that were made in it.
 *
 * @param compilerNanos that the compilers of all ranks have worked, together
 */
record Windows(long compilerNanos, List<Window> list) {
  /** The first word of the answer. */
  static final String WORD = "windows";

  private static final int SHOWN = 80;

  /** Exchanges that were timed together. */
  record Window(long exchanges, long nanos) {
    /** The nanoseconds of one exchange. */
    double perExchange() {
      return (double) nanos / exchanges;
    }

    @Override
    public String toString() {
      return exchanges + "/" + nanos;
    }
  }

  /** Copies the list. */
  Windows {
    list = List.copyOf(list);
  }

  /** Reads {@code windows COMPILERS N1/T1 N2/T2 ...}. */
  static Windows parse(String who, String line) throws BenchException {
    String[] words = line.strip().split(" ");
    if (!words[0].equals(WORD) || words.length < 3 || !words[1].matches("\\d{1,18}")) {
      throw nonsense(who, line);
    }
    List<Window> windows = new ArrayList<>();
    for (int i = 2; i < words.length; i++) {
      if (!words[i].matches("[1-9]\\d{0,17}/\\d{1,18}")) {
        throw nonsense(who, words[i]);
      }
      String[] numbers = words[i].split("/");
      windows.add(new Window(Long.parseLong(numbers[0]), Math.max(1, Long.parseLong(numbers[1]))));
    }
    return new Windows(Long.parseLong(words[1]), windows);
  }

  private static BenchException nonsense(String who, String text) {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    return new BenchException("%s answered nonsense where windows are due: '%s'".formatted(who, shown));
  }

  /** The answer that {@link #parse} reads. */
  String line() {
    StringBuilder line = new StringBuilder(WORD).append(' ').append(compilerNanos);
    list.forEach(window -> line.append(' ').append(window));
    return line.toString();
  }

  /** The nanoseconds of all windows together. */
  long nanos() {
    return list.stream().mapToLong(Window::nanos).sum();
  }

  /** Returns the windows that ended after so much time; the last one in any case. */
  List<Window> after(long nanos) {
    int first = 0;
    for (long passed = 0; first < list.size() - 1; first++) {
      passed += list.get(first).nanos();
      if (passed > nanos) {
        break;
      }
    }
    return list.subList(first, list.size());
  }
}
