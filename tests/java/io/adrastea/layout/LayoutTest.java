package io.adrastea.layout;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * The Java twin of the layout against the golden file, which the C dump matches too, and against the constants of the C
 * headers.
 */
class LayoutTest {
  private static final Path ROOT = Path.of(System.getProperty("adrastea.root"));
  private static final Path GOLDEN = ROOT.resolve("tests/layout/layout.golden");
  private static final Path HEADERS = ROOT.resolve("native/layout");

  private static final Map<String, Class<?>> DESCRIPTORS =
      Map.ofEntries(
          entry("segment_header", SegmentHeaderDescriptor.class),
          entry("barrier", BarrierDescriptor.class),
          entry("rank_entry", RankEntryDescriptor.class),
          entry("rank_area", RankAreaDescriptor.class),
          entry("mpsc_queue", MpscQueueDescriptor.class),
          entry("region_entry", RegionEntryDescriptor.class),
          entry("context_id_entry", ContextIdEntryDescriptor.class),
          entry("slot", SlotDescriptor.class),
          entry("slot_member", SlotMemberDescriptor.class),
          entry("slot_line", SlotLineDescriptor.class),
          entry("box_entry", BoxEntryDescriptor.class),
          entry("box_message", BoxMessageDescriptor.class),
          entry("copy_ring", CopyRingDescriptor.class),
          entry("split", SplitDescriptor.class),
          entry("cell", CellDescriptor.class));

  @Test
  void theDumpEqualsTheGoldenFile() throws IOException {
    assertEquals(Files.readString(GOLDEN), LayoutDump.text());
  }

