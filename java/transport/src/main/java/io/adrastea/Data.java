package io.adrastea;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * What is sent, or where a message goes: which memory, how much of it, and of what type. It is the one buffer argument
 * of all calls; {@code send}, {@code recv}, {@code isend} and {@code irecv} take segments and arrays as they are, too.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "data"}
 *
 * <p>
 * Data of an array has the type of its elements, and is counted in elements. Data of memory segments, byte buffers and
 * I/O vectors is bytes. Nothing is copied when it is made: it shows its memory, and keeps it reachable.
 *
 * <p>
 * Data does not change, and any thread may use it. It is made once for many calls, which then cost no object, or in the
 * call itself, {@code world.send(Data.of(array), 1, TAG)}, which costs one where the compiler of the JVM does not make
 * the call part of its caller. Whether an arena is open, and whether memory can be written, is looked up when an
 * operation starts.
 */
public final class Data {
  private final Object array; // null: memory or an I/O vector
  private final IoVector vector; // null: contiguous
  private final ValueLayout element; // null: bytes that have no type
  private final long offset; // in bytes
  private final long bytes; // of contiguous memory
  private MemorySegment memory; // null: of an array that no call has seen yet, or an I/O vector

  private Data(Object array, MemorySegment memory, long offset, long bytes, ValueLayout element) {
    this.array = array;
    this.memory = memory;
    this.offset = offset;
    this.bytes = bytes;
    this.element = element;
    this.vector = null;
  }

  private Data(IoVector vector) {
    this.array = null;
    this.offset = 0;
    this.bytes = 0;
    this.element = null;
    this.vector = vector;
  }

  /**
   * All of a {@code byte[]}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(byte[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code byte[]}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(byte[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, offset, count, ValueLayout.JAVA_BYTE);
  }

  /**
   * All of a {@code short[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(short[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code short[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(short[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 1, (long) count << 1, ValueLayout.JAVA_SHORT);
  }

  /**
   * All of a {@code char[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(char[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code char[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(char[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 1, (long) count << 1, ValueLayout.JAVA_CHAR);
  }

  /**
   * All of an {@code int[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(int[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of an {@code int[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(int[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 2, (long) count << 2, ValueLayout.JAVA_INT);
  }

  /**
   * All of a {@code long[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(long[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code long[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(long[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 3, (long) count << 3, ValueLayout.JAVA_LONG);
  }

  /**
   * All of a {@code float[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(float[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code float[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(float[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 2, (long) count << 2, ValueLayout.JAVA_FLOAT);
  }

  /**
   * All of a {@code double[]}, like {@link #of(byte[])}.
   *
   * @param array its elements are sent, or received into
   * @return data of that type
   * @throws NullPointerException when the array is null
   */
  public static Data of(double[] array) {
    return of(array, 0, requireArray(array).length);
  }

  /**
   * Elements of a {@code double[]}, like {@link #of(byte[], int, int)}.
   *
   * @param array where they lie
   * @param offset the first element
   * @param count elements, 0 or more
   * @return data of that type
   * @throws NullPointerException when the array is null
   * @throws IndexOutOfBoundsException when the array does not hold these elements
   */
  public static Data of(double[] array, int offset, int count) {
    requireElements(offset, count, requireArray(array).length);
    return new Data(array, null, (long) offset << 3, (long) count << 3, ValueLayout.JAVA_DOUBLE);
  }

  /**
   * All of a segment, as bytes.
   *
   * @param memory native or heap memory
   * @return data without a type
   * @throws NullPointerException when the memory is null
   */
  public static Data of(MemorySegment memory) {
    return new Data(null, memory, 0, Buffers.requireNonNull(memory).byteSize(), null);
  }

  /**
   * Bytes of a segment.
   *
   * @param memory native or heap memory
   * @param offset the first byte
   * @param bytes how many, 0 or more
   * @return data without a type
   * @throws NullPointerException when the memory is null
   * @throws IndexOutOfBoundsException when the segment does not hold these bytes
   */
  public static Data of(MemorySegment memory, long offset, long bytes) {
    requireRange(memory, offset, bytes);
    return new Data(null, memory, offset, bytes, null);
  }

  /**
   * A byte buffer from its position to its limit as they are now, as bytes. Neither is changed, here or by a call, and
   * a later change does not matter.
   *
   * @param buffer direct or on the heap
   * @return data without a type; read-only when the buffer is
   * @throws NullPointerException when the buffer is null
   */
  public static Data of(ByteBuffer buffer) {
    MemorySegment memory = MemorySegment.ofBuffer(Objects.requireNonNull(buffer, "the buffer is null"));
    return new Data(null, memory, 0, memory.byteSize(), null);
  }

