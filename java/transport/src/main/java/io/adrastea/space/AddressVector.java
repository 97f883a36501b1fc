package io.adrastea.space;

import java.util.Arrays;
import java.util.Objects;

/**
 * An I/O vector of addresses, or of offsets in the segment's file: where memory of a process lies, as another one is
 * told of it. Mutable and reused; several threads may read it.
 */
public final class AddressVector {
  private long[] starts = new long[4];
  private long[] sizes = new long[4];
  private int count;
  private int changes;

  public void clear() {
    count = 0;
    changes++;
  }

  /** Takes memory for so many entries, so that adding them takes none. */
  public void reserve(int most) {
    if (most > starts.length) {
      grow(most);
    }
  }

  private void grow(int places) {
    long[] more = Arrays.copyOf(starts, places);
    sizes = Arrays.copyOf(sizes, places);
    starts = more;
  }

  public void add(long start, long size) {
    if (count == starts.length) {
      grow(2 * count);
    }
    starts[count] = start;
    sizes[count++] = size;
    changes++;
  }

  /** A number that is another one after each change. */
  int changes() {
    return changes;
  }

  public int count() {
    return count;
  }

  public long start(int index) {
    return starts[index];
  }

  public long size(int index) {
    return sizes[index];
  }

  /**
   * Tells where the byte at a position lies.
   *
   * @throws IndexOutOfBoundsException when there is no such byte
   */
  public long startAt(long position) {
    int entry = 0;
    long before = 0;
    while (entry < count && position - before >= sizes[entry]) {
      before += sizes[entry++];
    }
    return starts[Objects.checkIndex(entry, count)] + (position - before);
  }

  /** Adds up the bytes of all entries; negative when a size is negative, or the sum too large. */
  public long total() {
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += sizes[i];
      if (sizes[i] < 0 || total < 0) {
        return -1;
      }
    }
    return total;
  }
}
