package io.adrastea.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The basic types of a datatype in the order of its type map, without their places: what is in its packed form.
 * Immutable; repetitions are kept as such, so it is as short as the datatype is regular.
 */
public final class Signature {
  /** The signature of no elements. */
  public static final Signature EMPTY = new Signature(List.of());

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final List<Part> parts;
  private final int elements;
  private final boolean swapped;
  private final long bytes;
  private final long count; // of basic types
  private Digest digest; // null: nobody has asked for it

  private Signature(List<Part> parts) {
    this.parts = parts;
    int elements = 0;
    boolean swapped = false;
    long bytes = 0;
    long count = 0;
    for (Part part : parts) {
      swapped |= part.body == null ? part.isSwapped() : part.body.swapped;
      elements |= part.body == null ? part.element.bit() : part.body.elements;
      bytes += part.count * part.bytes();
      count += part.body == null ? part.count : part.count * part.body.count;
    }
    this.elements = elements;
    this.swapped = swapped;
    this.bytes = bytes;
    this.count = count;
  }

  /** Counts the basic types that so many packed bytes of it begin with; -1: they end inside of one. */
  public long count(long packed) {
    if (bytes == 0) {
      return packed == 0 ? 0 : -1;
    }
    long rest = within(packed % bytes);
    return rest < 0 ? -1 : packed / bytes * count + rest;
  }

  /** Counts those of fewer bytes than it has. */
  private long within(long packed) {
    long left = packed;
    long found = 0;
    for (Part part : parts) {
      if (left < part.count * part.bytes()) {
        long rest = part.body != null ? part.body.count(left) : left % part.bytes() == 0 ? left / part.bytes() : -1;
        return rest < 0 ? -1 : found + rest;
      }
      left -= part.count * part.bytes();
      found += part.body == null ? part.count : part.count * part.body.count;
    }
    return found;
  }

  /**
   * Counts the packed bytes that so many basic types have which it begins with, and begins with again behind its end;
   * -1: it has none at all.
   *
   * @throws ArithmeticException when the bytes do not fit 64 bits
   */
  public long bytesOf(long elements) {
    if (count == 0) {
      return elements == 0 ? 0 : -1;
    }
    return Exact.add(Exact.multiply(elements / count, bytes), bytesWithin(elements % count));
  }

  /** Counts the bytes of fewer basic types than it has. */
  private long bytesWithin(long wanted) {
    long left = wanted;
    long found = 0;
    for (Part part : parts) {
      long all = part.body == null ? part.count : part.count * part.body.count;
      if (left < all) {
        return found + (part.body == null ? left * part.bytes() : part.body.bytesOf(left));
      }
      left -= all;
      found += part.count * part.bytes();
    }
    return found;
  }

  /** The set of basic types that are in it, as {@link Element#bit}s. */
  public int elements() {
    return elements;
  }

  /** Counts the bytes of the largest basic type; 1 where there are no elements. */
  public int largest() {
    int largest = 1;
    for (int left = elements; left != 0; left &= left - 1) {
      largest = Math.max(largest, Element.of(Integer.lowestOneBit(left)).bytes());
    }
    return largest;
  }

  /**
   * The one basic type that all elements have, with their bytes in the order of this CPU; null: they differ, have
   * another order, or there are none.
   */
  public Element element() {
    return swapped || Integer.bitCount(elements) != 1 ? null : Element.of(elements);
  }

  /** Some of one basic type ({@code body} is null), or of a body that is no such. */
  record Part(long count, Element element, boolean bigEndian, Signature body) {
    /** Counts the bytes of one. */
    long bytes() {
      return body == null ? element.bytes() : body.bytes;
    }

    /** Whether the order of its bytes is not that of this CPU. */
    boolean isSwapped() {
      return element.bytes() > 1 && bigEndian != (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN);
    }

    Part times(long count) {
      return new Part(this.count * count, element, bigEndian, body);
    }

    boolean isOf(Part other) {
      return body == null ? element == other.element && bigEndian == other.bigEndian && other.body == null
          : body == other.body;
    }
  }

  /** Counts the bytes of its packed form. */
  long bytes() {
    return bytes;
  }

  List<Part> parts() {
    return parts;
  }

  /** What a receiver is told of it. Made once: another thread may make one as good. */
  public Digest digest() {
    Digest found = digest;
    if (found == null) {
      found = new Digest(this);
      digest = found;
    }
    return found;
  }

  /** One basic type, whose bytes lie in that order. */
  public static Signature of(Element element, ByteOrder order) {
    return new Signature(List.of(new Part(1, element, order == ByteOrder.BIG_ENDIAN, null)));
  }

  /** So often one after the other. The caller has checked that the bytes of all fit 64 bits. */
  public Signature repeat(long count) {
    if (count == 0 || parts.isEmpty()) {
      return EMPTY;
    }
    if (count == 1) {
      return this;
    }
    return new Signature(
        List.of(parts.size() == 1 ? parts.getFirst().times(count) : new Part(count, null, false, this)));
  }

  /** These one after the other. */
  public static Signature join(List<Signature> signatures) {
    List<Part> all = new ArrayList<>();
    for (Signature signature : signatures) {
      for (Part part : signature.parts) {
        Part last = all.isEmpty() ? null : all.getLast();
        if (last != null && last.isOf(part)) {
          all.set(all.size() - 1, new Part(last.count + part.count, part.element, part.bigEndian, part.body));
        } else {
          all.add(part);
        }
      }
    }
    return new Signature(List.copyOf(all));
  }

  /**
   * Turns the packed form of one datatype from the byte orders of its elements to big-endian, or back: it is the same.
   *
   * @return where it ends
   */
  public long swap(MemorySegment packed, long from) {
    long at = from;
    for (Part part : parts) {
      if (part.body == null) {
        long bytes = part.count * part.element.bytes();
        if (!part.bigEndian) {
          swap(packed, at, bytes, part.element.bytes());
        }
        at += bytes;
      } else {
        for (long i = 0; i < part.count; i++) {
          at = part.body.swap(packed, at);
        }
      }
    }
    return at;
  }

  private static void swap(MemorySegment packed, long from, long bytes, int width) {
    long to = from + bytes;
    switch (width) {
      case 2 -> {
        for (long at = from; at < to; at += 2) {
          packed.set(SHORT, at, Short.reverseBytes(packed.get(SHORT, at)));
        }
      }
      case 4 -> {
        for (long at = from; at < to; at += 4) {
          packed.set(INT, at, Integer.reverseBytes(packed.get(INT, at)));
        }
      }
      case 8 -> {
        for (long at = from; at < to; at += 8) {
          packed.set(LONG, at, Long.reverseBytes(packed.get(LONG, at)));
        }
      }
      default -> {} // a byte has no order
    }
  }
}
