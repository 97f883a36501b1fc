package io.adrastea.agrona;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.agrona.AsciiEncoding.MINUS_SIGN;
import static org.agrona.AsciiEncoding.ZERO;

import io.adrastea.atomic.Words;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.agrona.AsciiEncoding;
import org.agrona.AsciiNumberFormatException;
import org.agrona.AsciiSequenceView;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;

/**
 * Agrona's {@link AtomicBuffer} over a {@link MemorySegment}: no JVM flag is needed, and its ring buffers, and what
 * else takes such a buffer, work on any memory that a segment can name, such as memory that the ranks of a job share.
 *
 * <p>
 * It does what Agrona's own {@code UnsafeBuffer} does, with these differences. The memory checks every access
 * ({@link IndexOutOfBoundsException}; {@link IllegalStateException} once its arena is closed,
 * {@link WrongThreadException} when it is confined to another thread, {@link IllegalArgumentException} for a write to
 * read-only memory), also where {@value org.agrona.DirectBuffer#DISABLE_BOUNDS_CHECKS_PROP_NAME} is set. Access that is
 * atomic or ordered wants an index aligned to the size of the value, in memory that is so aligned itself, which a
 * {@code byte[]} never is ({@link IllegalArgumentException}). Natural numbers that are negative are refused.
 *
 * <p>
 * Wrapping something is not thread-safe, all else is as the accesses are named.
 */
@SuppressWarnings("exports") // its users have the types of Agrona
public final class SegmentBuffer implements AtomicBuffer {
  private static final ByteOrder NATIVE = ByteOrder.nativeOrder();

  /** Below it a loop is quicker than a call, and makes no slice. */
  private static final int LOOP_BYTES = 256;

  private static final long ONE_IN_EACH_BYTE = 0x0101_0101_0101_0101L;

  /** What a string that is null is put as in UTF-8; in ASCII it is empty. */
  private static final String NULL = "null";

  private static final VarHandle SHORT = ValueLayout.JAVA_SHORT.varHandle();
  private static final VarHandle CHAR = ValueLayout.JAVA_CHAR.varHandle();
  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /** Exactly the bytes from index 0 to the capacity, so that the memory itself checks every access. */
  MemorySegment memory = MemorySegment.NULL;

  private int capacity;
  private byte[] array;
  private ByteBuffer byteBuffer;
  private int adjustment;

  /** A buffer of no bytes, to be laid over something. */
  public SegmentBuffer() {}

  /**
   * A buffer over all of a segment.
   *
   * @param segment of at most {@link Integer#MAX_VALUE} bytes
   */
  public SegmentBuffer(MemorySegment segment) {
    wrap(segment);
  }

  /**
   * A buffer over a part of a segment.
   *
   * @param segment native or heap
   * @param offset first byte
   * @param length bytes
   */
  public SegmentBuffer(MemorySegment segment, long offset, int length) {
    wrap(segment, offset, length);
  }

  /**
   * Lays this buffer over all of a segment.
   *
   * @param segment of at most {@link Integer#MAX_VALUE} bytes, native or heap; atomic access needs native memory, or an
   * array of longs
   * @throws IllegalArgumentException when the segment is longer than that
   */
  public void wrap(MemorySegment segment) {
    Objects.requireNonNull(segment, "the segment is null");
    if (segment.byteSize() > Integer.MAX_VALUE) {
      throw new ArgumentException(Reason.COUNT,
          "a segment of %d bytes; a buffer has at most %d: wrap a part of it"
              .formatted(segment.byteSize(), Integer.MAX_VALUE));
    }
    hold(segment, null, segment.isNative() ? 0 : Math.toIntExact(segment.address()));
  }

  /**
   * Lays this buffer over a part of a segment.
   *
   * @param segment native or heap
   * @param offset first byte
   * @param length bytes
   */
  public void wrap(MemorySegment segment, long offset, int length) {
    Objects.requireNonNull(segment, "the segment is null");
    wrap(segment.asSlice(offset, length));
  }

  @Override
  public void wrap(byte[] buffer) {
    wrap(MemorySegment.ofArray(Objects.requireNonNull(buffer, "the array is null")));
  }

