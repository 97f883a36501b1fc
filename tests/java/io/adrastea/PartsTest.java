package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.comm.Parts;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Data that consists of parts: where each lies, and that all of them go as one payload. */
@EverySharedCoreList
class PartsTest {
  private static final Class<IllegalArgumentException> ILLEGAL = IllegalArgumentException.class;

  @Parameter
  String cores;

  @Test
  void partsOfAWholeAreToldByTheirElements() {
    Data whole = Data.of(new long[10]);
    Parts parts = parts(Data.parts(whole, new int[] {3, 0, 1}, new int[] {1, 10, 9}));
    assertEquals(3, parts.count());
    assertArrayEquals(new long[] {24, 0, 8}, new long[] {parts.bytes(0), parts.bytes(1), parts.bytes(2)});
    assertArrayEquals(new long[] {8, 80, 72}, new long[] {parts.at(0), parts.at(1), parts.at(2)});
    assertEquals("1 long elements from 9", parts.part(2).toString());
    assertEquals("3 parts of 10 long elements from 0",
        Data.parts(whole, new long[3], new long[3]).toString());
    parts.requireApart("test", false);
    assertNull(parts(whole));
    assertEquals(0, parts(Data.parts(Data.of(new byte[0]), new int[2], new int[2])).bytes(1));
  }

