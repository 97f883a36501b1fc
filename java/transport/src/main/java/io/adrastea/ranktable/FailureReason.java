package io.adrastea.ranktable;

import io.adrastea.atomic.Words;
import io.adrastea.layout.RankEntryDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Why a rank has failed, in one line of UTF-8 in its entry of the rank table. Twin of
 * {@code ranktable/adr_failure_reason.h}. Written before the state FAILED, and read once that is seen, so the order of
 * the state is its order too. What is read may be anything: a broken rank may have written it.
 */
public final class FailureReason {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int MOST = RankEntryDescriptor.REASON_BYTES - 1; // a NUL behind it

  private FailureReason() {}

  /** Writes as much of a text as there is room for; what ends a line, or turns or hides it, becomes a blank. */
  static void write(MemorySegment memory, long offset, String reason) {
    byte[] text = cut(oneLine(reason).getBytes(StandardCharsets.UTF_8));
    byte[] bytes = Arrays.copyOf(text, RankEntryDescriptor.REASON_BYTES);
    MemorySegment words = MemorySegment.ofArray(bytes);
    for (int at = 0; at < bytes.length; at += Long.BYTES) {
      Words.storeLong(memory, offset + at, words.get(WORD, at));
    }
  }

  /** As much of a text as is told, with blanks for what ends a line, or turns or hides it. */
  public static String cut(String reason) {
    return new String(cut(oneLine(reason).getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
  }

  /** Not in the middle of a character. */
  private static byte[] cut(byte[] text) {
    int end = Math.min(text.length, MOST);
    while (end < text.length && end > 0 && (text[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(text, end);
  }

  /** What was written; empty: nothing was. Each byte is read once. */
  static String read(MemorySegment memory, long offset) {
    byte[] bytes = new byte[RankEntryDescriptor.REASON_BYTES];
    MemorySegment words = MemorySegment.ofArray(bytes);
    for (int at = 0; at < bytes.length; at += Long.BYTES) {
      words.set(WORD, at, Words.loadLong(memory, offset + at));
    }
    int end = 0;
    while (end < MOST && bytes[end] != 0) {
      end++;
    }
    return oneLine(new String(bytes, 0, end, StandardCharsets.UTF_8));
  }

  private static String oneLine(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().map(c -> isPlain(c) ? c : ' ').forEach(line::appendCodePoint);
    return line.toString().strip();
  }

  /** Whether it may stand in a line of a terminal; twin of {@code is_unprintable}. */
  static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
      default -> true;
    };
  }
}
