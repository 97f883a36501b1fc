package io.adrastea.layout;

/**
 * What a rank says of the fastbox from one source. Twin of {@code struct adr_box_entry}; writers and drawings in
 * docs/layout.md.
 */
public final class BoxEntryDescriptor {
  public static final int OPEN_OFFSET = 0;
  public static final int RELEASED_OFFSET = 8;
  public static final int LINK_OFFSET = 16;

  /** Bytes of the struct. */
  public static final int BYTES = 64;

  static final StructLayout LAYOUT =
      new StructLayout("box_entry", BYTES)
          .field("open", OPEN_OFFSET, 4)
          .field("reserved0", 4, 4)
          .field("released", RELEASED_OFFSET, 8)
          .field("link", LINK_OFFSET, 8)
          .field("reserved1", 24, 40);

  private BoxEntryDescriptor() {}
}