  @Override
  public void wrap(byte[] buffer, int offset, int length) {
    wrap(MemorySegment.ofArray(Objects.requireNonNull(buffer, "the array is null")), offset, length);
  }

  @Override
  public void wrap(ByteBuffer buffer) {
    wrap(buffer, 0, Objects.requireNonNull(buffer, "the byte buffer is null").capacity());
  }

  @Override
  public void wrap(ByteBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "the byte buffer is null");
    MemorySegment part = Agrona.backing(buffer).asSlice(offset, length);
    hold(part, buffer, part.isNative() ? offset : Math.toIntExact(part.address()));
  }

  @Override
  public void wrap(DirectBuffer buffer) {
    wrap(buffer, 0, Objects.requireNonNull(buffer, "the buffer is null").capacity());
  }

  @Override
  public void wrap(DirectBuffer buffer, int offset, int length) {
    Objects.requireNonNull(buffer, "the buffer is null");
    hold(
        Agrona.backing(buffer).asSlice(offset, length), buffer.byteBuffer(),
        Math.addExact(buffer.wrapAdjustment(), offset));
  }

  /**
   * Lays this buffer over native memory, which nothing keeps from being freed; a restricted method in the sense of
   * {@link MemorySegment#reinterpret(long)}.
   */
  @Override
  public void wrap(long address, int length) {
    wrap(Agrona.backing(address, length));
  }

  private void hold(MemorySegment memory, ByteBuffer byteBuffer, int adjustment) {
    this.memory = memory;
    this.capacity = (int) memory.byteSize();
    this.array = memory.heapBase().orElse(null) instanceof byte[] bytes ? bytes : null;
    this.byteBuffer = byteBuffer;
    this.adjustment = adjustment;
  }

  /**
   * The memory under this buffer.
   *
   * @return from index 0, as long as the capacity
   */
  public MemorySegment segment() {
    return memory;
  }

  /**
   * Where the memory is, for code that accesses it around this buffer. Such code keeps this buffer reachable, and its
   * arena open, meanwhile.
   *
   * @throws UnsupportedOperationException when it is on the heap, and no {@code byte[]} that can be written; or is one,
   * and Agrona's own access to memory is not open
   */
  @Override
  public long addressOffset() {
    if (memory.isNative()) {
      return memory.address();
    }
    if (array == null) {
      throw new UnsupportedOperationException(
          "no address: the memory is on the heap and read-only, or no byte[]; wrap native memory or a byte[]");
    }
    return arrayBase() + memory.address();
  }

  /** Only Agrona knows it, and only where its own buffers work; others have no use for it. */
  private static long arrayBase() {
    try {
      return BufferUtil.ARRAY_BASE_OFFSET;
    } catch (LinkageError e) {
      throw new UnsupportedOperationException(
          "the address of a byte[] is for Agrona's own buffers, which need --add-exports "
              + "java.base/jdk.internal.misc=ALL-UNNAMED",
          e);
    }
  }

  @Override
  public byte[] byteArray() {
    return array;
  }

  @Override
  public ByteBuffer byteBuffer() {
    return byteBuffer;
  }

  @Override
  public int wrapAdjustment() {
    return adjustment;
  }

  @Override
  public int capacity() {
    return capacity;
  }

  /** Never: the capacity is that of the memory. */
  @Override
  public boolean isExpandable() {
    return false;
  }

  @Override
  public void checkLimit(int limit) {
    if (limit > capacity) {
      throw new IndexOutOfBoundsException("limit=%d is beyond capacity=%d".formatted(limit, capacity));
    }
  }

  @Override
  public void boundsCheck(int index, int length) {
    Objects.checkFromIndexSize(index, length, capacity);
  }

  private static boolean isForeign(ByteOrder order) {
    return Objects.requireNonNull(order, "the byte order is null") != NATIVE;
  }

  @Override
  public long getLong(int index) {
    return memory.get(JAVA_LONG_UNALIGNED, index);
  }

  @Override
  public long getLong(int index, ByteOrder byteOrder) {
    long bits = getLong(index);
    return isForeign(byteOrder) ? Long.reverseBytes(bits) : bits;
  }

  @Override
  public void putLong(int index, long value) {
    memory.set(JAVA_LONG_UNALIGNED, index, value);
  }

  @Override
  public void putLong(int index, long value, ByteOrder byteOrder) {
    putLong(index, isForeign(byteOrder) ? Long.reverseBytes(value) : value);
  }

  @Override
  public int getInt(int index) {
    return memory.get(JAVA_INT_UNALIGNED, index);
  }

  @Override
  public int getInt(int index, ByteOrder byteOrder) {
    int bits = getInt(index);
    return isForeign(byteOrder) ? Integer.reverseBytes(bits) : bits;
  }

  @Override
  public void putInt(int index, int value) {
    memory.set(JAVA_INT_UNALIGNED, index, value);
  }

  @Override
  public void putInt(int index, int value, ByteOrder byteOrder) {
    putInt(index, isForeign(byteOrder) ? Integer.reverseBytes(value) : value);
  }

  @Override
  public double getDouble(int index) {
    return memory.get(JAVA_DOUBLE_UNALIGNED, index);
  }

  @Override
  public double getDouble(int index, ByteOrder byteOrder) {
    return Double.longBitsToDouble(getLong(index, byteOrder));
  }

  @Override
  public void putDouble(int index, double value) {
    memory.set(JAVA_DOUBLE_UNALIGNED, index, value);
  }

  @Override
  public void putDouble(int index, double value, ByteOrder byteOrder) {
    putLong(index, Double.doubleToRawLongBits(value), byteOrder);
  }

  @Override
  public float getFloat(int index) {
    return memory.get(JAVA_FLOAT_UNALIGNED, index);
  }

  @Override
  public float getFloat(int index, ByteOrder byteOrder) {
    return Float.intBitsToFloat(getInt(index, byteOrder));
  }

  @Override
  public void putFloat(int index, float value) {
    memory.set(JAVA_FLOAT_UNALIGNED, index, value);
  }

  @Override
  public void putFloat(int index, float value, ByteOrder byteOrder) {
    putInt(index, Float.floatToRawIntBits(value), byteOrder);
  }

  @Override
  public short getShort(int index) {
    return memory.get(JAVA_SHORT_UNALIGNED, index);
  }

  @Override
  public short getShort(int index, ByteOrder byteOrder) {
    short bits = getShort(index);
    return isForeign(byteOrder) ? Short.reverseBytes(bits) : bits;
  }

  @Override
  public void putShort(int index, short value) {
    memory.set(JAVA_SHORT_UNALIGNED, index, value);
  }

  @Override
  public void putShort(int index, short value, ByteOrder byteOrder) {
    putShort(index, isForeign(byteOrder) ? Short.reverseBytes(value) : value);
  }

  @Override
  public char getChar(int index) {
    return memory.get(JAVA_CHAR_UNALIGNED, index);
  }

  @Override
  public char getChar(int index, ByteOrder byteOrder) {
    return (char) getShort(index, byteOrder);
  }

  @Override
  public void putChar(int index, char value) {
    memory.set(JAVA_CHAR_UNALIGNED, index, value);
  }

  @Override
  public void putChar(int index, char value, ByteOrder byteOrder) {
    putShort(index, (short) value, byteOrder);
  }

  @Override
  public byte getByte(int index) {
    return memory.get(JAVA_BYTE, index);
  }

  @Override
  public void putByte(int index, byte value) {
    memory.set(JAVA_BYTE, index, value);
  }

  @Override
  public void setMemory(int index, int length, byte value) {
    boundsCheck(index, length);
    if (length >= LOOP_BYTES) {
      memory.asSlice(index, length).fill(value);
      return;
    }
    long eight = (value & 0xFF) * ONE_IN_EACH_BYTE;
    int end = index + length;
    int i = index;
    for (; i <= end - Long.BYTES; i += Long.BYTES) {
      putLong(i, eight);
    }
    for (; i < end; i++) {
      putByte(i, value);
    }
  }

  @Override
  public void getBytes(int index, byte[] dst) {
    getBytes(index, dst, 0, Objects.requireNonNull(dst, "the array is null").length);
  }

  @Override
  public void getBytes(int index, byte[] dst, int offset, int length) {
    Objects.requireNonNull(dst, "the array is null");
    boundsCheck(index, length);
    MemorySegment.copy(memory, JAVA_BYTE, index, dst, offset, length);
  }

  @Override
  public void getBytes(int index, MutableDirectBuffer dstBuffer, int dstIndex, int length) {
    Objects.requireNonNull(dstBuffer, "the buffer is null").putBytes(dstIndex, this, index, length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int length) {
    int dstOffset = Objects.requireNonNull(dstBuffer, "the byte buffer is null").position();
    getBytes(index, dstBuffer, dstOffset, length);
    dstBuffer.position(dstOffset + length);
  }

  @Override
  public void getBytes(int index, ByteBuffer dstBuffer, int dstOffset, int length) {
    Objects.requireNonNull(dstBuffer, "the byte buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(memory, index, Agrona.backing(dstBuffer), dstOffset, length);
  }

  @Override
  public void putBytes(int index, byte[] src) {
    putBytes(index, src, 0, Objects.requireNonNull(src, "the array is null").length);
  }

  @Override
  public void putBytes(int index, byte[] src, int offset, int length) {
    Objects.requireNonNull(src, "the array is null");
    boundsCheck(index, length);
    MemorySegment.copy(src, offset, memory, JAVA_BYTE, index, length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int length) {
    int srcIndex = Objects.requireNonNull(srcBuffer, "the byte buffer is null").position();
    putBytes(index, srcBuffer, srcIndex, length);
    srcBuffer.position(srcIndex + length);
  }

  @Override
  public void putBytes(int index, ByteBuffer srcBuffer, int srcIndex, int length) {
    Objects.requireNonNull(srcBuffer, "the byte buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(Agrona.backing(srcBuffer), srcIndex, memory, index, length);
  }

  @Override
  public void putBytes(int index, DirectBuffer srcBuffer, int srcIndex, int length) {
    Objects.requireNonNull(srcBuffer, "the buffer is null");
    boundsCheck(index, length);
    MemorySegment.copy(Agrona.backing(srcBuffer), srcIndex, memory, index, length);
    Reference.reachabilityFence(srcBuffer); // it may own the memory at an address
  }

  @Override
  public String getStringAscii(int index) {
    return getStringAscii(index, NATIVE);
  }

  @Override
  public String getStringAscii(int index, ByteOrder byteOrder) {
    return getStringAscii(index, getInt(index, byteOrder));
  }

  @Override
  public String getStringAscii(int index, int length) {
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length);
  }

  @Override
  public int getStringAscii(int index, Appendable appendable) {
    return getStringAscii(index, appendable, NATIVE);
  }

  @Override
  public int getStringAscii(int index, Appendable appendable, ByteOrder byteOrder) {
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, getInt(index, byteOrder), appendable);
  }

  @Override
  public int getStringAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, STR_HEADER_LEN);
    return getStringWithoutLengthAscii(index + STR_HEADER_LEN, length, appendable);
  }

  @Override
  public String getStringWithoutLengthAscii(int index, int length) {
    return new String(copy(index, length), US_ASCII);
  }

  @Override
  public int getStringWithoutLengthAscii(int index, int length, Appendable appendable) {
    boundsCheck(index, length);
    try {
      for (int i = index; i < index + length; i++) {
        byte c = getByte(i);
        appendable.append(c < 0 ? '?' : (char) c);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return length;
  }

  @Override
  public int putStringAscii(int index, String value) {
    return putStringAscii(index, (CharSequence) value, NATIVE);
  }

  @Override
  public int putStringAscii(int index, CharSequence value) {
    return putStringAscii(index, value, NATIVE);
  }

  @Override
  public int putStringAscii(int index, String value, ByteOrder byteOrder) {
    return putStringAscii(index, (CharSequence) value, byteOrder);
  }

  @Override
  public int putStringAscii(int index, CharSequence value, ByteOrder byteOrder) {
    int length = value == null ? 0 : value.length();
    boundsCheck(index, STR_HEADER_LEN + length);
    putInt(index, length, byteOrder);
    return STR_HEADER_LEN + putStringWithoutLengthAscii(index + STR_HEADER_LEN, value);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, String value) {
    return putStringWithoutLengthAscii(index, (CharSequence) value);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, CharSequence value) {
    return value == null ? 0 : putStringWithoutLengthAscii(index, value, 0, value.length());
  }

  @Override
  public int putStringWithoutLengthAscii(int index, String value, int valueOffset, int length) {
    return putStringWithoutLengthAscii(index, (CharSequence) value, valueOffset, length);
  }

  @Override
  public int putStringWithoutLengthAscii(int index, CharSequence value, int valueOffset, int length) {
    if (value == null) {
      return 0;
    }
    int count = Math.min(value.length() - valueOffset, length);
    boundsCheck(index, count);
    for (int i = 0; i < count; i++) {
      char c = value.charAt(valueOffset + i);
      putByte(index + i, c > 127 ? (byte) '?' : (byte) c);
    }
    return count;
  }

  @Override
  public String getStringUtf8(int index) {
    return getStringUtf8(index, NATIVE);
  }

  @Override
  public String getStringUtf8(int index, ByteOrder byteOrder) {
    return getStringUtf8(index, getInt(index, byteOrder));
  }

  @Override
  public String getStringUtf8(int index, int length) {
    return getStringWithoutLengthUtf8(index + STR_HEADER_LEN, length);
  }

  @Override
  public String getStringWithoutLengthUtf8(int index, int length) {
    return new String(copy(index, length), UTF_8);
  }

  @Override
  public int putStringUtf8(int index, String value) {
    return putStringUtf8(index, value, NATIVE, Integer.MAX_VALUE);
  }

  @Override
  public int putStringUtf8(int index, String value, ByteOrder byteOrder) {
    return putStringUtf8(index, value, byteOrder, Integer.MAX_VALUE);
  }

  @Override
  public int putStringUtf8(int index, String value, int maxEncodedLength) {
    return putStringUtf8(index, value, NATIVE, maxEncodedLength);
  }

  @Override
  public int putStringUtf8(int index, String value, ByteOrder byteOrder, int maxEncodedLength) {
    byte[] bytes = utf8(value);
    if (bytes.length > maxEncodedLength) {
      throw new ArgumentException(Reason.COUNT,
          "the string takes %d bytes in UTF-8; allowed are %d".formatted(bytes.length, maxEncodedLength));
    }
    boundsCheck(index, STR_HEADER_LEN + bytes.length);
    putInt(index, bytes.length, byteOrder);
    putBytes(index + STR_HEADER_LEN, bytes);
    return STR_HEADER_LEN + bytes.length;
  }

  @Override
  public int putStringWithoutLengthUtf8(int index, String value) {
    byte[] bytes = utf8(value);
    putBytes(index, bytes);
    return bytes.length;
  }

  private static byte[] utf8(String value) {
    return (value == null ? NULL : value).getBytes(UTF_8);
  }

  /** The check comes before the array, since a length read from memory may be anything. */
  private byte[] copy(int index, int length) {
    boundsCheck(index, length);
    byte[] bytes = new byte[length];
    getBytes(index, bytes);
    return bytes;
  }

  @Override
  public int parseIntAscii(int index, int length) {
    return AsciiEncoding.parseIntAscii(digits(index, length), 0, length);
  }

  @Override
  public long parseLongAscii(int index, int length) {
    return AsciiEncoding.parseLongAscii(digits(index, length), 0, length);
  }

  @Override
  public int parseNaturalIntAscii(int index, int length) {
    return AsciiEncoding.parseIntAscii(natural(index, length), 0, length);
  }

  @Override
  public long parseNaturalLongAscii(int index, int length) {
    return AsciiEncoding.parseLongAscii(natural(index, length), 0, length);
  }

  private AsciiSequenceView digits(int index, int length) {
    boundsCheck(index, length);
    return new AsciiSequenceView(this, index, length);
  }

  private AsciiSequenceView natural(int index, int length) {
    AsciiSequenceView digits = digits(index, length);
    if (length > 0 && getByte(index) == MINUS_SIGN) {
      throw new AsciiNumberFormatException("error parsing a natural number: " + digits);
    }
    return digits;
  }

  @Override
  public int putIntAscii(int index, int value) {
    return putLongAscii(index, value);
  }

  @Override
  public int putLongAscii(int index, long value) {
    int sign = value < 0 ? 1 : 0;
    int count = sign + countDigits(value);
    boundsCheck(index, count);
    if (sign > 0) {
      putByte(index, MINUS_SIGN);
    }
    putDigits(index + sign, index + count, value);
    return count;
  }

  @Override
  public int putNaturalIntAscii(int index, int value) {
    return putNaturalLongAscii(index, value);
  }

  @Override
  public int putNaturalLongAscii(int index, long value) {
    requireNatural(value);
    return putLongAscii(index, value);
  }

  @Override
  public void putNaturalPaddedIntAscii(int offset, int length, int value) {
    boundsCheck(offset, length);
    requireNatural(value);
    if (value > 0 && countDigits(value) > length) {
      throw new NumberFormatException("%d does not fit into %d bytes".formatted(value, length));
    }
    putDigits(offset, offset + length, value);
  }

  /** Puts nothing for 0, as Agrona's own buffers do. */
  @Override
  public int putNaturalIntAsciiFromEnd(int value, int endExclusive) {
    requireNatural(value);
    int count = countDigits(value);
    boundsCheck(endExclusive - count, count);
    if (value == 0) {
      return endExclusive;
    }
    putDigits(endExclusive - count, endExclusive, value);
    return endExclusive - count;
  }

  private static void requireNatural(long value) {
    if (value < 0) {
      throw new NumberFormatException("%d is no natural number; allowed are 0 and more".formatted(value));
    }
  }

  private static int countDigits(long value) {
    int count = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      count++;
    }
    return count;
  }

  /** From the last digit to the first; by remainders, since the least long has no positive counterpart. */
  private void putDigits(int begin, int end, long value) {
    long rest = value;
    for (int i = end - 1; i >= begin; i--) {
      putByte(i, (byte) (ZERO + Math.abs(rest % 10)));
      rest /= 10;
    }
  }

  @Override
  public long getLongVolatile(int index) {
    return Words.loadSeqCstLong(memory, index);
  }

  @Override
  public void putLongVolatile(int index, long value) {
    Words.storeSeqCstLong(memory, index, value);
  }

  @Override
  public long getLongAcquire(int index) {
    return Words.loadAcquireLong(memory, index);
  }

  @Override
  public void putLongRelease(int index, long value) {
    Words.storeReleaseLong(memory, index, value);
  }

  @Override
  public void putLongOrdered(int index, long value) {
    putLongRelease(index, value);
  }

  @Override
  public long getLongOpaque(int index) {
    return Words.loadRelaxedLong(memory, index);
  }

  @Override
  public void putLongOpaque(int index, long value) {
    Words.storeRelaxedLong(memory, index, value);
  }

  @Override
  public long addLongRelease(int index, long increment) {
    return Words.addAcqRelLong(memory, index, increment);
  }

  @Override
  public long addLongOrdered(int index, long increment) {
    return addLongRelease(index, increment);
  }

  /** Not atomic: there is one writer. */
  @Override
  public long addLongOpaque(int index, long increment) {
    long before = getLongOpaque(index);
    putLongOpaque(index, before + increment);
    return before;
  }

  @Override
  public boolean compareAndSetLong(int index, long expectedValue, long updateValue) {
    return Words.casSeqCstLong(memory, index, expectedValue, updateValue);
  }

  @Override
  public long compareAndExchangeLong(int index, long expectedValue, long updateValue) {
    return Words.compareExchangeSeqCstLong(memory, index, expectedValue, updateValue);
  }

  @Override
  public long getAndSetLong(int index, long value) {
    return Words.swapSeqCstLong(memory, index, value);
  }

  @Override
  public long getAndAddLong(int index, long delta) {
    return Words.addSeqCstLong(memory, index, delta);
  }

  @Override
  public int getIntVolatile(int index) {
    return Words.loadSeqCst(memory, index);
  }

  @Override
  public void putIntVolatile(int index, int value) {
    Words.storeSeqCst(memory, index, value);
  }

  @Override
  public int getIntAcquire(int index) {
    return Words.loadAcquire(memory, index);
  }

  @Override
  public void putIntRelease(int index, int value) {
    Words.storeRelease(memory, index, value);
  }

  @Override
  public void putIntOrdered(int index, int value) {
    putIntRelease(index, value);
  }

  @Override
  public int getIntOpaque(int index) {
    return Words.loadRelaxed(memory, index);
  }

  @Override
  public void putIntOpaque(int index, int value) {
    Words.storeRelaxed(memory, index, value);
  }

  @Override
  public int addIntRelease(int index, int increment) {
    return Words.addAcqRel(memory, index, increment);
  }

  @Override
  public int addIntOrdered(int index, int increment) {
    return addIntRelease(index, increment);
  }

  /** Not atomic: there is one writer. */
  @Override
  public int addIntOpaque(int index, int increment) {
    int before = getIntOpaque(index);
    putIntOpaque(index, before + increment);
    return before;
  }

  @Override
  public boolean compareAndSetInt(int index, int expectedValue, int updateValue) {
    return Words.casSeqCst(memory, index, expectedValue, updateValue);
  }

  @Override
  public int compareAndExchangeInt(int index, int expectedValue, int updateValue) {
    return Words.compareExchangeSeqCst(memory, index, expectedValue, updateValue);
  }

  @Override
  public int getAndSetInt(int index, int value) {
    return Words.swapSeqCst(memory, index, value);
  }

  @Override
  public int getAndAddInt(int index, int delta) {
    return Words.addSeqCst(memory, index, delta);
  }

  @Override
  public short getShortVolatile(int index) {
    return (short) SHORT.getVolatile(memory, (long) index);
  }

  @Override
  public void putShortVolatile(int index, short value) {
    SHORT.setVolatile(memory, (long) index, value);
  }

  @Override
  public char getCharVolatile(int index) {
    return (char) CHAR.getVolatile(memory, (long) index);
  }

  @Override
  public void putCharVolatile(int index, char value) {
    CHAR.setVolatile(memory, (long) index, value);
  }

  @Override
  public byte getByteVolatile(int index) {
    return (byte) BYTE.getVolatile(memory, (long) index);
  }

  @Override
  public void putByteVolatile(int index, byte value) {
    BYTE.setVolatile(memory, (long) index, value);
  }

  /**
   * Verifies that 8-byte words at indices divisible by 8 can be accessed atomically.
   *
   * @throws IllegalStateException when the memory does not begin at a multiple of 8, or is an array of something
   * shorter
   */
  @Override
  public void verifyAlignment() {
    if (!isAligned()) {
      throw new IllegalStateException(
          "%s; atomic access needs native memory that begins at a multiple of %d, or a long[]: %s"
              .formatted(segment().isNative() ? "misaligned memory" : "memory of a short type", ALIGNMENT, this));
    }
  }

  private boolean isAligned() {
    if (segment().isNative()) {
      return segment().address() % ALIGNMENT == 0;
    }
    try {
      getLongVolatile(0); // only an array of longs allows it
      return true;
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  /**
   * In the order of 8-byte words as signed numbers of the machine's byte order, then of the bytes left, then of the
   * capacities.
   */
  @Override
  public int compareTo(DirectBuffer that) {
    int length = Math.min(capacity(), Objects.requireNonNull(that, "the buffer is null").capacity());
    int words = length & -Long.BYTES;
    int order = 0;
    for (int i = 0; i < words && order == 0; i += Long.BYTES) {
      order = Long.compare(getLong(i), that.getLong(i));
    }
    for (int i = words; i < length && order == 0; i++) {
      order = Byte.compare(getByte(i), that.getByte(i));
    }
    return order != 0 ? order : Integer.compare(capacity(), that.capacity());
  }

  /** Whether {@code other} is a {@code SegmentBuffer} with the same bytes. */
  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof SegmentBuffer that && segment().mismatch(that.segment()) < 0;
  }

  @Override
  public int hashCode() {
    int words = capacity() & -Long.BYTES;
    int hash = 19;
    for (int i = 0; i < words; i += Long.BYTES) {
      hash = 31 * hash + Long.hashCode(getLong(i));
    }
    for (int i = words; i < capacity(); i++) {
      hash = 31 * hash + getByte(i);
    }
    return hash;
  }

  @Override
  public String toString() {
    return "SegmentBuffer{" + segment() + '}';
  }
}
