package io.adrastea.coll;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What {@link Combine} computes, against the list that {@code combine_test.c} holds the C core to. */
class CombineGoldenTest {
  private static final Path GOLDEN =
      Path.of(System.getProperty("adrastea.root")).resolve("tests/coll/combine.golden");

  /** Some samples are longer than what is computed at a time, when they are repeated so often. */
  private static final int TIMES = 7;

  private static final int MOST_SHIFT = 9;

  private final Combine combine = new Combine();

  private record Sample(Operator op, ElementKind kind, byte[] left, byte[] right, byte[] result) {
    @Override
    public String toString() {
      return op + " of " + kind;
    }
  }

  private static Sample sample(String[] words) {
    String kind = words[1].replaceAll("_t$", "").toUpperCase(Locale.ROOT);
    HexFormat hex = HexFormat.of();
    return new Sample(Operator.valueOf(words[0]), ElementKind.valueOf(kind), hex.parseHex(words[2]),
        hex.parseHex(words[3]), hex.parseHex(words[4]));
  }

  private static List<String[]> lines(int words) throws IOException {
    return Files.readAllLines(GOLDEN).stream().filter(line -> !line.startsWith("#")).map(line -> line.split(" "))
        .filter(line -> line.length == words).toList();
  }

  private static void withEachOfJava(Consumer<Sample> test) throws IOException {
    List<Sample> samples =
        lines(5).stream().map(CombineGoldenTest::sample).filter(sample -> sample.kind.isOfJava()).toList();
    assertTrue(samples.size() > 60, "samples: " + samples.size());
    samples.forEach(test);
  }

  @Test
  void shouldHaveTheNumbersOfTheList() throws IOException {
    int kinds = 0;
    for (String[] line : lines(4)) {
      String name = line[2].replaceAll("_t$", "").toUpperCase(Locale.ROOT);
      ElementKind kind = ElementKind.of(Integer.parseInt(line[1]));
      assertEquals(name, kind.name());
      assertEquals(Integer.parseInt(line[3]), kind.bytes());
      kinds++;
    }
    assertEquals(ElementKind.values().length, kinds);
    int operators = 0;
    for (String[] line : lines(3)) {
      assertEquals(line[2], Operator.of(Integer.parseInt(line[1])).name());
      operators++;
    }
    assertEquals(Operator.values().length, operators);
    assertNull(ElementKind.of(-1));
    assertNull(ElementKind.of(kinds));
    assertNull(Operator.of(Operator.NONE));
    assertNull(Operator.of(operators + 1));
    assertNull(Operator.of(Operator.OF_USER));
  }

  @Test
  void shouldCombineSingleElements() throws IOException {
    withEachOfJava(sample -> {
      int size = sample.kind.bytes();
      for (int at = 0; at < sample.left.length; at += size) {
        byte[] target = new byte[size];
        combine.combine(sample.op.number(), sample.kind.number(), MemorySegment.ofArray(target), 0,
            MemorySegment.ofArray(sample.left), at, MemorySegment.ofArray(sample.right), at, size);
        assertArrayEquals(Arrays.copyOfRange(sample.result, at, at + size), target, sample + " at " + at);
      }
    });
  }

  @Test
  void shouldCombineManyElementsOfNativeMemoryAtAnyAlignment() throws IOException {
    withEachOfJava(sample -> {
      for (int shift = 0; shift < MOST_SHIFT; shift++) {
        try (Arena arena = Arena.ofConfined()) {
          checkPlaces(sample, repeated(sample.left, arena, shift), shift, repeated(sample.right, arena, 2 * shift),
              2 * shift, arena.allocate((long) TIMES * sample.left.length + shift + 1), shift + 1);
        }
      }
    });
  }

  @Test
  void shouldCombineManyElementsOfArrays() throws IOException {
    withEachOfJava(sample -> {
      MemorySegment left = repeated(sample.left, 0);
      MemorySegment right = repeated(sample.right, 3);
      MemorySegment target = MemorySegment.ofArray(new byte[TIMES * sample.left.length + 1]);
      checkPlaces(sample, left, 0, right, 3, target, 1);
    });
  }

