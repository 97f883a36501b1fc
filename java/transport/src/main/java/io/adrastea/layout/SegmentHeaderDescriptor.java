package io.adrastea.layout;

/** The segment's first bytes. Twin of {@code struct adr_segment_header}; writers and drawings in docs/layout.md. */
public final class SegmentHeaderDescriptor {
  /** {@code ADRASTEA} in memory on a little-endian machine; the other byte order is refused by it. */
  public static final long MAGIC = 0x4145545341524441L;

  /** Most ranks of one node. */
  public static final int MAX_LOCAL_RANKS = 1024;

  /** In {@code checks}: the types of a message are told to its receiver. */
  public static final int CHECK_TYPES = 1;

  /** In {@code box_limit}: senders find out which long messages up to the limit go by fastbox. */
  public static final int BOX_LEARNS = 0x8000_0000;

  public static final int MAGIC_OFFSET = 0;
  public static final int LAYOUT_VERSION_OFFSET = 8;
  public static final int LAYOUT_CRC_OFFSET = 12;
  public static final int JOB_ID_OFFSET = 16;
  public static final int SEGMENT_BYTES_OFFSET = 24;
  public static final int RANK_COUNT_OFFSET = 32;
  public static final int CELL_COUNT_OFFSET = 36;
  public static final int CELL_STRIDE_OFFSET = 40;
  public static final int CELL_PAYLOAD_OFFSET = 44;
  public static final int RANK_TABLE_OFFSET_OFFSET = 48;
  public static final int RANK_AREA_OFFSET_OFFSET = 56;
  public static final int RANK_AREA_BYTES_OFFSET = 64;
  public static final int CELLS_OFFSET_OFFSET = 72;
  public static final int CREATOR_PID_OFFSET = 80;
  public static final int CREATOR_UID_OFFSET = 84;
  public static final int CREATOR_START_OFFSET = 88;
  public static final int BOX_RING_BYTES_OFFSET = 96;
  public static final int BOX_LIMIT_OFFSET = 100;
  public static final int BOX_THRESHOLD_OFFSET = 104;
  public static final int BOX_PREALLOCATE_RANKS_OFFSET = 108;
  public static final int BOX_TABLE_OFFSET_OFFSET = 112;
  public static final int BOXES_OFFSET_OFFSET = 120;
  public static final int ATTACHED_OFFSET = 128;
  public static final int DEPARTED_OFFSET = 132;
  public static final int FILE_END_OFFSET = 136;
  public static final int REGION_COUNT_OFFSET = 144;
  public static final int CHECKS_OFFSET = 148;
  public static final int CONTEXT_ID_NEXT_OFFSET = 152;
  public static final int BARRIER_OFFSET = 256;

  /** Bytes of the struct. */
  public static final int BYTES = 512;

  static final StructLayout LAYOUT =
      new StructLayout("segment_header", BYTES)
          .field("magic", MAGIC_OFFSET, 8)
          .field("layout_version", LAYOUT_VERSION_OFFSET, 4)
          .field("layout_crc", LAYOUT_CRC_OFFSET, 4)
          .field("job_id", JOB_ID_OFFSET, 8)
          .field("segment_bytes", SEGMENT_BYTES_OFFSET, 8)
          .field("rank_count", RANK_COUNT_OFFSET, 4)
          .field("cell_count", CELL_COUNT_OFFSET, 4)
          .field("cell_stride", CELL_STRIDE_OFFSET, 4)
          .field("cell_payload", CELL_PAYLOAD_OFFSET, 4)
          .field("rank_table_offset", RANK_TABLE_OFFSET_OFFSET, 8)
          .field("rank_area_offset", RANK_AREA_OFFSET_OFFSET, 8)
          .field("rank_area_bytes", RANK_AREA_BYTES_OFFSET, 8)
          .field("cells_offset", CELLS_OFFSET_OFFSET, 8)
          .field("creator_pid", CREATOR_PID_OFFSET, 4)
          .field("creator_uid", CREATOR_UID_OFFSET, 4)
          .field("creator_start", CREATOR_START_OFFSET, 8)
          .field("box_ring_bytes", BOX_RING_BYTES_OFFSET, 4)
          .field("box_limit", BOX_LIMIT_OFFSET, 4)
          .field("box_threshold", BOX_THRESHOLD_OFFSET, 4)
          .field("box_preallocate_ranks", BOX_PREALLOCATE_RANKS_OFFSET, 4)
          .field("box_table_offset", BOX_TABLE_OFFSET_OFFSET, 8)
          .field("boxes_offset", BOXES_OFFSET_OFFSET, 8)
          .field("attached", ATTACHED_OFFSET, 4)
          .field("departed", DEPARTED_OFFSET, 4)
          .field("file_end", FILE_END_OFFSET, 8)
          .field("region_count", REGION_COUNT_OFFSET, 4)
          .field("checks", CHECKS_OFFSET, 4)
          .field("context_id_next", CONTEXT_ID_NEXT_OFFSET, 4)
          .field("reserved1", 156, 100)
          .field("barrier", BARRIER_OFFSET, BarrierDescriptor.BYTES);

  private SegmentHeaderDescriptor() {}
}
