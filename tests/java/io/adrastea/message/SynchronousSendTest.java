package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sends that are complete only when a receive has matched them. */
@EveryCoreList
class SynchronousSendTest {
  private static final int TAG = 7;
  private static final int TESTS = 200; // in which a send that waits for nobody would be complete

  @Parameter
  String cores;

  private static void checkPending(Request request) {
    for (int i = 0; i < TESTS; i++) {
      assertFalse(request.test(), "complete, and nobody has received");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, Ranks.CELL_BYTES + 1, 3 * Ranks.ALL_CELLS})
  void areCompleteOnlyWhenAReceiveHasMatchedThem(int bytes) throws Exception {
    CountDownLatch tested = new CountDownLatch(1);
    AtomicBoolean receiving = new AtomicBoolean();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Data data = Data.of(Contents.of(bytes, world.rank()));
          if (world.rank() == 0) {
            Request request = world.issend(data, 1, TAG);
            checkPending(request);
            tested.countDown();
            Status status = request.await();
            assertEquals(0, status.bytes(), "a send has no status");
            world.ssend(data, 1, TAG + 1);
            assertTrue(receiving.get(), "it has returned before it was received");
          } else {
            Ranks.await(tested);
            assertEquals(bytes, world.probe(0, TAG).bytes());
            byte[] received = new byte[bytes];
            assertEquals(new Status(0, TAG, bytes, false), world.recv(Data.of(received), 0, TAG));
            Contents.check(bytes, 0, received);
            Thread.sleep(20); // in which a send that waits for nobody would return
            receiving.set(true);
            received = new byte[bytes];
            assertEquals(bytes, world.recv(Data.of(received), 0, TAG + 1).bytes());
            Contents.check(bytes, 0, received);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, Ranks.CELL_BYTES + 1, 3 * Ranks.ALL_CELLS})
  void toOneselfAreCompleteOnlyWhenAReceiveHasMatchedThem(int bytes) throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Data data = Data.of(Contents.of(bytes, 1));
          Request send = world.issend(data, 0, TAG);
          checkPending(send);
          byte[] received = new byte[bytes];
          Request receive = world.irecv(Data.of(received), ANY_SOURCE, ANY_TAG);
          Request.waitAll(send, receive);
          assertEquals(new Status(0, TAG, bytes, false), receive.status());
          Contents.check(bytes, 1, received);

