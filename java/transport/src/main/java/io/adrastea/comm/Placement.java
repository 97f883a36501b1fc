package io.adrastea.comm;

import io.adrastea.core.Spaces;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.payload.Booleans;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Packed;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Objects;

/**
 * The inside of {@code Data}: which memory, how much of it, and of what type. What it describes does not change, but
 * for the entries of an I/O vector, and any thread may use it.
 */
public final class Placement {
  /** What stands for the memory of another argument of the same call. */
  public static final Placement IN_PLACE = new Placement(new InPlaceInput(), null);

  /** No bytes, which go with every type. */
  public static final Placement EMPTY = new Placement(MemorySegment.NULL, 0, 0, null, false);

  private static final ThreadLocal<Cursor> CURSORS = ThreadLocal.withInitial(Cursor::new);

  private final MemorySegment memory; // null: not contiguous
  private final long offset; // in bytes
  private final long bytes; // of contiguous memory
  private final TypeMap type; // null: bytes that have no type
  private final boolean ofArray; // contiguous elements of one
  private final Payload scattered; // null: contiguous
  private volatile Payload payload; // with its type, by the core that was asked for last; null: nobody has asked

  /**
   * Makes one of contiguous memory.
   *
   * @param offset of its first byte
   * @param bytes that were checked to be there
   * @param type of its elements; null: it is bytes
   * @param ofArray whether they are told by their place in an array
   */
  public Placement(MemorySegment memory, long offset, long bytes, TypeMap type, boolean ofArray) {
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
    this.type = type;
    this.ofArray = ofArray;
    this.scattered = null;
  }

  /**
   * Makes one of what lies anywhere.
   *
   * @param scattered which nobody packs yet
   * @param type of its elements; null: it is bytes, or elements of several types
   */
  public Placement(Payload scattered, TypeMap type) {
    this.memory = null;
    this.offset = 0;
    this.bytes = 0;
    this.type = type;
    this.ofArray = false;
    this.scattered = scattered;
  }

  /** A part of this, which has the entries that an I/O vector has now. */
  public Placement part(long first, long count) {
    Buffers.requireInside(first, count, count(), "Data");
    return switch (scattered) {
      case null -> {
        long size = elementBytes();
        yield new Placement(memory, offset + first * size, count * size, type, ofArray);
      }
      case IoEntries entries -> new Placement(entries.part(first, count), type);
      case Typed typed -> new Placement(typed.part(first, count), type);
      case Booleans booleans -> new Placement(booleans.part((int) first, (int) count), type);
      case NoData none -> throw none.refusal();
      default -> throw new IllegalArgumentException("a part of %s".formatted(this)); // which programs do not have
    };
  }

  /** Counts its elements, or bytes where there is no type. */
  public long count() {
    return scattered == null ? bytes / elementBytes()
        : scattered instanceof Typed typed ? typed.count() : scattered.bytes();
  }

  /** Counts its bytes. */
  public long bytes() {
    return scattered == null ? bytes : scattered.bytes();
  }

  private long elementBytes() {
    return type == null ? 1 : type.size();
  }

  /** What it has elements of; null: it is bytes. */
  public TypeMap type() {
    return type;
  }

  /** Whether it is not in one stretch of memory. */
  public boolean isScattered() {
    return scattered != null;
  }

  /** What it is where it is not in one stretch of memory, packed by nobody yet; null: it is contiguous. */
  Payload scattered() {
    return scattered;
  }

  /** The contiguous memory that it lies in; null: it is scattered. */
  MemorySegment memory() {
    return memory;
  }

  /** Where it begins in {@link #memory}, in bytes. */
  long offset() {
    return offset;
  }

  /** The entries of an I/O vector, which can have others later; null: it is no I/O vector. */
  IoEntries entries() {
    return scattered instanceof IoEntries entries ? entries : null;
  }

  /** The data as a payload that nobody packs yet. */
  Payload unpacked() {
    return scattered == null ? new Contiguous(memory, offset, bytes, null, 1) : scattered;
  }

  /** All of it as a payload that has its type, packed by the core of these spaces. */
  public Payload payload(Spaces spaces) {
    if (scattered == null) { // most often
      return contiguous();
    }
    return scattered instanceof Packed packed ? payload(packed, spaces) : scattered;
  }

