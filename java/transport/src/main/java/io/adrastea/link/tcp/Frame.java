package io.adrastea.link.tcp;

/**
 * What goes over a connection, one behind the other, in little-endian: a header and a payload, with zero to seven bytes
 * behind it, so that each begins at a multiple of eight.
 *
 * <pre>
 * kind 4, length of the payload 4, match 8, length of the whole message 8, payload
 * </pre>
 */
final class Frame {
  static final int KIND = 0;
  static final int LENGTH = 4;
  static final int MATCH = 8;
  static final int TOTAL_LENGTH = 16;
  static final int HEADER_BYTES = 24;

  // Kinds above those of pieces; the match of each tells how many bytes its rank has read of this connection.
  static final int HEARTBEAT = 16;
  static final int LEFT = 17; // the last word of a rank that leaves
  static final int FAILED = 18; // of one that fails; the reason is its payload

  static final int MOST_REASON_BYTES = 1024;

  private Frame() {}

  /** Bytes of a frame with so many of payload. */
  static int bytes(int length) {
    return HEADER_BYTES + (length + 7 & -8);
  }
}
