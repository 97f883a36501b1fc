package io.adrastea.bench.paper;

/** The ways of a message that adrastea-pool compares. */
enum PoolWay {
  CELLS("cells", "cells", 1), BOXES("cells+boxes", "boxes", 1), POOL1("pool k=1", "pool1", 1), POOL2("pool k=2",
      "pool2", 2), POOL4("pool k=4", "pool4", 4), POOL8("pool k=8", "pool8",
          8), POOL16("pool k=16", "pool16", 16), OLDEST("pool fifo", "oldest", 1), PAIR("pair buffer", "pair", 1);

  /** What is sent. */
  enum Move {
    LATENCY("latency"), STREAM("stream");

    private final String title;

    Move(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }
  }

  private final String title;
  private final String command;
  private final int packets;

  PoolWay(String title, String command, int packets) {
    this.title = title;
    this.command = command;
    this.packets = packets;
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** What tables call a move on it. */
  String title(Move move) {
    return title + " " + move.title;
  }

  /** What the program calls it. */
  String command(Move move) {
    return command + "-" + move.title;
  }

  /** Whether the message has enough packets for it to differ from ways with fewer for a control message. */
  boolean differsAt(int bytes, int cellBytes) {
    return 2 * ((bytes + cellBytes - 1L) / cellBytes) > packets;
  }
}
