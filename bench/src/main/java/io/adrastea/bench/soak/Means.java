package io.adrastea.bench.soak;

/** The ways to send and to receive, and the forms of collectives, that a soak chooses from, each counted. */
enum Means {
  // @formatter:off
  SEND, ISEND, PERSISTENT_SEND, GATHER, BURST, CLAIM, ABORTED_CLAIM, RECV, IRECV, PERSISTENT_RECV,
  SCATTER, ANY_TAG, ANY_SOURCE, PROBE, IPROBE, IN_PLACE, HANDLER, CANCEL, SENDRECV, BARRIER,
  COLLECTIVE, STARTED_COLLECTIVE, PERSISTENT_COLLECTIVE, COLLECTIVE_BY_PARTS, COLLECTIVE_IN_PLACE;
  // @formatter:on

  static final Means[] ALL = values();

  /** Its name in what is printed. */
  String word() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }
}
