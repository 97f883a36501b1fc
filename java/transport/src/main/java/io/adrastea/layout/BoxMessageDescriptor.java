package io.adrastea.layout;

/**
 * A message in a fastbox; the payload follows. Twin of {@code struct adr_box_message}; writers and drawings in
 * docs/layout.md.
 */
public final class BoxMessageDescriptor {
  /** Bits of the word at {@link #HEADER_OFFSET}: sequence 44, packed 1, kind 3, length 16. */
  public static final long LENGTH_MASK = 0xffff;

  public static final int KIND_SHIFT = 16;
  public static final long KIND_MASK = 7;

  /** The next message begins at the next 8 bytes, not at the next line. */
  public static final long PACKED = 1L << 19;

  public static final int SEQUENCE_SHIFT = 20;
  public static final long SEQUENCE_MASK = -1L >>> SEQUENCE_SHIFT;

  /** Kind: go on at the ring's start; has the sequence number of the message there. */
  public static final int KIND_PAD = 4;

  public static final int HEADER_OFFSET = 0;
  public static final int MATCH_OFFSET = 8;

  /** Bytes of the struct. */
  public static final int BYTES = 16;

  static final StructLayout LAYOUT =
      new StructLayout("box_message", BYTES).field("header", HEADER_OFFSET, 8).field("match", MATCH_OFFSET, 8);

  private BoxMessageDescriptor() {}
}
