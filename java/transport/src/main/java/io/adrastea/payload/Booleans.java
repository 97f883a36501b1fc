package io.adrastea.payload;

import io.adrastea.datatype.Signature;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Elements of a {@code boolean[]}, a byte each: 0 or 1. No segment shows such an array, so there is an image of it in a
 * {@code byte[]} for those that ask where bytes lie ({@link #stretch}). It is filled when a use begins, and goes back
 * to the array when that ends, so that what others have written there arrives. {@link #pack} and {@link #unpack} go to
 * the array itself, and keep the image equal.
 */
public final class Booleans implements Payload {
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final boolean[] array;
  private final int offset;
  private final byte[] image;
  private final MemorySegment memory; // the image
  private final Signature signature; // of one element

  /** Elements that the caller has checked to lie in the array. */
  public Booleans(boolean[] array, int offset, int count, Signature signature) {
    this.array = array;
    this.offset = offset;
    this.image = new byte[count];
    this.memory = MemorySegment.ofArray(image);
    this.signature = signature;
  }

  /** Elements from a number on, which the caller has checked to lie here. */
  public Booleans part(int first, int count) {
    return new Booleans(array, offset + first, count, signature);
  }

  /** The first element's number in the array. */
  public int offset() {
    return offset;
  }

  @Override
  public long bytes() {
    return image.length;
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public long copies() {
    return image.length;
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
    Objects.checkFromToIndex(position, image.length, image.length);
    cursor.set(position);
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    Objects.checkIndex(cursor.position(), image.length);
    to.set(memory, cursor.position(), image.length - cursor.position());
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, image.length);
    int from = (int) cursor.position();
    for (int i = 0; i < length; i++) {
      to.set(BYTE, at + i, toByte(array[offset + from + i]));
    }
    cursor.set(from + length);
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long length) {
    Objects.checkFromIndexSize(cursor.position(), length, image.length);
    int to = (int) cursor.position();
    for (int i = 0; i < length; i++) {
      boolean element = from.get(BYTE, at + i) != 0;
      array[offset + to + i] = element;
      image[to + i] = toByte(element);
    }
    cursor.set(to + length);
  }

  private static byte toByte(boolean element) {
    return (byte) (element ? 1 : 0);
  }

  @Override
  public void retain() {
    for (int i = 0; i < image.length; i++) {
      image[i] = toByte(array[offset + i]);
    }
  }

  @Override
  public void release() {
    for (int i = 0; i < image.length; i++) {
      array[offset + i] = image[i] != 0;
    }
  }

  @Override
  public String toString() {
    return "%d boolean elements from %d".formatted(image.length, offset);
  }
}
