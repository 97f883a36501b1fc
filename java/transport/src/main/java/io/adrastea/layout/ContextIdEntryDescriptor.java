package io.adrastea.layout;

/** A communicator's number. Twin of {@code struct adr_context_id_entry}; writers and drawings in docs/layout.md. */
public final class ContextIdEntryDescriptor {
  /** Numbers of communicators. */
  public static final int MAX_CONTEXTS = 65_536;

  /** In bits 14 and 15 of {@code word}, whose bits 0 to 13 are the generation: nobody has the number. */
  public static final int FREE = 0;

  /** Its owner's local rank + 1 is in bits 32 to 47. */
  public static final int TAKEN = 1;

  public static final int GENERATIONS = 16_384;
  public static final int STATE_SHIFT = 14;
  public static final int OWNER_SHIFT = 32;

  /** Its highest byte is always zero: it is written to reserve the entry's page. */
  public static final int WORD_OFFSET = 0;
  public static final int SLOT_OFFSET = 8;

  /** Bytes of the struct. */
  public static final int BYTES = 16;

  /** Bytes of the table. */
  public static final long TABLE_BYTES = (long) MAX_CONTEXTS * BYTES;

  static final StructLayout LAYOUT =
      new StructLayout("context_id_entry", BYTES).field("word", WORD_OFFSET, 8).field("slot", SLOT_OFFSET, 8);

  private ContextIdEntryDescriptor() {}
}
