package io.adrastea.transfer;

import java.util.Arrays;

/** An I/O vector of a message: numbers, addresses or offsets, that are one message together. Mutable and reused. */
final class AddressVector {
  private long[] starts = new long[4];
  private long[] sizes = new long[4];
  private int count;
  private int hint; // the entry found last
  private long hintPosition; // of its first byte in the message

  void clear() {
    count = 0;
    hint = 0;
    hintPosition = 0;
  }

  /** Sees to it that so many take no memory when they are added. */
  void reserve(int most) {
    if (most > starts.length) {
      grow(most);
    }
  }

  private void grow(int places) {
    long[] more = Arrays.copyOf(starts, places);
    sizes = Arrays.copyOf(sizes, places);
    starts = more;
  }

  void add(long start, long size) {
    if (count == starts.length) {
      grow(2 * count);
    }
    starts[count] = start;
    sizes[count++] = size;
  }

  int count() {
    return count;
  }

  long start(int index) {
    return starts[index];
  }

  long size(int index) {
    return sizes[index];
  }

  /** Bytes of all; negative when a size is, or the sum is no number. */
  long total() {
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += sizes[i];
      if (sizes[i] < 0 || total < 0) {
        return -1;
      }
    }
    return total;
  }

  /** Goes to the entry that holds a byte of the message, which must have one. */
  private void seek(long position) {
    if (position < hintPosition) {
      hint = 0;
      hintPosition = 0;
    }
    while (position - hintPosition >= sizes[hint]) {
      hintPosition += sizes[hint++];
    }
  }

  /** Where the byte at a position of the message lies. */
  long startAt(long position) {
    seek(position);
    return starts[hint] + (position - hintPosition);
  }

  /** Bytes from there to the end of its entry. */
  long bytesAt(long position) {
    seek(position);
    return sizes[hint] - (position - hintPosition);
  }
}
