package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.NaiveType;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Datatypes that are placed on memory and arrays, without any rank: what they show, and what is refused. */
class TypedDataTest {
  private static final long HUGE = 1L << 61;
  private static final Datatype THIRDS = Datatype.vector(4, 1, 3, Datatype.DOUBLE);

  private final List<Spaces> cores = Cores.all().stream()
      .filter(core -> core.unavailabilityCause().isEmpty())
      .map(CoreProvider::spaces)
      .toList();

  private static void refuses(Class<? extends RuntimeException> expected, Runnable action, String... words) {
    String message = assertThrows(expected, action::run).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), () -> "'" + word + "' is not in: " + message);
    }
  }

  private static void shows(Data data, long count, long bytes, String words) {
    assertEquals(count, data.count());
    assertEquals(bytes, data.bytes());
    assertEquals(words, data.toString());
  }

  @Test
  void areCountedInElements() {
    double[] array = new double[25];
    Data data = Data.of(array, 2, 2, THIRDS);
    shows(data, 2, 64, "2 vector(4, 1, 3) from byte 16");
    shows(data.part(1, 1), 1, 32, "1 vector(4, 1, 3) from byte 96");
    shows(data.part(2, 0), 0, 0, "0 vector(4, 1, 3) from byte 176");
    refuses(IndexOutOfBoundsException.class, () -> data.part(1, 2), "1", "2");
    shows(Data.of(array, 0, 7, Datatype.contiguous(0, Datatype.DOUBLE)), 7, 0, "7 contiguous(0) from byte 0");
  }

  @Test
  void areContiguousWhereTheirTypeHasNoGaps() {
    int[] array = new int[24];
    Data rows = Data.of(array, 4, 3, Datatype.contiguous(4, Datatype.INT));
    assertFalse(rows.isScattered());
    shows(rows, 3, 48, "3 contiguous(4) from byte 16");
    shows(rows.part(1, 2), 2, 32, "2 contiguous(4) from byte 32");
    Datatype row = Datatype.subarray(new long[] {4, 6}, new long[] {1, 6}, new long[] {2, 0}, Datatype.Order.C,
        Datatype.INT);
    Data one = Data.of(array, 0, 1, row);
    assertFalse(one.isScattered());
    assertEquals(48, one.offset());
    assertEquals(1, one.count());
    assertTrue(Data.of(array, 0, 1, Datatype.vector(2, 1, 2, Datatype.INT)).isScattered());
    assertTrue(Data.of(array, 0, 1, Datatype.indexedBlock(1, new long[] {1, 0}, Datatype.INT)).isScattered());
  }

  @Test
  void arraysOfEachKindTakeTheirOwnElementsAndBytes() {
    Datatype bytes = Datatype.hvector(3, 1, 2, Datatype.BYTE);
    assertEquals(3, Data.of(new byte[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new short[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new char[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new int[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new long[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new float[8], 0, 1, bytes).bytes());
    assertEquals(3, Data.of(new double[8], 0, 1, bytes).bytes());
    assertEquals(4, Data.of(new short[8], 2, 1, Datatype.vector(2, 1, 2, Datatype.SHORT)).bytes());
    assertEquals(4, Data.of(new char[8], 2, 1, Datatype.vector(2, 1, 2, Datatype.CHAR)).bytes());
    assertEquals(8, Data.of(new int[8], 2, 1, Datatype.vector(2, 1, 2, Datatype.INT)).bytes());
    assertEquals(8, Data.of(new float[8], 2, 1, Datatype.vector(2, 1, 2, Datatype.FLOAT)).bytes());
    assertEquals(16, Data.of(new long[8], 2, 1, Datatype.vector(2, 1, 2, Datatype.LONG)).bytes());
    assertEquals(12, Data.of(new byte[16], 0, 1, Datatype.DOUBLE_INT).bytes());
    assertEquals(48, Data.of(new double[8], 2, 3, Datatype.DOUBLE_COMPLEX).bytes());
    assertEquals(24, Data.of(new float[8], 2, 3, Datatype.FLOAT_COMPLEX).bytes());
  }

  @Test
  void anArrayOfOtherElementsNamesThemAndWhereTheyAre() {
    Datatype inner = Datatype.vector(2, 1, 2, Datatype.INT);
    Datatype mixed = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.DOUBLE, inner);
    refuses(IllegalArgumentException.class, () -> Data.of(new double[8], 0, 1, mixed), "struct([1, 1], [0, 8])", "INT",
        "array of double", "DOUBLE and of BYTE");
    refuses(IllegalArgumentException.class, () -> Data.of(new float[8], 0, 1, inner), "vector(2, 1, 2)", "INT",
        "array of float");
    refuses(IllegalArgumentException.class, () -> Data.of(new long[8], 0, 1, Datatype.LONG_INT), "LONG_INT",
        "array of long");
    refuses(IllegalArgumentException.class, () -> Data.of(new int[8], 0, 1, Datatype.of(MemoryLayout.structLayout(
        ValueLayout.JAVA_FLOAT))), "FLOAT", "array of int");
  }

  @Test
  void whatLiesOutsideIsNamedWithItsTrueExtent() {
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    refuses(IndexOutOfBoundsException.class, () -> Data.of(memory, 24, 1, THIRDS), "vector(4, 1, 3)",
        "bytes 24 to 103", "100 bytes");
    refuses(IndexOutOfBoundsException.class, () -> Data.of(memory, 7, 1, Datatype.vector(2, 1, -1, Datatype.DOUBLE)),
        "vector(2, 1, -1)", "bytes -1 to 14");
    refuses(IndexOutOfBoundsException.class, () -> Data.of(new double[10], 1, 1, THIRDS), "vector(4, 1, 3)",
        "bytes 8 to 87", "80 bytes");
    refuses(IndexOutOfBoundsException.class, () -> Data.of(new double[10], 11, 0, THIRDS), "11", "10");
    refuses(IndexOutOfBoundsException.class, () -> Data.of(new double[10], -1, 0, THIRDS), "-1");
    assertEquals(80, Data.of(memory, 0, 10, Datatype.DOUBLE).bytes());
    assertEquals(32, Data.of(memory, 20, 1, THIRDS).bytes());
  }

  @Test
  void countsThatCannotBeAreRefused() {
    MemorySegment memory = MemorySegment.ofArray(new byte[100]);
    refuses(IllegalArgumentException.class, () -> Data.of(memory, 0, -1, THIRDS), "vector(4, 1, 3)", "-1");
    refuses(IllegalArgumentException.class, () -> Data.of(memory, 0, HUGE, THIRDS), "vector(4, 1, 3)", "" + HUGE);
    refuses(IllegalArgumentException.class, () -> Data.of(memory, Long.MAX_VALUE, 1, THIRDS), "vector(4, 1, 3)",
        "" + Long.MAX_VALUE);
    refuses(NullPointerException.class, () -> Data.of(memory, 0, 1, null), "datatype");
    refuses(NullPointerException.class, () -> Data.of((MemorySegment) null, 0, 1, THIRDS), "buffer");
    refuses(NullPointerException.class, () -> Data.of((double[]) null, 0, 1, THIRDS), "array");
  }

  @Test
  void areEntriesOfAVectorBlockByBlock() {
    double[] array = new double[25];
    IoVector vector = new IoVector().add(Data.of(array, 2, 2, THIRDS));
    assertEquals(8, vector.size());
    assertEquals(64, vector.bytes());
    refuses(IllegalArgumentException.class, () -> vector.set(0, Data.of(array, 2, 2, THIRDS)),
        "one entry is contiguous");
  }

  /** Wherever a cursor goes, the stretches from there on are those that the type map tells. */
  @Test
  void theirStretchesAreTheBytesOfTheTypeMap() {
    for (int seed = 0; seed < 600; seed++) {
      Random random = new Random(seed);
      NaiveType type = NaiveType.random(random, seed % 5);
      long count = random.nextInt(4);
      long[] places = type.bytes(count);
      long low = Arrays.stream(places).min().orElse(0);
      long high = Arrays.stream(places).max().orElse(0) + 1;
      byte[] memory = new byte[(int) (high - low)];
      random.nextBytes(memory);
      Data typed = Data.of(MemorySegment.ofArray(memory), -low, count, type.of());
      if (typed.isScattered()) {
        byte[] packed = new byte[places.length];
        for (int i = 0; i < places.length; i++) {
          packed[i] = memory[(int) (places[i] - low)];
        }
        for (Spaces spaces : cores) {
          assertGoes(typed.placement().payload(spaces), packed, random);
        }
      }
    }
  }

  private static void assertGoes(Payload payload, byte[] packed, Random random) {
    Cursor cursor = new Cursor();
    Stretch stretch = new Stretch();
    byte[] found = new byte[packed.length];
    MemorySegment to = MemorySegment.ofArray(found);
    cursor.begin(payload.bytes());
    while (cursor.left() > 0) {
      int at = (int) cursor.position();
      if (random.nextBoolean()) {
        payload.stretch(cursor, stretch);
        int some = (int) (random.nextBoolean() ? stretch.bytes() : 1 + random.nextInt((int) stretch.bytes()));
        MemorySegment.copy(stretch.memory(), stretch.offset(), to, at, some);
        payload.seek(cursor, at + some);
      } else {
        payload.pack(cursor, to, at, 1 + random.nextInt((int) cursor.left()));
      }
      if (random.nextInt(4) == 0) {
        long there = cursor.position();
        payload.seek(cursor, random.nextInt(packed.length + 1));
        payload.seek(cursor, there);
      }
    }
    assertArrayEquals(packed, found);
    assertThrows(IndexOutOfBoundsException.class, () -> payload.stretch(cursor, stretch));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.seek(cursor, packed.length + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.pack(cursor, to, 0, 1));
  }

  @Test
  void statusesCountWholeElementsAndBasicOnes() {
    Datatype pair = Datatype.struct(new long[] {1, 2}, new long[] {0, 8}, Datatype.DOUBLE, Datatype.INT);
    assertEquals(2, new Status(0, 0, 32, false).count(pair));
    assertEquals(6, new Status(0, 0, 32, false).elements(pair));
    assertEquals(Communicator.UNDEFINED, new Status(0, 0, 28, false).count(pair));
    assertEquals(5, new Status(0, 0, 28, false).elements(pair));
    assertEquals(4, new Status(0, 0, 24, false).elements(pair));
    assertEquals(Communicator.UNDEFINED, new Status(0, 0, 26, false).elements(pair));
    assertEquals(0, new Status(0, 0, 0, false).count(pair));
    Datatype nothing = Datatype.contiguous(0, Datatype.INT);
    assertEquals(0, new Status(0, 0, 0, false).count(nothing));
    assertEquals(Communicator.UNDEFINED, new Status(0, 0, 4, false).count(nothing));
    assertEquals(Communicator.UNDEFINED, new Status(0, 0, 4, false).elements(nothing));
    refuses(NullPointerException.class, () -> new Status(0, 0, 4, false).count(null), "datatype");
  }

  @Test
  void statusesCountBasicElementsOfEveryTree() {
    for (int seed = 0; seed < 300; seed++) {
      NaiveType type = NaiveType.random(new Random(seed), seed % 5);
      long[] ends = new long[3 * type.map().size() + 1];
      for (int i = 1; i < ends.length; i++) {
        ends[i] = ends[i - 1] + type.map().get((i - 1) % type.map().size()).bytes();
      }
      for (long bytes = 0; bytes <= ends[ends.length - 1]; bytes++) {
        int whole = Arrays.binarySearch(ends, bytes);
        Status status = new Status(0, 0, bytes, false);
        assertEquals(whole < 0 ? Communicator.UNDEFINED : whole, status.elements(type.of()));
        assertEquals(type.size() == 0 ? 0 : bytes % type.size() == 0 ? bytes / type.size() : Communicator.UNDEFINED,
            status.count(type.of()));
      }
    }
  }
}
