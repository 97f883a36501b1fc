package io.adrastea.payload;

import io.adrastea.datatype.Signature;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A payload that lies in one stretch of memory: the one kind that a core moves without packing it. Mutable and reused:
 * an operation has one of its own, so that an ordinary message takes no object.
 */
public final class Contiguous implements Payload {
  private MemorySegment memory = MemorySegment.NULL;
  private long offset;
  private long bytes;
  private final Signature signature; // null: it has no type
  private final long copies;

  /** One without a type, and without memory yet. */
  public Contiguous() {
    this.signature = null;
    this.copies = 1;
  }

  /** One without a type: {@code bytes} bytes of {@code memory} from {@code offset} on. */
  public Contiguous(MemorySegment memory, long offset, long bytes) {
    this(memory, offset, bytes, null, 1);
  }

  /** Equal parts of a signature, one behind the other, from {@code offset} on. */
  public Contiguous(MemorySegment memory, long offset, long bytes, Signature signature, long copies) {
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
    this.signature = signature;
    this.copies = copies;
  }

  /**
   * Makes it {@code bytes} bytes of {@code memory} from {@code offset} on, which the caller has checked to lie there.
   */
  public Contiguous set(MemorySegment memory, long offset, long bytes) {
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
    return this;
  }

  /** Makes it other bytes of the same memory, which the caller has checked to lie there. */
  public void move(long offset, long bytes) {
    this.offset = offset;
    this.bytes = bytes;
  }

  /** The memory of a payload that is contiguous; null: it is scattered, or there is none. */
  public static MemorySegment memoryOf(Payload payload) {
    return payload instanceof Contiguous one ? one.memory : null;
  }

  /** Tells where in its memory a payload begins that is contiguous; 0: it is scattered, or there is none. */
  public static long offsetOf(Payload payload) {
    return payload instanceof Contiguous one ? one.offset : 0;
  }

  public MemorySegment memory() {
    return memory;
  }

  /** Tells where in the memory it begins. */
  public long offset() {
    return offset;
  }

  /** Tells where in the memory the byte at the cursor lies. */
  public long at(Cursor cursor) {
    return offset + cursor.position();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public long copies() {
    return copies;
  }

  @Override
  public int memories() {
    return 1;
  }

  @Override
  public MemorySegment memory(int index) {
    Objects.checkIndex(index, 1);
    return memory;
  }

  @Override
  public void seek(Cursor cursor, long position) {
    Objects.checkFromToIndex(position, bytes, bytes);
    cursor.set(position);
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    Objects.checkIndex(cursor.position(), bytes);
    to.set(memory, at(cursor), bytes - cursor.position());
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes);
    MemorySegment.copy(memory, at(cursor), to, at, length);
    cursor.set(cursor.position() + length);
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, bytes);
    MemorySegment.copy(from, at, memory, at(cursor), length);
    cursor.set(cursor.position() + length);
  }

  @Override
  public void retain() {} // memory that is described anew for each operation cannot change under one

  @Override
  public void release() {}
}
