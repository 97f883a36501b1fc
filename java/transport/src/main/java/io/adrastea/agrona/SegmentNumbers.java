package io.adrastea.agrona;

import static org.agrona.AsciiEncoding.MINUS_SIGN;
import static org.agrona.AsciiEncoding.ZERO;

import org.agrona.AsciiEncoding;
import org.agrona.AsciiNumberFormatException;
import org.agrona.AsciiSequenceView;

/** Numbers in ASCII digits; natural ones have no sign. */
abstract class SegmentNumbers extends SegmentStrings {
  @Override
  public int parseIntAscii(int index, int length) {
    return AsciiEncoding.parseIntAscii(digits(index, length), 0, length);
  }

  @Override
  public long parseLongAscii(int index, int length) {
    return AsciiEncoding.parseLongAscii(digits(index, length), 0, length);
  }

  @Override
  public int parseNaturalIntAscii(int index, int length) {
    return AsciiEncoding.parseIntAscii(natural(index, length), 0, length);
  }

  @Override
  public long parseNaturalLongAscii(int index, int length) {
    return AsciiEncoding.parseLongAscii(natural(index, length), 0, length);
  }

  private AsciiSequenceView digits(int index, int length) {
    boundsCheck(index, length);
    return new AsciiSequenceView(this, index, length);
  }

  private AsciiSequenceView natural(int index, int length) {
    AsciiSequenceView digits = digits(index, length);
    if (length > 0 && getByte(index) == MINUS_SIGN) {
      throw new AsciiNumberFormatException("error parsing a natural number: " + digits);
    }
    return digits;
  }

  @Override
  public int putIntAscii(int index, int value) {
    return putLongAscii(index, value);
  }

  @Override
  public int putLongAscii(int index, long value) {
    int sign = value < 0 ? 1 : 0;
    int count = sign + countDigits(value);
    boundsCheck(index, count);
    if (sign > 0) {
      putByte(index, MINUS_SIGN);
    }
    putDigits(index + sign, index + count, value);
    return count;
  }

  @Override
  public int putNaturalIntAscii(int index, int value) {
    return putNaturalLongAscii(index, value);
  }

  @Override
  public int putNaturalLongAscii(int index, long value) {
    requireNatural(value);
    return putLongAscii(index, value);
  }

  @Override
  public void putNaturalPaddedIntAscii(int offset, int length, int value) {
    boundsCheck(offset, length);
    requireNatural(value);
    if (value > 0 && countDigits(value) > length) {
      throw new NumberFormatException("%d does not fit into %d bytes".formatted(value, length));
    }
    putDigits(offset, offset + length, value);
  }

  /** Puts nothing for 0, as Agrona's own buffers do. */
  @Override
  public int putNaturalIntAsciiFromEnd(int value, int endExclusive) {
    requireNatural(value);
    int count = countDigits(value);
    boundsCheck(endExclusive - count, count);
    if (value == 0) {
      return endExclusive;
    }
    putDigits(endExclusive - count, endExclusive, value);
    return endExclusive - count;
  }

  private static void requireNatural(long value) {
    if (value < 0) {
      throw new NumberFormatException("%d is no natural number; allowed are 0 and more".formatted(value));
    }
  }

  private static int countDigits(long value) {
    int count = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      count++;
    }
    return count;
  }

  /** From the last digit to the first; by remainders, since the least long has no positive counterpart. */
  private void putDigits(int begin, int end, long value) {
    long rest = value;
    for (int i = end - 1; i >= begin; i--) {
      putByte(i, (byte) (ZERO + Math.abs(rest % 10)));
      rest /= 10;
    }
  }
}