  @Test
  void aPartWithoutElementsIsAnywhere() throws Exception {
    Data whole = Data.of(new long[4]);
    Parts parts = parts(Data.parts(whole, new long[] {2, 0, 0, 2, 0}, new long[] {2, 5, Long.MAX_VALUE, 0, -7}));
    assertArrayEquals(new long[] {16, 32, 32, 0, 0}, LongStream.range(0, 5).map(i -> parts.at((int) i)).toArray());
    assertEquals(0, parts.part(2).bytes());
    parts.requireApart("test", false);
    assertEquals(32, parts.joined().bytes());
    Data none = Data.of(new byte[20], 0, 2, Datatype.vector(2, 1, 3, Datatype.SHORT));
    assertEquals(0, parts(Data.parts(none, new int[1], new int[] {99})).part(0).bytes());
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int[] counts = {0, 3};
      int[] starts = {1000, 0};
      long[] all = new long[3];
      world.allgather(Data.of(new long[] {7, 8, 9}, 0, counts[world.rank()]),
          Data.parts(Data.of(all), counts, starts));
      assertArrayEquals(new long[] {7, 8, 9}, all);
    });
  }

  @Test
  void arraysLongerThanTheGroupAreReadAsFarAsItGoes() throws Exception {
    Data whole = Data.of(new long[10]);
    int[] counts = {3, 1, -5};
    int[] displacements = {1, 9, 77, 78};
    Parts parts = parts(Data.parts(whole, 2, counts, displacements));
    assertEquals("2 parts of 10 long elements from 0", parts.toString());
    assertArrayEquals(new long[] {24, 8, 8, 72},
        new long[] {parts.bytes(0), parts.bytes(1), parts.at(0), parts.at(1)});
    assertEquals(0, parts(Data.parts(whole, 0, new long[3], new long[0])).count());
    refuses(ILLEGAL, "4 parts, of which there are 3 counts and 4 displacements",
        () -> Data.parts(whole, 4, counts, displacements));
    refuses(ILLEGAL, "-1 parts", () -> Data.parts(whole, -1, counts, displacements));
    refuses(IndexOutOfBoundsException.class, "part 2, of -5 elements from 77 on",
        () -> Data.parts(whole, 3, counts, displacements));
    refuses(NullPointerException.class, "the counts are null", () -> Data.parts(whole, 1, (int[]) null, counts));
    refuses(NullPointerException.class, "the displacements are null", () -> Data.parts(whole, 1, new long[1], null));
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      long[] all = new long[2];
      world.allgather(Data.of(new long[] {world.rank() + 5}),
          Data.parts(Data.of(all), world.size(), new int[] {1, 1, 1}, new int[] {1, 0, 0}));
      assertArrayEquals(new long[] {6, 5}, all);
    });
  }

  @Test
  void partsOfDifferentKindsFollowEachOther() {
    Parts parts = parts(Data.parts(Data.of(new int[3]), Data.of(new byte[0]), Data.of(new double[2])));
    assertArrayEquals(new long[] {0, 12, 12}, new long[] {parts.at(0), parts.at(1), parts.at(2)});
    assertEquals(28, parts.whole().bytes());
    assertNull(parts.whole().type());
    assertEquals(Datatype.INT.map(), parts(Data.parts(Data.of(new int[3]), Data.of(new int[1]))).whole().type());
    assertEquals(Datatype.INT.map(), parts(Data.parts(Data.EMPTY, Data.of(new int[3]), Data.EMPTY)).whole().type());
    parts.requireApart("test", false);
    assertEquals(0, parts(Data.parts()).count());
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    Data whole = Data.of(new long[10]);
    int[] two = new int[2];
    refuses(NullPointerException.class, "the data is null", () -> Data.parts(null, two, two));
    refuses(NullPointerException.class, "the counts are null", () -> Data.parts(whole, null, two));
    refuses(NullPointerException.class, "the displacements are null", () -> Data.parts(whole, new long[2], null));
    refuses(NullPointerException.class, "the data is null", () -> Data.parts(whole, null));
    refuses(ILLEGAL, "2 counts and 1 displacements of parts", () -> Data.parts(whole, two, new int[1]));
    Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
    refuses(outside, "part 1, of 3 elements from 8 on, does not lie in 10 long elements from 0; both are to be",
        () -> Data.parts(whole, new int[] {1, 3}, new int[] {0, 8}));
    refuses(outside, "part 0, of -1 elements", () -> Data.parts(whole, new int[] {-1, 3}, two));
    refuses(outside, "part 0, of 1 elements from 9223372036854775807 on",
        () -> Data.parts(whole, new long[] {1}, new long[] {Long.MAX_VALUE}));
    Data parts = Data.parts(whole, two, two);
    refuses(ILLEGAL, "2 parts of 10 long elements from 0 as a part, or to be cut in parts",
        () -> Data.parts(parts, two, two));
    refuses(ILLEGAL, "Data.IN_PLACE as a part", () -> Data.parts(whole, Data.IN_PLACE));
    refuses(ILLEGAL, "test with 2 parts, and 3 ranks; there is to be one for each",
        () -> parts(parts).requireCount("test", 3, "ranks"));
    refuses(ILLEGAL, "part 1 overlaps another one",
        () -> parts(Data.parts(whole, new int[] {2, 2, 1}, new int[] {4, 5, 0})).requireApart("test", false));
    MemorySegment memory = Arena.ofAuto().allocate(16);
    parts(Data.parts(Data.of(memory, 0, 8), Data.of(memory, 8, 8))).requireApart("test", false);
    refuses(ILLEGAL, "part 1 overlaps another one",
        () -> parts(Data.parts(Data.of(memory, 0, 9), Data.of(memory, 8, 8))).requireApart("test", false));
    refuses(ILLEGAL, "read-only",
        () -> parts(Data.parts(whole, Data.of(memory.asReadOnly()))).requireApart("test", false));
    Ranks.run(cores, 1, job -> {
      String said = "Data.parts is not one piece of data: only collectives take it";
      refuses(ILLEGAL, said, () -> job.world().send(parts, 0, 1));
      refuses(ILLEGAL, said, () -> job.world().irecv(parts, 0, 1));
      refuses(ILLEGAL, said, () -> job.world().bcast(parts, 0));
      refuses(ILLEGAL, said, () -> job.world().allgather(parts, Data.of(new long[10])));
    });
  }

  /** Packed and unpacked from any position on, in pieces of any length. */
  @Test
  void partsThatLieAnywhereAreOnePayload() throws Exception {
    Ranks.run(cores, 1, job -> {
      SplittableRandom random = new SplittableRandom(7);
      for (int round = 0; round < 100; round++) {
        Data[] each = new Data[random.nextInt(6)];
        for (int i = 0; i < each.length; i++) {
          each[i] = any(random);
        }
        Payload all = parts(Data.parts(each)).whole().payload(job.world().engine().spaces());
        byte[] expected = new byte[(int) all.bytes()];
        random.nextBytes(expected);
        Cursor cursor = new Cursor();
        cursor.begin(all.bytes());
        for (int at = 0; at < expected.length;) {
          int length = Math.min(expected.length - at, 1 + random.nextInt(40));
          all.unpack(cursor, MemorySegment.ofArray(expected), at, length);
          at += length;
        }
        assertEquals(all.bytes(), cursor.position());
        for (int look = 0; look < 20 && expected.length > 0; look++) {
          int from = random.nextInt(expected.length);
          int length = random.nextInt(expected.length - from + 1);
          byte[] packed = new byte[length];
          all.seek(cursor, from);
          all.pack(cursor, MemorySegment.ofArray(packed), 0, length);
          assertArrayEquals(Arrays.copyOfRange(expected, from, from + length), packed);
        }
        assertArrayEquals(expected, byStretches(all, cursor));
      }
    });
  }

  private static byte[] byStretches(Payload all, Cursor cursor) {
    ByteBuffer got = ByteBuffer.allocate((int) all.bytes());
    Stretch stretch = new Stretch();
    cursor.begin(all.bytes());
    while (cursor.left() > 0) {
      all.stretch(cursor, stretch);
      assertTrue(stretch.bytes() > 0);
      MemorySegment here = stretch.memory().asSlice(stretch.offset(), stretch.bytes());
      got.put(here.asByteBuffer());
      all.seek(cursor, cursor.position() + stretch.bytes());
    }
    return got.array();
  }

  private static Data any(SplittableRandom random) {
    int count = random.nextInt(20);
    return switch (random.nextInt(4)) {
      case 0 -> Data.of(Arena.ofAuto().allocate(count + 1), 1, count);
      case 1 -> Data.of(new byte[3 * count + 8], 0, count, Datatype.BYTE.resized(0, 3));
      case 2 -> Data.of(new IoVector().add(MemorySegment.ofArray(new byte[count])).add(Data.of(new byte[5], 1, 2)));
      default -> Data.of(new byte[count]);
    };
  }

  private static Parts parts(Data data) {
    return Parts.in(data.placement());
  }
}
