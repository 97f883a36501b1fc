package io.adrastea.bench.datatypes;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where the words of a message lie at both ends. A word has 4 bytes, and its place is counted in words.
 *
 * @param sent of each word, in the order of the packed message
 * @param received of each word
 * @param touchedSent of those words that are written before a message goes: the first of each line, at either end, that
 * the message has words in
 * @param touchedReceived of those words that are read after it came, the same ones
 */
record Words(int[] sent, int[] received, int[] touchedSent, int[] touchedReceived) {
  private static final int WORD = Integer.BYTES;
  private static final int LINE_WORDS = 64 / WORD;
  private static final int SPREAD = 0x9E37_79B1;

  /**
   * Packs memory whose words hold their places, so no second account of what a datatype means is needed.
   *
   * @param memory of the case; its contents are lost
   * @param packed room for a message
   */
  static Words of(Case one, MemorySegment memory, MemorySegment packed) {
    int count = (int) (one.memoryBytes() / WORD);
    for (int word = 0; word < count; word++) {
      memory.set(JAVA_INT, (long) word * WORD, word);
    }
    return of(places(one.send(), memory, packed), places(one.receive(), memory, packed));
  }

  private static int[] places(Layout layout, MemorySegment memory, MemorySegment packed) {
    layout.described().type().pack(memory, layout.origin(), 1, packed, 0);
    return packed.asSlice(0, layout.bytes()).toArray(JAVA_INT);
  }

  static Words of(int[] sent, int[] received) {
    int[] touchedSent = new int[sent.length];
    int[] touchedReceived = new int[sent.length];
    BitSet linesSent = new BitSet();
    BitSet linesReceived = new BitSet();
    int touched = 0;
    for (int i = 0; i < sent.length; i++) {
      int from = sent[i] / LINE_WORDS;
      int to = received[i] / LINE_WORDS;
      if (!linesSent.get(from) || !linesReceived.get(to)) {
        linesSent.set(from);
        linesReceived.set(to);
        touchedSent[touched] = sent[i];
        touchedReceived[touched++] = received[i];
      }
    }
    return new Words(sent, received, Arrays.copyOf(touchedSent, touched), Arrays.copyOf(touchedReceived, touched));
  }

  /** Returns the words of a message in one piece. */
  static Words contiguous(int bytes) {
    int[] places = new int[bytes / WORD];
    Arrays.setAll(places, i -> i);
    return of(places, places);
  }

  /** Writes message {@code number}: word i of the touched ones is number + i. */
  void write(MemorySegment memory, int number) {
    int[] touched = touchedSent;
    for (int i = 0; i < touched.length; i++) {
      memory.set(JAVA_INT, (long) touched[i] * WORD, number + i);
    }
  }

  /** Whether the touched words that are read are those of message {@code number}. */
  boolean read(MemorySegment memory, int number) {
    int[] touched = touchedReceived;
    int sum = 0;
    for (int i = 0; i < touched.length; i++) {
      sum += memory.get(JAVA_INT, (long) touched[i] * WORD);
    }
    int count = touched.length;
    return sum == count * number + (int) ((long) count * (count - 1) / 2);
  }

  /** Writes all words of a message, others for each seed. */
  void fill(MemorySegment memory, int seed) {
    for (int i = 0; i < sent.length; i++) {
      memory.set(JAVA_INT, (long) sent[i] * WORD, seed + i * SPREAD);
    }
  }

  /** Whether all words of a message are those. */
  boolean holds(MemorySegment memory, int seed) {
    for (int i = 0; i < received.length; i++) {
      if (memory.get(JAVA_INT, (long) received[i] * WORD) != seed + i * SPREAD) {
        return false;
      }
    }
    return true;
  }
}