  /**
   * The entries of an I/O vector, as the bytes of one message. It goes with the vector: entries that are changed later,
   * when no operation with them is on its way, are changed here too.
   *
   * @param vector its entries
   * @return data without a type
   * @throws NullPointerException when the vector is null
   */
  public static Data of(IoVector vector) {
    return new Data(Objects.requireNonNull(vector, "the I/O vector is null"));
  }

  /**
   * A part of this. That of an I/O vector has the entries that the vector has now.
   *
   * @param first the first element of the part, or the first byte where there is no type
   * @param count elements, 0 or more, or bytes
   * @return data of the same type, in the same memory
   * @throws IndexOutOfBoundsException when this does not hold so many from there on
   */
  public Data part(long first, long count) {
    requireInside(first, count, count(), "Data");
    long size = elementBytes();
    return vector == null
        ? new Data(array, memory, offset + first * size, count * size, element)
        : new Data(vector.part(first, count));
  }

  /**
   * How many elements there are.
   *
   * @return elements of the type, or bytes where there is none
   */
  public long count() {
    return bytes() / elementBytes();
  }

  /**
   * How long it is: the length of the message that is sent, and the most that can be received.
   *
   * @return bytes
   */
  public long bytes() {
    return vector == null ? bytes : vector.bytes();
  }

  private long elementBytes() {
    return element == null ? 1 : element.byteSize();
  }

  /** The I/O vector that it is; null: it is contiguous. */
  IoVector vector() {
    return vector;
  }

  /** Where it begins in {@link #memory}, in bytes. */
  long offset() {
    return offset;
  }

  /** Its length, for who knows that it is contiguous. */
  long contiguousBytes() {
    return bytes;
  }

  /**
   * The contiguous memory that it lies in. An array is shown by a segment, which is looked for among those that were
   * used lately, so that data that is made for a single call makes no segment; data that is kept then has it.
   */
  MemorySegment memory(Buffers views) {
    MemorySegment found = memory;
    if (found == null) { // several threads may come here: each segment of the array is as good as the other
      found = views.of(array).memory();
      memory = found;
    }
    return found;
  }

  /** The same, for a use outside of calls. */
  MemorySegment memory() {
    MemorySegment found = memory;
    if (found == null) {
      found = Buffers.make(array).memory();
      memory = found;
    }
    return found;
  }

  /** Copies all of it out. */
  void copyTo(MemorySegment target, long at) {
    if (vector == null) {
      MemorySegment own = memory();
      Buffers.requireUsable(own, false);
      MemorySegment.copy(own, offset, target, at, bytes);
    } else {
      vector.requireUsable(false);
      vector.copyTo(target, at);
    }
  }

  /** Fills the first bytes of it. */
  void copyFrom(MemorySegment source, long at, long length) {
    if (vector == null) {
      MemorySegment.copy(source, at, memory(), offset, length);
    } else {
      vector.part(0, length).copyFrom(source, at);
    }
  }

  /** Fills all of it. */
  void copyFrom(MemorySegment source, long at) {
    if (vector == null) {
      MemorySegment own = memory();
      Buffers.requireWritable(own, false);
      MemorySegment.copy(source, at, own, offset, bytes);
    } else {
      vector.requireWritable(false);
      vector.copyFrom(source, at);
    }
  }

  static Data requireNonNull(Data data) {
    return Objects.requireNonNull(data, "the data is null");
  }

  /** Refuses elements that an array does not hold. */
  static void requireElements(int offset, int count, int length) {
    requireInside(offset, count, length, "an array");
  }

  /** Refuses bytes that a segment does not hold. */
  static void requireRange(MemorySegment memory, long offset, long bytes) {
    requireInside(offset, bytes, Buffers.requireNonNull(memory).byteSize(), "a segment");
  }

  static <T> T requireArray(T array) {
    return Objects.requireNonNull(array, "the array is null");
  }

  private static void requireInside(long offset, long count, long length, String what) {
    if ((offset | count) < 0 || count > length - offset) {
      throw outside(offset, count, length, what);
    }
  }

  private static IndexOutOfBoundsException outside(long offset, long count, long length, String what) {
    return new IndexOutOfBoundsException(
        "offset %d and count %d do not lie in %s of length %d; both are to be 0 or more, and together at most %d"
            .formatted(offset, count, what, length, length));
  }

  @Override
  public String toString() {
    if (vector != null) {
      return vector.toString();
    }
    String type = element == null ? "bytes" : element.carrier() + " elements";
    return "%d %s from %d".formatted(count(), type, offset / elementBytes());
  }
}
