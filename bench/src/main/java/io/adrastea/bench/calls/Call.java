package io.adrastea.bench.calls;

import io.adrastea.bench.measure.Kind;
import java.util.List;

/** A call that is timed; messages go from a rank to itself, so that nothing is waited for. */
enum Call {
  NOTHING("call-nothing", "empty call", 0, true), EMPTY_POLL("call-empty-poll", "empty poll", 0, true), SEND(
      "call-send", "send", Calls.BYTES, true), SEND_ARRAY("call-send-array", "send of array", Calls.BYTES,
          false), POLL("call-poll", "poll+release", Calls.BYTES, true);

  /** So many at least that reading the clock does not count. */
  private static final int MIN_CALLS = 256;

  private final Kind kind;
  private final String title;
  private final int bytes;
  private final boolean inC;

  Call(String command, String title, int bytes, boolean inC) {
    this.kind = new Kind(command, Kind.Figure.TIME, 1, MIN_CALLS, List.of());
    this.title = title;
    this.bytes = bytes;
    this.inC = inC;
  }

  /** What the rounds are told; its command is the workers' command and the name in the CSV. */
  Kind kind() {
    return kind;
  }

  /** The column's head. */
  String title() {
    return title;
  }

  /** The length of the message. */
  int bytes() {
    return bytes;
  }

  /** Whether C has such a call: it has no arrays of a JVM. */
  boolean inC() {
    return inC;
  }

  /**
   * The call of a command.
   *
   * @throws IllegalArgumentException when there is none
   */
  static Call of(String command) {
    for (Call call : values()) {
      if (call.kind.command().equals(command)) {
        return call;
      }
    }
    throw new IllegalArgumentException("unknown command '" + command + "'");
  }
}
