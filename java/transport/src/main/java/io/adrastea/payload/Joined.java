package io.adrastea.payload;

import io.adrastea.core.Spaces;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * Several payloads, one behind the other. Immutable, as far as they are. An operation's {@link Cursor} has the part
 * that it stands in, and another cursor for the place in that.
 */
public final class Joined implements Packed {
  private final Spaces spaces; // what packs; null: nothing yet
  private final Payload[] parts;
  private final long[] starts; // of each part, and behind the last one

  /** Payloads that nobody packs yet, see {@link #by}. */
  public Joined(Payload... parts) {
    this(null, parts);
  }

  private Joined(Spaces spaces, Payload... parts) {
    this.spaces = spaces;
    this.parts = parts;
    this.starts = new long[parts.length + 1];
    for (int i = 0; i < parts.length; i++) {
      starts[i + 1] = Math.addExact(starts[i], parts[i].bytes());
    }
  }

  @Override
  public Joined by(Spaces spaces) {
    Payload[] packed = new Payload[parts.length];
    Arrays.setAll(packed, i -> parts[i] instanceof Typed typed ? typed.by(spaces) : parts[i]);
    return new Joined(spaces, packed);
  }

  @Override
  public boolean isBy(Spaces spaces) {
    return this.spaces == spaces;
  }

  @Override
  public long bytes() {
    return starts[parts.length];
  }

  @Override
  public int memories() {
    int count = 0;
    for (Payload part : parts) {
      count += part.memories();
    }
    return count;
  }

  @Override
  public MemorySegment memory(int index) {
    int left = Objects.checkIndex(index, memories());
    int part = 0;
    while (left >= parts[part].memories()) {
      left -= parts[part++].memories();
    }
    return parts[part].memory(left);
  }

  @Override
  public void seek(Cursor cursor, long position) {
    Objects.checkFromToIndex(position, bytes(), bytes());
    int part = partAt(cursor, position);
    if (part < parts.length) {
      if (cursor.entry() != part + 1) {
        cursor.inner().begin(parts[part].bytes());
      }
      parts[part].seek(cursor.inner(), position - starts[part]);
    }
    cursor.set(position, part + 1, 0);
  }

  /** The part that has the byte at a position; the number of parts: it is behind the last byte. */
  private int partAt(Cursor cursor, long position) {
    int now = cursor.entry() - 1;
    if (now >= 0 && now < parts.length && position >= starts[now] && position < starts[now + 1]) {
      return now;
    }
    if (position == bytes()) {
      return parts.length;
    }
    int low = 0;
    int high = parts.length;
    while (low < high) { // the first that ends behind it, so that empty ones are left out
      int middle = (low + high) >>> 1;
      if (starts[middle + 1] <= position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    seek(cursor, Objects.checkIndex(cursor.position(), bytes()));
    parts[cursor.entry() - 1].stretch(cursor.inner(), to);
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes());
    for (long done = 0; done < length;) {
      seek(cursor, cursor.position());
      int part = cursor.entry() - 1;
      long here = Math.min(length - done, starts[part + 1] - cursor.position());
      parts[part].pack(cursor.inner(), to, at + done, here);
      cursor.set(cursor.position() + here, part + 1, 0);
      done += here;
    }
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes());
    for (long done = 0; done < length;) {
      seek(cursor, cursor.position());
      int part = cursor.entry() - 1;
      long here = Math.min(length - done, starts[part + 1] - cursor.position());
      parts[part].unpack(cursor.inner(), from, at + done, here);
      cursor.set(cursor.position() + here, part + 1, 0);
      done += here;
    }
  }

  @Override
  public void retain() {
    for (Payload part : parts) {
      part.retain();
    }
  }

  @Override
  public void release() {
    for (Payload part : parts) {
      part.release();
    }
  }

  @Override
  public String toString() {
    return "%d bytes in %d parts".formatted(bytes(), parts.length);
  }
}
