package io.adrastea;

import static java.lang.foreign.MemorySegment.ofArray;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** What a message can be sent from and received into. */
public enum BufferKind {
  NATIVE_SEGMENT(0, bytes -> Arena.ofAuto().allocate(bytes, 8)), SHARED_SEGMENT(0,
      bytes -> Arena.ofShared().allocate(bytes, 8)), HEAP_SEGMENT(0, bytes -> ofArray(new byte[bytes])), LONG_SEGMENT(0,
          bytes -> ofArray(new long[bytes / 8])), BYTES(1, byte[]::new), SHORTS(2,
              bytes -> new short[bytes / 2]), CHARS(2, bytes -> new char[bytes / 2]), INTS(4,
                  bytes -> new int[bytes / 4]), FLOATS(4, bytes -> new float[bytes / 4]), LONGS(8,
                      bytes -> new long[bytes / 8]), DOUBLES(8, bytes -> new double[bytes / 8]), DIRECT_BUFFER(0,
                          ByteBuffer::allocateDirect), HEAP_BUFFER(0, ByteBuffer::allocate), SLICED_BUFFER(0,
                              bytes -> ByteBuffer.allocate(bytes + 8).slice(8, bytes));

  private final int elementBytes; // 0: not an array
  private final IntFunction<Object> maker;

  BufferKind(int elementBytes, IntFunction<Object> maker) {
    this.elementBytes = elementBytes;
    this.maker = maker;
  }

  /** A buffer of zeros. */
  public TestBuffer make(int bytes) {
    Object object = maker.apply(bytes + 2 * TestBuffer.MARGIN);
    return new TestBuffer(object, memory(object), elementBytes, bytes);
  }

  private static MemorySegment memory(Object object) {
    return switch (object) {
      case MemorySegment memory -> memory;
      case ByteBuffer buffer -> MemorySegment.ofBuffer(buffer);
      case byte[] array -> ofArray(array);
      case short[] array -> ofArray(array);
      case char[] array -> ofArray(array);
      case int[] array -> ofArray(array);
      case float[] array -> ofArray(array);
      case long[] array -> ofArray(array);
      case double[] array -> ofArray(array);
      default -> throw new AssertionError(object);
    };
  }
}
