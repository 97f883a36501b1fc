package io.adrastea.layout;

/**
 * A stretch of the segment's file that a rank added later. Twin of {@code struct adr_region}; writers and drawings in
 * docs/layout.md.
 */
public final class RegionDescriptor {
  public static final int OFFSET_OFFSET = 0;
  public static final int BYTES_OFFSET = 8;

  /** Bytes of the struct. */
  public static final int BYTES = 16;

  static final StructLayout LAYOUT =
      new StructLayout("region", BYTES)
          .field("offset", OFFSET_OFFSET, 8)
          .field("bytes", BYTES_OFFSET, 8);

  private RegionDescriptor() {}
}
