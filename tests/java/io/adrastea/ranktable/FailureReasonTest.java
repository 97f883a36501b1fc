package io.adrastea.ranktable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.layout.RankEntryDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The line in which a rank says why it has failed; twin of {@code tests/c/failure_reason_test.c}. */
class FailureReasonTest {
  private static final int BYTES = RankEntryDescriptor.REASON_BYTES;

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES + 8, 8);

  private String written(String reason) {
    memory.set(ValueLayout.JAVA_LONG, BYTES, -1);
    FailureReason.write(memory, 0, reason);
    assertEquals(-1, memory.get(ValueLayout.JAVA_LONG, BYTES), "what lies behind it is touched");
    assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, BYTES - 1), "it has no end");
    return FailureReason.read(memory, 0);
  }

  @Test
  void isReadAsItWasWritten() {
    for (String reason : new String[] {"", "no license", "läuft nicht: 東京 \uD83D\uDE00"}) {
      assertEquals(reason, written(reason));
    }
  }

  @Test
  void isCutOffBetweenCharacters() {
    assertEquals("a".repeat(BYTES - 1), written("a".repeat(1000)));
    assertEquals("ä".repeat(127), written("ä".repeat(1000)));
    assertEquals("a" + "東".repeat(84), written("a" + "東".repeat(100)));
    assertEquals("aa" + "\uD83D\uDE00".repeat(63), written("aa" + "\uD83D\uDE00".repeat(100)));
  }

  @Test
  void isOneLineWithoutWhatControlsATerminal() {
    assertEquals("two lines, red: [31m, turned:  .", written("two\nlines, red:\u001b[31m, turned: \u202e."));
    assertEquals("lines:  .  . C1:  .", written("lines: \u2028. \u2029. C1: \u009b."));
  }

  @Test
  void isOneLineInCToo() throws Exception {
    Path twin = Path.of(System.getProperty("adrastea.root"), "native", "ranktable", "adr_failure_reason.c");
    Set<Integer> inC = new TreeSet<>();
    Pattern.compile("\\{0x(\\p{XDigit}+), 0x(\\p{XDigit}+)\\}").matcher(Files.readString(twin)).results().forEach(
        range -> IntStream.rangeClosed(Integer.parseInt(range.group(1), 16), Integer.parseInt(range.group(2), 16))
            .forEach(inC::add));
    Set<Integer> here = new TreeSet<>();
    IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(character -> Character.isDefined(character) && !FailureReason.isPlain(character)).forEach(here::add);
    assertEquals(here, inC);
  }

  @Test
  void ofABrokenRankIsALineWhateverItHolds() {
    long seed = Long.getLong("adrastea.seed", 1);
    Random random = new Random(seed);
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < 10_000; i++) {
      random.nextBytes(bytes);
      memory.copyFrom(MemorySegment.ofArray(bytes));
      String read = FailureReason.read(memory, 0);
      assertTrue(read.length() < BYTES && read.codePoints().allMatch(FailureReason::isPlain),
          () -> "seed " + seed + ": " + read);
    }
  }
}
