package io.adrastea.layout;

/** A member's part of a slot. Twin of {@code struct adr_slot_member}; writers and drawings in docs/layout.md. */
public final class SlotMemberDescriptor {
  /** Lines of a member: its last four collectives. */
  public static final int LINES = 4;

  /** States of a member. */
  public static final int OPEN = 0;

  /** It has closed the communicator. */
  public static final int CLOSED = 1;

  /** It cannot go on: a collective was left in the middle. */
  public static final int BROKEN = 2;

  /** Whether it is there: what decides when the number is free; not of the world's slot. It has not come in yet. */
  public static final int PRESENCE_NONE = 0;

  public static final int PRESENCE_IN = 1;

  /** It has closed the communicator, or was kept out. */
  public static final int PRESENCE_OUT = 2;

  /**
   * It is there, also in the world's slot, and has given up the making of a communicator out of this one: it makes no
   * more.
   */
  public static final int PRESENCE_DECLINED = 3;

  public static final int STATE_OFFSET = 0;
  public static final int PRESENCE_OFFSET = 4;
  public static final int DONE_OFFSET = 8;
  public static final int AGREEMENT_OFFSET = 16;
  public static final int SPACES_OFFSET = 24;
  public static final int WRITES_OFFSET = 28;
  public static final int LINES_OFFSET = 128;

  /** Bytes of the struct. */
  public static final int BYTES = 640;

  static final StructLayout LAYOUT =
      new StructLayout("slot_member", BYTES)
          .field("state", STATE_OFFSET, 4)
          .field("presence", PRESENCE_OFFSET, 4)
          .field("done", DONE_OFFSET, 8)
          .field("agreement", AGREEMENT_OFFSET, 8)
          .field("spaces", SPACES_OFFSET, 4)
          .field("writes", WRITES_OFFSET, 4)
          .field("reserved1", 32, 96)
          .field("lines", LINES_OFFSET, LINES * SlotLineDescriptor.BYTES);

  private SlotMemberDescriptor() {}
}