          received = new byte[bytes];
          receive = world.irecv(Data.of(received), 0, TAG);
          world.ssend(data, 0, TAG);
          assertEquals(bytes, receive.await().bytes());
          Contents.check(bytes, 1, received);
        });
  }

  @Test
  void ofAnyMemoryArrive() throws Exception {
    int bytes = 3 * Ranks.CELL_BYTES;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] contents = Contents.of(bytes, 1);
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(bytes);
            MemorySegment shared = job.allocate(bytes, 64);
            IoVector vector = new IoVector();
            vector.add(own, 0, 5).add(shared, 5, bytes - 5);
            Data[] kinds = {Data.of(contents), Data.of(own), Data.of(shared), Data.of(vector)};
            own.copyFrom(MemorySegment.ofArray(contents));
            shared.copyFrom(own);
            for (Data kind : kinds) {
              if (world.rank() == 0) {
                world.ssend(kind, 1, TAG);
              } else {
                byte[] received = new byte[bytes];
                world.recv(Data.of(received), 0, TAG);
                Contents.check(bytes, 1, received);
              }
            }
            world.barrier();
          }
        });
  }

  @Test
  void keepTheirPlaceAmongOthers() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int[] number = new int[1];
          for (int i = 0; i < 300; i++) {
            if (world.rank() == 1) {
              world.recv(Data.of(number), 0, TAG);
              assertEquals(i, number[0]);
              continue;
            }
            number[0] = i;
            if (i % 3 == 0) {
              world.ssend(Data.of(number), 1, TAG);
            } else {
              world.send(Data.of(number), 1, TAG);
            }
          }
        });
  }

  @Test
  void areReadInPlace() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            for (int i = 0; i < 3; i++) {
              world.ssend(Data.of(new long[] {i}), 1, TAG);
              world.ssend(Data.of(new byte[0]), 1, TAG);
            }
            return;
          }
          try (Message message = world.recvMessage(0, TAG)) {
            assertEquals(0, message.getLong(0));
          }
          world.recvMessage(0, TAG).release();
          world.recv(0, TAG, message -> assertEquals(1, message.getLong(0)));
          world.recv(0, TAG, message -> assertEquals(0, message.bytes()));
          for (int bytes : new int[] {8, 0}) {
            Message message = null;
            while (message == null) {
              message = world.tryRecvMessage(0, TAG);
            }
            assertEquals(bytes, message.bytes());
            message.release();
          }
        });
  }

  @Test
  void thatAreTruncatedAreCompleteAllTheSame() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.ssend(Data.of(new byte[9]), 1, TAG);
            world.ssend(Data.of(new byte[9]), 1, TAG);
          } else {
            byte[] received = new byte[8];
            assertThrows(TruncationException.class, () -> world.recv(Data.of(received), 0, TAG));
            assertThrows(TruncationException.class, () -> world.recv(Data.of(new byte[0]), 0, TAG));
          }
        });
  }

  @Test
  void areStartedAgainAndAgain() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int[] number = new int[1];
          if (world.rank() == 0) {
            Request request = world.ssendInit(Data.of(number), 1, TAG);
            Request mine = new Request();
            for (int i = 0; i < 100; i++) {
              number[0] = i;
              request.start().await();
              world.issend(Data.of(number), 1, TAG, mine).await();
            }
          } else {
            for (int i = 0; i < 200; i++) {
              world.recv(Data.of(number), 0, TAG);
              assertEquals(i / 2, number[0]);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 3 * Ranks.ALL_CELLS})
  void aLimitOrAnInterruptLeavesARequestAsItWas(int bytes) throws Exception {
    CountDownLatch waited = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[bytes];
          if (world.rank() == 0) {
            Request request = world.issend(Data.of(Contents.of(bytes, 1)), 1, TAG);
            assertThrows(TimeLimitException.class, () -> request.await(Duration.ofMillis(20)));
            Thread.currentThread().interrupt();
            InterruptedWaitException e = assertThrows(InterruptedWaitException.class, request::await);
            assertTrue(Thread.interrupted());
            assertTrue(Ranks.byRank(e.getMessage()).contains("synchronous send to rank 1 with tag 7"), e::getMessage);
            assertFalse(request.cancel(), "it is out, and its receiver may take it at any moment");
            waited.countDown();
            request.await();
          } else {
            Ranks.await(waited);
            world.recv(Data.of(received), 0, TAG);
            Contents.check(bytes, 1, received);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 3 * Ranks.ALL_CELLS})
  void anInterruptTakesOneBackThatNobodyHasMatched(int bytes) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedWaitException.class, () -> world.ssend(Data.of(new byte[bytes]), 1, TAG));
            assertTrue(Thread.interrupted());
            world.send(Data.of(new byte[1]), 1, TAG + 1);
          } else {
            world.recv(Data.of(new byte[1]), 0, TAG + 1);
            assertNull(world.iprobe(0, TAG), "it was taken back");
          }
          world.barrier();
        });
  }

  @Test
  void toOneselfIsTakenBackByAnInterrupt() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Thread.currentThread().interrupt();
          assertThrows(InterruptedWaitException.class, () -> world.ssend(Data.of(new byte[8]), 0, TAG));
          assertTrue(Thread.interrupted());
          assertNull(world.iprobe(0, TAG));
        });
  }

  @Test
  void inCellsTooSmallForAnRtsAreRefused() throws Exception {
    Ranks.assumeShared(cores);
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores), "adrastea.cell.bytes", "64"),
        () -> {
          Job.builder()
              .runThreads(
                  2,
                  job -> {
                    Communicator world = job.world();
                    Data data = Data.of(new byte[8]);
                    int other = 1 - world.rank();
                    UnsupportedOperationException e =
                        assertThrows(UnsupportedOperationException.class, () -> world.ssend(data, other, TAG));
                    assertTrue(e.getMessage().contains("cells of 64 bytes; at least 128 are needed"), e::getMessage);
                    assertThrows(UnsupportedOperationException.class, () -> world.issend(data, other, TAG));
                    assertThrows(UnsupportedOperationException.class, () -> world.ssendInit(data, other, TAG));
                    world.send(data, other, TAG);
                    assertEquals(8, world.recv(Data.of(new byte[8]), other, ANY_TAG).bytes());
                  });
          return null;
        });
  }
}
