package io.adrastea.engine.collective;

import io.adrastea.coll.Choice;
import io.adrastea.core.SlotMember;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What members of a communicator without a slot tell each other beside the messages of their collectives, in words.
 *
 * <p>
 * Words that describe a collective: its number, what is called, and a word that is equal at two members only where they
 * have called the same ones before, too.
 */
final class Told {
  /** The sender waits for a message of that collective, of the receiver, or for the receiver to take one. */
  static final long ASKS = 1;

  /** The sender neither sends nor takes one. */
  static final long HAS_NONE = 2;

  /** The sender has called another collective under that number, and is asked for none. */
  static final long DIFFERS = 3;

  /** The sender cannot go on with collectives, from that number on. */
  static final long BROKEN = 4;

  static final int WHAT = 0;

  /** The kind of step that the one that asks waits for; of one that cannot go on the job rank that is gone, if any. */
  static final int WAITS_FOR = 1;

  /** From here on the description of a collective; its number. */
  static final int NUMBER = 2;
  private static final int KIND = 3;
  private static final int ROOT = 4;
  private static final int BYTES = 5;
  private static final int ELEMENT = 6;
  private static final int OP = 7;
  private static final int BEFORE = 8;
  static final int WORDS = 9;

  private static final long MIX = 0x9E37_79B9_7F4A_7C15L; // 2^64 divided by the golden ratio: an odd number

  private Told() {}

  /**
   * Describes a call.
   *
   * @param before the last word of the call before it
   * @return the last word
   */
  static long describe(long[] words, int number, Call call, long before) {
    boolean exchange = Choice.isExchange(call.kind());
    words[NUMBER] = number;
    words[KIND] = call.kind();
    words[ROOT] = call.root();
    words[BYTES] = exchange ? 0 : call.bytes(); // each gives as many as it likes
    words[ELEMENT] = call.element();
    words[OP] = exchange ? 0 : call.op(); // else how this rank's blocks lie
    long mixed = before;
    for (int word = KIND; word < BEFORE; word++) {
      mixed = (mixed ^ words[word]) * MIX;
      mixed ^= mixed >>> 32;
    }
    if (call.kind() == SlotMember.REDUCE_SCATTER && call.isByParts()) {
      mixed = (mixed ^ call.rows().givenHash()) * MIX;
      mixed ^= mixed >>> 32;
    }
    words[BEFORE] = mixed;
    return mixed;
  }

  /** Whether two descriptions are of the same collective. */
  static boolean isSame(long[] one, long[] other) {
    boolean same = true;
    for (int word = NUMBER; word < WORDS; word++) {
      same &= one[word] == other[word];
    }
    return same;
  }

  /** The call that is described, in words. */
  static String words(long[] told) {
    return Call.words((int) told[KIND], (int) told[ROOT], told[BYTES], (int) told[ELEMENT], (int) told[OP]);
  }

  static void write(long[] words, MemorySegment message) {
    MemorySegment.copy(words, 0, message, ValueLayout.JAVA_LONG, 0, WORDS);
  }

  static void read(MemorySegment message, long[] words) {
    MemorySegment.copy(message, ValueLayout.JAVA_LONG, 0, words, 0, WORDS);
  }
}
