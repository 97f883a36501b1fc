package io.adrastea.bench.datatypes;

/**
 * How one end of a message lies in memory.
 *
 * @param described its datatype
 * @param origin where one element of it begins, in bytes
 * @param hand the loop that a program without datatypes has for it
 */
record Layout(Described described, long origin, HandLoop hand) {
  /** Bytes of the message. */
  long bytes() {
    return described.type().size();
  }
}