  private Payload contiguous() {
    Payload found = payload;
    if (found == null) { // several threads may come here: each one's is as good as the other
      found = new Contiguous(memory, offset, bytes, type == null ? null : type.signature(), count());
      payload = found;
    }
    return found;
  }

  private Payload payload(Packed packed, Spaces spaces) {
    if (payload instanceof Packed found && found.isBy(spaces)) {
      return found;
    }
    Packed made = packed.by(spaces);
    payload = made;
    return made;
  }

  /** A payload that does not change, for an operation that is started again and again. */
  public Payload lastingPayload(Spaces spaces) {
    return scattered instanceof IoEntries entries ? entries.part(0, entries.bytes()) : payload(spaces);
  }

  /** Adds all to the entries of an I/O vector. */
  public void addTo(IoEntries entries) {
    switch (scattered) {
      case null -> entries.add(memory, offset, bytes);
      case Booleans booleans -> throw new ArgumentException(
          Reason.BUFFER,
          "an I/O vector with %s; no memory shows a boolean[]: copy them to a byte[], or send them apart".formatted(
              booleans));
      case IoEntries others -> {
        int all = others.size(); // which may be those
        for (int i = 0; i < all; i++) {
          entries.add(others.memory(i), others.offset(i), others.length(i));
        }
      }
      default -> {
        Cursor cursor = CURSORS.get();
        Stretch stretch = new Stretch();
        cursor.begin(scattered.bytes());
        while (cursor.left() > 0) {
          scattered.stretch(cursor, stretch);
          entries.add(stretch.memory(), stretch.offset(), stretch.bytes());
          scattered.seek(cursor, cursor.position() + stretch.bytes());
        }
      }
    }
  }

  /**
   * Refuses what cannot be read now.
   *
   * @param multithreaded any thread may read it
   */
  public void requireUsable(boolean multithreaded) {
    if (scattered == null) {
      Buffers.requireUsable(memory, multithreaded);
    } else {
      for (int i = 0; i < scattered.memories(); i++) {
        Buffers.requireUsable(scattered.memory(i), multithreaded);
      }
    }
  }

  /**
   * Refuses what cannot be received into now.
   *
   * @param multithreaded any thread may write to it
   */
  public void requireReceivable(boolean multithreaded) {
    if (scattered == null) {
      Buffers.requireWritable(memory, multithreaded);
    } else {
      for (int i = 0; i < scattered.memories(); i++) {
        Buffers.requireWritable(scattered.memory(i), multithreaded);
      }
      if (scattered instanceof Typed typed) {
        type.requireReceivable(typed.count());
      }
    }
  }

  /** Copies all of it out, packed by the core of these spaces. */
  public void copyTo(Spaces spaces, MemorySegment target, long at) {
    requireUsable(false);
    if (scattered == null) {
      MemorySegment.copy(memory, offset, target, at, bytes);
    } else {
      Cursor cursor = CURSORS.get();
      cursor.begin(scattered.bytes());
      payload(spaces).pack(cursor, target, at, scattered.bytes());
    }
  }

  /** Fills the first bytes of it, unpacked by the core of these spaces. */
  public void copyFrom(Spaces spaces, MemorySegment source, long at, long length) {
    requireReceivable(false);
    if (scattered == null) {
      MemorySegment.copy(source, at, memory, offset, length);
    } else {
      Cursor cursor = CURSORS.get();
      cursor.begin(scattered.bytes());
      payload(spaces).unpack(cursor, source, at, length);
    }
  }

  static Placement requireNonNull(Placement data) {
    return Objects.requireNonNull(data, "the data is null");
  }

  @Override
  public String toString() {
    if (this == EMPTY) {
      return "Data.EMPTY";
    }
    if (scattered instanceof Typed typed) {
      return "%d %s from byte %d".formatted(typed.count(), type.label(), typed.offset());
    }
    if (scattered != null) {
      return scattered.toString();
    }
    if (ofArray) {
      return "%d %s elements from %d".formatted(
          count(), type.label().toLowerCase(Locale.ROOT), offset / elementBytes());
    }
    return type == null
        ? "%d bytes from %d".formatted(bytes, offset)
        : "%d %s from byte %d".formatted(count(), type.label(), offset);
  }
}
