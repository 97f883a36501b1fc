package io.adrastea.payload;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.core.Cores;
import io.adrastea.datatype.Element;
import io.adrastea.datatype.Form;
import io.adrastea.datatype.Program;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Payloads of every kind against a plain copy of their bytes. */
class PayloadTest {
  private static final int AROUND = 7; // bytes before and behind each entry that are not the payload's
  private static final byte OTHER = 0x55;

  /** A payload and where each of its bytes lies. */
  private record Given(String name, Payload payload, List<MemorySegment> memories, List<int[]> places) {
    @Override
    public String toString() {
      return name;
    }

    byte at(int position) {
      int[] place = places.get(position);
      return memories.get(place[0]).get(ValueLayout.JAVA_BYTE, place[1]);
    }

    byte[] bytes() {
      byte[] all = new byte[places.size()];
      for (int i = 0; i < all.length; i++) {
        all[i] = at(i);
      }
      return all;
    }

    void fill(int seed) {
      for (int i = 0; i < places.size(); i++) {
        memories.get(places.get(i)[0]).set(ValueLayout.JAVA_BYTE, places.get(i)[1], (byte) (i * 31 + seed));
      }
    }

    /** What lies around the payload's bytes is as it was. */
    void assertRestUntouched() {
      boolean[][] own = memories.stream().map(it -> new boolean[(int) it.byteSize()]).toArray(boolean[][]::new);
      places.forEach(place -> own[place[0]][place[1]] = true);
      for (int memory = 0; memory < own.length; memory++) {
        for (int i = 0; i < own[memory].length; i++) {
          if (!own[memory][i]) {
            assertEquals(OTHER, memories.get(memory).get(ValueLayout.JAVA_BYTE, i), "byte %d beside it".formatted(i));
          }
        }
      }
    }
  }

  private static Cursor cursor(Payload payload) {
    Cursor cursor = new Cursor();
    cursor.begin(payload.bytes());
    return cursor;
  }

  private static MemorySegment memory(int kind, int bytes) {
    MemorySegment memory = switch (kind % 3) {
      case 0 -> MemorySegment.ofArray(new byte[bytes]);
      case 1 -> MemorySegment.ofArray(new double[(bytes + 15) / 8]).asSlice(8, bytes);
      default -> Arena.ofAuto().allocate(bytes);
    };
    return memory.fill(OTHER);
  }

  /** Entries of these lengths. */
  private static Given vector(String name, int... lengths) {
    IoEntries entries = new IoEntries(0);
    List<MemorySegment> memories = new ArrayList<>();
    List<int[]> places = new ArrayList<>();
    for (int length : lengths) {
      int index = memories.size();
      memories.add(memory(index, length + 2 * AROUND));
      entries.add(memories.get(index), AROUND, length);
      IntStream.range(AROUND, AROUND + length).forEach(at -> places.add(new int[] {index, at}));
    }
    return new Given(name, entries, memories, places);
  }

  private static Given contiguous(String name, int kind, int length) {
    MemorySegment memory = memory(kind, length + 2 * AROUND);
    List<int[]> places = IntStream.range(AROUND, AROUND + length).mapToObj(at -> new int[] {0, at}).toList();
    return new Given(name, new Contiguous().set(memory, AROUND, length), List.of(memory), places);
  }

  /** Elements of some blocks each, at some distance from each other, of either sign. */
  private static Given typed(String core, int kind, int elements, int blocks, int size, int stride, int extent) {
    Form form = Form.of(Element.BYTE, ByteOrder.nativeOrder()).repeat(size).repeat(blocks, stride).resized(0, extent);
    int low = Math.min(0, stride * (blocks - 1));
    int high = Math.max(0, stride * (blocks - 1)) + size + extent * (elements - 1);
    MemorySegment memory = memory(kind, high - low + 2 * AROUND);
    List<int[]> places = new ArrayList<>();
    for (int i = 0; i < elements * blocks * size; i++) {
      int place = i / size / blocks * extent + i / size % blocks * stride + i % size;
      places.add(new int[] {0, AROUND - low + place});
    }
    Program program = Program.of(form.flat(), form.bounds());
    Payload payload =
        new Typed(Cores.choose(core).spaces(), form.signature(), program, memory, AROUND - low, elements);
    String name =
        "%d elements of %d blocks of %d bytes, %d apart, by %s".formatted(elements, blocks, size, stride, core);
    return new Given(name, payload, List.of(memory), places);
  }

