package io.adrastea.layout;

/**
 * The head of a copy ring; its bytes follow. Twin of {@code struct adr_copy_ring}; writers and drawings in
 * docs/layout.md.
 */
public final class CopyRingDescriptor {
  public static final int FILLED_OFFSET = 0;
  public static final int DRAINED_OFFSET = 128;

  /** Bytes of the struct. */
  public static final int BYTES = 256;

  static final StructLayout LAYOUT =
      new StructLayout("copy_ring", BYTES)
          .field("filled", FILLED_OFFSET, 8)
          .field("reserved0", 8, 120)
          .field("drained", DRAINED_OFFSET, 8)
          .field("reserved1", 136, 120);

  private CopyRingDescriptor() {}
}
