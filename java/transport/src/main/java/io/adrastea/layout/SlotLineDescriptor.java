package io.adrastea.layout;

/**
 * What one member tells of one collective. Twin of {@code struct adr_slot_line}; writers and drawings in
 * docs/layout.md.
 */
public final class SlotLineDescriptor {
  /** Bytes that a line carries. */
  public static final int PAYLOAD = 48;

  public static final int HEAD_OFFSET = 0;
  public static final int WHAT_OFFSET = 8;
  public static final int PAYLOAD_OFFSET = 16;
  public static final int PROGRESS_OFFSET = 64;
  public static final int RESULT_OFFSET = 72;

  /** Bytes of the struct. */
  public static final int BYTES = 128;

  static final StructLayout LAYOUT =
      new StructLayout("slot_line", BYTES)
          .field("head", HEAD_OFFSET, 8)
          .field("what", WHAT_OFFSET, 8)
          .field("payload", PAYLOAD_OFFSET, PAYLOAD)
          .field("progress", PROGRESS_OFFSET, 8)
          .field("result", RESULT_OFFSET, PAYLOAD)
          .field("reserved0", 120, 8);

  private SlotLineDescriptor() {}
}
