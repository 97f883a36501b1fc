package io.adrastea.layout;

/** A cell's header; the payload follows. Twin of {@code struct adr_cell}; writers and drawings in docs/layout.md. */
public final class CellDescriptor {
  /** Begins a message: match and total length count. */
  public static final int KIND_FIRST = 1;

  /** Goes on with the message begun last by its source for this destination. */
  public static final int KIND_NEXT = 2;

  /** The sender gives up the message begun last for this destination: no more of it comes. */
  public static final int KIND_ABORT = 3;

  /** In the tag of a match word: the message belongs to the transfer of a large one, and is a cookie. */
  public static final long MATCH_TRANSFER = 0x8000_0000L;

  public static final int NEXT_OFFSET = 0;
  public static final int MATCH_OFFSET = 8;
  public static final int TOTAL_LENGTH_OFFSET = 16;
  public static final int SEQUENCE_OFFSET = 24;
  public static final int LENGTH_OFFSET = 32;
  public static final int SOURCE_OFFSET = 36;
  public static final int KIND_OFFSET = 40;
  public static final int OWNER_OFFSET = 44;
  public static final int GENERATION_OFFSET = 48;
  public static final int DESTINATION_OFFSET = 56;

  /** Bytes of the struct. */
  public static final int BYTES = 64;

  static final StructLayout LAYOUT =
      new StructLayout("cell", BYTES)
          .field("next", NEXT_OFFSET, 8)
          .field("match", MATCH_OFFSET, 8)
          .field("total_length", TOTAL_LENGTH_OFFSET, 8)
          .field("sequence", SEQUENCE_OFFSET, 8)
          .field("length", LENGTH_OFFSET, 4)
          .field("source", SOURCE_OFFSET, 4)
          .field("kind", KIND_OFFSET, 4)
          .field("owner", OWNER_OFFSET, 4)
          .field("generation", GENERATION_OFFSET, 8)
          .field("destination", DESTINATION_OFFSET, 4)
          .field("reserved0", 60, 4);

  private CellDescriptor() {}
}
