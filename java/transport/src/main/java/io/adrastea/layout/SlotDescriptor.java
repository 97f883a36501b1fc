package io.adrastea.layout;

/**
 * A communicator's place in shared memory: this header, the local rank of each member, each member's part, and a word
 * for each member on another node. Twin of {@code struct adr_slot}; writers and drawings in docs/layout.md.
 */
public final class SlotDescriptor {
  /** In {@code choices}: members outnumber the CPUs that they may use. */
  public static final int OVERSUBSCRIBED = 1;

  /** In {@code choices}: every member compares every collective with what every other member calls. */
  public static final int CHECKED = 2;

  /** In {@code choices} of the world: its barrier is the counter in the header of the segment. */
  public static final int COUNTER_BARRIER = 4;

  /** In {@code choices}: collectives that are too long for lines go through stages. */
  public static final int STAGES_ALONE = 8;

  /** In {@code choices}: they go straight from memory that all can reach as soon as a page is moved. */
  public static final int DIRECT_EARLY = 16;

  /** In the word of a member on another node: its rank in the job. */
  public static final int FAR_RANK = (1 << 30) - 1;

  /** In that word: it is of the second of the two communicators that this one was made out of. */
  public static final int FAR_OF_OTHER = 1 << 30;

  /** In that word: it has closed the communicator, or never comes to it. */
  public static final long FAR_OUT = 1L << 31;

  /** How far the context id of the communicator is shifted in that word. */
  public static final int FAR_ID_SHIFT = 32;

  public static final int CONTEXT_ID_OFFSET = 0;
  public static final int RANKS_OFFSET = 4;
  public static final int CHOICES_OFFSET = 8;
  public static final int FAR_OFFSET = 12;
  public static final int STAGES_OFFSET = 128;
  public static final int REVOKED_OFFSET = 136;
  public static final int AGREED_OFFSET = 144;
  public static final int SHRUNK_OFFSET = 152;
  public static final int LEAST_BY_SYSTEM_OFFSET = 160;

  /** Bytes of the struct; behind it lies the list of local ranks, four bytes each. */
  public static final int BYTES = 256;

  /** Slots begin at multiples of so many bytes. */
  public static final int BLOCK = 128;

  private static final int PARENTS_BYTES = 16;

  static final StructLayout LAYOUT =
      new StructLayout("slot", BYTES)
          .field("context_id", CONTEXT_ID_OFFSET, 4)
          .field("ranks", RANKS_OFFSET, 4)
          .field("choices", CHOICES_OFFSET, 4)
          .field("far", FAR_OFFSET, 4)
          .field("reserved0", 16, 112)
          .field("stages", STAGES_OFFSET, 8)
          .field("revoked", REVOKED_OFFSET, 4)
          .field("reserved1", 140, 4)
          .field("agreed", AGREED_OFFSET, 8)
          .field("shrunk", SHRUNK_OFFSET, 8)
          .field("least_by_system", LEAST_BY_SYSTEM_OFFSET, 4)
          .field("reserved2", 164, 92);

  private SlotDescriptor() {}

  /** The offset of a member's local rank in a slot. */
  public static int rankOffset(int member) {
    return BYTES + member * Integer.BYTES;
  }

  /** The offset of a member's part in a slot of so many members. */
  public static int memberOffset(int ranks, int member) {
    return (rankOffset(ranks) + BLOCK - 1 & -BLOCK) + member * SlotMemberDescriptor.BYTES;
  }

  /** Bytes of a slot of so many members. */
  public static int bytes(int ranks) {
    return memberOffset(ranks, ranks);
  }

  /**
   * The offset of three words behind the parts of so many members, where there are members on other nodes: the ids of
   * the communicators that this one was made out of, and 1 where their collectives have told of it.
   */
  public static int parentsOffset(int ranks) {
    return bytes(ranks);
  }

  /** The offset of the word of a member on another node, behind the parts of so many members on this one. */
  public static int farOffset(int ranks, int far) {
    return parentsOffset(ranks) + PARENTS_BYTES + far * Long.BYTES;
  }

  /** Bytes of a slot of so many members, and so many on other nodes: a multiple of {@link #BLOCK}. */
  public static int bytes(int ranks, int far) {
    return far == 0 ? bytes(ranks) : farOffset(ranks, far) + BLOCK - 1 & -BLOCK;
  }
}
