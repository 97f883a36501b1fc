package io.adrastea;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import io.adrastea.payload.Booleans;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Stretch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A boolean[], which no segment shows, goes wherever data goes. */
@EveryCoreList
class BooleansTest {
  private static final int TAG = 4;
  private static final int[] LENGTHS = {0, 1, 8, 100, Ranks.CELL_BYTES + 1, 3 * Ranks.ALL_CELLS};

  @Parameter
  String cores;

  private static boolean[] drawn(int length, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean[] array = new boolean[length];
    for (int i = 0; i < length; i++) {
      array[i] = random.nextBoolean();
    }
    return array;
  }

  private static byte[] bytes(boolean... array) {
    byte[] bytes = new byte[array.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (array[i] ? 1 : 0);
    }
    return bytes;
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void areSentAndReceivedAtAnyLength(LongMessages way) throws Exception {
    way.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int other = 1 - world.rank();
      for (int length : LENGTHS) {
        boolean[] sent = drawn(length + 3, 7 * length + world.rank());
        boolean[] kept = sent.clone();
        boolean[] got = drawn(length + 5, 1);
        Request mine = world.isend(Data.of(sent, 2, length), other, TAG);
        Status status = world.recv(Data.of(got, 1, length + 2), other, TAG); // more room than there are
        mine.await();
        assertEquals(length, status.count(Datatype.BOOLEAN));
        assertArrayEquals(kept, sent);
        boolean[] expected = drawn(length + 5, 1);
        System.arraycopy(drawn(length + 3, 7 * length + other), 2, expected, 1, length);
        assertArrayEquals(expected, got);
      }
    });
  }

  @Test
  void areBytesAtTheOtherEnd() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      for (int length : LENGTHS) {
        boolean[] array = drawn(length, length);
        byte[] got = new byte[length];
        Request receive = world.irecv(Data.of(got), 0, TAG);
        world.send(Data.of(array), 0, TAG);
        receive.await();
        assertArrayEquals(bytes(array), got);
        boolean[] back = new boolean[length];
        receive = world.irecv(Data.of(back), 0, TAG);
        world.send(Data.of(got), 0, TAG);
        receive.await();
        assertArrayEquals(array, back);
      }
      boolean[] few = new boolean[2];
      Request receive = world.irecv(Data.of(few), 0, TAG);
      world.send(Data.of(new byte[] {0, -3, 1}), 0, TAG);
      refuses(TruncationException.class, "3", receive::await);
      assertArrayEquals(new boolean[] {false, true}, few);
      try (Claim claim = world.claim(0, TAG, 3)) {
        claim.copyFrom(0, Data.of(new boolean[] {true, false, true}));
        claim.commit();
      }
      boolean[] three = new boolean[3];
      world.mprobe(0, TAG).await().recv(Data.of(three));
      assertArrayEquals(new boolean[] {true, false, true}, three);
    });
  }

  @Test
  void areReducedAndSharedOut() throws Exception {
    if (cores.contains("+")) {
      return; // collectives need shared memory
    }
    Ranks.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      for (int length : LENGTHS) {
        boolean[] own = drawn(length, world.rank());
        boolean[] all = new boolean[length];
        world.allreduce(Data.of(own), Data.of(all), Op.LXOR);
        boolean[] expected = new boolean[length];
        for (int rank = 0; rank < 3; rank++) {
          boolean[] drawn = drawn(length, rank);
          for (int i = 0; i < length; i++) {
            expected[i] ^= drawn[i];
          }
        }
        assertArrayEquals(expected, all);
        world.allreduce(Data.of(own), Op.LXOR);
        assertArrayEquals(expected, own);
        boolean[] shared = drawn(length, world.rank());
        world.bcast(Data.of(shared), 1);
        assertArrayEquals(drawn(length, 1), shared);
        boolean[] three = new boolean[3 * length];
        world.allgather(Data.of(drawn(length, world.rank())),
            Data.parts(Data.of(three), new int[] {length, length, length}, new int[] {2 * length, length, 0}));
        for (int rank = 0; rank < 3; rank++) {
          boolean[] part = new boolean[length];
          System.arraycopy(three, (2 - rank) * length, part, 0, length);
          assertArrayEquals(drawn(length, rank), part);
        }
      }
    });
  }

  @Test
  void areCountedDescribedAndRefused() throws Exception {
    Data data = Data.of(new boolean[5], 1, 3);
    assertEquals(3, data.count());
    assertEquals(3, data.bytes());
    assertEquals("3 boolean elements from 1", data.toString());
    assertEquals("1 boolean elements from 3", data.part(2, 1).toString());
    refuses(NullPointerException.class, "the array is null", () -> Data.of((boolean[]) null));
    refuses(IndexOutOfBoundsException.class, "offset 3 and count 3", () -> Data.of(new boolean[5], 3, 3));
    refuses(IndexOutOfBoundsException.class, "offset 2 and count 2", () -> data.part(2, 2));
    refuses(IllegalArgumentException.class, "an I/O vector with 3 boolean", () -> new IoVector().add(data));
    refuses(IllegalArgumentException.class, "SUM has no meaning for elements of BOOLEAN",
        () -> Op.SUM.apply(data, data));
    boolean[] result = {true, false};
    Op.LAND.apply(Data.of(new boolean[] {true, true}), Data.of(result));
    assertArrayEquals(new boolean[] {true, false}, result);
    Settings.with(Map.of("adrastea.check", "types"), () -> {
      Ranks.run(cores, 1, job -> {
        Communicator world = Ranks.world(job);
        Request receive = world.irecv(Data.of(new boolean[4]), 0, TAG);
        world.send(Data.of(new boolean[4]), 0, TAG);
        assertEquals(4, receive.await().bytes());
        Request other = world.irecv(Data.of(new boolean[4]), 0, TAG);
        world.send(Data.of(new int[1]), 0, TAG);
        refuses(TypeMismatchException.class, "", other::await);
      });
      return null;
    });
  }

  @Test
  void haveAnImageDuringAUseForThoseThatAskWhereBytesLie() {
    boolean[] array = drawn(20, 1);
    Booleans payload = new Booleans(array, 5, 10, Datatype.BOOLEAN.map().signature());
    Cursor cursor = new Cursor();
    cursor.begin(payload.bytes());
    array[7] = true;
    payload.retain();
    payload.seek(cursor, 2);
    Stretch stretch = new Stretch();
    payload.stretch(cursor, stretch);
    assertEquals(8, stretch.bytes());
    assertEquals(1, stretch.memory().get(ValueLayout.JAVA_BYTE, stretch.offset()));
    byte[] packed = new byte[12];
    payload.pack(cursor, MemorySegment.ofArray(packed), 1, 3);
    assertEquals(5, cursor.position());
    assertArrayEquals(bytes(Arrays.copyOfRange(array, 7, 10)), Arrays.copyOfRange(packed, 1, 4));
    stretch.memory().set(ValueLayout.JAVA_BYTE, stretch.offset(), (byte) 0); // as a peer that copies into it
    payload.unpack(cursor, MemorySegment.ofArray(new byte[] {9, 0, 9, 0, 9}), 0, 5);
    boolean[] expected = array.clone();
    expected[7] = false;
    payload.release();
    assertArrayEquals(expected, array);
    assertArrayEquals(new boolean[] {true, false, true, false, true}, Arrays.copyOfRange(array, 10, 15));
    assertThrows(IndexOutOfBoundsException.class, () -> payload.stretch(cursor, stretch));
    assertThrows(IndexOutOfBoundsException.class,
        () -> payload.pack(cursor, MemorySegment.ofArray(packed), 0, 1));
  }
}
