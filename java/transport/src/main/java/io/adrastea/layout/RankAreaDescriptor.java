package io.adrastea.layout;

/**
 * A rank's own part of the segment; its cells follow. Twin of {@code struct adr_rank_area}; writers and drawings in
 * docs/layout.md.
 */
public final class RankAreaDescriptor {
  public static final int RECEIVE_QUEUE_OFFSET = 0;
  public static final int FREE_QUEUE_OFFSET = 256;

  /** Bytes of the struct. */
  public static final int BYTES = 512;

  static final StructLayout LAYOUT =
      new StructLayout("rank_area", BYTES)
          .field("receive_queue", RECEIVE_QUEUE_OFFSET, 256)
          .field("free_queue", FREE_QUEUE_OFFSET, 256);

  private RankAreaDescriptor() {}
}
