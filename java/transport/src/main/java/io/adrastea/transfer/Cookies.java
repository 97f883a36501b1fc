package io.adrastea.transfer;

/** What stands where in the cookies of a transfer, and the types of the messages that carry them. */
public final class Cookies {
  /** Receiver to sender: do this. */
  public static final int CTS = 1;

  /** To the other end: this end has copied all that it copies, or gives up. */
  public static final int DONE = 2;

  /** Receiver to sender: the rest goes another way; filled as a CTS. */
  public static final int COOKIE = 3;

  /**
   * Sender to receiver: the offer does not stand any more. A receiver that has not matched it answers with a DONE, any
   * other goes on.
   */
  public static final int WITHDRAW = 4;

  /** The fewest bytes of payload that a cell must have for them. */
  public static final int LEAST_BYTES = 128;

  // RTS: what the sender offers
  static final int LENGTH = 0;
  static final int SENDER = 1; // its number of the transfer | Exposure flags 8, paths 8
  static final int SEGMENT = 2;
  static final int OFFERED = 3; // I/O vector from here on

  // all others
  static final int TARGET = 0; // the number that the receiver of this gave the transfer | the number of its sender

  // CTS and COOKIE
  static final int WAY = 1; // Mechanism number 8 | Path of the sender 8
  static final int FROM = 2;
  static final int TO = 3;
  static final int PLACE = 4; // offset in the file: of the split word, or of the ring
  static final int RING_BYTES = 5;
  static final int RING_CHUNK = 6;
  static final int RING_COUNT = 7;
  static final int RECEIVER_SEGMENT = 5;
  static final int SPLIT_TAG = 6;
  static final int WANTED = 8; // I/O vector from here on

  // DONE
  static final int STATUS = 1;
  static final int MISSING_FROM = 2;
  static final int MISSING_TO = 3;

  static final int GET = 1;
  static final int PUT = 2;
  static final int RING = 3;

  private Cookies() {}

  /** The most stretches that an RTS of so many bytes, or of as many as a cookie can have, tells. */
  static int offeredEntries(int bytes) {
    return Math.max(0, (Math.min(bytes / Long.BYTES, Cookie.MOST_WORDS) - OFFERED) / 2);
  }

  /** How many stretches fit the cookies of cells of so many bytes. */
  static int mostEntries(int cellPayload) {
    return (Math.min(cellPayload / Long.BYTES, Cookie.MOST_WORDS) - WANTED) / 2;
  }
}
