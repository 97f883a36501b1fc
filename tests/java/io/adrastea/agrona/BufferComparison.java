package io.adrastea.agrona;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Calls each method of {@link AtomicBuffer} with the same arguments on a {@link SegmentBuffer} and on Agrona's own
 * buffer, on the same bytes, and compares results, exceptions, arguments and bytes afterwards. Prints a line for each
 * method: {@code same METHOD} or what differs. Needs the flag that Agrona's own buffers need.
 */
public final class BufferComparison {
  static final int CAPACITY = 96;

  /** Tested elsewhere: what they tell is meant to differ, or is about wrapping. */
  private static final Set<String> ELSEWHERE =
      Set.of("wrap", "addressOffset", "byteArray", "byteBuffer", "wrapAdjustment", "verifyAlignment");

  private static final int TRIALS = 600;

  private final Random random;
  private final MemorySegment ourMemory = Arena.ofAuto().allocate(CAPACITY, 8);
  private final MemorySegment theirMemory = Arena.ofAuto().allocate(CAPACITY, 8);
  private final AtomicBuffer ours = new SegmentBuffer(ourMemory);
  private final AtomicBuffer theirs = new UnsafeBuffer(theirMemory.address(), CAPACITY);
  private int successes;

  private BufferComparison(long seed) {
    random = new Random(seed);
  }

  /** What a call gave: a result, or the kind of its exception. */
  private record Answer(Object result, String failure) {}

  static List<Method> methods() {
    return Arrays.stream(AtomicBuffer.class.getMethods())
        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !ELSEWHERE.contains(method.getName()))
        .filter(method -> !method.isBridge())
        .sorted(Comparator.comparing(BufferComparison::signature))
        .toList();
  }

  static String signature(Method method) {
    return method.getName()
        + Arrays.toString(Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toArray());
  }

  public static void main(String[] args) throws ReflectiveOperationException {
    long seed = Long.getLong("adrastea.seed", 20090707);
    for (Method method : methods()) {
      String difference = new BufferComparison(seed).compare(method);
      System.out.println(difference == null ? "same " + signature(method) : signature(method) + ": " + difference);
    }
    System.out.println((new BufferComparison(seed).hashesAlike() ? "same " : "different ") + "hashCode");
  }

  private boolean hashesAlike() {
    for (int length = 0; length <= CAPACITY; length++) {
      Contents.fill(random, ourMemory);
      theirMemory.copyFrom(ourMemory);
      if (new SegmentBuffer(ourMemory, 0, length).hashCode() != new UnsafeBuffer(theirs, 0, length).hashCode()) {
        return false;
      }
    }
    return true;
  }

  /** What differs first; null: nothing. */
  private String compare(Method method) throws ReflectiveOperationException {
    for (int trial = 0; trial < TRIALS; trial++) {
      Contents.fill(random, ourMemory);
      theirMemory.copyFrom(ourMemory);
      Arguments arguments = Arguments.draw(random, method, ourMemory);
      Answer our = answer(method, ours, arguments.ours());
      Answer their = answer(method, theirs, arguments.theirs());
      boolean alike = our.equals(their);
      if (their.failure == null) {
        successes++;
        alike &= arguments.areAlike() && ourMemory.mismatch(theirMemory) < 0;
      }
      if (!alike) {
        return "%s gave %s, Agrona's %s".formatted(arguments, our, their);
      }
    }
    return successes == 0 ? "never succeeded" : null;
  }

  private static Answer answer(Method method, AtomicBuffer buffer, Object[] arguments)
      throws ReflectiveOperationException {
    try {
      return new Answer(method.invoke(buffer, arguments), null);
    } catch (InvocationTargetException e) {
      return new Answer(null, kind(e.getCause()));
    }
  }

  private static String kind(Throwable failure) {
    for (Class<?> kind : List.of(IndexOutOfBoundsException.class, NumberFormatException.class,
        IllegalArgumentException.class)) {
      if (kind.isInstance(failure)) {
        return kind.getSimpleName();
      }
    }
    return Objects.toString(failure);
  }

  /** Bytes in which there is something to be found: digits, short lengths, or anything. */
  private static final class Contents {
    private static final String DIGITS = "0123456789";

    static void fill(Random random, MemorySegment memory) {
      int style = random.nextInt(4);
      byte[] bytes = new byte[CAPACITY];
      for (int i = 0; i < CAPACITY; i++) {
        bytes[i] = next(random, style);
      }
      memory.copyFrom(MemorySegment.ofArray(bytes));
    }

    private static byte next(Random random, int style) {
      return switch (style) {
        case 0 -> (byte) random.nextInt();
        case 1 -> (byte) (random.nextInt(4) == 0 ? random.nextInt(12) : 0);
        case 2 -> (byte) DIGITS.charAt(random.nextInt(10));
        default -> (byte) (random.nextInt(6) == 0 ? '-' : DIGITS.charAt(random.nextInt(10)));
      };
    }
  }
}
