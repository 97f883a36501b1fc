package io.adrastea.atomic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every operation on a word against what a plain variable would do, and what each refuses. */
class WordsTest {
  private static final int ROUNDS = 200;
  private static final List<String> CHANGES = List.of("add", "and", "or", "xor", "swap", "compareExchange", "cas");
  private static final List<String> CHANGE_ORDERS = List.of("Relaxed", "AcqRel", "SeqCst");

  /** What an operation does to a word, on longs; an int is sign-extended. */
  private static long changed(String operation, long before, long expected, long value) {
    return switch (operation) {
      case "add" -> before + value;
      case "and" -> before & value;
      case "or" -> before | value;
      case "xor" -> before ^ value;
      case "swap", "store" -> value;
      case "compareExchange", "cas" -> before == expected ? value : before;
      case "load" -> before;
      default -> throw new AssertionError(operation);
    };
  }

  /** Returns the operations on a word; a fence has no word. */
  private static List<Method> operations() {
    List<Method> operations = new ArrayList<>();
    for (Method method : Words.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers()) && method.getParameterCount() > 0) {
        operations.add(method);
      }
    }
    return operations;
  }

  private static boolean isLong(Method method) {
    return method.getName().endsWith("Long");
  }

  private static String operation(Method method) {
    return method.getName().replaceFirst("(Relaxed|Acquire|Release|AcqRel|SeqCst)?(Long)?$", "");
  }

  private static Object of(Method method, long value) {
    if (isLong(method)) {
      return value;
    }
    return (int) value;
  }

  private static Object call(Method method, MemorySegment memory, long offset, long expected, long value)
      throws ReflectiveOperationException {
    return switch (method.getParameterCount()) {
      case 2 -> method.invoke(null, memory, offset);
      case 3 -> method.invoke(null, memory, offset, of(method, value));
      default -> method.invoke(null, memory, offset, of(method, expected), of(method, value));
    };
  }

  private static long read(Method method, MemorySegment memory, long offset) {
    return isLong(method) ? memory.get(ValueLayout.JAVA_LONG, offset) : memory.get(ValueLayout.JAVA_INT, offset);
  }

  @Test
  void hasEveryOperationInEveryOrderAndWidth() {
    TreeSet<String> wanted = new TreeSet<>();
    for (String width : List.of("", "Long")) {
      List.of("load", "loadRelaxed", "loadAcquire", "loadSeqCst").forEach(name -> wanted.add(name + width));
      List.of("store", "storeRelaxed", "storeRelease", "storeSeqCst").forEach(name -> wanted.add(name + width));
      CHANGES.forEach(change -> CHANGE_ORDERS.forEach(order -> wanted.add(change + order + width)));
    }
    assertEquals(
        wanted, operations().stream().map(Method::getName).collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void doesWhatAPlainVariableWouldAndTouchesNothingElse() throws ReflectiveOperationException {
    Random random = new Random(1);
    MemorySegment memory = Arena.ofAuto().allocate(24, 8);
    for (Method method : operations()) {
      for (int round = 0; round < ROUNDS; round++) {
        memory.fill((byte) 0x5a);
        checkOne(method, memory, random.nextLong(), random);
      }
    }
  }

  private static void checkOne(Method method, MemorySegment memory, long bits, Random random)
      throws ReflectiveOperationException {
    int size = isLong(method) ? Long.BYTES : Integer.BYTES;
    long before = isLong(method) ? bits : (int) bits;
    long value = isLong(method) ? random.nextLong() : random.nextInt();
    long expected = random.nextBoolean() ? before : value + 1;
    expected = isLong(method) ? expected : (int) expected;
    long after = changed(operation(method), before, expected, value);
    if (isLong(method)) {
      memory.set(ValueLayout.JAVA_LONG, 8, before);
    } else {
      memory.set(ValueLayout.JAVA_INT, 8, (int) before);
    }
    Object given = call(method, memory, 8, expected, value);
    assertEquals(isLong(method) ? after : (int) after, read(method, memory, 8), method.getName());
    if (method.getReturnType() == boolean.class) {
      assertEquals(before == expected, given, method.getName());
    } else if (method.getReturnType() != void.class) {
      assertEquals(of(method, before), given, method.getName());
    }
    for (int offset = 0; offset < 24; offset++) {
      if (offset < 8 || offset >= 8 + size) {
        assertEquals(0x5a, memory.get(ValueLayout.JAVA_BYTE, offset), method.getName());
      }
    }
  }

  @Test
  void refusesAWordThatIsNotAligned() {
    MemorySegment memory = Arena.ofAuto().allocate(24, 8);
    for (Method method : operations()) {
      int size = isLong(method) ? Long.BYTES : Integer.BYTES;
      for (int offset = 1; offset < size; offset++) {
        assertRefused(IllegalArgumentException.class, method, memory, offset);
      }
      assertRefused(IllegalArgumentException.class, method, memory.asSlice(1), 0);
    }
  }

  @Test
  void refusesAWordOutsideTheMemory() {
    MemorySegment memory = Arena.ofAuto().allocate(16, 8);
    for (Method method : operations()) {
      assertRefused(IndexOutOfBoundsException.class, method, memory, 16);
      assertRefused(IndexOutOfBoundsException.class, method, memory, -8);
      assertRefused(IllegalArgumentException.class, method, MemorySegment.ofArray(new byte[32]), 0);
    }
  }

  private static void assertRefused(
      Class<? extends Throwable> why, Method method, MemorySegment memory, long offset) {
    InvocationTargetException thrown =
        assertThrows(InvocationTargetException.class, () -> call(method, memory, offset, 0, 0), method.getName());
    assertEquals(why, thrown.getCause().getClass(), method.getName());
  }

  @Test
  void noChangeIsLostBetweenThreads() throws InterruptedException {
    MemorySegment memory = Arena.ofShared().allocate(128, 8);
    Runnable work = () -> {
      for (int i = 0; i < 20_000; i++) {
        Words.addRelaxed(memory, 0, 1);
        Words.addRelaxedLong(memory, 8, 1);
        int before = Words.load(memory, 16);
        for (int now; (now = Words.compareExchangeAcqRel(memory, 16, before, before + 1)) != before; before = now) {}
        Words.xorAcqRelLong(memory, 24, 1L << (i & 63));
      }
    };
    Thread other = new Thread(work);
    other.start();
    work.run();
    other.join();
    assertEquals(40_000, Words.load(memory, 0));
    assertEquals(40_000, Words.loadLong(memory, 8));
    assertEquals(40_000, Words.load(memory, 16));
    assertEquals(0, Words.loadLong(memory, 24));
  }
}
