package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Communicator.NO_RANK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import io.adrastea.failure.FailingRanks;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that a probe has matched: they are received once, and by nobody else. */
@EveryCoreList
class MatchedProbeTest {
  private static final int TAG = 7;
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final int[] LENGTHS = {0, 8, Ranks.CELL_BYTES + 1, BIG};

  @Parameter
  String cores;

  /** Whether synchronous sends are possible. */
  private boolean isShared() {
    return !cores.contains("+");
  }

  private static Message improbe(Communicator world, int source, int tag) {
    Message message = null;
    while (message == null) {
      message = world.improbe(source, tag);
    }
    return message;
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void areReceivedOnceAndByNobodyElse(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int length : LENGTHS) {
            if (world.rank() == 1) {
              Request first = world.isend(Data.of(Contents.of(length, 1)), 0, TAG);
              Request second = world.isend(Data.of(Contents.of(length, 2)), 0, TAG);
              Data last = Data.of(Contents.of(length, 3));
              Request third = isShared() ? world.issend(last, 0, TAG) : world.isend(last, 0, TAG);
              Request.waitAll(first, second, third);
              world.barrier();
              continue;
            }
            Message first = world.mprobe(ANY_SOURCE, ANY_TAG);
            Message second = improbe(world, 1, TAG);
            assertEquals(1, first.source());
            assertEquals(TAG, first.tag());
            assertEquals(length, first.bytes());
            byte[] received = new byte[length];
            world.recv(Data.of(received), 1, TAG);
            Contents.check(length, 3, received);
            assertNull(world.iprobe(ANY_SOURCE, ANY_TAG));
            received = new byte[length];
            assertEquals(new Status(1, TAG, length, false), second.recv(Data.of(received)));
            Contents.check(length, 2, received);
            received = new byte[length + 3];
            IoVector vector = new IoVector().add(MemorySegment.ofArray(received), 1, length + 2);
            assertEquals(length, first.recv(Data.of(vector)).bytes());
            Contents.check(length, 1, MemorySegment.ofArray(received).asSlice(1, length));
            assertThrows(IllegalStateException.class, () -> first.recv(Data.of(new byte[length])));
            assertThrows(IllegalStateException.class, first::release);
            first.close(); // as at the end of a try statement
            world.barrier();
          }
        });
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void areReceivedByRequestsInAnyOrder(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int length : LENGTHS) {
            if (world.rank() == 1) {
              Request first = world.isend(Data.of(Contents.of(length, 1)), 0, TAG);
              Request second = world.isend(Data.of(Contents.of(length, 2)), 0, TAG);
              Request third = world.isend(Data.of(Contents.of(length, 3)), 0, TAG);
              Request.waitAll(first, second, third);
              world.barrier();
              continue;
            }
            Message first = world.mprobe(ANY_SOURCE, ANY_TAG);
            Message second = improbe(world, 1, TAG);
            Status told = new Status(1, TAG, length, false);
            assertEquals(told, first.status());
            byte[] last = new byte[length + 3];
            byte[] middle = new byte[length];
            Request mine = new Request();
            IoVector vector = new IoVector().add(MemorySegment.ofArray(last), 1, length + 2);
            Request one = second.irecv(Data.of(middle));
            assertSame(mine, first.irecv(Data.of(vector), mine));
            assertTrue(one.isActive());
            assertThrows(IllegalStateException.class, () -> first.irecv(Data.of(new byte[length])));
            assertThrows(IllegalStateException.class, first::release);
            first.close();
            byte[] received = new byte[length];
            world.recv(Data.of(received), 1, TAG);
            Contents.check(length, 3, received);
            assertEquals(told, mine.await());
            Contents.check(length, 1, MemorySegment.ofArray(last).asSlice(1, length));
            assertEquals(told, one.await());
            Contents.check(length, 2, middle);
            world.barrier();
          }
        });
  }

  @Test
  void aRequestReportsWhatIsWrongWithTheMessage() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (int round = 0; round < 2; round++) {
            world.send(Data.of(new byte[8]), 0, TAG);
            Message message = world.mprobe(0, TAG);
            Message read = round == 0 ? message : message.await();
            assertEquals(new Status(0, TAG, 8, false), read.status());
            Request active = world.irecv(Data.of(new byte[1]), 0, TAG + 1);
            assertThrows(IllegalStateException.class, () -> read.irecv(Data.of(new byte[8]), active));
            assertTrue(active.cancel());
            active.await();
            assertThrows(NullPointerException.class, () -> read.irecv(null));
            MemorySegment constant = MemorySegment.ofArray(new byte[8]).asReadOnly();
            assertThrows(IllegalArgumentException.class, () -> read.irecv(Data.of(constant)));
            byte[] few = new byte[3];
            Request request = read.irecv(Data.of(few));
            TruncationException e = assertThrows(TruncationException.class, request::await);
            assertTrue(e.getMessage().contains("8"), e::getMessage);
            assertFalse(request.isActive());
            assertThrows(IllegalStateException.class, read::status);
          }
          Message nothing = world.mprobe(NO_RANK, TAG);
          assertEquals(0, nothing.irecv(Data.EMPTY).await().bytes());
        });
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void areReadWhereTheyLieOnceTheyAreHere(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int length : LENGTHS) {
            if (world.rank() == 1) {
              world.send(Data.of(Contents.of(length, 1)), 0, TAG);
              continue;
            }
            try (Message message = world.mprobe(1, TAG)) {
              IllegalStateException e = assertThrows(IllegalStateException.class, message::toBytes);
              assertTrue(e.getMessage().contains("are not here yet: await()"), e::getMessage);
              assertThrows(IllegalStateException.class, message::segment);
              assertThrows(IllegalStateException.class, () -> message.getByte(0));
              assertSame(message, message.await());
              assertSame(message, message.await());
              assertEquals(length, message.bytes());
              Contents.check(length, 1, message.segment());
              assertArrayEquals(Contents.of(length, 1), message.toBytes());
            }
          }
          world.barrier();
        });
  }

  @Test
  void thatLieHereAlreadyAreReceivedIntoDataToo() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (int i = 0; i < 5; i++) {
            world.send(Data.of(new int[] {1, 2, 3}), 0, TAG);
          }
          int[] received = new int[4];
          Message message = world.recvMessage(0, TAG);
          assertEquals(new Status(0, TAG, 12, false), message.recv(Data.of(received)));
          assertArrayEquals(new int[] {1, 2, 3, 0}, received);
          message.close();
          byte[] parts = new byte[12];
          IoVector vector =
              new IoVector().add(MemorySegment.ofArray(parts), 0, 5).add(MemorySegment.ofArray(parts), 5, 7);
          world.mprobe(0, TAG).await().recv(Data.of(vector));
          assertEquals(2, MemorySegment.ofArray(parts).get(InPlace.INT, 4));
          int[] small = new int[2];
          Message last = world.recvMessage(0, TAG);
          assertEquals(12, assertThrows(TruncationException.class, () -> last.recv(Data.of(small))).messageBytes());
          assertArrayEquals(new int[] {1, 2}, small);
          assertThrows(IllegalStateException.class, last::release);
          world.recv(0, TAG, handed -> handed.recv(Data.of(received)));
          assertEquals(12, world.recv(Data.of(received), 0, TAG).bytes());
        });
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void areDroppedInTheirTurnWhenTheyAreReleased(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int length : LENGTHS) {
            if (world.rank() == 1) {
              world.send(Data.of(new byte[length]), 0, TAG);
              if (isShared()) {
                world.ssend(Data.of(new byte[length]), 0, TAG);
              } else {
                world.send(Data.of(new byte[length]), 0, TAG);
              }
              world.send(Data.of(Contents.of(length, 3)), 0, TAG);
              continue;
            }
            world.mprobe(1, TAG).release();
            try (Message message = improbe(world, 1, TAG)) {
              assertEquals(length, message.bytes());
            }
            byte[] received = new byte[length];
            world.recv(Data.of(received), 1, TAG);
            Contents.check(length, 3, received);
          }
        });
  }

  @Test
  void thatBegunToBeFetchedAreReceivedOrDropped() throws Exception {
    LongMessages.BY_RENDEZVOUS.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            world.send(Data.of(Contents.of(BIG, 1)), 0, TAG);
            world.send(Data.of(Contents.of(BIG, 2)), 0, TAG);
          } else {
            for (int i = 1; i <= 2; i++) {
              world.probe(1, TAG);
              Message begun = world.tryRecvMessage(1, TAG);
              Message message = begun == null ? world.mprobe(1, TAG) : begun;
              if (i == 1) {
                byte[] received = new byte[BIG];
                message.recv(Data.of(received));
                Contents.check(BIG, 1, received);
              } else {
                message.release();
              }
            }
          }
          world.barrier();
        });
  }

  @Test
  void thatAreTooLongForTheDataAreOver() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          world.send(Data.of(new byte[] {1, 2, 3}), 0, TAG);
          Message message = world.mprobe(0, TAG);
          assertThrows(IllegalArgumentException.class,
              () -> message.recv(Data.of(MemorySegment.ofArray(new byte[3]).asReadOnly())));
          assertThrows(NullPointerException.class, () -> message.recv(null));
          byte[] small = new byte[2];
          TruncationException e = assertThrows(TruncationException.class, () -> message.recv(Data.of(small)));
          assertEquals(3, e.messageBytes());
          assertArrayEquals(new byte[] {1, 2}, small);
          assertThrows(IllegalStateException.class, () -> message.recv(Data.of(small)));
          message.close();
        });
  }

  @ParameterizedTest
  @EnumSource(LongMessages.class)
  void failWhenTheirSenderFailsBeforeAllIsHere(LongMessages way) throws Exception {
    for (boolean inPlace : new boolean[] {false, true}) {
      CountDownLatch matched = new CountDownLatch(1);
      FailingRanks.run(cores, ThreadLevel.SERIALIZED, 2, way,
          (job, cause) -> {
            Communicator world = Ranks.world(job);
            if (world.rank() == 1) {
              world.isend(Data.of(new byte[BIG]), 0, TAG);
              Ranks.await(matched);
              throw cause;
            }
            Message message = world.mprobe(1, TAG);
            matched.countDown();
            while (job.failedRanks().isEmpty()) {
              Thread.sleep(1);
            }
            RankFailedException e = assertThrows(RankFailedException.class,
                () -> {
                  if (inPlace) {
                    message.await();
                  } else {
                    message.recv(Data.of(new byte[BIG]));
                  }
                });
            assertEquals(1, e.rank());
            message.close();
            assertThrows(IllegalStateException.class, message::source);
          });
    }
  }

  @Test
  void belongToOneOfManyThreads() throws Exception {
    int messages = 400;
    int threads = 4;
    AtomicIntegerArray seen = new AtomicIntegerArray(messages);
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            for (int i = 0; i < messages; i++) {
              world.send(Data.of(new int[] {i}), 0, TAG);
            }
            return;
          }
          Threads.run(threads, thread -> {
            for (int i = 0; i < messages / threads; i++) {
              int[] number = new int[1];
              world.mprobe(1, TAG).recv(Data.of(number));
              seen.incrementAndGet(number[0]);
            }
          });
        });
    for (int i = 0; i < messages; i++) {
      assertEquals(1, seen.get(i), "message " + i);
    }
  }

  @Test
  void areForTheThreadThatHasThem() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          world.send(Data.of(new byte[8]), 0, TAG);
          Message message = world.mprobe(0, TAG);
          Thread other = Thread.ofPlatform().start(() -> {
            assertThrows(WrongThreadException.class, () -> message.recv(Data.of(new byte[8])));
            assertThrows(WrongThreadException.class, message::await);
          });
          other.join();
          assertEquals("8 bytes from rank 0 with tag 7", Ranks.byRank(message.toString()));
          message.recv(Data.of(new byte[8]));
          assertEquals("released", message.toString());
        });
  }

  @Test
  void aProbeThatEndsEarlyLeavesAllAsItIs() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          assertNull(world.improbe(ANY_SOURCE, ANY_TAG));
          assertThrows(TimeLimitException.class, () -> world.mprobe(0, TAG, Duration.ofMillis(5)));
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, () -> world.mprobe(0, TAG));
          assertTrue(Thread.interrupted());
          world.send(Data.of(new byte[8]), 0, TAG);
          world.mprobe(0, TAG, Duration.ofSeconds(Ranks.PATIENCE_SECONDS)).recv(Data.of(new byte[8]));
          assertThrows(IllegalArgumentException.class, () -> world.mprobe(9, TAG));
          assertThrows(IllegalArgumentException.class, () -> world.improbe(0, -2));
        });
  }

  @Test
  void aSendThatWasMatchedIsNotTakenBack() throws Exception {
    Ranks.assumeShared(cores);
    CountDownLatch matched = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            Request send = world.issend(Data.of(Contents.of(8, 1)), 0, TAG);
            Ranks.await(matched);
            assertFalse(send.cancel());
            send.await();
            return;
          }
          Message message = world.mprobe(1, TAG);
          matched.countDown();
          byte[] received = new byte[8];
          message.recv(Data.of(received));
          Contents.check(8, 1, received);
        });
  }

  @Test
  void thatAreHeldWhenTheJobIsLeftAreGivenBack() throws Exception {
    Ranks.assumeShared(cores);
    LongMessages.BY_RENDEZVOUS.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            Request send = world.isend(Data.of(new byte[BIG]), 0, TAG);
            world.ssend(Data.of(new byte[0]), 0, TAG + 1);
            send.await(); // is complete when the other one leaves
            return;
          }
          Message message = world.mprobe(1, TAG);
          world.recv(Data.of(new byte[0]), 1, TAG + 1);
          IllegalStateException e = assertThrows(IllegalStateException.class, job::close);
          assertTrue(
              Ranks.byRank(e.getMessage())
                  .contains("message of %d bytes from rank 1 with tag 7, matched and not received"
                      .formatted(BIG)),
              e::getMessage);
          assertThrows(IllegalStateException.class, () -> message.recv(Data.of(new byte[BIG])));
        });
  }

  @Test
  void ofNoRankAreEmpty() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (Message message : new Message[] {world.mprobe(NO_RANK, TAG), world.improbe(NO_RANK, ANY_TAG)}) {
            assertEquals(0, message.bytes());
            assertEquals(new Status(NO_RANK, ANY_TAG, 0, false), message.recv(Data.of(new byte[4])));
          }
          try (Message message = world.mprobe(NO_RANK, TAG, Duration.ofMillis(1))) {
            assertEquals(0, message.await().toBytes().length);
          }
        });
  }
}