  @Test
  void theCrcIsThatOfTheGoldenFile() throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(GOLDEN));
    assertEquals(Integer.toHexString((int) crc.getValue()), Integer.toHexString(LayoutDump.CRC));
  }

  @Test
  void theConstantsOfADescriptorAreThoseOfTheGoldenFile() throws IOException, ReflectiveOperationException {
    int fields = 0;
    for (String line : Files.readAllLines(GOLDEN)) {
      String[] words = line.split("[ .]");
      if (words[0].equals("layout_version") || words[1].startsWith("reserved")) {
        continue;
      }
      boolean struct = words.length == 2;
      String constant = struct ? "BYTES" : words[1].toUpperCase(Locale.ROOT) + "_OFFSET";
      Field field = DESCRIPTORS.get(words[0]).getDeclaredField(constant);
      assertEquals(Integer.parseInt(words[struct ? 1 : 2]), field.get(null), line);
      fields++;
    }
    assertTrue(fields > DESCRIPTORS.size(), "the golden file has fields");
  }

  @Test
  void noConstantIsMissingInTheGoldenFile() throws IOException {
    String golden = Files.readString(GOLDEN);
    DESCRIPTORS.forEach(
        (struct, descriptor) -> {
          for (Field field : descriptor.getDeclaredFields()) {
            if (field.getName().endsWith("_OFFSET")) {
              String name = field.getName().toLowerCase(Locale.ROOT).replaceFirst("_offset$", "");
              assertTrue(golden.contains("\n%s.%s ".formatted(struct, name)), struct + "." + name);
            }
          }
        });
  }

  @Test
  void theNumbersBesideTheLayoutAreThoseOfTheCHeaders() throws IOException {
    Map<String, Long> c = constants(headers());
    Map<String, Long> java = new HashMap<>();
    java.put("ADR_LAYOUT_VERSION", (long) LayoutDump.VERSION);
    java.put("ADR_LAYOUT_CRC", Integer.toUnsignedLong(LayoutDump.CRC));
    java.put("ADR_MAGIC", SegmentHeaderDescriptor.MAGIC);
    java.put("ADR_MAX_LOCAL_RANKS", (long) SegmentHeaderDescriptor.MAX_LOCAL_RANKS);
    java.put("ADR_MAX_REGIONS", (long) RegionEntryDescriptor.MAX_REGIONS);
    java.put("ADR_REGION_FREE", (long) RegionEntryDescriptor.FREE);
    java.put("ADR_REGION_CLAIMED", (long) RegionEntryDescriptor.CLAIMED);
    java.put("ADR_REGION_READY", (long) RegionEntryDescriptor.READY);
    java.put("ADR_REGION_HEAP", (long) RegionEntryDescriptor.KIND_HEAP);
    java.put("ADR_REGION_SLOTS", (long) RegionEntryDescriptor.KIND_SLOTS);
    java.put("ADR_REGION_SYMMETRIC", (long) RegionEntryDescriptor.KIND_SYMMETRIC);
    java.put("ADR_MAX_CONTEXTS", (long) ContextIdEntryDescriptor.MAX_CONTEXTS);
    java.put("ADR_CONTEXT_ID_FREE", (long) ContextIdEntryDescriptor.FREE);
    java.put("ADR_CONTEXT_ID_TAKEN", (long) ContextIdEntryDescriptor.TAKEN);
    java.put("ADR_CONTEXT_ID_GENERATIONS", (long) ContextIdEntryDescriptor.GENERATIONS);
    java.put("ADR_CONTEXT_ID_STATE_SHIFT", (long) ContextIdEntryDescriptor.STATE_SHIFT);
    java.put("ADR_CONTEXT_ID_OWNER_SHIFT", (long) ContextIdEntryDescriptor.OWNER_SHIFT);
    java.put("ADR_SLOT_OVERSUBSCRIBED", (long) SlotDescriptor.OVERSUBSCRIBED);
    java.put("ADR_SLOT_CHECKED", (long) SlotDescriptor.CHECKED);
    java.put("ADR_SLOT_LINES", (long) SlotMemberDescriptor.LINES);
    java.put("ADR_SLOT_PAYLOAD", (long) SlotLineDescriptor.PAYLOAD);
    java.put("ADR_MEMBER_OPEN", (long) SlotMemberDescriptor.OPEN);
    java.put("ADR_MEMBER_CLOSED", (long) SlotMemberDescriptor.CLOSED);
    java.put("ADR_MEMBER_BROKEN", (long) SlotMemberDescriptor.BROKEN);
    java.put("ADR_RANK_ABSENT", (long) RankEntryDescriptor.STATE_ABSENT);
    java.put("ADR_RANK_JOINING", (long) RankEntryDescriptor.STATE_JOINING);
    java.put("ADR_RANK_ATTACHED", (long) RankEntryDescriptor.STATE_ATTACHED);
    java.put("ADR_RANK_LEFT", (long) RankEntryDescriptor.STATE_LEFT);
    java.put("ADR_RANK_FAILED", (long) RankEntryDescriptor.STATE_FAILED);
    java.put("ADR_RANK_WAKEABLE", (long) RankEntryDescriptor.FLAG_WAKEABLE);
    java.put("ADR_RANK_WAKER", (long) RankEntryDescriptor.FLAG_WAKER);
    java.put("ADR_RANK_THREAD", (long) RankEntryDescriptor.FLAG_THREAD);
    java.put("ADR_RANK_ABORT", (long) RankEntryDescriptor.FLAG_ABORT);
    java.put("ADR_RANK_CAN_MATCH", (long) RankEntryDescriptor.CAN_MATCH);
    java.put("ADR_RANK_CAN_RENDEZVOUS", (long) RankEntryDescriptor.CAN_RENDEZVOUS);
    java.put("ADR_RANK_CAN_SYNCHRONOUS", (long) RankEntryDescriptor.CAN_SYNCHRONOUS);
    java.put("ADR_RANK_CAN_COLLECTIVES", (long) RankEntryDescriptor.CAN_COLLECTIVES);
    java.put("ADR_RANK_CAN_WINDOWS", (long) RankEntryDescriptor.CAN_WINDOWS);
    java.put("ADR_RANK_CAN_SHMEM", (long) RankEntryDescriptor.CAN_SHMEM);
    java.put("ADR_RANK_CAN_CHECK_TYPES", (long) RankEntryDescriptor.CAN_CHECK_TYPES);
    java.put("ADR_RANK_CAN_ACTIVE", (long) RankEntryDescriptor.CAN_ACTIVE);
    java.put("ADR_CHECK_TYPES", (long) SegmentHeaderDescriptor.CHECK_TYPES);
    java.put("ADR_BOX_LEARNS", Integer.toUnsignedLong(SegmentHeaderDescriptor.BOX_LEARNS));
    java.put("ADR_CORE_C", (long) RankEntryDescriptor.CORE_C);
    java.put("ADR_RANK_IN_RECEIVE", (long) RankEntryDescriptor.IN_RECEIVE);
    java.put("ADR_RANK_IN_SEND", (long) RankEntryDescriptor.IN_SEND);
    java.put("ADR_RANK_IN_CLAIM", (long) RankEntryDescriptor.IN_CLAIM);
    java.put("ADR_RANK_IN_PROBE", (long) RankEntryDescriptor.IN_PROBE);
    java.put("ADR_RANK_IN_BARRIER", (long) RankEntryDescriptor.IN_BARRIER);
    java.put("ADR_RANK_IN_REQUESTS", (long) RankEntryDescriptor.IN_REQUESTS);
    java.put("ADR_RANK_IN_MEMORY", (long) RankEntryDescriptor.IN_MEMORY);
    java.put("ADR_SLOT_COUNTER_BARRIER", (long) SlotDescriptor.COUNTER_BARRIER);
    java.put("ADR_SLOT_STAGES_ALONE", (long) SlotDescriptor.STAGES_ALONE);
    java.put("ADR_SLOT_DIRECT_EARLY", (long) SlotDescriptor.DIRECT_EARLY);
    java.put("ADR_RANK_IN_COLLECTIVE", (long) RankEntryDescriptor.IN_COLLECTIVE);
    java.put("ADR_RANK_MOVES_MESSAGES", (long) RankEntryDescriptor.MOVES_MESSAGES);
    java.put("ADR_RANK_MOVES_COLLECTIVES", (long) RankEntryDescriptor.MOVES_COLLECTIVES);
    java.put("ADR_RANK_MOVES_SEVERAL", (long) RankEntryDescriptor.MOVES_SEVERAL);
    java.put("ADR_RANK_IN_WINDOW", (long) RankEntryDescriptor.IN_WINDOW);
    java.put("ADR_KIND_FIRST", (long) CellDescriptor.KIND_FIRST);
    java.put("ADR_KIND_NEXT", (long) CellDescriptor.KIND_NEXT);
    java.put("ADR_KIND_ABORT", (long) CellDescriptor.KIND_ABORT);
    java.put("ADR_MATCH_TRANSFER", CellDescriptor.MATCH_TRANSFER);
    java.forEach((name, value) -> assertEquals(value, c.get(name), name));
  }

  private static String headers() throws IOException {
    StringBuilder text = new StringBuilder();
    try (DirectoryStream<Path> headers = Files.newDirectoryStream(HEADERS, "adr_layout*.h")) {
      for (Path header : headers) {
        text.append(Files.readString(header));
      }
    }
    return text.toString();
  }

  /** Every {@code #define NAME number} and {@code NAME = number} of the C headers. */
  private static Map<String, Long> constants(String headers) {
    Map<String, Long> constants = new HashMap<>();
    Matcher matcher =
        Pattern.compile("(?:#define )?(ADR_\\w+)(?: =)? (?:UINT64_C\\()?(0x[0-9a-f]+|[0-9]+)").matcher(headers);
    while (matcher.find()) {
      constants.putIfAbsent(matcher.group(1), Long.decode(matcher.group(2)));
    }
    return constants;
  }

  @Test
  void theMagicReadsAsTheNameInMemory() {
    byte[] bytes = "ADRASTEA".getBytes(StandardCharsets.US_ASCII);
    long word = 0;
    for (int i = bytes.length - 1; i >= 0; i--) {
      word = word << 8 | bytes[i];
    }
    assertEquals(word, SegmentHeaderDescriptor.MAGIC);
  }

  @Test
  void eachWordIsNaturallyAligned() throws IOException {
    List<String> crooked = new ArrayList<>();
    for (String line : Files.readAllLines(GOLDEN)) {
      String[] words = line.split(" ");
      boolean word = words.length == 3 && (words[2].equals("4") || words[2].equals("8"));
      if (word && Integer.parseInt(words[1]) % Integer.parseInt(words[2]) != 0) {
        crooked.add(line);
      }
    }
    assertEquals(List.of(), crooked);
  }

  @Test
  void aStructWithAGapOrWithBytesLeftOverIsRefused() {
    StructLayout gap = new StructLayout("torn", 16).field("first", 0, 4);
    assertEquals(
        "torn.second begins at 8, not at 4",
        assertThrows(AssertionError.class, () -> gap.field("second", 8, 8)).getMessage());
    StructLayout shorter = new StructLayout("short", 16).field("first", 0, 8);
    assertEquals("short ends at 8, not at 16", assertThrows(AssertionError.class, shorter::lines).getMessage());
    assertFalse(new StructLayout("whole", 8).field("first", 0, 8).lines().isEmpty());
  }
}
