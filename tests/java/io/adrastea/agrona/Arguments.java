package io.adrastea.agrona;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Arguments for one call on two buffers: equal, and where they can be changed, two of each.
 *
 * @param ours for one
 * @param theirs for the other
 */
record Arguments(Object[] ours, Object[] theirs) {
  private static final int SIDE = 40; // bytes of a buffer that is an argument

  /** Draws some that may be wrong, but are nothing of which the two are meant to make something different. */
  static Arguments draw(Random random, Method method, MemorySegment memory) {
    Class<?>[] types = method.getParameterTypes();
    Arguments arguments = new Arguments(new Object[types.length], new Object[types.length]);
    for (int i = 0; i < types.length; i++) {
      arguments.draw(random, types[i], i, memory);
    }
    arguments.adjust(random, method, memory);
    return arguments;
  }

  private void draw(Random random, Class<?> type, int i, MemorySegment memory) {
    ours[i] = theirs[i] = value(random, type);
    if (type == byte[].class) {
      ours[i] = bytes(random);
      theirs[i] = ((byte[]) ours[i]).clone();
    } else if (type == ByteBuffer.class) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes(random));
      ours[i] = copy(buffer, random.nextBoolean()).position(random.nextInt(buffer.capacity() + 1));
      theirs[i] = copy(buffer, random.nextBoolean()).position(((ByteBuffer) ours[i]).position());
    } else if (type == Appendable.class) {
      ours[i] = new StringBuilder();
      theirs[i] = new StringBuilder();
    } else if (type == Object.class || DirectBuffer.class.isAssignableFrom(type)) { // Object: what is compared to
      byte[] bytes = similar(random, memory);
      ours[i] = buffer(random, bytes);
      theirs[i] = ours[i] instanceof ExpandableArrayBuffer ? expandable(bytes) : new UnsafeBuffer(bytes.clone());
    }
  }

  /** The first bytes of {@code memory}, or nearly. */
  private static byte[] similar(Random random, MemorySegment memory) {
    byte[] bytes = memory.asSlice(0, SIDE).toArray(ValueLayout.JAVA_BYTE);
    if (random.nextBoolean()) {
      bytes[random.nextInt(SIDE)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private static MutableDirectBuffer expandable(byte[] bytes) {
    MutableDirectBuffer buffer = new ExpandableArrayBuffer(SIDE);
    buffer.putBytes(0, bytes);
    return buffer;
  }

  /** Meets preconditions, so that most calls do something. */
  private void adjust(Random random, Method method, MemorySegment memory) {
    String name = method.getName();
    boolean ordered = name.matches(".*(Volatile|Acquire|Release|Ordered|Opaque)|(compareAnd|getAnd).*");
    if (ordered) {
      set(0, (int) ours[0] & -8);
    }
    int index = ours.length > 0 && ours[0] instanceof Integer first ? first : -1;
    boolean inside = index >= 0 && index <= memory.byteSize() - 8;
    if (name.startsWith("compareAnd") && inside && random.nextBoolean()) {
      set(1, name.endsWith("Long") ? (Object) memory.get(ValueLayout.JAVA_LONG, index)
          : (Object) memory.get(ValueLayout.JAVA_INT, index));
    }
    for (int i = 0; i < ours.length; i++) {
      boolean natural = name.startsWith("putNatural");
      boolean length = name.equals("getStringAscii") && i == 1;
      if ((natural || length) && ours[i] instanceof Integer number && number < 0) {
        set(i, number & Integer.MAX_VALUE);
      } else if (natural && ours[i] instanceof Long number && number < 0) {
        set(i, number & Long.MAX_VALUE);
      }
    }
  }

  private void set(int i, Object value) {
    ours[i] = value;
    theirs[i] = value;
  }

  private static Object value(Random random, Class<?> type) {
    if (type == int.class) {
      return number(random);
    } else if (type == long.class) {
      return random.nextInt(8) == 0 ? Long.MIN_VALUE : random.nextLong() >> random.nextInt(64);
    } else if (type == byte.class) {
      return (byte) random.nextInt();
    } else if (type == short.class) {
      return (short) random.nextInt();
    } else if (type == char.class) {
      return (char) random.nextInt();
    } else if (type == float.class) {
      return Float.intBitsToFloat(random.nextInt());
    } else if (type == double.class) {
      return Double.longBitsToDouble(random.nextLong());
    } else if (type == ByteOrder.class) {
      return random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }
    return type == String.class || type == CharSequence.class ? text(random) : null;
  }

  /** An index, a length or a value: mostly inside, sometimes at the very end, negative, or far out. */
  private static int number(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> -random.nextInt(6);
      case 1 -> BufferComparison.CAPACITY - random.nextInt(10);
      case 2 -> random.nextInt() >> random.nextInt(32);
      case 3 -> random.nextBoolean() ? Integer.MIN_VALUE : Integer.MAX_VALUE;
      case 4, 5, 6, 7 -> random.nextInt(21);
      default -> random.nextInt(BufferComparison.CAPACITY);
    };
  }

  private static String text(Random random) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    return random.ints(random.nextInt(24), 1, random.nextBoolean() ? 128 : 0x3000)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(SIDE)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static ByteBuffer copy(ByteBuffer buffer, boolean direct) {
    ByteBuffer copy = direct ? ByteBuffer.allocateDirect(buffer.capacity()) : ByteBuffer.allocate(buffer.capacity());
    return copy.put(buffer.duplicate()).clear();
  }

  /** One of all kinds, with these bytes. */
  private static MutableDirectBuffer buffer(Random random, byte[] bytes) {
    MutableDirectBuffer buffer =
        switch (random.nextInt(6)) {
          case 0 -> new UnsafeBuffer(new byte[SIDE + 5], 3, SIDE);
          case 1 -> new UnsafeBuffer(ByteBuffer.allocateDirect(SIDE + 5), 5, SIDE);
          case 2 -> new UnsafeBuffer(ByteBuffer.allocate(SIDE + 5).position(2).slice(), 1, SIDE);
          case 3 -> expandable(bytes);
          case 4 -> new SegmentBuffer(MemorySegment.ofArray(new byte[SIDE + 5]), 2, SIDE);
          default -> new SegmentBuffer(MemorySegment.ofBuffer(ByteBuffer.allocateDirect(SIDE)));
        };
    buffer.putBytes(0, bytes);
    return buffer;
  }

  /** Whether the call left the same in both. */
  boolean areAlike() {
    for (int i = 0; i < ours.length; i++) {
      if (!contents(ours[i]).equals(contents(theirs[i]))) {
        return false;
      }
    }
    return true;
  }

  private static Object contents(Object argument) {
    return switch (argument) {
      case null -> "null";
      case byte[] array -> ByteBuffer.wrap(array);
      case StringBuilder text -> text.toString();
      case ByteBuffer buffer -> buffer.position() + " in " + contents(copy(buffer.duplicate().clear(), false).array());
      case DirectBuffer buffer -> contentsOf(buffer);
      default -> argument;
    };
  }

  private static Object contentsOf(DirectBuffer buffer) {
    byte[] bytes = new byte[buffer.capacity()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = buffer.getByte(i);
    }
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public String toString() {
    return Arrays.toString(ours);
  }
}
