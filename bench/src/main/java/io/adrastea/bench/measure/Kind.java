package io.adrastea.bench.measure;

import java.util.List;

/**
 * What is measured: which command the processes get, and what the time of one batch means.
 *
 * @param command the name in the CSV and the workers' command
 * @param messagesPerExchange the time of an exchange is divided by it
 * @param minExchanges the least number of exchanges in a batch
 * @param references the figures of adrastea-floor that stand beside
 */
public record Kind(
    String command,
    Figure figure,
    int messagesPerExchange,
    int minExchanges,
    List<Reference> references) {
  /** An exchange is a round trip; one way is half of it. */
  public static final Kind LATENCY =
      new Kind(
          "latency",
          Figure.TIME,
          2,
          1,
          List.of(new Reference("floor", "slot", 1 << 20), new Reference("line", "line", 64)));

  /**
   * An exchange is one message of a stream. The batch ends with an answer, so that it must hold enough messages to hide
   * that one.
   */
  public static final Kind BANDWIDTH =
      new Kind("bandwidth", Figure.RATE, 1, 16, List.of(new Reference("floor", "copy", 64 << 20)));

  /** An exchange is one message each way, both under way at once; rates are sums of both ways. */
  public static final Kind BIBANDWIDTH =
      new Kind(
          "bibandwidth", Figure.RATE, 2, 16, List.of(new Reference("floor", "bicopy", 64 << 20)));

  /**
   * A stream as of bandwidth, of messages so small that only their number counts: blocking sends on one side, blocking
   * receives on the other.
   */
  public static final Kind RATE =
      new Kind("rate", Figure.RATE, 1, 64, List.of(new Reference("floor", "stream", 48)));

  /** A stream as of {@link #RATE}, but the receiver polls with a handler. */
  public static final Kind POLLED_RATE = new Kind("rate-poll", Figure.RATE, 1, 64, RATE.references());

  /** An exchange is one copy of what the other CPU has just written; only the copy is timed. */
  public static final Kind COPY =
      new Kind("copy", Figure.RATE, 1, 1, List.of(new Reference("floor", "copy", 64 << 20)));

  /** An exchange is a barrier of all ranks; the floor is a round trip between two. */
  public static final Kind BARRIER =
      new Kind("barrier", Figure.TIME, 1, 1, List.of(new Reference("floor", "line", 64)));

  /** An exchange is a message that is written and read, and not sent: what that is of the other times. */
  public static final Kind TOUCH =
      new Kind("touch", Figure.TIME, 1, 1, List.of(new Reference("floor", "touch", 64 << 20)));

  private static final String UNTOUCHED = "-untouched";
  private static final String CPU = "-cpu";

  /** A time of something that only some variants do, without a floor. */
  public static Kind time(String command) {
    return new Kind(command, Figure.TIME, 1, 1, List.of());
  }

  /** Copies the list. */
  public Kind {
    references = List.copyOf(references);
  }

  /** What is shown: a time of which less is better, or a rate of which more is. */
  public enum Figure {
    /** Nanoseconds. */
    TIME,
    /** MB/s and messages/s. */
    RATE
  }

  /**
   * A figure that adrastea-floor provides.
   *
   * @param variant the name in the output
   * @param command the program's name for it
   * @param maxBytes no figure for longer messages: the program has none, or a cache line no room
   */
  public record Reference(String variant, String command, int maxBytes) {
    /** Whether it stands beside messages of that size in such a run. */
    boolean isFor(Kind kind, int bytes) {
      return kind.references().contains(this) && bytes <= maxBytes;
    }
  }

  /** Returns this kind with messages that are neither written before they are sent nor read after they came. */
  public Kind untouched() {
    return new Kind(command + UNTOUCHED, figure, messagesPerExchange, minExchanges, references);
  }

  /** Whether it is what {@link #untouched} gives. */
  public boolean isUntouched() {
    return command.endsWith(UNTOUCHED);
  }

  /**
   * Returns this kind with the CPU time of both ranks of a pair in place of the time that passes, see
   * {@link CpuExchange}.
   */
  Kind cpu() {
    return new Kind(command + CPU, Figure.TIME, messagesPerExchange, minExchanges, List.of());
  }

  /** Whether it is the command of what {@link #cpu} gives. */
  static boolean isCpu(String command) {
    return command.endsWith(CPU);
  }

  /** The command of the kind that {@link #cpu} was asked of. */
  static String withoutCpu(String command) {
    return command.substring(0, command.length() - CPU.length());
  }

  /** Whether messages are written before they are sent and read after they came, see {@link Touch}. */
  public boolean touches() {
    return List.of(LATENCY, BANDWIDTH, BIBANDWIDTH, RATE).contains(this);
  }

  /** The command without what {@link #untouched} adds. */
  String base() {
    return isUntouched() ? command.substring(0, command.length() - UNTOUCHED.length()) : command;
  }

  /** Whether it is measured with any {@link Memory}. */
  public boolean anyMemory() {
    return List.of(LATENCY, BANDWIDTH, BIBANDWIDTH, TOUCH).stream().anyMatch(kind -> kind.command.equals(base()));
  }

  /** True when less is better. */
  public boolean isTime() {
    return figure == Figure.TIME;
  }
}
