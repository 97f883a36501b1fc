package io.adrastea.layout;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The layout of a segment as text. The C core prints the same text from its own structs; both must match {@code
 * tests/layout/layout.golden}, and its CRC-32C stands in each segment's header.
 */
public final class LayoutDump {
  /** Raised with every change of a field. */
  public static final int VERSION = 19;

  /** CRC-32C of {@link #text()}, a literal so that a change is seen. */
  public static final int CRC = 0x75d362f9;

  private LayoutDump() {}

  /** One line per struct ({@code name bytes}) and per field ({@code name.field offset bytes}). */
  public static String text() {
    return List.of(
        SegmentHeaderDescriptor.LAYOUT,
        BarrierDescriptor.LAYOUT,
        RankEntryDescriptor.LAYOUT,
        RankAreaDescriptor.LAYOUT,
        MpscQueueDescriptor.LAYOUT,
        RegionEntryDescriptor.LAYOUT,
        ContextIdEntryDescriptor.LAYOUT,
        SlotDescriptor.LAYOUT,
        SlotMemberDescriptor.LAYOUT,
        SlotLineDescriptor.LAYOUT,
        BoxEntryDescriptor.LAYOUT,
        BoxMessageDescriptor.LAYOUT,
        CellDescriptor.LAYOUT,
        CopyRingDescriptor.LAYOUT,
        SplitDescriptor.LAYOUT)
        .stream()
        .flatMap(struct -> struct.lines().stream())
        .collect(Collectors.joining("\n", "layout_version " + VERSION + "\n", "\n"));
  }
}
