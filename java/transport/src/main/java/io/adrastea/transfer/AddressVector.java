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

  /** Takes memory for so many entries, so that adding them takes none. */
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

  /** Adds up the bytes of all entries; negative when a size is negative, or the sum too large. */
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

  /** Tells where the byte at a position of the message lies. */
  long startAt(long position) {
    seek(position);
    return starts[hint] + (position - hintPosition);
  }

  /** Counts the bytes from a position of the message to the end of its entry. */
  long bytesAt(long position) {
    seek(position);
    return sizes[hint] - (position - hintPosition);
  }
}
