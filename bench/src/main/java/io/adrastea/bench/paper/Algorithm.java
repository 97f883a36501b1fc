package io.adrastea.bench.paper;

import io.adrastea.bench.measure.Kind;

/** The three ways of the Halo benchmark that [MPICH2 2007, 4.4] names. */
enum Algorithm {
  SEND_RECEIVE("send-receive", "halo-sendrecv"), NON_BLOCKING("non-blocking",
      "halo-nonblocking"), PERSISTENT("persistent", "halo-persistent");

  private final String title;
  private final Kind kind;

  Algorithm(String title, String command) {
    this.title = title;
    this.kind = Kind.time(command);
  }

  /** What tables call it. */
  String title() {
    return title;
  }

  /** What the ranks are told to run. */
  Kind kind() {
    return kind;
  }
}
