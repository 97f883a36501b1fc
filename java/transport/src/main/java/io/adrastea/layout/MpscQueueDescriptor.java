package io.adrastea.layout;

/**
 * Multi-producer single-consumer queue of cells. Twin of {@code struct adr_mpsc_queue}; writers and drawings in
 * docs/layout.md.
 */
public final class MpscQueueDescriptor {
  public static final int HEAD_OFFSET = 0;
  public static final int TAIL_OFFSET = 8;
  public static final int SHADOW_HEAD_OFFSET = 128;

  /** Bytes of the struct. */
  public static final int BYTES = 256;

  static final StructLayout LAYOUT =
      new StructLayout("mpsc_queue", BYTES)
          .field("head", HEAD_OFFSET, 8)
          .field("tail", TAIL_OFFSET, 8)
          .field("reserved0", 16, 112)
          .field("shadow_head", SHADOW_HEAD_OFFSET, 8)
          .field("reserved1", 136, 120);

  private MpscQueueDescriptor() {}
}
