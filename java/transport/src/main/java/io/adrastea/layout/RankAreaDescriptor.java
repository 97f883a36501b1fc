package io.adrastea.layout;

/**
 * A rank's own part of the segment; its cells follow. Twin of {@code struct adr_rank_area}; writers and drawings in
 * docs/layout.md.
 */
public final class RankAreaDescriptor {
  /** Most regions of one rank. */
  public static final int MAX_REGIONS = 31;

  public static final int RECEIVE_QUEUE_OFFSET = 0;
  public static final int FREE_QUEUE_OFFSET = 256;
  public static final int REGION_COUNT_OFFSET = 512;
  public static final int REGIONS_OFFSET = 528;

  /** Bytes of the struct. */
  public static final int BYTES = 1024;

  static final StructLayout LAYOUT =
      new StructLayout("rank_area", BYTES)
          .field("receive_queue", RECEIVE_QUEUE_OFFSET, 256)
          .field("free_queue", FREE_QUEUE_OFFSET, 256)
          .field("region_count", REGION_COUNT_OFFSET, 4)
          .field("reserved0", 516, 12)
          .field("regions", REGIONS_OFFSET, 496);

  private RankAreaDescriptor() {}
}
