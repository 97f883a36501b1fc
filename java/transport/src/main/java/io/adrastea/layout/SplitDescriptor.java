package io.adrastea.layout;

/**
 * What is left of a message that both of its ends copy. Twin of {@code struct adr_split}; writers and drawings in
 * docs/layout.md.
 */
public final class SplitDescriptor {
  public static final int TAKEN_OFFSET = 0;

  /** Bytes of the struct. */
  public static final int BYTES = 128;

  static final StructLayout LAYOUT =
      new StructLayout("split", BYTES).field("taken", TAKEN_OFFSET, 8).field("reserved0", 8, 120);

  private SplitDescriptor() {}
}
