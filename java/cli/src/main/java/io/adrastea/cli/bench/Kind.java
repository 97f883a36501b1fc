package io.adrastea.cli.bench;

import java.util.List;

/** What is measured: which command the processes get, and what the time of one batch means. */
enum Kind {
  /** An exchange is a round trip; one way is half of it. */
  LATENCY(
      "latency",
      2,
      1,
      List.of(new Reference("floor", "slot", 1 << 20), new Reference("line", "line", 64))),

  /**
   * An exchange is one message of a stream. The batch ends with an answer, so that it must hold
   * enough messages to hide that one.
   */
  BANDWIDTH("bandwidth", 1, 16, List.of(new Reference("floor", "copy", 64 << 20)));

  /**
   * A figure that adrastea-floor provides.
   *
   * @param variant the name in the output
   * @param command the program's name for it
   * @param maxBytes no figure for longer messages: the program has none, or a cache line no room
   */
  record Reference(String variant, String command, int maxBytes) {}

  private final String command;
  private final int messagesPerExchange;
  private final int minExchanges;
  private final List<Reference> references;

  Kind(String command, int messagesPerExchange, int minExchanges, List<Reference> references) {
    this.command = command;
    this.messagesPerExchange = messagesPerExchange;
    this.minExchanges = minExchanges;
    this.references = references;
  }

  /** The name in the CSV and the workers' command. */
  String command() {
    return command;
  }

  /** Messages, one after the other, in an exchange. */
  int messagesPerExchange() {
    return messagesPerExchange;
  }

  /** The least number of exchanges in a batch. */
  int minExchanges() {
    return minExchanges;
  }

  List<Reference> references() {
    return references;
  }
}
