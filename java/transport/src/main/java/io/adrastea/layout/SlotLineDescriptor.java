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
  public static final int WANTS_OFFSET = 120;

  /**
   * Words of the payload where a collective may go straight from member to member, which tell how this one's buffers
   * can be reached: input in bits 0 to 7, output in 8 to 15, spaces to the others in 16 to 23.
   */
  public static final int TELL_BY = 0;

  /** Where the input begins. */
  public static final int TELL_IN = 1;

  /** Where the output begins. */
  public static final int TELL_OUT = 2;

  /** XPMEM segment id of the process, 0: none. */
  public static final int TELL_SEGMENT = 3;

  /** Counts these words. */
  public static final int TELL_WORDS = 4;

  /**
   * Words of the result where a collective may go straight from member to member, which tell what this member asks
   * another one to copy: which member, and in bits 32 to 63 {@link #WANTS_INPUT} …
   */
  public static final int WANTS_WHAT = 0;

  /** Where in that member's memory, as it has told. */
  public static final int WANTS_PLACE = 1;

  public static final int WANTS_BYTES = 2;

  /** What this member has copied: number of what was asked for in bits 0 to 31, by member + 1 in 32 to 63; 0: none. */
  public static final int HAS_COPIED = 3;

  /** Its input is to be read. */
  public static final int WANTS_INPUT = 0;

  /** Its output is to be read. */
  public static final int WANTS_OUTPUT = 1;

  /** Its output is to be written. */
  public static final int WANTS_WRITE = 2;

  /** In {@code what}: 1, the member had taken the first step when it showed the line. */
  public static final int STEP_SHIFT = 61;

  /** In {@code what}: collectives before this one that the member had not done yet, 0 to 3. */
  public static final int LAG_SHIFT = 62;

  /** Bytes of the struct. */
  public static final int BYTES = 128;

  static final StructLayout LAYOUT =
      new StructLayout("slot_line", BYTES)
          .field("head", HEAD_OFFSET, 8)
          .field("what", WHAT_OFFSET, 8)
          .field("payload", PAYLOAD_OFFSET, PAYLOAD)
          .field("progress", PROGRESS_OFFSET, 8)
          .field("result", RESULT_OFFSET, PAYLOAD)
          .field("wants", WANTS_OFFSET, 8);

  private SlotLineDescriptor() {}
}