  private static Stream<Given> typed(String core) {
    return Stream.of(typed(core, 0, 1, 9, 3, 5, 43), typed(core, 1, 4, 2, 8, 24, 50), typed(core, 2, 3, 5, 1, -2, 11),
        typed(core, 0, 7, 1, 6, 0, 9), typed(core, 2, 3, 7, 16, 40, 300));
  }

  private static int[] random(long seed) {
    Random random = new Random(seed);
    return random.ints(1 + random.nextInt(20), 0, 40).map(length -> Math.max(0, length - 10)).toArray();
  }

  static Stream<Given> givens() {
    return Stream.concat(
        Stream.of(
            contiguous("an array", 0, 100),
            contiguous("a part of a wide array", 1, 33),
            contiguous("native memory", 2, 257),
            contiguous("no bytes", 0, 0),
            vector("no entries"),
            vector("empty entries alone", 0, 0, 0),
            vector("empty entries before, between and behind", 0, 0, 5, 0, 1, 0, 0, 40, 0),
            vector("entries of a byte", 1, 1, 1, 1, 1, 1, 1),
            vector("one entry", 64)),
        Stream.concat(
            Stream.of("auto", "java").flatMap(PayloadTest::typed),
            IntStream.range(0, 30).mapToObj(seed -> vector("entries by seed " + seed, random(seed)))));
  }

  static Stream<Given> filled() {
    return givens().filter(given -> given.payload.bytes() > 0);
  }

  @ParameterizedTest
  @MethodSource("givens")
  void tellsItsBytesAndItsMemory(Given given) {
    assertEquals(given.places.size(), given.payload.bytes());
    assertEquals(given.memories.size(), given.payload.memories());
    for (int i = 0; i < given.memories.size(); i++) {
      assertSame(given.memories.get(i), given.payload.memory(i));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> given.payload.memory(given.memories.size()));
  }

  /** Seeks from every byte to every other one, there and back. */
  @ParameterizedTest
  @MethodSource("filled")
  void showsTheStretchAtEveryByteThatIsSought(Given given) {
    given.fill(1);
    Cursor cursor = cursor(given.payload);
    Stretch stretch = new Stretch();
    int bytes = given.places.size();
    for (int from = 0; from < bytes; from += 1 + from / 16) {
      for (int to = 0; to < bytes; to++) {
        given.payload.seek(cursor, from);
        given.payload.seek(cursor, to);
        given.payload.stretch(cursor, stretch);
        assertEquals(to, cursor.position());
        assertEquals(bytes - to, cursor.left());
        assertEquals(given.at(to), stretch.memory().get(ValueLayout.JAVA_BYTE, stretch.offset()), "byte " + to);
        int last = to + (int) stretch.bytes() - 1;
        assertTrue(stretch.bytes() > 0 && last < bytes, stretch.bytes() + " bytes from byte " + to);
        assertEquals(given.at(last), stretch.memory().get(ValueLayout.JAVA_BYTE, stretch.offset() + last - to));
        assertTrue(last == bytes - 1 || given.places.get(last)[0] != given.places.get(last + 1)[0]
            || given.places.get(last)[1] + 1 != given.places.get(last + 1)[1],
            "the stretch from byte %d ends too early".formatted(to));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("givens")
  void isPackedInOddPieces(Given given) {
    given.fill(2);
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      MemorySegment to = memory(seed, given.places.size() + AROUND);
      Cursor cursor = cursor(given.payload);
      for (long left = cursor.left(); left > 0; left = cursor.left()) {
        long piece = Math.min(left, random.nextInt(20));
        given.payload.pack(cursor, to, cursor.position(), piece);
        assertEquals(left - piece, cursor.left());
      }
      assertEquals(-1, to.asSlice(0, given.places.size()).mismatch(MemorySegment.ofArray(given.bytes())));
      assertEquals(OTHER, to.get(ValueLayout.JAVA_BYTE, given.places.size()), "the byte behind them");
    }
  }

  @ParameterizedTest
  @MethodSource("givens")
  void isUnpackedInOddPiecesAndNothingBesideIt(Given given) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      byte[] wanted = new byte[given.places.size()];
      random.nextBytes(wanted);
      MemorySegment from = memory(seed, wanted.length);
      from.copyFrom(MemorySegment.ofArray(wanted));
      Cursor cursor = cursor(given.payload);
      while (cursor.left() > 0) {
        long piece = Math.min(cursor.left(), random.nextInt(20));
        given.payload.unpack(cursor, from, cursor.position(), piece);
      }
      assertArrayEquals(wanted, given.bytes());
      given.assertRestUntouched();
    }
  }

