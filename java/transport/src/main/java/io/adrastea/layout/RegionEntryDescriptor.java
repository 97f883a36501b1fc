package io.adrastea.layout;

/**
 * A stretch of the segment's file that was added later: an entry of the job's directory. Twin of
 * {@code struct adr_region_entry}; writers and drawings in docs/layout.md.
 */
public final class RegionEntryDescriptor {
  /** Entries of the directory. */
  public static final int MAX_REGIONS = 16384;

  /** In bits 0 to 7 of {@code state}: nobody has it; it may have a stretch of the file from before. */
  public static final int FREE = 0;

  /** A rank makes it, or gives it back: that rank's number + 1 is in bits 32 to 63. */
  public static final int CLAIMED = 1;

  /** Its owner's number + 1, or 0 for none, is in bits 32 to 63, its kind in bits 8 to 15. */
  public static final int READY = 2;

  /** In {@code state}: not all of it is reserved. */
  public static final long SPARSE = 1 << 16;

  public static final int KIND_SHIFT = 8;
  public static final int RANK_SHIFT = 32;

  /** Kinds. */
  public static final int KIND_HEAP = 1;

  public static final int KIND_SLOTS = 2;
  public static final int KIND_SYMMETRIC = 4; // 3 was another kind

  public static final int STATE_OFFSET = 0;
  public static final int OFFSET_OFFSET = 8;
  public static final int BYTES_OFFSET = 16;
  public static final int RESERVED0_OFFSET = 24;

  /** Bytes of the struct. */
  public static final int BYTES = 32;

  /** Bytes of the directory. */
  public static final long DIRECTORY_BYTES = (long) MAX_REGIONS * BYTES;

  static final StructLayout LAYOUT =
      new StructLayout("region_entry", BYTES)
          .field("state", STATE_OFFSET, 8)
          .field("offset", OFFSET_OFFSET, 8)
          .field("bytes", BYTES_OFFSET, 8)
          .field("reserved0", RESERVED0_OFFSET, 8);

  private RegionEntryDescriptor() {}
}
