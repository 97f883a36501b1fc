package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.Status;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Elements of datatypes that are sent and received, by every call that takes data. */
@EveryCoreList
class TypedMessagesTest {
  private static final int[] COUNTS = {0, 1, 2, 5, 100, 1024, 1025, 20_000, 100_000};
  private static final int GAP = 3; // every so many doubles one is sent
  private static final double UNTOUCHED = -1;

  @Parameter
  String cores;

  private static double[] numbered(int length) {
    return IntStream.range(0, length).asDoubleStream().toArray();
  }

  private static double[] untouched(int length) {
    double[] array = new double[length];
    Arrays.fill(array, UNTOUCHED);
    return array;
  }

  private static Data spread(double[] array, int count) {
    return Data.of(array, 1, 1, Datatype.vector(count, 1, GAP, Datatype.DOUBLE));
  }

  private static void checkSpread(double[] array, int count) {
    for (int i = 0; i < array.length; i++) {
      boolean has = i % GAP == 1 && i / GAP < count;
      assertEquals(has ? i : UNTOUCHED, array[i], "element " + i);
    }
  }

  @Test
  void goFromOneLayoutIntoAnother() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      for (int count : COUNTS) {
        if (world.rank() == 0) {
          world.send(spread(numbered(GAP * count + 2), count), 1, 1);
        } else {
          MemorySegment memory = Arena.ofAuto().allocate(16L * count + 8, 8);
          Datatype type = Datatype.DOUBLE.resized(0, 16);
          Status status = world.recv(Data.of(memory, 8, count, type), 0, 1);
          assertEquals(8L * count, status.bytes());
          for (int i = 0; i < count; i++) {
            assertEquals(1 + GAP * i, memory.get(ValueLayout.JAVA_DOUBLE, 8 + 16L * i));
            assertEquals(0, memory.get(ValueLayout.JAVA_DOUBLE, 16L * i));
          }
        }
      }
    });
  }

  @Test
  void areBytesToAPlainReceiveAndFromAPlainSend() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      for (int count : COUNTS) {
        if (world.rank() == 0) {
          world.send(spread(numbered(GAP * count + 2), count), 1, 1);
          double[] back = untouched(GAP * count + 2);
          world.recv(spread(back, count), 1, 2);
          checkSpread(back, count);
        } else {
          double[] packed = new double[count];
          world.recv(Data.of(packed), 0, count, 0, 1);
          for (int i = 0; i < count; i++) {
            assertEquals(1 + GAP * i, packed[i]);
          }
          world.send(Data.of(packed), 0, count, 0, 2);
        }
      }
    });
  }

  @Test
  void fillTheFirstElementsWhenTheMessageIsShort() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(Data.of(new double[] {1, 4}), 0, 2, 1, 1);
      } else {
        double[] array = untouched(20);
        Status status = world.recv(spread(array, 5), 0, 1);
        assertEquals(16, status.bytes());
        double[] expected = untouched(20);
        expected[1] = 1;
        expected[4] = 4;
        assertArrayEquals(expected, array);
      }
    });
  }

  private static final Datatype PAIRS = Datatype.vector(3, 2, 4, Datatype.INT); // 24 bytes of 40

  private static int[] marked(int seed) {
    return IntStream.range(0, 40).map(i -> 1000 * seed + i).toArray();
  }

  /** What an array has when elements of another one came there. */
  private static int[] with(int[] array, int[] other, int first) {
    int[] all = array.clone();
    for (int i : new int[] {0, 1, 4, 5, 8, 9}) {
      all[first + i] = other[first + i];
    }
    return all;
  }

  @Test
  void goByEveryCallThatTakesData() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int me = world.rank();
      int other = 1 - me;
      int[] mine = marked(1 + me);
      int[] theirs = marked(1 + other);
      int[] into = marked(9);
      Data send = Data.of(mine, 10, 1, PAIRS);
      Data receive = Data.of(into, 10, 1, PAIRS);
      Status expected = new Status(other, 5, 24, false);
      assertEquals(expected, world.sendrecv(send, other, 5, receive, other, 5));
      assertArrayEquals(with(marked(9), theirs, 10), into);
      assertEquals(expected, world.sendrecvReplace(send, other, 5, other, 5));
      assertArrayEquals(with(marked(1 + me), theirs, 10), mine);
      if (me == 0) {
        try (Burst burst = world.burst(1)) {
          burst.send(send, 6);
          burst.send(receive, 7);
        }
      } else {
        world.recv(receive, 0, 6);
        assertArrayEquals(with(marked(9), marked(2), 10), into, "what was received in its place before");
        world.recv(send, 0, 7);
      }
      Status toMyself = world.sendrecv(Data.of(marked(7), 10, 1, PAIRS), me, 8, Data.of(into, 0, 1, PAIRS), me, 8);
      assertEquals(new Status(me, 8, 24, false), toMyself);
      assertEquals(7010, into[0]);
      assertEquals(7019, into[9]);
    });
  }

  @Test
  void areNotTouchedByAReceiveThatIsTakenBackOrFromNoRank() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      int[] array = marked(1);
      Data data = Data.of(array, 0, 2, PAIRS);
      Request request = world.irecv(data, 0, 1);
      request.cancel();
      assertTrue(request.await().isCancelled());
      assertEquals(Communicator.NO_RANK, world.recv(data, Communicator.NO_RANK, 1).source());
      world.send(data, Communicator.NO_RANK, 1);
      assertArrayEquals(marked(1), array);
      world.send(Data.of(new int[0]), 0, 1);
      assertEquals(0, world.recv(data, 0, 1).count(PAIRS));
      assertArrayEquals(marked(1), array);
    });
  }

  @Test
  void thatAreTooFewAreFilledAndTheRestIsTruncated() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      way.run(cores, 2, job -> {
        Communicator world = Ranks.world(job);
        for (int count : new int[] {3, 2 * Ranks.CELL_BYTES}) {
          if (world.rank() == 0) {
            world.send(spread(numbered(GAP * count + 2), count), 1, 1);
            world.send(spread(numbered(GAP * count + 2), count), 1, 2);
          } else {
            double[] array = untouched(GAP * count + 2);
            TruncationException e =
                assertThrows(TruncationException.class, () -> world.recv(spread(array, count - 1), 0, 1));
            assertEquals(8L * count, e.messageBytes());
            checkSpread(array, count - 1);
            assertEquals(count, world.recv(spread(array, count), 0, 2).count(Datatype.DOUBLE));
            checkSpread(array, count);
          }
        }
      });
    }
  }

  @Test
  void thatOverlapAreSentButReceivedByNoCall() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      Datatype twice = Datatype.hvector(2, 1, 4, Datatype.LONG);
      long[] array = {1, 2, 3, 4};
      Data data = Data.of(array, 0, 1, twice);
      if (world.rank() == 0) {
        world.send(data, 1, 1);
        for (int time = 0; time < 2; time++) { // found at the first, remembered at the second
          Class<IllegalArgumentException> refused = IllegalArgumentException.class;
          String said = "hvector(2, 1, 4) have byte 4 twice";
          Refusals.refuses(refused, said, () -> world.recv(data, 1, 2));
          Refusals.refuses(refused, said, () -> world.irecv(data, 1, 2));
          Refusals.refuses(refused, said, () -> world.recvInit(data, 1, 2));
          Refusals.refuses(refused, said, () -> world.sendrecv(data, 1, 2, data, 1, 2));
          Refusals.refuses(refused, said, () -> world.sendrecvReplace(data, 1, 2, 1, 2));
        }
        try (Message message = world.recvMessage(1, 3)) {
          Refusals.refuses(IllegalArgumentException.class, "byte 4 twice", () -> message.copyTo(0, data));
          Refusals.refuses(IllegalArgumentException.class, "byte 4 twice", () -> message.recv(data));
          assertEquals(16, message.bytes(), "is still held");
        }
        assertArrayEquals(new long[] {1, 2, 3, 4}, array);
      } else {
        long[] packed = new long[2];
        world.recv(Data.of(packed), 0, 2, 0, 1);
        assertArrayEquals(new long[] {1, 2L << 32}, packed);
        world.send(Data.of(packed), 0, 2, 0, 3);
      }
    });
  }

  @Test
  void inMemoryThatCannotBeUsedAreRefused() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Arena arena = Arena.ofShared();
      Data closed = Data.of(arena.allocate(100), 0, 1, PAIRS);
      arena.close();
      Data readOnly = Data.of(MemorySegment.ofArray(new byte[100]).asReadOnly(), 0, 1, PAIRS);
      Refusals.refuses(IllegalStateException.class, "arena is closed", () -> world.send(closed, 0, 1));
      Refusals.refuses(IllegalStateException.class, "arena is closed", () -> world.irecv(closed, 0, 1));
      Refusals.refuses(IllegalArgumentException.class, "read-only", () -> world.recv(readOnly, 0, 1));
      world.send(readOnly, 0, 1);
      assertEquals(1, world.recv(Data.of(new int[40], 0, 1, PAIRS), 0, 1).count(PAIRS));
    });
  }

  /** The receiver's memory goes away after the message has begun to come. */
  @Test
  void ofWhichTheMemoryIsClosedOnTheWayFailAndTheNextArrive() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      way.run(cores, 2, job -> {
        Communicator world = Ranks.world(job);
        int count = 3 * Ranks.CELL_BYTES;
        if (world.rank() == 0) {
          try {
            world.send(spread(numbered(GAP * count + 2), count), 1, 1);
          } catch (AdrasteaException e) { // a sender that waits for the receiver's word hears of it
            assertTrue(way == LongMessages.BY_RENDEZVOUS && e.getMessage().contains("gave up its end"), e.getMessage());
          }
          world.send(spread(numbered(GAP * 5 + 2), 5), 1, 2);
        } else {
          Arena arena = Arena.ofShared();
          Data data = Data.of(arena.allocate(16L * count), 0, count, Datatype.DOUBLE.resized(0, 16));
          Request request = world.irecv(data, 0, 1);
          arena.close();
          AdrasteaException e = assertThrows(AdrasteaException.class, request::await);
          assertTrue(e.getMessage().contains("cannot be used any more"), e.getMessage());
          double[] next = untouched(GAP * 5 + 2);
          world.recv(spread(next, 5), 0, 2);
          checkSpread(next, 5);
        }
      });
    }
  }

  @Test
  void fillClaimsAndAreFilledByMessagesInPlace() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int[] array = marked(1 + world.rank());
      if (world.rank() == 0) {
        try (Claim claim = world.claim(1, 1, 30)) {
          claim.putShort(0, (short) 7);
          claim.copyFrom(4, Data.of(array, 0, 1, PAIRS));
          Refusals.refuses(IndexOutOfBoundsException.class, "24 bytes at offset 8",
              () -> claim.copyFrom(8, Data.of(array, 0, 1, PAIRS)));
          claim.commit();
        }
      } else {
        try (Message message = world.recvMessage(0, 1)) {
          assertEquals(7, message.getShort(0));
          message.copyTo(4, Data.of(array, 20, 1, PAIRS));
          Refusals.refuses(IndexOutOfBoundsException.class, "24 bytes at offset 8",
              () -> message.copyTo(8, Data.of(array, 0, 1, PAIRS)));
        }
        int[] expected = marked(2);
        for (int i : new int[] {0, 1, 4, 5, 8, 9}) {
          expected[20 + i] = marked(1)[i];
        }
        assertArrayEquals(expected, array);
      }
    });
  }
}
