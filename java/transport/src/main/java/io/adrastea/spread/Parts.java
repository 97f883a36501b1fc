package io.adrastea.spread;

import java.util.Arrays;

/** Stretches of bytes one behind the other, into which data is cut: one for each of so many members or segments. */
final class Parts {
  private long[] firsts = new long[9];
  private int count;

  private void room(int parts) {
    count = parts;
    if (firsts.length <= parts) {
      firsts = new long[Math.max(parts + 1, 2 * firsts.length)];
    }
  }

  /** Cuts bytes at the ends of elements into parts that differ by an element at most. */
  void cut(int parts, long bytes, long element) {
    room(parts);
    long elements = bytes / element;
    for (int part = 0; part <= parts; part++) {
      firsts[part] = elements / parts * part + elements % parts * part / parts;
      firsts[part] *= element;
    }
  }

  /** Cuts bytes likewise into parts for the first ones of some places; the others have parts of no bytes. */
  void cut(int parts, int places, long bytes, long element) {
    cut(parts, bytes, element);
    if (firsts.length <= places) {
      firsts = Arrays.copyOf(firsts, Math.max(places + 1, 2 * firsts.length));
    }
    Arrays.fill(firsts, parts + 1, places + 1, firsts[parts]);
    count = places;
  }

  /** Takes blocks of equal length. */
  void equal(int parts, long bytes) {
    room(parts);
    for (int part = 0; part <= parts; part++) {
      firsts[part] = part * bytes;
    }
  }

  /** Takes blocks of those lengths, from one member's on around to the one before it. */
  void around(int member, long[] lengths) {
    room(lengths.length);
    for (int part = 0; part < count; part++) {
      firsts[part + 1] = firsts[part] + lengths[(member + part) % count];
    }
  }

  int count() {
    return count;
  }

  long first(int part) {
    return firsts[part];
  }

  long length(int part) {
    return firsts[part + 1] - firsts[part];
  }

  /** Bytes from the first of a part to the first of a later one. */
  long between(int part, int later) {
    return firsts[later] - firsts[part];
  }

  /** Bytes of all parts. */
  long all() {
    return firsts[count];
  }

  /** Most bytes that so many parts around have, from any one on. */
  long most(int parts) {
    long most = 0;
    for (int part = 0; part < count; part++) {
      int end = part + parts;
      long bytes = end <= count ? between(part, end) : between(part, count) + between(0, end - count);
      most = Math.max(most, bytes);
    }
    return most;
  }
}
