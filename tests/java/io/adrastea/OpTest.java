package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.comm.TypeMap;
import io.adrastea.engine.collective.Folding;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operators of reductions: which elements each takes, and what a program's own functions are called with. */
class OpTest {
  private static final List<Op> PREDEFINED =
      List.of(Op.SUM, Op.PROD, Op.MIN, Op.MAX, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR);
  private static final List<Op> LOCATIONS = List.of(Op.MINLOC, Op.MAXLOC);

  private static final Datatype POINT =
      Datatype.of(MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_DOUBLE));
  private static final Datatype MIXED =
      Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.LONG, Datatype.DOUBLE);

  @Test
  void predefinedOnesHaveTheNumbersOfTheCore() {
    for (Op op : PREDEFINED) {
      assertEquals(Operator.valueOf(op.toString()).number(), Op.map(op).number());
      assertTrue(op.isCommutative());
      assertFalse(Op.map(op).isOfUser());
    }
  }

  @Test
  void takeTheTypesThatTheyHaveAMeaningFor() {
    for (Op op : PREDEFINED) {
      assertEquals(ElementKind.INT32.number(), elementOf(op, Datatype.INT));
      assertEquals(ElementKind.UINT16.number(), elementOf(op, Datatype.CHAR));
    }
    assertEquals(ElementKind.DOUBLE.number(), elementOf(Op.SUM, Datatype.DOUBLE));
    assertEquals(ElementKind.BOOL.number(), elementOf(Op.LAND, Datatype.BOOLEAN));
    assertEquals(ElementKind.BYTES.number(), elementOf(Op.BXOR, null));
    assertEquals(ElementKind.INT8.number(), elementOf(Op.SUM, Datatype.BYTE));
  }

  @Test
  void placesOfValuesAreThoseOfPairsAndOfTypesMadeOfThem() {
    for (Op op : LOCATIONS) {
      assertEquals(Operator.valueOf(op.toString()).number(), Op.map(op).number());
      assertTrue(op.isCommutative());
      assertEquals(ElementKind.SHORT_INT.number(), elementOf(op, Datatype.SHORT_INT));
      assertEquals(ElementKind.INT_INT.number(), elementOf(op, Datatype.INT_INT));
      assertEquals(ElementKind.LONG_INT.number(), elementOf(op, Datatype.LONG_INT));
      assertEquals(ElementKind.FLOAT_INT.number(), elementOf(op, Datatype.vector(2, 3, 4, Datatype.FLOAT_INT)));
      assertEquals(ElementKind.DOUBLE_INT.number(), elementOf(op, Datatype.contiguous(5, Datatype.DOUBLE_INT)));
      assertEquals(
          op + " has no meaning for elements of DOUBLE; it combines pairs of a value and an index, which are of "
              + "SHORT_INT, INT_INT, LONG_INT, FLOAT_INT, DOUBLE_INT",
          refusal(op, Datatype.DOUBLE));
      Datatype both = Datatype.struct(new long[] {1, 1}, new long[] {0, 16}, Datatype.DOUBLE_INT, Datatype.INT_INT);
      assertTrue(refusal(op, both).contains("struct"), "two kinds of pairs");
      assertTrue(refusal(op, Datatype.INT).contains("pairs"), "no pair");
      assertTrue(refusal(op, null).contains("DOUBLE_INT"), "bytes");
    }
    assertEquals(ElementKind.INT32.number(), elementOf(Op.SUM, Datatype.INT_INT));
  }

  @Test
  void replacementsAreOfAnyElements() {
    assertEquals(Operator.REPLACE.number(), Op.map(Op.REPLACE).number());
    assertEquals(Operator.NO_OP.number(), Op.map(Op.NO_OP).number());
    assertFalse(Op.REPLACE.isCommutative());
    assertEquals(ElementKind.DOUBLE.number(), elementOf(Op.REPLACE, Datatype.DOUBLE));
    assertEquals(ElementKind.BYTES.number(), elementOf(Op.REPLACE, MIXED));
    assertEquals(ElementKind.BYTES.number(), elementOf(Op.REPLACE, null));
  }

  @Test
  void combineElementsOfDerivedTypesOfOneBasicType() {
    assertEquals(ElementKind.DOUBLE.number(), elementOf(Op.SUM, POINT));
    assertEquals(ElementKind.FLOAT.number(), elementOf(Op.MAX, Datatype.vector(3, 2, 5, Datatype.FLOAT)));
    Datatype nested = Datatype.contiguous(2, Datatype.indexedBlock(1, new long[] {4, 0}, Datatype.SHORT));
    assertEquals(ElementKind.INT16.number(), elementOf(Op.SUM, nested));
  }

  @Test
  void complexNumbersAreElementsOfTheirOwn() {
    for (Op op : List.of(Op.SUM, Op.PROD, Op.REPLACE, Op.NO_OP, Op.of((left, right, count, type) -> {}, true))) {
      assertEquals(ElementKind.FLOAT_COMPLEX.number(), elementOf(op, Datatype.FLOAT_COMPLEX));
      assertEquals(ElementKind.DOUBLE_COMPLEX.number(), elementOf(op, Datatype.DOUBLE_COMPLEX));
      Datatype derived = Datatype.vector(3, 2, 5, Datatype.contiguous(2, Datatype.DOUBLE_COMPLEX).resized(0, 48));
      assertEquals(ElementKind.DOUBLE_COMPLEX.number(), elementOf(op, derived));
      assertEquals(ElementKind.FLOAT.number(), elementOf(op, Datatype.contiguous(2, Datatype.FLOAT)));
    }
    for (Op op : PREDEFINED.subList(2, PREDEFINED.size())) {
      String words = refusal(op, Datatype.DOUBLE_COMPLEX);
      assertTrue(words.startsWith(op + " has no meaning for elements of DOUBLE_COMPLEX; it combines"), words);
    }
    assertTrue(refusal(Op.MAX, Datatype.contiguous(3, Datatype.FLOAT_COMPLEX))
        .startsWith("MAX has no meaning for elements of FLOAT_COMPLEX, which contiguous(3) has; it combines"), "MAX");
    for (Op op : LOCATIONS) {
      assertTrue(refusal(op, Datatype.FLOAT_COMPLEX).startsWith(op + " has no meaning for elements of FLOAT_COMPLEX"));
    }
    assertTrue(refusal(Op.ofDoubles(Math::max, true), Datatype.DOUBLE_COMPLEX).startsWith(
        "Op.ofDoubles has no meaning for elements of DOUBLE_COMPLEX; it combines elements of FLOAT, DOUBLE"));
  }

  @Test
  void complexNumbersBesideOthersAreRefused() {
    Datatype both =
        Datatype.struct(new long[] {1, 2}, new long[] {0, 16}, Datatype.DOUBLE_COMPLEX, Datatype.DOUBLE);
    for (Op op : List.of(Op.SUM, Op.PROD, Op.MAX)) {
      assertTrue(refusal(op, Datatype.contiguous(2, both)).contains("combines elements of one basic type"), "both");
    }
    assertEquals(ElementKind.BYTES.number(), elementOf(Op.REPLACE, both));
  }

  @Test
  void bytesWithoutATypeAreRefusedNamingDatatype() {
    String message = refusal(Op.SUM, null);
    assertTrue(message.startsWith("SUM has no meaning for bytes without a type"), message);
    assertTrue(message.contains("Datatype.DOUBLE"), message);
    assertTrue(refusal(Op.ofDoubles(Math::hypot, true), null).contains("Datatype"), "a function on doubles");
  }

  @Test
  void typesThatAnOperatorHasNoMeaningForAreRefusedNamingBoth() {
    assertEquals("BAND has no meaning for elements of DOUBLE; it combines elements of bytes, byte, short, int, long, "
        + "char", refusal(Op.BAND, Datatype.DOUBLE));
    String boolSum = refusal(Op.SUM, Datatype.contiguous(3, Datatype.BOOLEAN));
    assertTrue(boolSum.startsWith("SUM has no meaning for elements of BOOLEAN, which contiguous(3) has"), boolSum);
    assertTrue(refusal(Op.ofLongs(Long::sum, true), Datatype.FLOAT).startsWith("Op.ofLongs has no meaning"), "floats");
    assertTrue(refusal(Op.ofDoubles(Math::max, true), Datatype.LONG).startsWith("Op.ofDoubles has no meaning"), "long");
  }

  @Test
  void elementsOfSeveralTypesAndOfForeignByteOrderAreRefused() {
    String mixed = refusal(Op.SUM, MIXED);
    assertTrue(mixed.startsWith("SUM combines elements of one basic type"), mixed);
    assertTrue(mixed.contains("struct"), mixed);
    ByteOrder foreign =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    Datatype swapped = Datatype.of(ValueLayout.JAVA_INT.withOrder(foreign));
    assertTrue(refusal(Op.MIN, Datatype.contiguous(2, swapped)).contains("byte order"), "a foreign int");
    assertThrows(IllegalArgumentException.class, () -> elementOf(Op.SUM, Datatype.contiguous(0, Datatype.INT)));
  }

  @Test
  void functionsAndCombinersThatAreNullAreRefused() {
    assertThrows(NullPointerException.class, () -> Op.ofDoubles(null, true));
    assertThrows(NullPointerException.class, () -> Op.ofLongs(null, true));
    assertThrows(NullPointerException.class, () -> Op.of(null, true));
  }

  @Test
  void aFunctionOnDoublesCombinesDoublesAndFloatsWithTheTargetOnTheLeft() {
    Op minus = Op.ofDoubles((a, b) -> a - 2 * b, false);
    assertEquals(Operator.OF_USER, Op.map(minus).number());
    assertEquals(ElementKind.FLOAT.number(), elementOf(minus, Datatype.FLOAT));
    double[] left = {9, 1, 2, 9};
    double[] right = {0, 10, 20};
    folding(minus, Datatype.DOUBLE).fold(memory(left), 8, memory(right), 8, 16);
    assertArrayEquals(new double[] {9, -19, -38, 9}, left);
    assertArrayEquals(new double[] {0, 10, 20}, right);
    float[] floats = {0.1f, 1};
    folding(minus, Datatype.FLOAT).fold(MemorySegment.ofArray(floats), 0,
        MemorySegment.ofArray(new float[] {0.3f, 2}), 0, 8);
    assertArrayEquals(new float[] {(float) (0.1f - 2 * (double) 0.3f), -3}, floats);
  }

  @Test
  void aFunctionOnLongsCombinesAllIntegersAndCutsResults() {
    Op op = Op.ofLongs((a, b) -> 3 * a + b, false);
    long[] longs = {1L << 62};
    folding(op, Datatype.LONG).fold(MemorySegment.ofArray(longs), 0, MemorySegment.ofArray(new long[] {5}), 0, 8);
    assertEquals(3 * (1L << 62) + 5, longs[0]);
    int[] ints = {Integer.MAX_VALUE, -1};
    folding(op, Datatype.INT).fold(MemorySegment.ofArray(ints), 0, MemorySegment.ofArray(new int[] {1, 2}), 0, 8);
    assertArrayEquals(new int[] {3 * Integer.MAX_VALUE + 1, -1}, ints);
    short[] shorts = {-20_000};
    folding(op, Datatype.SHORT).fold(MemorySegment.ofArray(shorts), 0, MemorySegment.ofArray(new short[] {1}), 0, 2);
    assertEquals((short) -59_999, shorts[0]);
    char[] chars = {0xFFFF};
    Op half = Op.ofLongs((a, b) -> (a + b) / 2, true);
    folding(half, Datatype.CHAR).fold(MemorySegment.ofArray(chars), 0, MemorySegment.ofArray(new char[] {0xFFFD}), 0,
        2);
    assertEquals(0xFFFE, chars[0]);
    byte[] bytes = {-128, 7};
    folding(half, Datatype.BYTE).fold(MemorySegment.ofArray(bytes), 0, MemorySegment.ofArray(new byte[] {-126, 9}), 0,
        2);
    assertArrayEquals(new byte[] {-127, 8}, bytes);
  }

  @Test
  void aCombinerIsGivenWholeElementsOfItsType() {
    List<String> calls = new ArrayList<>();
    Op op = Op.of((left, right, count, type) -> {
      calls.add(count + " " + (type == POINT ? "points" : type == Datatype.BYTE ? "bytes" : "?") + " in "
          + left.byteSize() + " and " + right.byteSize() + (right.isReadOnly() ? " read only" : ""));
      left.set(ValueLayout.JAVA_BYTE, 0, (byte) 77);
    }, false);
    byte[] target = new byte[64];
    assertEquals(ElementKind.DOUBLE.number(), elementOf(op, POINT));
    assertEquals(ElementKind.BYTES.number(), elementOf(op, MIXED));
    assertEquals(ElementKind.BYTES.number(), elementOf(op, null));
    folding(op, POINT).fold(MemorySegment.ofArray(target), 16, MemorySegment.ofArray(new byte[64]), 0, 48);
    folding(op, null).fold(MemorySegment.ofArray(target), 3, MemorySegment.ofArray(new byte[64]), 0, 5);
    assertEquals(List.of("3 points in 48 and 48 read only", "5 bytes in 5 and 5 read only"), calls);
    assertEquals(77, target[16]);
    assertEquals(77, target[3]);
  }

  @Test
  void describeThemselves() {
    assertEquals("SUM", Op.SUM.toString());
    assertEquals("Op.ofDoubles(commutative)", Op.ofDoubles(Math::max, true).toString());
    assertEquals("Op.ofLongs(not commutative)", Op.ofLongs((a, b) -> a, false).toString());
    assertEquals("Op.of(not commutative)", Op.of((left, right, count, type) -> {}, false).toString());
  }

  private static MemorySegment memory(double[] array) {
    return MemorySegment.ofArray(array);
  }

  private static String refusal(Op op, Datatype type) {
    return assertThrows(IllegalArgumentException.class, () -> elementOf(op, type)).getMessage();
  }

  private static int elementOf(Op op, Datatype type) {
    return Op.map(op).elementOf(map(type));
  }

  private static Folding folding(Op op, Datatype type) {
    return Op.map(op).folding(map(type));
  }

  private static TypeMap map(Datatype type) {
    return type == null ? null : type.map();
  }
}
