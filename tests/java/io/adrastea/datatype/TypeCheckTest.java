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
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * A job that checks types ({@code adrastea.check=types}): the basic types that are sent against those received,
 * whatever way a message takes. Rank 0 sends, rank 1 receives; a message of one number follows each that is refused,
 * and is intact.
 */
@EveryCoreList
class TypeCheckTest {
  private static final int TAG = 7;
  private static final int AFTER = 8;
  private static final int READY = 9;

  /** Elements of messages that go by fastbox, in one cell, in several, and by rendezvous, if there is one. */
  private static final int[] SIZES = {1, 600, 5000, 400_000};

  @Parameter
  String cores;

  private void run(Job.Body body) throws Exception {
    run(ThreadLevel.SERIALIZED, body);
  }

  private void run(ThreadLevel level, Job.Body body) throws Exception {
    Settings.with(Map.of("adrastea.check", "types"), () -> {
      Ranks.run(cores, level, 2, body);
      return null;
    });
  }

  private static void says(RuntimeException refusal, String sent, String expected) {
    TypeMismatchException mismatch = (TypeMismatchException) refusal;
    String said = Ranks.byRank(mismatch.getMessage());
    assertEquals(0, mismatch.rank(), said);
    assertTrue(
        said.contains("message from rank 0 with tag 7 has " + sent + ", and its receive is for " + expected + ";"),
        said);
  }

  private static void sendAfter(Communicator world) {
    world.send(Data.of(new long[] {42}), 0, 1, 1, AFTER);
  }

  private static void receiveAfter(Communicator world) {
    long[] after = new long[1];
    assertEquals(8, world.recv(Data.of(after), 0, 1, 0, AFTER).bytes());
    assertEquals(42, after[0]);
  }

