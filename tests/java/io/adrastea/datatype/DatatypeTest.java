package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Datatype;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What datatypes are made of, how they tell of themselves, and what they refuse. */
class DatatypeTest {
  private static final long HUGE = 1L << 62;

  private static String refused(Class<? extends RuntimeException> expected, Executable call) {
    return assertThrows(expected, call).getMessage();
  }

  private static String refused(Executable call) {
    return refused(IllegalArgumentException.class, call);
  }

  private static void assertTells(String message, String... words) {
    List.of(words).forEach(word -> assertTrue(message.contains(word), () -> word + " in: " + message));
  }

  private static long[] longs(long... numbers) {
    return numbers;
  }

  /** Packs one element of each type from bytes that are their own positions. */
  private static int[] places(Datatype type, int bytes, int count) {
    byte[] memory = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      memory[i] = (byte) i;
    }
    byte[] packed = new byte[(int) (count * type.size())];
    type.pack(MemorySegment.ofArray(memory), 0, count, MemorySegment.ofArray(packed), 0);
    int[] places = new int[packed.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = packed[i];
    }
    return places;
  }

  @Test
  void pairsLieAsInC() {
    for (Datatype pair : List.of(Datatype.LONG_INT, Datatype.DOUBLE_INT)) {
      assertEquals(12, pair.size());
      assertEquals(16, pair.extent());
    }
    for (Datatype pair : List.of(Datatype.INT_INT, Datatype.FLOAT_INT)) {
      assertEquals(8, pair.size());
      assertEquals(8, pair.extent());
    }
    assertEquals(6, Datatype.SHORT_INT.size());
    assertArrayEquals(new int[] {0, 1, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15}, places(Datatype.SHORT_INT, 16, 2));
  }

  @Test
  void complexNumbersLieAsInC() {
    assertEquals(8, Datatype.FLOAT_COMPLEX.size());
    assertEquals(8, Datatype.FLOAT_COMPLEX.extent());
    assertEquals(16, Datatype.DOUBLE_COMPLEX.size());
    assertEquals(16, Datatype.DOUBLE_COMPLEX.extent());
    assertEquals("DOUBLE_COMPLEX", Datatype.DOUBLE_COMPLEX.toString());
    assertEquals("contiguous(3): 24 bytes, extent 24\n  FLOAT_COMPLEX",
        Datatype.contiguous(3, Datatype.FLOAT_COMPLEX).toString());
  }

  @Test
  void theDescriptionIsTheTree() {
    Datatype type = Datatype.contiguous(2, Datatype.struct(longs(1, 2), longs(0, 8), Datatype.INT,
        Datatype.vector(2, 1, 3, Datatype.DOUBLE).resized(-8, 64)));
    assertEquals("""
        contiguous(2): 72 bytes, extent 256
          struct([1, 2], [0, 8]): 36 bytes, extent 128
            INT
            resized(-8, 64): 16 bytes, extent 64, lower bound -8
              vector(2, 1, 3): 16 bytes, extent 32
                DOUBLE""", type.toString());
    assertTells(Datatype.indexedBlock(1, LongStream.range(0, 100).toArray(), Datatype.INT).toString(), "100 in all");
  }

  @Test
  void aTreeAsDeepAsYouLikeIsMadeDescribedAndPacked() {
    Datatype type = Datatype.BYTE;
    for (int i = 0; i < 100_000; i++) {
      type = i % 2 == 0 ? Datatype.contiguous(1, type) : Datatype.vector(1, 1, 7, type).resized(0, 1);
    }
    assertArrayEquals(new int[] {0, 1, 2}, places(type, 3, 3));
    assertTells(type.toString(), "contiguous(1)", "...");
  }

  @Test
  void boundsAreThoseOfMpi() {
    Datatype backwards = Datatype.vector(3, 1, -2, Datatype.INT);
    assertEquals(-16, backwards.lowerBound());
    assertEquals(20, backwards.extent());
    Datatype resized = Datatype.INT.resized(-4, 32);
    assertEquals(-4, resized.lowerBound());
    assertEquals(32, resized.extent());
    assertEquals(0, resized.trueLowerBound());
    assertEquals(4, resized.trueExtent());
    Datatype nothing = Datatype.indexed(longs(0, 0), longs(7, 9), Datatype.INT);
    assertEquals(List.of(0L, 0L, 0L), List.of(nothing.size(), nothing.extent(), nothing.trueExtent()));
  }

  @Test
  void alignmentIsThatOfTheLargestBasicType() {
    assertEquals(1, Datatype.BYTE.alignment());
    assertEquals(1, Datatype.contiguous(0, Datatype.DOUBLE).alignment());
    assertEquals(2, Datatype.vector(2, 3, 5, Datatype.CHAR).alignment());
    assertEquals(4, Datatype.SHORT_INT.alignment());
    assertEquals(8, Datatype.DOUBLE_COMPLEX.alignment());
    Datatype nested = Datatype.struct(longs(1, 1), longs(0, 16), Datatype.BYTE,
        Datatype.contiguous(2, Datatype.struct(longs(1, 1), longs(0, 8), Datatype.LONG, Datatype.SHORT)));
    assertEquals(8, nested.alignment());
    assertEquals(4, Datatype.of(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN)).alignment());
  }

  @Test
  void aPaddedStructFollowsAnotherOneAsInC() {
    Datatype struct = Datatype.struct(longs(1, 1), longs(0, 8), Datatype.DOUBLE, Datatype.INT);
    assertEquals(12, struct.extent());
    Datatype padded = struct.padded();
    assertEquals(16, padded.extent());
    assertEquals(0, padded.lowerBound());
    assertEquals(12, padded.size());
    assertEquals(12, padded.trueExtent());
    MemoryLayout layout = MemoryLayout.structLayout(ValueLayout.JAVA_DOUBLE, ValueLayout.JAVA_INT,
        MemoryLayout.paddingLayout(4));
    assertEquals(Datatype.of(layout).extent(), padded.extent());
    assertSame(padded, padded.padded());
    assertSame(Datatype.INT, Datatype.INT.padded());
    assertEquals(-8, Datatype.INT.resized(4, -5).padded().extent());
    assertEquals(4, Datatype.INT.resized(4, -5).padded().lowerBound());
    assertTells(refused(() -> Datatype.LONG.resized(2, Long.MAX_VALUE - 2).padded()), "padded", "64 bits");
  }

  @Test
  void aLayoutIsSentWithoutItsPadding() {
    MemoryLayout layout = MemoryLayout.structLayout(ValueLayout.JAVA_BYTE, MemoryLayout.paddingLayout(3),
        MemoryLayout.sequenceLayout(2, ValueLayout.JAVA_SHORT).withName("pair"), ValueLayout.JAVA_LONG.withName("sum"));
    Datatype type = Datatype.of(layout);
    assertEquals(13, type.size());
    assertEquals(16, type.extent());
    assertArrayEquals(new int[] {0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, places(type, 16, 1));
  }

  @Test
  void aPathSelectsAMemberOfEachStructAColumnOrARange() {
    MemoryLayout point = MemoryLayout.structLayout(ValueLayout.JAVA_SHORT.withName("x"),
        ValueLayout.JAVA_SHORT.withName("y"));
    MemoryLayout points = MemoryLayout.sequenceLayout(3, point);
    Datatype y = Datatype.of(points, PathElement.sequenceElement(), PathElement.groupElement("y"));
    assertArrayEquals(new int[] {2, 3, 6, 7, 10, 11}, places(y, 12, 1));
    assertEquals(12, y.extent());
    MemoryLayout matrix = MemoryLayout.sequenceLayout(3, MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE));
    Datatype column = Datatype.of(matrix, PathElement.sequenceElement(), PathElement.sequenceElement(2));
    assertArrayEquals(new int[] {2, 6, 10}, places(column, 12, 1));
    Datatype odd = Datatype.of(matrix, PathElement.sequenceElement(1), PathElement.sequenceElement(3, -2));
    assertArrayEquals(new int[] {7, 5}, places(odd, 12, 1));
    assertThrows(IllegalArgumentException.class, () -> Datatype.of(matrix, PathElement.groupElement("x")));
  }

  @Test
  void theByteOrderOfALayoutStaysAndTheCanonicalFormIsBigEndian() {
    MemoryLayout both = MemoryLayout.structLayout(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN),
        ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN));
    byte[] memory = {0, 1, 2, 3, 4, 5, 6, 7};
    byte[] packed = new byte[8];
    Datatype type = Datatype.of(both);
    type.pack(MemorySegment.ofArray(memory), 0, 1, MemorySegment.ofArray(packed), 0);
    assertArrayEquals(memory, packed);
    type.packCanonical(MemorySegment.ofArray(memory), 0, 1, MemorySegment.ofArray(packed), 0);
    assertArrayEquals(new byte[] {0, 1, 2, 3, 7, 6, 5, 4}, packed);
  }

  @Test
  void unionsAndAddressesAreRefusedByTheirNames() {
    MemoryLayout union = MemoryLayout.unionLayout(ValueLayout.JAVA_INT, ValueLayout.JAVA_FLOAT).withName("either");
    assertTells(refused(() -> Datatype.of(MemoryLayout.sequenceLayout(2, union))), "either", "union");
    MemoryLayout next = MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("next"));
    assertTells(refused(() -> Datatype.of(next)), "next", "address");
  }

  @Test
  void numbersThatDoNotFit64BitsAreToldWithTheirDatatype() {
    assertTells(refused(() -> Datatype.contiguous(HUGE, Datatype.DOUBLE)), "contiguous(" + HUGE, "DOUBLE",
        "64 bits");
    assertTells(refused(() -> Datatype.vector(3, 1, HUGE, Datatype.DOUBLE)), "vector(3, 1, " + HUGE, "DOUBLE");
    assertTells(refused(() -> Datatype.hvector(4, 1, HUGE, Datatype.BYTE)), "hvector", "64 bits");
    assertTells(refused(() -> Datatype.indexed(longs(1, 1), longs(0, HUGE), Datatype.LONG)), "indexed", "" + HUGE);
    assertTells(refused(() -> Datatype.hindexed(longs(1, HUGE), longs(0, 4), Datatype.LONG)), "hindexed", "" + HUGE);
    assertTells(refused(() -> Datatype.struct(longs(1), longs(Long.MAX_VALUE), Datatype.LONG)), "struct", "64 bits");
    assertTells(refused(() -> Datatype.INT.resized(Long.MAX_VALUE, 8)), "resized", "64 bits");
    assertTells(refused(() -> Datatype.subarray(longs(HUGE, 4), longs(1, 1), longs(0, 0), Datatype.Order.C,
        Datatype.LONG)), "subarray", "64 bits");
    Datatype wide = Datatype.INT.resized(0, HUGE);
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    assertTells(refused(() -> wide.pack(memory, 0, 4, memory, 0)), "4 element(s)", "resized");
  }

  @Test
  void whatDoesNotFit64BitsIsToldWhereverItIsInATree() {
    Datatype wide = Datatype.INT.resized(0, HUGE);
    assertTells(refused(() -> Datatype.contiguous(3, wide)), "contiguous(3)", "resized(0, " + HUGE, "64 bits");
    assertTells(refused(() -> Datatype.indexedBlock(1, longs(0, HUGE), Datatype.DOUBLE)), "indexedBlock", "" + HUGE);
    assertTells(refused(() -> Datatype.hindexed(longs(1, 1), longs(Long.MIN_VALUE, Long.MAX_VALUE), Datatype.INT)),
        "hindexed", "" + Long.MAX_VALUE, "64 bits");
    assertTells(refused(() -> Datatype.struct(longs(1, 1), longs(0, HUGE), Datatype.INT, wide)), "struct",
        "resized(0, " + HUGE, "64 bits");
    Datatype.Distribution[] block = {Datatype.Distribution.BLOCK};
    assertTells(refused(() -> Datatype.darray(2, 1, longs(HUGE), block, longs(HUGE / 2), new int[] {2},
        Datatype.Order.C, wide)), "darray", "resized(0, " + HUGE, "64 bits");
    Datatype sound = Datatype.vector(2, 1, 3, Datatype.INT);
    assertTells(refused(() -> Datatype.contiguous(2, Datatype.contiguous(HUGE, sound))), "contiguous(" + HUGE,
        "vector(2, 1, 3)");
  }

  @Test
  void moreThanTwoToThe31BlocksAreToldWhateverTheyAreMadeBy() {
    Datatype many = Datatype.vector(1L << 20, 1, 2, Datatype.BYTE);
    assertTells(refused(() -> Datatype.contiguous(1L << 12, many.resized(0, 1L << 22))), "contiguous(4096)",
        "" + (1L << 32));
    assertTells(refused(() -> Datatype.hvector(1L << 12, 1, 1L << 22, many)), "hvector", "" + (1L << 32));
    assertTells(refused(() -> Datatype.struct(longs(1 << 11, 1), longs(0, 1L << 40), many.resized(0, 1L << 22),
        many)), "struct", "" + ((1L << 31) + (1L << 20)));
    MemoryLayout gaps = MemoryLayout.structLayout(ValueLayout.JAVA_BYTE, MemoryLayout.paddingLayout(1));
    assertTells(refused(() -> Datatype.of(MemoryLayout.sequenceLayout(1L << 40, gaps))), "" + (1L << 40),
        "resized(0, 2)");
  }

  @Test
  void aPathThatDoesNotFitItsLayoutNamesWhereItFails() {
    MemoryLayout matrix = MemoryLayout.sequenceLayout(3, MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_BYTE));
    assertTells(refused(() -> Datatype.of(matrix, PathElement.groupElement("x"))), "group", "[3:[4:b1]]");
    assertTells(refused(() -> Datatype.of(matrix, PathElement.sequenceElement(7))), "7", "[3:[4:b1]]");
    assertTells(refused(() -> Datatype.of(matrix, PathElement.sequenceElement(4, 1))), "4", "[3:[4:b1]]");
    MemoryLayout point = MemoryLayout.structLayout(ValueLayout.JAVA_INT.withName("abscissa")).withName("point");
    assertTells(refused(() -> Datatype.of(point, PathElement.groupElement("y"))), "y", "abscissa");
    assertTells(refused(() -> Datatype.of(point, PathElement.sequenceElement())), "point");
    MemoryLayout union = MemoryLayout.unionLayout(ValueLayout.JAVA_INT.withName("whole"), ValueLayout.JAVA_FLOAT);
    MemoryLayout both = MemoryLayout.structLayout(union.withName("either"));
    assertTells(refused(() -> Datatype.of(both, PathElement.groupElement("either"))), "either", "union");
    assertEquals(4, Datatype.of(both, PathElement.groupElement("either"), PathElement.groupElement("whole")).size());
  }

  @Test
  void moreThanTwoToThe31BlocksAreRefusedUnlessTheyTouch() {
    assertTells(refused(() -> Datatype.vector((1L << 31) + 1, 1, 2, Datatype.BYTE)), "vector", "2147483649 blocks");
    assertEquals(1L << 31, Datatype.vector(1L << 31, 1, 2, Datatype.BYTE).size());
    assertEquals(1L << 40, Datatype.contiguous(1L << 40, Datatype.BYTE).size());
  }

  @Test
  void countsBelowZeroAndListsThatDifferAreRefused() {
    assertTells(refused(() -> Datatype.contiguous(-1, Datatype.INT)), "contiguous(-1)", "-1", "0 or more");
    assertTells(refused(() -> Datatype.vector(1, -2, 3, Datatype.INT)), "block length", "-2");
    assertTells(refused(() -> Datatype.indexed(longs(1, -3), longs(0, 1), Datatype.INT)), "block length 1", "-3");
    assertTells(refused(() -> Datatype.indexed(longs(1), longs(0, 1), Datatype.INT)), "1 block lengths", "2 disp");
    assertTells(refused(() -> Datatype.struct(longs(1), longs(0))), "0 datatypes");
    assertTells(refused(() -> Datatype.subarray(longs(4), longs(3), longs(2), Datatype.Order.C, Datatype.INT)),
        "dimension 0", "3 elements from 2");
    assertTells(refused(() -> Datatype.subarray(longs(), longs(), longs(), Datatype.Order.C, Datatype.INT)), "one at");
    MemorySegment memory = MemorySegment.ofArray(new byte[8]);
    assertTells(refused(() -> Datatype.INT.pack(memory, 0, -1, memory, 0)), "-1");
  }

  @Test
  void sharesThatDoNotFitTheirGridAreRefused() {
    Datatype.Distribution[] block = {Datatype.Distribution.BLOCK};
    Datatype.Distribution[] none = {Datatype.Distribution.NONE};
    int[] two = {2};
    assertTells(refused(() -> Datatype.darray(3, 0, longs(8), block, longs(4), two, Datatype.Order.C, Datatype.INT)),
        "[2]", "3");
    assertTells(refused(() -> Datatype.darray(2, 2, longs(8), block, longs(4), two, Datatype.Order.C, Datatype.INT)),
        "rank 2");
    assertTells(refused(() -> Datatype.darray(2, 0, longs(8), block, longs(3), two, Datatype.Order.C, Datatype.INT)),
        "blocks of 3", "8 elements");
    assertTells(refused(() -> Datatype.darray(2, 0, longs(8), none, longs(8), two, Datatype.Order.C, Datatype.INT)),
        "not shared out");
    assertTells(refused(() -> Datatype.darray(2, 0, longs(8), block, longs(0), two, Datatype.Order.C, Datatype.INT)),
        "blocks of 0");
  }

  @Test
  void readOnlyMemoryIsRefusedWhateverTheCore() {
    Datatype type = Datatype.vector(2, 1, 2, Datatype.INT);
    int[] numbers = {1, 2, 3};
    MemorySegment memory = MemorySegment.ofArray(numbers);
    MemorySegment packed = MemorySegment.ofArray(new byte[] {9, 9, 9, 9, 9, 9, 9, 9});
    assertTells(refused(() -> type.unpack(packed, 0, memory.asReadOnly(), 0, 1)), "the elements go to is read-only");
    assertTells(refused(() -> type.unpackCanonical(packed, 0, memory.asReadOnly(), 0, 1)), "read-only");
    assertTells(refused(() -> type.pack(memory, 0, 1, packed.asReadOnly(), 0)), "packed elements go to is read-only");
    assertTells(refused(() -> type.packCanonical(memory, 0, 1, packed.asReadOnly(), 0)), "read-only");
    assertArrayEquals(new int[] {1, 2, 3}, numbers);
    assertEquals(9, packed.get(ValueLayout.JAVA_BYTE, 0));
    assertEquals(8, type.pack(memory.asReadOnly(), 0, 1, packed, 0));
  }

  @Test
  void elementsOutsideTheirMemoryAreRefusedBeforeAnyIsMoved() {
    Datatype type = Datatype.vector(2, 1, 2, Datatype.INT);
    MemorySegment memory = MemorySegment.ofArray(new byte[] {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    MemorySegment packed = MemorySegment.ofArray(new byte[16]);
    Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
    assertTells(refused(outside, () -> type.pack(memory, 1, 1, packed, 0)), "vector", "bytes 1 to 12", "12 bytes");
    assertTells(refused(outside, () -> type.pack(memory, -1, 1, packed, 0)), "bytes -1 to 10");
    assertTells(refused(outside, () -> type.pack(memory, 0, 2, packed, 0)), "2 element(s)", "bytes 0 to 23");
    assertTells(refused(outside, () -> type.pack(memory, 0, 1, packed, 9)), "from byte 9", "16 bytes");
    assertTells(refused(outside, () -> type.unpack(packed, 9, memory, 0, 1)), "from byte 9");
    assertTells(refused(outside, () -> type.unpack(packed, -1, memory, 0, 1)), "from byte -1");
    assertEquals(-1, packed.mismatch(MemorySegment.ofArray(new byte[16])));
    assertEquals(8, type.pack(memory, 0, 1, packed, 8));
    assertEquals(0, type.pack(memory, 100, 0, packed, 16));
  }

  @Test
  void aTypeThatOverlapsItselfIsSentButNotReceived() {
    Datatype twice = Datatype.indexed(longs(2, 2), longs(0, 1), Datatype.INT);
    MemorySegment memory = MemorySegment.ofArray(new byte[64]);
    MemorySegment packed = MemorySegment.ofArray(new byte[64]);
    assertEquals(16, twice.pack(memory, 0, 1, packed, 0));
    for (int i = 0; i < 2; i++) {
      assertTells(refused(() -> twice.unpack(packed, 0, memory, 0, 1)), "indexed", "byte 4 twice");
    }
    Datatype close = Datatype.LONG.resized(0, 4);
    assertEquals(8, close.unpack(packed, 0, memory, 0, 1));
    assertTells(refused(() -> close.unpack(packed, 0, memory, 0, 3)), "3 element(s)", "byte 4 twice");
    assertTells(refused(() -> close.unpack(packed, 0, memory, 0, 2)), "byte 4 twice");
    assertTells(refused(() -> close.unpackCanonical(packed, 0, memory, 0, 2)), "byte 4 twice");
  }

  @Test
  void layoutsThatInterlockAreReceived() {
    Datatype columns = Datatype.vector(100, 1, 100, Datatype.INT).resized(0, 4);
    Datatype strange = Datatype.indexed(longs(1, 1, 1), longs(5, 1, 3), Datatype.INT).resized(0, 8);
    MemorySegment memory = MemorySegment.ofArray(new byte[40_000]);
    MemorySegment packed = MemorySegment.ofArray(new byte[40_000]);
    assertEquals(40_000, columns.unpack(packed, 0, memory, 0, 100));
    assertEquals(24, strange.unpack(packed, 0, memory, 0, 1) * 2);
    assertTells(refused(() -> strange.unpack(packed, 0, memory, 0, 2)), "twice");
  }

  @Test
  void manyBlocksAreLookedAtForOverlapWindowByWindow() {
    int blocks = 3 << 20;
    long[] displacements = LongStream.range(0, blocks).map(i -> 2 * ((i * 7) % blocks)).toArray();
    byte[] memory = new byte[2 * blocks];
    byte[] packed = new byte[blocks];
    Datatype apart = Datatype.indexedBlock(1, displacements, Datatype.BYTE);
    assertEquals(blocks, apart.unpack(MemorySegment.ofArray(packed), 0, MemorySegment.ofArray(memory), 0, 1));
    displacements[5] = displacements[blocks - 5];
    Datatype twice = Datatype.indexedBlock(1, displacements, Datatype.BYTE);
    assertTells(refused(() -> twice.unpack(MemorySegment.ofArray(packed), 0, MemorySegment.ofArray(memory), 0, 1)),
        "byte " + displacements[5] + " twice");
  }

  @Test
  void nullsAreNamed() {
    assertTells(refused(NullPointerException.class, () -> Datatype.contiguous(1, null)), "datatype");
    assertTells(refused(NullPointerException.class, () -> Datatype.indexedBlock(1, null, Datatype.INT)),
        "displacements");
    assertTells(refused(NullPointerException.class, () -> Datatype.of((MemoryLayout) null)), "the layout is null");
    assertTells(refused(NullPointerException.class, () -> Datatype.of(ValueLayout.JAVA_INT, (PathElement[]) null)),
        "the path elements are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.of(ValueLayout.JAVA_INT, (PathElement) null)),
        "path element 0 of 1 is null");
    assertTells(refused(NullPointerException.class, () -> Datatype.struct(longs(1, 1), longs(0, 8), Datatype.INT,
        null)), "datatype 1 of 2 is null");
    assertTells(refused(NullPointerException.class, () -> Datatype.struct(longs(1), longs(0), (Datatype[]) null)),
        "the datatypes are null");
  }

  @Test
  void nullsOfPartsOfArraysAreNamed() {
    long[] one = {1};
    Datatype.Order order = Datatype.Order.C;
    assertTells(refused(NullPointerException.class, () -> Datatype.subarray(null, one, one, order, Datatype.INT)),
        "the sizes are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.subarray(one, null, one, order, Datatype.INT)),
        "the subsizes are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.subarray(one, one, null, order, Datatype.INT)),
        "the starts are null");
    Datatype.Distribution[] block = {Datatype.Distribution.BLOCK};
    int[] process = {1};
    assertTells(refused(NullPointerException.class, () -> Datatype.darray(1, 0, null, block, one, process, order,
        Datatype.INT)), "the sizes are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.darray(1, 0, one, null, one, process, order,
        Datatype.INT)), "the distributions are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.darray(1, 0, one, new Datatype.Distribution[1], one,
        process, order, Datatype.INT)), "distribution 0 of 1 is null");
    assertTells(refused(NullPointerException.class, () -> Datatype.darray(1, 0, one, block, null, process, order,
        Datatype.INT)), "the block lengths are null");
    assertTells(refused(NullPointerException.class, () -> Datatype.darray(1, 0, one, block, one, null, order,
        Datatype.INT)), "the numbers of processes are null");
  }

  @Test
  void packingIntoNothingIsRefused() {
    assertTells(refused(NullPointerException.class, () -> Datatype.INT.pack(null, 0, 1, null, 0)), "null");
  }
}
