package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LargeKind;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TruncationException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Contents and statuses of messages that are sent once their receive is known: of every kind of buffer, by every way.
 */
@EveryCoreList
class LargeMessageTest {
  private static final int EAGER = 8192;
  private static final int SPLIT = 32768;
  private static final int RING = 262_144;
  private static final int GO = 77;

  private static final Map<String, String> LIMITS =
      Map.of("adrastea.eager.bytes", "" + EAGER, "adrastea.split.bytes", "" + SPLIT, "adrastea.ring.bytes", "" + RING);

  private static final int[] MEASURED = {2048, 2049, 5120, 5121, 16_384, 16_385, 32_768, 32_769, 65_536, 65_537};

  private static final int[] SIZES = {
    EAGER, EAGER + 1, SPLIT - 1, SPLIT, SPLIT + 1, SPLIT + 4096, RING - 1, RING, RING + 1, 700_003
  };

  @Parameter
  String cores;

  /** A way of settings; one that a core of the list lacks, since it is in Java alone, is refused. */
  private void by(String way, int ranks, Job.Body body) throws Exception {
    if (way.equals("cma") && cores.contains("java")) {
      assertThrows(IllegalArgumentException.class, () -> go(way, ranks, body));
    } else {
      go(way, ranks, body);
    }
  }

  private void go(String way, int ranks, Job.Body body) throws Exception {
    Map<String, String> settings = new HashMap<>(LIMITS);
    settings.put("adrastea.lmt", way);
    Settings.with(
        settings,
        () -> {
          Ranks.run(cores, ranks, body);
          return null;
        });
  }

  private static void checkStatus(Status status, int source, int tag, int bytes) {
    assertEquals(source, status.source(), "source");
    assertEquals(tag, status.tag(), "tag");
    assertEquals(bytes, status.bytes(), "bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shared", "cma", "ring"})
  void goFromEveryKindOfBufferIntoEveryKind(String way) throws Exception {
    by(way, 2, job -> everyKind(job, 70_001));
  }

