package io.adrastea.ranktable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.layout.RankEntryDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
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
      assertTrue(read.length() < BYTES && read.chars().noneMatch(Character::isISOControl),
          () -> "seed " + seed + ": " + read);
    }
  }
}
