package io.adrastea.datatype;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;

/**
 * What a receiver is told of a signature: a hash, by which it compares the basic types that were sent with those that
 * it receives, and the signature itself in words, as far as there is room, by which it names them.
 *
 * <p>
 * The hash is that of the sequence of basic types: a polynomial modulo 2^61 - 1 whose coefficients are their numbers.
 * So it is the same however the sequence is put together, and that of a part is computed from those of the parts of the
 * signature, in a time that grows with their number and with the logarithm of their counts.
 */
public final class Digest {
  /** Most words that tell a signature. */
  public static final int MOST_WORDS = 30;

  private static final long PRIME = (1L << 61) - 1;
  private static final long BASE = 0x0F3A_59C1_7B2E_D845L; // any number that no short polynomial has as its root
  private static final long BROKEN = -1; // of a sequence that ends inside of a basic type

  // A word is a count in the upper 56 bits, and in the lower 8 what is counted: a basic type, or a group.
  private static final int CODE_BITS = 8;
  private static final long MOST_COUNT = (1L << 64 - CODE_BITS - 1) - 1;
  private static final int CODES = 2 * Element.values().length;
  private static final int OPEN = 0xF0; // so many times what stands up to CLOSE
  private static final int CLOSE = 0xF1;
  private static final int MORE = 0xF2; // there was no room for the rest

  private final Signature signature;
  private final long hash;
  private final long power; // the base, as often as there are basic types
  private final long[] words;

  Digest(Signature signature) {
    this.signature = signature;
    long allHash = 0;
    long allPower = 1;
    for (Signature.Part part : signature.parts()) {
      allHash = append(allHash, hash(part), power(part), part.count());
      allPower = multiply(allPower, raise(power(part), part.count()));
    }
    this.hash = allHash;
    this.power = allPower;
    long[] all = new long[MOST_WORDS];
    this.words = Arrays.copyOf(all, write(signature, all, 0));
  }

  // The hash

  private static long hash(Signature.Part part) {
    return part.body() == null ? code(part) + 1 : part.body().digest().hash;
  }

  private static long power(Signature.Part part) {
    return part.body() == null ? BASE : part.body().digest().power;
  }

  private static int code(Signature.Part part) {
    return 2 * part.element().ordinal() + (part.bigEndian() && part.element().bytes() > 1 ? 1 : 0);
  }

  /** The hash of all basic types that so many of this signature begin with, as many bytes as they have. */
  long hash(long copies) {
    return append(0, hash, power, copies);
  }

  /**
   * Whether a message of that hash and length has the basic types that as many of this signature begin with as there
   * are bytes.
   */
  public boolean matches(long sentHash, long sentBytes) {
    long bytes = signature.bytes();
    if (bytes == 0) {
      return sentBytes == 0;
    }
    long whole = append(0, hash, power, sentBytes / bytes);
    return appendFirst(whole, sentBytes % bytes) == sentHash;
  }

  /** Appends the basic types of the first bytes to a sequence. */
  private long appendFirst(long before, long first) {
    long sequence = before;
    long left = first;
    for (Signature.Part part : signature.parts()) {
      if (left == 0) {
        return sequence;
      }
      long one = part.bytes();
      long copies = Math.min(part.count(), left / one);
      sequence = append(sequence, hash(part), power(part), copies);
      left -= copies * one;
      if (copies < part.count() && left != 0) {
        return part.body() == null ? BROKEN : part.body().digest().appendFirst(sequence, left);
      }
    }
    return sequence;
  }

  /** Appends so many equal sequences: in which order, makes no difference. */
  private static long append(long before, long hash, long power, long copies) {
    long sequence = before;
    long next = hash;
    long nextPower = power;
    for (long left = copies; left != 0; left >>>= 1) {
      if ((left & 1) != 0) {
        sequence = add(multiply(sequence, nextPower), next);
      }
      next = add(multiply(next, nextPower), next);
      nextPower = multiply(nextPower, nextPower);
    }
    return sequence;
  }

  private static long raise(long base, long exponent) {
    long result = 1;
    long factor = base;
    for (long left = exponent; left != 0; left >>>= 1) {
      result = (left & 1) != 0 ? multiply(result, factor) : result;
      factor = multiply(factor, factor);
    }
    return result;
  }

  private static long add(long a, long b) {
    long sum = a + b;
    return sum >= PRIME ? sum - PRIME : sum;
  }

  private static long multiply(long a, long b) {
    long low = a * b;
    long upper = Math.multiplyHigh(a, b) << 3 | low >>> 61;
    return add(low & PRIME, upper);
  }

  // The words

  /**
   * Puts what is told of so many of this signature into an array: the hash, the number, and the words, as many as fit.
   *
   * @return words that were put there
   */
  public int write(long copies, long[] to, int most) {
    to[0] = hash(copies);
    to[1] = copies;
    int count = Math.min(words.length, most - 2);
    System.arraycopy(words, 0, to, 2, count);
    if (count < words.length) {
      to[1 + count] = MORE;
    }
    return 2 + count;
  }

  private static int write(Signature signature, long[] words, int from) {
    int at = from;
    for (Signature.Part part : signature.parts()) {
      if (at >= words.length) {
        words[words.length - 1] = MORE;
        return words.length;
      }
      long count = Math.min(part.count(), MOST_COUNT) << CODE_BITS;
      if (part.body() == null) {
        words[at++] = count | code(part);
      } else {
        words[at] = count | OPEN;
        at = write(part.body(), words, at + 1);
        if (at < words.length) {
          words[at++] = CLOSE;
        }
      }
    }
    return at;
  }

  /** Whether words are what {@link #write} makes, as far as telling them needs it. */
  public static boolean areSound(long[] words, int count) {
    int open = 0;
    for (int at = 2; at < count; at++) {
      int code = (int) words[at] & 0xFF;
      open += code == OPEN ? 1 : code == CLOSE ? -1 : 0;
      if (open < 0 || code >= CODES && code < OPEN || code > MORE || words[at] < 0) {
        return false;
      }
    }
    return count >= 2 && words[1] >= 0;
  }

  /** The signature in plain words, for example {@code 10 x (int, 3 x double)}. */
  public static String describe(long[] words, int count) {
    StringBuilder text = new StringBuilder();
    int open = 0;
    boolean begins = true;
    for (int at = 2; at < count; at++) {
      int code = (int) words[at] & 0xFF;
      if (code == CLOSE) {
        open--;
        text.append(')');
      } else {
        text.append(begins ? "" : ", ");
        open += code == OPEN ? 1 : 0;
        text.append(code == MORE ? "..." : times(words[at] >>> CODE_BITS) + (code == OPEN ? "(" : name(code)));
      }
      begins = code == OPEN;
    }
    text.append(")".repeat(open));
    return all(words[1], count == 3 ? words[2] : 0, text);
  }

  /** So often what the text tells; {@code only} is its one word, or 0. */
  private static String all(long copies, long only, StringBuilder text) {
    int code = (int) only & 0xFF;
    if (only != 0 && code < CODES) {
      return times(copies * (only >>> CODE_BITS)) + name(code);
    }
    return copies == 1 ? text.toString() : "%s(%s)".formatted(times(copies), text);
  }

  private static String times(long count) {
    return count == 1 ? "" : count + " x ";
  }

  private static String name(int code) {
    Element element = Element.values()[code / 2];
    boolean bigEndian = code % 2 == 1;
    boolean ordinary = element.bytes() == 1 || bigEndian == (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN);
    String order = ordinary ? "" : bigEndian ? "big-endian " : "little-endian ";
    return order + element.name().toLowerCase(Locale.ROOT);
  }
}
