package io.adrastea.bench.crowd;

import io.adrastea.bench.measure.Sizes;
import java.util.ArrayList;
import java.util.List;

/**
 * What the ranks of a job do all the time.
 *
 * @param command for the ranks, without the word for how long
 * @param bytes of a message or of a part; 0 of a barrier
 * @param messages of an exchange, by which its time is divided
 */
record Call(String command, int bytes, int messages) {
  /** What may be asked for. */
  static final List<String> COMMANDS = List.of("latency", "barrier", "allreduce");

  /** One way of messages from a job's first one on, which nothing touches. */
  static final Call FIRST_MESSAGES = new Call("latency-untouched", Double.BYTES, 2);

  private static final int REDUCED_BYTES = Double.BYTES;

  /**
   * Reads the calls of a list.
   *
   * @param sizes of messages
   * @throws IllegalArgumentException when one is unknown
   */
  static List<Call> of(List<String> commands, List<Integer> sizes) {
    List<Call> calls = new ArrayList<>();
    for (String command : commands) {
      switch (command) {
        case "latency" -> sizes.forEach(bytes -> calls.add(new Call(command, bytes, 2)));
        case "barrier" -> calls.add(new Call(command, 0, 1));
        case "allreduce" -> calls.add(new Call(command, REDUCED_BYTES, 1));
        default -> throw new IllegalArgumentException(
            "there is no call '%s'; allowed are %s, cold".formatted(command, String.join(", ", COMMANDS)));
      }
    }
    return calls.stream().distinct().toList();
  }

  /** What stands above a table. */
  String title() {
    return bytes == 0 ? command : "%s of %s".formatted(command, Sizes.text(bytes) + (bytes < 1024 ? " bytes" : ""));
  }
}
