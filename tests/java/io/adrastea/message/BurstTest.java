package io.adrastea.message;

import static io.adrastea.Communicator.ANY_TAG;
import static io.adrastea.Contents.recv;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Burst;
import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.agrona.AgronaData;
import io.adrastea.agrona.SegmentBuffer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Messages that leave together. */
@EveryCoreList
class BurstTest {
  private static final int LOOKS = 300;

  @Parameter
  String cores;

  @Test
  void messagesOfAllSizesAndKindsArriveInOrder() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(11);
          for (int round = 0; round < 100; round++) {
            int messages = random.nextInt(60);
            int seed = 1000 * round;
            int largest = random.nextInt(10) == 0 ? 30_000 : random.nextInt(3) == 0 ? 3000 : 100;
            if (world.rank() == 1) {
              for (int i = 0; i < messages; i++) {
                recv(world, random.nextInt(largest), seed + i, 0, i);
              }
              continue;
            }
            try (Burst burst = world.burst(1)) {
              assertEquals(1, burst.destination());
              for (int i = 0; i < messages; i++) {
                send(world, burst, Contents.of(random.nextInt(largest), seed + i), i);
              }
            }
          }
        });
  }

  private static void send(Communicator world, Burst burst, byte[] contents, int tag) {
    switch (tag % 8) {
      case 0 -> burst.send(Data.of(contents), tag);
      case 1 -> burst.send(Data.of(MemorySegment.ofArray(contents)), tag);
      case 2 -> burst.send(Data.of(ByteBuffer.wrap(contents)), tag);
      case 3 -> burst.send(Data.of(new IoVector().add(Data.of(contents))), tag);
      case 4 -> world.send(Data.of(contents), 1, tag);
      case 5 -> {
        SegmentBuffer buffer = new SegmentBuffer(MemorySegment.ofArray(new byte[contents.length + 3]));
        buffer.putBytes(3, contents);
        burst.send(AgronaData.of(buffer, 3, contents.length), tag);
      }
      case 6 -> world.isend(Data.of(contents), 1, tag).await();
      default -> {
        if (contents.length > Ranks.CELL_BYTES) {
          burst.send(Data.of(contents), tag);
        } else {
          Claim claim = world.claim(1, tag, contents.length);
          claim.copyFrom(0, Data.of(contents));
          claim.commit();
        }
      }
    }
  }

  @Test
  void smallMessagesShowWhenTheBurstEnds() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch looked = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          makeBusy(world);
          if (world.rank() == 0) {
            try (Burst burst = world.burst(1)) {
              for (int i = 0; i < 10; i++) {
                burst.send(Data.of(Contents.of(8, i)), i);
              }
              sent.countDown();
              Ranks.await(looked);
            }
          } else {
            Ranks.await(sent);
            for (int i = 0; i < LOOKS; i++) {
              assertNull(world.iprobe(0, ANY_TAG), "shown before the burst ended");
            }
            looked.countDown();
            for (int i = 0; i < 10; i++) {
              recv(world, 8, i, 0, i);
            }
          }
        });
  }

  /** So many messages to and fro that small ones go by fastbox. */
  private static void makeBusy(Communicator world) {
    int peer = 1 - world.rank();
    for (int i = 0; i < 100; i++) {
      world.sendrecv(Data.of(new byte[8]), peer, 77, Data.of(new byte[8]), peer, 77);
    }
  }

  @Test
  void sendsToOthersAndAfterTheBurstAreNotHeldBack() throws Exception {
    CountDownLatch toTwo = new CountDownLatch(1);
    CountDownLatch toOne = new CountDownLatch(1);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            try (Burst burst = world.burst(1)) {
              burst.send(Data.of(Contents.of(8, 1)), 0);
              world.send(Data.of(Contents.of(8, 2)), 2, 0);
              Ranks.await(toTwo); // outside the library: nothing shows by a wait
            }
            world.send(Data.of(Contents.of(8, 3)), 1, 0);
            Ranks.await(toOne);
          } else if (world.rank() == 1) {
            recv(world, 8, 1, 0, 0);
            recv(world, 8, 3, 0, 0);
            toOne.countDown();
          } else {
            recv(world, 8, 2, 0, 0);
            toTwo.countDown();
          }
        });
  }

  private static Map<String, Runnable> waits(Communicator world) {
    byte[] answer = new byte[8];
    Map<String, Runnable> waits = new LinkedHashMap<>();
    waits.put("recv", () -> world.recv(Data.of(answer, 0, 8), 1, 0));
    waits.put("recv from any", () -> world.recv(Data.of(answer, 0, 8), Communicator.ANY_SOURCE, ANY_TAG));
    waits.put("recv parts", () -> world.recv(Data.of(new IoVector().add(Data.of(answer, 0, 8))), 1, 0));
    waits.put("await", () -> world.irecv(Data.of(answer, 0, 8), 1, 0).await());
    waits.put("recv in place", () -> world.recv(1, 0, message -> {}));
    waits.put("waitAny", () -> Request.waitAny(world.irecv(Data.of(answer, 0, 8), 1, 0)));
    waits.put(
        "test",
        () -> {
          Request request = world.irecv(Data.of(answer, 0, 8), 1, 0);
          while (!request.test()) {
            Thread.yield();
          }
        });
    waits.put(
        "probe",
        () -> {
          world.probe(1, 0);
          world.recv(Data.of(answer, 0, 8), 1, 0);
        });
    waits.put(
        "iprobe",
        () -> {
          while (world.iprobe(1, 0) == null) {
            Thread.yield();
          }
          world.recv(Data.of(answer, 0, 8), 1, 0);
        });
    waits.put(
        "tryRecvMessage",
        () -> {
          Message message = null;
          while (message == null) {
            Thread.yield();
            message = world.tryRecvMessage(1, 0);
          }
          message.release();
        });
    return waits;
  }

  @Test
  void aWaitOfAnyKindShowsWhatWasHeldBack() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int waits = waits(world).size();
          if (world.rank() == 1) {
            for (int i = 0; i < 2 * waits; i++) {
              recv(world, 8, i, 0, 0);
              world.send(Data.of(Contents.of(8, i)), 0, 0);
            }
            return;
          }
          int[] count = new int[1];
          for (int round = 0; round < 2; round++) {
            waits(world)
                .forEach(
                    (name, wait) -> {
                      try (Burst burst = world.burst(1)) {
                        burst.send(Data.of(Contents.of(8, count[0])), 0);
                        count[0]++;
                        wait.run();
                      }
                    });
          }
        });
  }

  @Test
  void aBarrierInABurstShowsWhatWasHeldBack() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            recv(world, 8, 1, 0, 0);
            world.barrier();
            return;
          }
          try (Burst burst = world.burst(1)) {
            burst.send(Data.of(Contents.of(8, 1)), 0);
            world.barrier();
          }
        });
  }

  @Test
  void moreThanThereIsRoomForIsNoDeadlock() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int bytes : new int[] {0, 8, 48, 500, Ranks.CELL_BYTES, 100_000}) {
            int messages = bytes < 100 ? 5000 : 300;
            if (world.rank() == 0) {
              try (Burst burst = world.burst(1)) {
                for (int i = 0; i < messages; i++) {
                  burst.send(Data.of(Contents.of(bytes, i)), 0);
                }
              }
            } else {
              for (int i = 0; i < messages; i++) {
                recv(world, bytes, i, 0, 0);
              }
            }
          }
        });
  }

  @Test
  void burstsToSeveralRanksAndToOneselfAreOpenAtATime() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            try (Burst one = world.burst(1);
                Burst two = world.burst(2);
                Burst self = world.burst(0)) {
              for (int i = 0; i < 100; i++) {
                one.send(Data.of(Contents.of(8, i)), 0);
                two.send(Data.of(Contents.of(8, -i)), 0);
                self.send(Data.of(Contents.of(8, 2 * i)), 0);
              }
            }
          }
          for (int i = 0; i < 100; i++) {
            recv(world, 8, world.rank() == 0 ? 2 * i : world.rank() == 1 ? i : -i, 0, 0);
          }
        });
  }

  @Test
  void anExceptionInsideEndsIt() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    RuntimeException thrown = new RuntimeException("thrown inside");
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            recv(world, 8, 1, 0, 0);
            received.countDown();
            recv(world, 8, 2, 0, 0);
            return;
          }
          assertSame(thrown, assertThrows(RuntimeException.class, () -> throwing(world, thrown)));
          Ranks.await(received);
          try (Burst burst = world.burst(1)) {
            burst.send(Data.of(Contents.of(8, 2)), 0);
          }
        });
  }

  private static void throwing(Communicator world, RuntimeException thrown) {
    try (Burst burst = world.burst(1)) {
      burst.send(Data.of(Contents.of(8, 1)), 0);
      throw thrown;
    }
  }

  @Test
  void whatOtherThreadsSendThereIsNotHeldBack() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            recv(world, 8, 1, 0, 0);
            recv(world, 8, 2, 0, 0);
            received.countDown();
            recv(world, 8, 3, 0, 0);
            return;
          }
          try (Burst burst = world.burst(1)) {
            burst.send(Data.of(Contents.of(8, 1)), 0);
            Refusals.inAnotherThread(() -> world.send(Data.of(Contents.of(8, 2)), 1, 0));
            Ranks.await(received);
            burst.send(Data.of(Contents.of(8, 3)), 0);
          }
        });
  }

  @Test
  void misuseIsRefused() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Class<IllegalStateException> type = IllegalStateException.class;
          byte[] eight = Contents.of(8, 1);
          Refusals.refuses(IllegalArgumentException.class, "destination 1", () -> world.burst(1));
          Burst burst = world.burst(0);
          Refusals.refuses(type, "a burst to rank " + Ranks.name(world, 0) + " is open", () -> world.burst(0));
          Refusals.refuses(IllegalArgumentException.class, "tag -1", () -> burst.send(Data.of(eight, 0, 8), -1));
          Refusals.refusesAnotherThread("begun by thread", () -> burst.send(Data.of(eight, 0, 8), 0));
          Refusals.refusesAnotherThread("begun by thread", burst::close);
          burst.send(Data.of(eight, 0, 8), 0);
          burst.close();
          Refusals.refuses(type, "the burst to rank 0 has ended", burst::close);
          Refusals.refuses(type, "has ended", () -> burst.send(Data.of(eight, 0, 8), 0));
          Refusals.refuses(type, "has ended", () -> burst.send(Data.of(MemorySegment.ofArray(eight)), 0));
          Refusals.refuses(type, "has ended", () -> burst.send(Data.of(ByteBuffer.wrap(eight)), 0));
          Refusals.refuses(type, "has ended", () -> burst.send(Data.of(new IoVector()), 0));
          recv(world, 8, 1, 0, 0);
          assertNull(world.tryRecvMessage(0, ANY_TAG));
        });
  }

  @Test
  void leavingTheJobNamesBurstsThatAreOpenAndEndsThem() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Burst burst = world.burst(1);
            burst.send(Data.of(Contents.of(8, 1)), 0);
            String said = assertThrows(IllegalStateException.class, job::close).getMessage();
            assertTrue(said.contains("burst to rank " + Ranks.name(Ranks.world(job), 1) + ", not ended"), said);
          } else {
            recv(world, 8, 1, 0, 0);
          }
        });
  }
}