  @Test
  void equalTypesPass() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        double[] numbers = new double[size];
        if (world.rank() == 0) {
          numbers[size - 1] = size;
          world.send(Data.of(numbers), 0, size, 1, TAG);
          world.isend(Data.of(numbers), 1, TAG).await();
        } else {
          assertEquals(8L * size, world.recv(Data.of(numbers), 0, size, 0, TAG).bytes());
          assertEquals(size, numbers[size - 1]);
          double[] longer = new double[size + 3];
          assertEquals(8L * size, world.irecv(Data.of(longer), Communicator.ANY_SOURCE, TAG).await().bytes());
          assertEquals(size, longer[size - 1]);
        }
      }
    });
  }

  @Test
  void aReceiveThatWaitsNamesBothTypes() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          world.recv(Data.of(new byte[0]), 0, 0, 1, READY);
          world.send(Data.of(new double[size]), 0, size, 1, TAG);
          sendAfter(world);
        } else {
          long[] wrong = new long[size];
          Request posted = world.irecv(Data.of(wrong), 0, TAG);
          world.send(Data.of(new byte[0]), 0, 0, 0, READY);
          says(assertThrows(RuntimeException.class, posted::await), count(size) + "double", count(size) + "long");
          receiveAfter(world);
        }
      }
    });
  }

  private static String count(int size) {
    return size == 1 ? "" : size + " x ";
  }

  @Test
  void anUnexpectedMessageNamesBothTypesAndWritesNothing() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          int[] sent = new int[size];
          sent[0] = 1;
          Request large = world.isend(Data.of(sent), 1, TAG);
          sendAfter(world);
          large.await();
        } else {
          world.probe(0, TAG);
          receiveAfter(world);
          float[] wrong = new float[size];
          says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(wrong), 0, TAG)), count(size) + "int",
              count(size) + "float");
          assertArrayEquals(new float[size], wrong);
        }
      }
    });
  }

  @Test
  void aPersistentReceiveGoesOnAfterAMismatch() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          Request send = world.sendInit(Data.of(new int[size]), 1, TAG);
          send.start();
          send.await();
          world.send(Data.of(new float[size]), 0, size, 1, TAG);
          send.start();
          send.await();
        } else {
          Request receive = world.recvInit(Data.of(new int[size]), 0, TAG);
          receive.start();
          assertEquals(4L * size, receive.await().bytes());
          receive.start();
          says(assertThrows(RuntimeException.class, receive::await), count(size) + "float", count(size) + "int");
          receive.start();
          assertEquals(4L * size, receive.await().bytes());
        }
      }
    });
  }

  @Test
  void memoryWithoutATypeGoesWithEverything() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      MemorySegment memory = MemorySegment.ofArray(new long[5000]);
      for (int size : new int[] {1, 600, 5000}) {
        if (world.rank() == 0) {
          world.send(memory, 0, 8L * size, 1, TAG);
          world.send(Data.of(memory, 0, 8L * size), 1, TAG);
          world.send(Data.of(new double[size]), 0, size, 1, TAG);
          world.send(Data.of(new IoVector().add(Data.of(new int[2 * size]))), 1, TAG);
        } else {
          assertEquals(8L * size, world.recv(Data.of(new double[size]), 0, size, 0, TAG).bytes());
          assertEquals(8L * size, world.recv(Data.of(new char[4 * size]), 0, TAG).bytes());
          assertEquals(8L * size, world.recv(memory, 0, 8L * size, 0, TAG).bytes());
          assertEquals(8L * size, world.recv(Data.of(new float[2 * size]), 0, 2 * size, 0, TAG).bytes());
        }
      }
    });
  }

  @Test
  void bytesGoWithBytes() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(Data.of(new byte[8]), 0, 8, 1, TAG);
        world.send(Data.of(new byte[8]), 0, 8, 1, TAG);
      } else {
        assertEquals(8, world.recv(Data.of(new byte[8]), 0, 8, 0, TAG).bytes());
        says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(new long[1]), 0, 1, 0, TAG)), "8 x byte",
            "long");
      }
    });
  }

  @Test
  void aDatatypeGoesWithThatOfAnotherLayoutAndTheSameBasicTypes() throws Exception {
    Datatype pair = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.INT, Datatype.DOUBLE);
    Datatype reversed = Datatype.struct(new long[] {1, 1}, new long[] {8, 0}, Datatype.INT, Datatype.DOUBLE);
    Datatype swapped = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.DOUBLE, Datatype.INT);
    run(job -> {
      Communicator world = Ranks.world(job);
      MemorySegment memory = MemorySegment.ofArray(new long[20_000]);
      for (int count : new int[] {1, 10, 1000, 10_000}) {
        if (world.rank() == 0) {
          memory.set(ValueLayout.JAVA_INT_UNALIGNED, 0, count);
          for (int i = 0; i < 3; i++) {
            world.send(Data.of(memory, 0, count, pair.resized(0, 16)), 1, TAG);
          }
        } else {
          assertEquals(12L * count, world.recv(Data.of(memory, 0, count, reversed.resized(0, 16)), 0, TAG).bytes());
          assertEquals(count, memory.get(ValueLayout.JAVA_INT_UNALIGNED, 8));
          Datatype twice = Datatype.contiguous(2, pair.resized(0, 16));
          if (count % 2 == 0) {
            assertEquals(12L * count, world.recv(Data.of(memory, 0, count / 2, twice), 0, TAG).bytes());
          } else {
            assertEquals(12L, world.recv(Data.of(memory, 0, 1, twice), 0, TAG).bytes());
          }
          says(assertThrows(RuntimeException.class,
              () -> world.recv(Data.of(memory, 0, count, swapped.resized(0, 16)), 0, TAG)),
              count == 1 ? "int, double" : count + " x (int, double)",
              count == 1 ? "double, int" : count + " x (double, int)");
        }
      }
    });
  }

  @Test
  void aMessageThatEndsInsideOfABasicTypeOfItsReceiveIsRefused() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(Data.of(new int[3]), 0, 3, 1, TAG);
        world.send(Data.of(new int[3]), 0, 3, 1, TAG);
      } else {
        says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(new long[4]), 0, 4, 0, TAG)), "3 x int",
            "4 x long");
        Datatype mixed = Datatype.struct(new long[] {2, 1}, new long[] {0, 8}, Datatype.INT, Datatype.DOUBLE);
        MemorySegment memory = MemorySegment.ofArray(new long[2]);
        says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(memory, 0, 1, mixed), 0, TAG)), "3 x int",
            "2 x int, double");
      }
    });
  }

  @Test
  void aMessageOfTheSameTypeThatIsTooLongIsTruncatedAsEver() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          world.send(Data.of(new int[size + 1]), 0, size + 1, 1, TAG);
          sendAfter(world);
        } else {
          assertThrows(TruncationException.class, () -> world.recv(Data.of(new int[size]), 0, size, 0, TAG));
          receiveAfter(world);
        }
      }
    });
  }

  @Test
  void emptyMessagesGoWithEverything() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(Data.of(new int[0]), 0, 0, 1, TAG);
        world.send(Data.EMPTY, 1, TAG);
      } else {
        assertEquals(0, world.recv(Data.of(new double[2]), 0, 2, 0, TAG).bytes());
        assertEquals(0, world.recv(Data.EMPTY, 0, TAG).bytes());
        assertEquals(0, world.recv(Data.of(new double[2]), 0, 2, Communicator.NO_RANK, TAG).bytes());
      }
    });
  }

  @Test
  void synchronousSendsAreOverWhenTheirMessageIsRefused() throws Exception {
    Ranks.assumeShared(cores);
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          world.ssend(Data.of(new short[size]), 1, TAG);
          sendAfter(world);
        } else {
          says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(new char[size]), 0, size, 0, TAG)),
              count(size) + "short", count(size) + "char");
          receiveAfter(world);
        }
      }
    });
  }

  @Test
  void aMessageReadWhereItLiesIsCheckedWhenAllOfItIsCopiedOut() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      for (int size : SIZES) {
        if (world.rank() == 0) {
          for (int i = 0; i < 3; i++) {
            world.send(Data.of(new double[size]), 0, size, 1, TAG);
          }
          sendAfter(world);
        } else {
          try (Message message = world.recvMessage(0, TAG)) {
            says(assertThrows(RuntimeException.class, () -> message.copyTo(0, Data.of(new long[size]))),
                count(size) + "double", count(size) + "long");
            message.copyTo(0, Data.of(new double[size]));
          }
          Message message = world.recvMessage(0, TAG);
          says(assertThrows(RuntimeException.class, () -> message.recv(Data.of(new long[size]))),
              count(size) + "double", count(size) + "long");
          assertThrows(IllegalStateException.class, message::bytes);
          Message held = world.mprobe(0, TAG);
          says(assertThrows(RuntimeException.class, () -> held.recv(Data.of(new long[size]))),
              count(size) + "double", count(size) + "long");
          receiveAfter(world);
        }
      }
    });
  }

  @Test
  void aHandlerIsTold() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      int messages = 20;
      if (world.rank() == 0) {
        for (int i = 0; i < messages; i++) {
          world.send(Data.of(new int[i + 1]), 0, i + 1, 1, TAG);
        }
      } else {
        int[] handled = new int[1];
        while (handled[0] < messages) {
          world.poll(message -> {
            int size = handled[0] + 1;
            says(assertThrows(RuntimeException.class, () -> message.copyTo(0, Data.of(new float[size]))),
                count(size) + "int", count(size) + "float");
            message.copyTo(0, Data.of(new int[size]));
            handled[0]++;
          }, 7);
        }
      }
    });
  }

  @Test
  @SuppressWarnings("try")
  void claimsAreBytesAndBurstsAndExchangesAreChecked() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      int other = 1 - world.rank();
      if (world.rank() == 0) {
        try (Claim claim = world.claim(1, TAG, 8)) {
          claim.putDouble(0, 1.5);
          claim.commit();
        }
        try (Burst burst = world.burst(1)) {
          world.send(Data.of(new int[4]), 0, 4, 1, TAG);
          world.send(Data.of(new long[4]), 0, 4, 1, TAG);
        }
      } else {
        double[] number = new double[1];
        world.recv(Data.of(number), 0, 1, 0, TAG);
        assertEquals(1.5, number[0]);
        world.recv(Data.of(new int[4]), 0, 4, 0, TAG);
        says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(new int[8]), 0, 8, 0, TAG)), "4 x long",
            "8 x int");
      }
      Data mine = Data.of(new double[] {world.rank()});
      double[] theirs = new double[1];
      world.sendrecv(mine, other, TAG, Data.of(theirs), other, TAG);
      assertEquals(other, theirs[0]);
      double[] replaced = {world.rank()};
      world.sendrecvReplace(Data.of(replaced), other, TAG, other, TAG);
      assertEquals(other, replaced[0]);
      if (world.rank() == 1) {
        says(assertThrows(RuntimeException.class,
            () -> world.sendrecvReplace(Data.of(new long[1]), other, TAG, other, TAG)), "double", "long");
      } else {
        assertThrows(TypeMismatchException.class,
            () -> world.sendrecvReplace(Data.of(replaced), other, TAG, other, TAG));
      }
    });
  }

  @Test
  void messagesToItselfAreChecked() throws Exception {
    run(job -> {
      Communicator world = Ranks.world(job);
      int self = world.rank();
      for (int size : SIZES) {
        Request send = world.isend(Data.of(new int[size]), self, TAG);
        assertThrows(TypeMismatchException.class, () -> world.recv(Data.of(new float[size]), 0, size, self, TAG));
        send.await();
        Request receive = world.irecv(Data.of(new int[size]), self, TAG);
        world.send(Data.of(new int[size]), 0, size, self, TAG);
        assertEquals(4L * size, receive.await().bytes());
      }
    });
  }

  @Test
  void threadsAreChecked() throws Exception {
    run(ThreadLevel.MULTIPLE, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        Thread beside = Thread.ofPlatform().start(() -> {
          for (int i = 0; i < 200; i++) {
            world.send(Data.of(new long[] {i}), 0, 1, 1, AFTER);
          }
        });
        for (int i = 0; i < 200; i++) {
          world.send(Data.of(new int[] {i}), 0, 1, 1, TAG);
        }
        beside.join();
      } else {
        Thread beside = Thread.ofPlatform().start(() -> {
          for (int i = 0; i < 200; i++) {
            long[] number = new long[1];
            world.recv(Data.of(number), 0, 1, 0, AFTER);
          }
        });
        for (int i = 0; i < 200; i++) {
          int[] number = new int[1];
          if (i % 10 == 0) {
            says(assertThrows(RuntimeException.class, () -> world.recv(Data.of(new float[1]), 0, 1, 0, TAG)), "int",
                "float");
          } else {
            world.recv(Data.of(number), 0, 1, 0, TAG);
            assertEquals(i, number[0]);
          }
        }
        beside.join();
      }
    });
  }

  @Test
  void aSendThatIsNeverBegunTakesBackWhatItTold() throws Exception {
    CountDownLatch closed = new CountDownLatch(1); // before which nobody makes room for the send
    run(job -> {
      Communicator world = Ranks.world(job);
      int cells = 3 * Ranks.CELLS;
      if (world.rank() == 0) {
        Request[] full = new Request[cells];
        MemorySegment cell = MemorySegment.ofArray(new byte[Ranks.CELL_BYTES]);
        for (int i = 0; i < cells; i++) {
          full[i] = world.isend(cell, 1, TAG);
        }
        Request lost;
        try (Arena arena = Arena.ofShared()) {
          lost = world.isend(Data.of(arena.allocate(80), 0, 10, Datatype.DOUBLE), 1, TAG);
        }
        closed.countDown();
        world.isend(cell, 0, 1, 0, READY).await();
        world.recv(cell, 0, READY);
        Request free = world.isend(cell, 0, 4, 1, AFTER);
        world.send(MemorySegment.ofArray(new byte[0]), 1, READY);
        for (Request request : full) {
          request.await();
        }
        assertThrows(RuntimeException.class, lost::await);
        free.await();
      } else {
        Ranks.await(closed);
        byte[] cell = new byte[Ranks.CELL_BYTES];
        for (int i = 0; i < cells; i++) {
          world.recv(Data.of(MemorySegment.ofArray(cell)), 0, TAG);
        }
        assertEquals(4, world.recv(Data.of(new int[1]), 0, 1, 0, AFTER).bytes());
        world.recv(Data.of(new byte[0]), 0, 0, 0, READY);
      }
    });
  }

  @Test
  void aJobThatDoesNotCheckTypesTakesWhatComes() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        world.send(Data.of(new double[4]), 0, 4, 1, TAG);
      } else {
        assertEquals(32, world.recv(Data.of(new int[8]), 0, 8, 0, TAG).bytes());
      }
    });
  }
}