  /** Packs as two ends of a split message do, and a transfer that goes on another way. */
  @ParameterizedTest
  @MethodSource("filled")
  void isPackedFromAnyByteToAnyOther(Given given) {
    given.fill(3);
    byte[] bytes = given.bytes();
    Cursor cursor = cursor(given.payload);
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int from = random.nextInt(bytes.length);
      int length = random.nextInt(bytes.length - from + 1);
      byte[] to = new byte[length];
      given.payload.seek(cursor, from);
      given.payload.pack(cursor, MemorySegment.ofArray(to), 0, length);
      assertArrayEquals(Arrays.copyOfRange(bytes, from, from + length), to);
      assertEquals(from + length, cursor.position());
    }
  }

  /** The sender's entries are not the receiver's, and the cells between them are neither's. */
  @Test
  void movesFromOneShapeToAnother() {
    List<Given> all = filled().toList();
    for (Given from : all) {
      for (Given to : all) {
        from.fill(4);
        int bytes = Math.min(from.places.size(), to.places.size());
        MemorySegment cell = memory(bytes, 11);
        Cursor sent = cursor(from.payload);
        Cursor received = cursor(to.payload);
        while (sent.position() < bytes) {
          long piece = Math.min(11, bytes - sent.position());
          from.payload.pack(sent, cell, 0, piece);
          to.payload.unpack(received, cell, 0, piece);
        }
        assertArrayEquals(Arrays.copyOf(from.bytes(), bytes), Arrays.copyOf(to.bytes(), bytes));
        to.assertRestUntouched();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("filled")
  void servesSeveralCursorsAtATime(Given given) {
    given.fill(5);
    byte[] bytes = given.bytes();
    byte[] first = new byte[bytes.length];
    byte[] second = new byte[bytes.length];
    Cursor one = cursor(given.payload);
    Cursor two = cursor(given.payload);
    while (one.left() > 0) {
      given.payload.pack(one, MemorySegment.ofArray(first), one.position(), Math.min(3, one.left()));
      given.payload.pack(two, MemorySegment.ofArray(second), two.position(), Math.min(2, two.left()));
    }
    given.payload.pack(two, MemorySegment.ofArray(second), two.position(), two.left());
    assertArrayEquals(bytes, first);
    assertArrayEquals(bytes, second);
  }

  @ParameterizedTest
  @MethodSource("givens")
  void refusesWhatLiesBehindItsEnd(Given given) {
    Payload payload = given.payload;
    long bytes = payload.bytes();
    Cursor cursor = cursor(payload);
    MemorySegment other = MemorySegment.ofArray(new byte[1000]);
    assertThrows(IndexOutOfBoundsException.class, () -> payload.seek(cursor, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.seek(cursor, bytes + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.pack(cursor, other, 0, bytes + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.unpack(cursor, other, 0, bytes + 1));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.pack(cursor, other, 0, -1));
    assertEquals(0, cursor.position());
    given.assertRestUntouched();
    payload.seek(cursor, bytes);
    assertEquals(0, cursor.left());
    payload.pack(cursor, other, 0, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> payload.stretch(cursor, new Stretch()));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.pack(cursor, other, 0, 1));
  }

  @Test
  void anArenaThatIsClosedInTheMiddleIsToldWhereItsBytesBegin() {
    Arena arena = Arena.ofShared();
    IoEntries entries = new IoEntries(2);
    entries.add(MemorySegment.ofArray(new byte[] {1, 2, 3}), 0, 3);
    entries.add(arena.allocate(5), 0, 5);
    Cursor cursor = cursor(entries);
    byte[] to = new byte[8];
    entries.pack(cursor, MemorySegment.ofArray(to), 0, 2);
    arena.close();
    entries.pack(cursor, MemorySegment.ofArray(to), 2, 1);
    assertThrows(IllegalStateException.class, () -> entries.pack(cursor, MemorySegment.ofArray(to), 3, 5));
    assertThrows(IllegalStateException.class, () -> entries.unpack(cursor, MemorySegment.ofArray(to), 3, 5));
    assertArrayEquals(new byte[] {1, 2, 3, 0, 0, 0, 0, 0}, to);
  }
}