  @Test
  void shouldCombineArraysOfElementsWithNativeMemory() throws IOException {
    for (String[] line : lines(5)) {
      Sample sample = sample(line);
      if (sample.kind == ElementKind.DOUBLE) {
        double[] numbers = new double[TIMES * sample.left.length / Double.BYTES];
        MemorySegment left = MemorySegment.ofArray(numbers);
        MemorySegment.copy(repeated(sample.left, 0), 0, left, 0, left.byteSize());
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment target = arena.allocate(left.byteSize() + 1);
          checkPlaces(sample, left, 0, repeated(sample.right, arena, 1), 1, target, 1);
        }
      }
    }
  }

  /** Checks with the target apart, in place of the right operand, in place of the left one. */
  private void checkPlaces(
      Sample sample, MemorySegment left, long leftAt, MemorySegment right, long rightAt, MemorySegment target,
      long targetAt) {
    int op = sample.op.number();
    int kind = sample.kind.number();
    long bytes = (long) TIMES * sample.left.length;
    MemorySegment result = repeated(sample.result, 0);
    byte[] leftBefore = left.toArray(ValueLayout.JAVA_BYTE);
    byte[] rightBefore = right.toArray(ValueLayout.JAVA_BYTE);
    combine.combine(op, kind, target, targetAt, left, leftAt, right, rightAt, bytes);
    assertEquals(-1, result.mismatch(target.asSlice(targetAt, bytes)), () -> sample + " apart");
    assertArrayEquals(leftBefore, left.toArray(ValueLayout.JAVA_BYTE), () -> sample + " leaves its left operand");
    assertArrayEquals(rightBefore, right.toArray(ValueLayout.JAVA_BYTE), () -> sample + " leaves its right operand");
    combine.combine(op, kind, right, rightAt, left, leftAt, right, rightAt, bytes);
    assertEquals(-1, result.mismatch(right.asSlice(rightAt, bytes)), () -> sample + " in place of the right");
    MemorySegment.copy(rightBefore, 0, right, ValueLayout.JAVA_BYTE, 0, rightBefore.length);
    combine.combine(op, kind, left, leftAt, left, leftAt, right, rightAt, bytes);
    assertEquals(-1, result.mismatch(left.asSlice(leftAt, bytes)), () -> sample + " in place of the left");
  }

  private static MemorySegment repeated(byte[] bytes, Arena arena, int shift) {
    MemorySegment array = repeated(bytes, shift);
    return arena.allocate(array.byteSize()).copyFrom(array);
  }

  private static MemorySegment repeated(byte[] bytes, int shift) {
    byte[] all = new byte[shift + TIMES * bytes.length];
    for (int i = 0; i < TIMES; i++) {
      System.arraycopy(bytes, 0, all, shift + i * bytes.length, bytes.length);
    }
    return MemorySegment.ofArray(all);
  }

  @Test
  void shouldRefuseElementsThatJavaDoesNotHave() throws IOException {
    int refused = 0;
    for (String[] line : lines(5)) {
      Sample sample = sample(line);
      if (sample.kind.isOfJava()) {
        Combine.require(sample.op.number(), sample.kind.number());
        continue;
      }
      refused++;
      String message = refusal(sample.op.number(), sample.kind.number());
      assertEquals("%s of elements of type %s: Java has no such type, only C ranks can combine them"
          .formatted(sample.op, sample.kind), message);
    }
    assertTrue(refused > 30, "refused: " + refused);
    assertTrue(refusal(Operator.SUM.number(), ElementKind.LONG_DOUBLE.number()).contains("long double"));
  }

  @Test
  void shouldRefuseOperatorsThatHaveNoMeaning() throws IOException {
    List<String> known = lines(5).stream().map(CombineGoldenTest::sample).map(Sample::toString).toList();
    for (Operator op : Operator.values()) {
      for (ElementKind kind : ElementKind.values()) {
        boolean meant = known.contains(op + " of " + kind) || kind == ElementKind.LONG_DOUBLE;
        if (!meant) {
          String message = refusal(op.number(), kind.number());
          assertTrue(message.startsWith(op + " has no meaning for elements of type " + kind), message);
        }
      }
    }
    assertTrue(refusal(Operator.BAND.number(), ElementKind.LONG_DOUBLE.number()).contains("has no meaning"));
    assertTrue(refusal(Operator.OF_USER, 0).startsWith("operator 255 on elements of kind 0"));
    assertTrue(refusal(1, 99).startsWith("operator 1 on elements of kind 99"));
  }

  private static String refusal(int op, int kind) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Combine.require(op, kind)).getMessage();
    assertNotNull(message);
    return message;
  }
}