  private static void everyKind(Job job, int most) {
    int tag = 0;
    for (LargeKind from : LargeKind.values()) {
      for (LargeKind to : LargeKind.values()) {
        int bytes = from.bytes(most + tag);
        try (LargeBuffer buffer = (Ranks.world(job).rank() == 0 ? from : to).make(job, bytes)) {
          if (Ranks.world(job).rank() == 0) {
            buffer.fill(tag).send(1, tag);
            buffer.isend(1, tag).await();
          } else {
            checkStatus(buffer.recv(0, tag), 0, tag, bytes);
            buffer.check(bytes, tag);
            checkStatus(buffer.irecv(0, tag).await(), 0, tag, bytes);
            buffer.check(bytes, tag);
          }
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError("%d bytes from %s into %s: %s".formatted(bytes, from, to, e), e);
        }
        tag++;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = LargeKind.class,
      names = {"GLOBAL", "CLOSABLE", "ALLOCATION", "BYTES", "MIXED_PARTS"})
  void ofEverySizeAroundTheLimitsArriveByEveryCall(LargeKind kind) throws Exception {
    by("auto", 2, job -> everyCall(job, kind, SIZES));
  }

  /** Where a message becomes a large one depends on the buffer, and on whether the receiver has answered. */
  @ParameterizedTest
  @EnumSource(
      value = LargeKind.class,
      names = {"GLOBAL", "ALLOCATION", "BYTES"})
  void ofEverySizeAroundTheMeasuredLimitsArriveByEveryCall(LargeKind kind) throws Exception {
    Ranks.run(cores, 2, job -> everyCall(job, kind, MEASURED));
  }

  private static void everyCall(Job job, LargeKind from, int[] sizes) {
    for (LargeKind to : new LargeKind[] {from, LargeKind.BYTES, LargeKind.AUTOMATIC}) {
      for (int size : sizes) {
        everyCall(job, from, to, size);
      }
    }
  }

  private static void everyCall(Job job, LargeKind from, LargeKind to, int size) {
    int bytes = from.bytes(size);
    try (LargeBuffer buffer = (Ranks.world(job).rank() == 0 ? from : to).make(job, bytes)) {
      if (Ranks.world(job).rank() == 0) {
        buffer.fill(size);
        sendByEveryCall(job, buffer);
      } else {
        receiveByEveryCall(job, buffer, bytes, size);
      }
    }
  }

  private static void sendByEveryCall(Job job, LargeBuffer buffer) {
    buffer.send(1, 1);
    buffer.isend(1, 2).await();
    buffer.send(1, 3);
    buffer.send(1, 4);
    Request unexpected = buffer.isend(1, 5);
    Ranks.world(job).send(Data.of(new byte[0]), 1, GO);
    unexpected.await();
  }

  private static void receiveByEveryCall(Job job, LargeBuffer buffer, int bytes, int seed) {
    checkStatus(buffer.recv(0, 1), 0, 1, bytes);
    buffer.check(bytes, seed);
    checkStatus(buffer.irecv(Communicator.ANY_SOURCE, 2).await(), 0, 2, bytes);
    buffer.check(bytes, seed);
    checkStatus(Ranks.world(job).probe(0, 3), 0, 3, bytes);
    checkStatus(buffer.recv(0, 3), 0, 3, bytes);
    buffer.check(bytes, seed);
    checkStatus(buffer.recv(Communicator.ANY_SOURCE, Communicator.ANY_TAG), 0, 4, bytes);
    buffer.check(bytes, seed);
    Ranks.world(job).recv(Data.of(new byte[0]), 0, GO); // the message of tag 5 has come, and waits at its sender
    checkStatus(buffer.recv(0, 5), 0, 5, bytes);
    buffer.check(bytes, seed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void goAgainByPersistentRequests(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          int bytes = 100_003;
          byte[] array = new byte[bytes];
          boolean sends = Ranks.world(job).rank() == 0;
          Request request =
              sends ? Ranks.world(job).sendInit(Data.of(array, 0, bytes), 1, 0)
                  : Ranks.world(job).recvInit(Data.of(array, 0, bytes), 0, 0);
          for (int i = 0; i < 20; i++) {
            if (sends) {
              System.arraycopy(Contents.of(bytes, i), 0, array, 0, bytes);
            }
            request.start();
            request.await();
            Contents.check(bytes, i, array);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shared", "cma", "ring"})
  void crossInBothDirectionsManyAtOnce(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          LargeKind[] kinds = LargeKind.values();
          int count = 3 * kinds.length;
          int peer = 1 - Ranks.world(job).rank();
          LargeBuffer[] buffers = new LargeBuffer[2 * count];
          Request[] requests = new Request[2 * count];
          for (int i = 0; i < count; i++) {
            int bytes = 8 * (EAGER + 7001 * i);
            buffers[i] = kinds[(i + peer) % kinds.length].make(job, bytes);
            buffers[count + i] = kinds[i % kinds.length].make(job, bytes).fill(i + 1000L * Ranks.world(job).rank());
          }
          for (int i = 0; i < count; i++) {
            requests[count + i] = buffers[count + i].isend(peer, i);
            int other = count - 1 - i; // received in another order than sent
            requests[other] = buffers[other].irecv(peer, other);
          }
          Request.waitAll(requests);
          for (int i = 0; i < count; i++) {
            buffers[i].check(8 * (EAGER + 7001 * i), i + 1000L * peer);
          }
          for (LargeBuffer buffer : buffers) {
            buffer.close();
          }
        });
  }

  /** A sender copies the first chunk to where it may go while it waits; the receiver may want another message first. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void areMatchedInAnotherOrderThanTheyWereOffered(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          for (int round = 0; round < 12; round++) {
            int bytes = EAGER + 1 + 20_011 * round;
            if (Ranks.world(job).rank() == 0) {
              sendSomeThatAreMatchedLate(job, bytes, round);
            } else {
              byte[] received = new byte[bytes];
              for (int tag : round % 2 == 0 ? new int[] {0, 1, 2, 3} : new int[] {0, 3, 2, 1}) {
                checkStatus(Ranks.world(job).recv(Data.of(received), 0, tag), 0, tag, bytes);
                Contents.check(bytes, round * 4L + tag, received);
              }
              Ranks.world(job).send(Data.of(new byte[0]), 0, GO);
            }
          }
        });
  }

  private static void sendSomeThatAreMatchedLate(Job job, int bytes, int round) {
    Request[] requests = new Request[4];
    for (int tag = 0; tag < requests.length; tag++) {
      requests[tag] = Ranks.world(job).isend(Data.of(Contents.of(bytes, round * 4L + tag)), 1, tag);
      if (tag == 0) {
        requests[0].await(); // nothing is under way when the next one is offered
      }
    }
    Request.waitAll(requests[1], requests[2], requests[3]);
    Ranks.world(job).recv(Data.of(new byte[0]), 1, GO);
  }

  /** What was copied ahead of a message whose buffer is closed before it is matched is no part of the next one. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void areNotMixedWithOneWhoseBufferWasClosed(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          for (int round = 0; round < 6; round++) {
            if (Ranks.world(job).rank() == 0) {
              sendOneOfAClosedBufferBetweenOthers(job, 100_003, round);
            } else {
              byte[] received = new byte[100_003];
              Ranks.world(job).recv(Data.of(received), 0, 1);
              Contents.check(received.length, round, received);
              Ranks.world(job).recv(Data.of(new byte[0]), 0, GO);
              assertThrows(AdrasteaException.class, () -> Ranks.world(job).recv(Data.of(received), 0, 2));
              Ranks.world(job).recv(Data.of(received), 0, 3);
              Contents.check(received.length, 2000 + round, received);
            }
          }
        });
  }

  private static void sendOneOfAClosedBufferBetweenOthers(Job job, int bytes, int round) {
    Communicator world = Ranks.world(job);
    world.send(Data.of(Contents.of(bytes, round)), 1, 1);
    LargeBuffer closed = LargeKind.CLOSABLE.make(job, bytes).fill(1000 + round);
    Request failing = closed.isend(1, 2);
    closed.close();
    world.send(Data.of(new byte[0]), 1, GO);
    assertThrows(AdrasteaException.class, failing::await);
    world.send(Data.of(Contents.of(bytes, 2000 + round)), 1, 3);
  }

  /** Nor is it when the message is taken back, or received only in part, or not at all. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void areNotMixedWithOneThatWasTakenBackOrCutOff(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          for (int round = 0; round < 6; round++) {
            if (Ranks.world(job).rank() == 0) {
              sendOneThatIsTakenBackAndTwoThatAreCutOff(Ranks.world(job), 100_003, 10L * round);
            } else {
              receiveThose(Ranks.world(job), 100_003, 10L * round);
            }
          }
        });
  }

  private static void sendOneThatIsTakenBackAndTwoThatAreCutOff(Communicator world, int bytes, long seed) {
    world.send(Data.of(Contents.of(bytes, seed + 1)), 1, 1);
    Thread.currentThread().interrupt();
    assertThrows(
        InterruptedWaitException.class, () -> world.send(Data.of(Contents.of(bytes, seed + 2)), 1, 2));
    assertTrue(Thread.interrupted());
    for (int tag = 3; tag <= 7; tag++) {
      world.send(Data.of(Contents.of(bytes, seed + tag)), 1, tag);
    }
  }

  private static void receiveThose(Communicator world, int bytes, long seed) {
    byte[] received = new byte[bytes];
    for (int tag : new int[] {1, 3, 4, 5, 6, 7}) {
      int room = tag == 4 ? 1000 : tag == 6 ? 0 : bytes; // less than a chunk of the ring
      if (room == bytes) {
        world.recv(Data.of(received), 0, tag);
      } else {
        assertThrows(TruncationException.class, () -> world.recv(Data.of(received, 0, room), 0, tag));
      }
      assertEquals(-1, Arrays.mismatch(received, 0, room, Contents.of(bytes, seed + tag), 0, room), "tag " + tag);
    }
    assertEquals(null, world.iprobe(0, 2), "the one that was taken back");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "ring"})
  void goFromAllToAll(String way) throws Exception {
    by(
        way,
        4,
        job -> {
          int self = Ranks.world(job).rank();
          int bytes = 200_000;
          byte[][] received = new byte[4][bytes];
          Request[] requests = new Request[24];
          for (int round = 0; round < 3; round++) {
            int used = 0;
            for (int peer = 0; peer < 4; peer++) {
              if (peer != self) {
                requests[used++] = Ranks.world(job).irecv(Data.of(received[peer], 0, bytes), peer, round);
                LargeBuffer out =
                    LargeKind.values()[(self + peer + round) % LargeKind.values().length].make(job, bytes);
                requests[used++] = out.fill(self * 10L + peer).isend(peer, round);
              }
            }
            Request.waitAll(Arrays.copyOf(requests, used));
            for (int peer = 0; peer < 4; peer++) {
              if (peer != self) {
                Contents.check(bytes, peer * 10L + self, received[peer]);
              }
            }
          }
        });
  }

  @Test
  void keepTheirPlaceAmongSmallOnesOfTheSameTag() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Request[] requests = new Request[60];
          byte[] buffer = new byte[200_000];
          for (int i = 0; i < requests.length; i++) {
            int bytes = i % 3 == 0 ? 50_000 + i * 2000 : i * 40 + 1;
            if (world.rank() == 0) {
              requests[i] = world.isend(Data.of(Contents.of(bytes, i)), 1, 0);
            } else {
              checkStatus(world.recv(Data.of(buffer), 0, 0), 0, 0, bytes);
              Contents.check(bytes, i, buffer);
            }
          }
          if (world.rank() == 0) {
            Request.waitAll(requests);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shared", "ring"})
  void areExchangedHeadToHead(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          int self = Ranks.world(job).rank();
          for (int size : SIZES) {
            byte[] received = new byte[size];
            Ranks.world(job).sendrecv(Data.of(Contents.of(size, self)), 1 - self, 1, Data.of(received, 0, size),
                1 - self, 1);
            Contents.check(size, 1 - self, received);
            try (LargeBuffer out = LargeKind.ALLOCATION.make(job, size).fill(self);
                LargeBuffer in = LargeKind.CONFINED.make(job, size)) {
              Ranks.world(job).sendrecv(Data.of(out.memory()), 1 - self, 2, Data.of(in.memory()), 1 - self, 2);
              in.check(size, 1 - self);
            }
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "shared", "cma", "ring"})
  void failAReceiveThatIsTooShortAndNotTheSend(String way) throws Exception {
    by(
        way,
        2,
        job -> {
          for (LargeKind from : LargeKind.values()) {
            for (LargeKind to : LargeKind.values()) {
              for (int room : new int[] {1 << 10, 90_000}) {
                tooShort(job, from, to, 200_000, room);
              }
            }
          }
        });
  }

  private static void tooShort(Job job, LargeKind from, LargeKind to, int bytes, int room) {
    boolean sends = Ranks.world(job).rank() == 0;
    try (LargeBuffer buffer = (sends ? from : to).make(job, sends ? bytes : room)) {
      if (sends) {
        buffer.fill(3).send(1, 0);
        Ranks.world(job).send(Data.of(Contents.of(9, 9)), 1, 0);
        return;
      }
      TruncationException failure = assertThrows(TruncationException.class, () -> buffer.recv(0, 0));
      assertEquals(bytes, failure.messageBytes());
      assertEquals(room, failure.bufferBytes());
      byte[] whole = Contents.of(bytes, 3);
      buffer.checkStart(whole);
      byte[] next = new byte[9];
      Ranks.world(job).recv(Data.of(next, 0, 9), 0, 0);
      Contents.check(9, 9, next);
    }
  }

  @Test
  void areReceivedIntoNothing() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            Ranks.world(job).send(Data.of(new byte[100_000]), 1, 0);
          } else {
            assertThrows(TruncationException.class, () -> Ranks.world(job).recv(Data.of(new byte[0]), 0, 0));
          }
        });
  }

  @Test
  void areNamedByARankThatLeavesBeforeTheyAreReceived() throws Exception {
    IllegalStateException failure =
        assertThrows(
            IllegalStateException.class,
            () -> Ranks.run(
                cores,
                2,
                job -> {
                  if (Ranks.world(job).rank() == 0) {
                    Ranks.world(job).isend(Data.of(new byte[100_001]), 1, 5);
                    Ranks.world(job).irecv(Data.of(new byte[100_002]), 1, 6);
                    job.close();
                  }
                }));
    for (String part : new String[] {"100001 bytes", "tag 5", "100002 bytes", "tag 6"}) {
      assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }
  }
}
