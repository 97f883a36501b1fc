package io.adrastea.agrona;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Stands for a buffer of somebody else's: it tells what it lies over, and nothing else. Agrona's own cannot be made in
 * a JVM without flags. Makes no garbage.
 */
public final class GivenBuffer implements InvocationHandler {
  private final byte[] array;
  private final ByteBuffer byteBuffer;
  private final Long address;
  private final Integer adjustment;
  private final Integer capacity;

  @SuppressWarnings("unused") // keeps it from being freed
  private final MemorySegment owned;

  private GivenBuffer(
      byte[] array, ByteBuffer byteBuffer, MemorySegment owned, int adjustment, int capacity) {
    this.owned = owned;
    this.address = owned == null ? 0 : owned.address();
    this.array = array;
    this.byteBuffer = byteBuffer;
    this.adjustment = adjustment;
    this.capacity = capacity;
  }

  /** Over a part of an array. */
  public static MutableDirectBuffer over(byte[] array, int offset, int length) {
    return proxy(new GivenBuffer(array, null, null, offset, length));
  }

  /** Over a part of a byte buffer; of its array, if it is said to have this one. */
  public static MutableDirectBuffer over(ByteBuffer buffer, byte[] array, int offset, int length) {
    return proxy(new GivenBuffer(array, buffer, null, offset, length));
  }

  /** Over a part of a direct byte buffer. */
  public static MutableDirectBuffer over(ByteBuffer buffer, int offset, int length) {
    return over(buffer, null, offset, length);
  }

  /** Over native memory, of which it tells the address alone. */
  public static MutableDirectBuffer at(MemorySegment memory) {
    return proxy(new GivenBuffer(null, null, memory, 0, (int) memory.byteSize()));
  }

  private static MutableDirectBuffer proxy(GivenBuffer given) {
    return (MutableDirectBuffer) Proxy.newProxyInstance(GivenBuffer.class.getClassLoader(),
        new Class<?>[] {MutableDirectBuffer.class}, given);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "byteArray" -> array;
      case "byteBuffer" -> byteBuffer;
      case "addressOffset" -> address;
      case "wrapAdjustment" -> adjustment;
      case "capacity" -> capacity;
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }
}
