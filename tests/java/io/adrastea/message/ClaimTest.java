package io.adrastea.message;

import static io.adrastea.Contents.recv;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Claim;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Message;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that are written where their receiver reads them. */
@EveryCoreList
class ClaimTest {
  private static final int[] SIZES = {0, 1, 8, 47, 48, 49, 300, 4000, Ranks.CELL_BYTES - 1, Ranks.CELL_BYTES};

  @Parameter
  String cores;

  private static void commit(Claim claim, long seed) {
    claim.copyFrom(0, Data.of(Contents.of((int) claim.bytes(), seed)));
    claim.commit();
  }

  @Test
  void messagesOfAllSizesArrive() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int i = 0; i < 300; i++) {
            int bytes = SIZES[i % SIZES.length];
            if (world.rank() == 0) {
              Claim claim = world.claim(1, i, bytes);
              assertEquals(1, claim.destination());
              assertEquals(bytes, claim.bytes());
              commit(claim, i);
            } else {
              recv(world, bytes, i, 0, i);
            }
          }
        });
  }

  @Test
  void aWaitForTheSamePeerLeavesAnOpenClaimAsItIs() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int i = 0; i < 200; i++) {
            if (world.rank() == 0) {
              Claim claim = world.claim(1, i, 8);
              claim.putLong(0, i);
              recv(world, 8, i, 1, i); // comes late, so it is waited for
              claim.commit();
            } else {
              Thread.onSpinWait();
              world.send(Data.of(Contents.of(8, i)), 0, i);
              long[] received = new long[1];
              assertEquals(i, world.recv(Data.of(received, 0, 1), 0, i).tag());
              assertEquals(i, received[0]);
            }
          }
        });
  }

  @Test
  void valuesAreWrittenAtAnyOffset() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Claim claim = world.claim(0, 0, 60);
          claim.putByte(0, (byte) 1);
          claim.putShort(1, (short) 2);
          claim.putInt(3, 3);
          claim.putLong(7, 4);
          claim.putFloat(15, 5.5f);
          claim.putDouble(19, 6.5);
          claim.copyFrom(27, MemorySegment.ofArray(new byte[] {7, 8, 9}), 1, 2);
          claim.copyFrom(29, Data.of(new short[] {10, 11, 12}, 1, 2));
          claim.segment().set(ValueLayout.JAVA_BYTE, 59, (byte) 13);
          claim.commit();
          try (Message message = world.recvMessage(0, 0)) {
            assertEquals(1, message.getByte(0));
            assertEquals(2, message.getShort(1));
            assertEquals(3, message.getInt(3));
            assertEquals(4, message.getLong(7));
            assertEquals(5.5f, message.getFloat(15));
            assertEquals(6.5, message.getDouble(19));
            assertEquals(8, message.getByte(27));
            assertEquals(9, message.getByte(28));
            assertEquals(11, message.getShort(29));
            assertEquals(12, message.getShort(31));
            assertEquals(13, message.getByte(59));
          }
        });
  }

  @Test
  void whatIsAbortedIsNeverSeenAndTakesNoRoom() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(5);
          for (int i = 0; i < 3000; i++) {
            int bytes = SIZES[random.nextInt(SIZES.length)];
            boolean aborted = random.nextInt(3) != 0;
            boolean plain = random.nextBoolean();
            if (world.rank() == 0 && aborted) {
              Claim claim = world.claim(1, 0, bytes);
              claim.copyFrom(0, Data.of(Contents.of(bytes, -1)));
              claim.abort();
            } else if (world.rank() == 0 && plain) {
              world.send(Data.of(Contents.of(bytes, i)), 1, 0);
            } else if (world.rank() == 0) {
              commit(world.claim(1, 0, bytes), i);
            } else if (!aborted) {
              recv(world, bytes, i, 0, 0);
            }
          }
        });
  }

  @Test
  void aClaimWaitsForRoomAndGoesBehindPendingSends() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    int big = 3 * Ranks.ALL_CELLS;
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request first = world.isend(Data.of(Contents.of(big, 1)), 1, 0);
            assertFalse(first.test());
            assertNull(world.tryClaim(1, 0, 8));
            begun.countDown();
            commit(world.claim(1, 0, 8), 2);
            assertTrue(first.test(), "overtaken");
            world.send(Data.of(Contents.of(8, 3)), 1, 0);
          } else {
            Ranks.await(begun);
            recv(world, big, 1, 0, 0);
            recv(world, 8, 2, 0, 0);
            recv(world, 8, 3, 0, 0);
          }
        });
  }

  @Test
  void aTryGetsNothingWhereThereIsNoRoomAndSomethingWhenThereIs() throws Exception {
    CountDownLatch[] full = {new CountDownLatch(1), new CountDownLatch(1)};
    int[] lengths = {Ranks.CELL_BYTES, 8};
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int round = 0; round < lengths.length; round++) {
            int bytes = lengths[round];
            if (world.rank() == 0) {
              int sent = 0;
              for (Claim claim; (claim = world.tryClaim(1, 0, bytes)) != null; sent++) {
                commit(claim, sent);
              }
              assertTrue(sent > 10, "sent " + sent);
              full[round].countDown();
              Claim claim;
              while ((claim = world.tryClaim(1, 1, bytes)) == null) {
                Thread.yield();
              }
              commit(claim, sent);
              recv(world, 0, 0, 1, 0);
            } else {
              Ranks.await(full[round]);
              int received = 0;
              while (world.probe(0, Communicator.ANY_TAG).tag() == 0) {
                recv(world, bytes, received++, 0, 0);
              }
              recv(world, bytes, received, 0, 1);
              world.send(Data.of(new byte[0]), 0, 0);
            }
          }
        });
  }

  @Test
  void claimsToSeveralRanksAreOpenAtATime() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() != 0) {
            for (int i = 0; i < 200; i++) {
              recv(world, 300, i, 0, 0);
            }
            return;
          }
          for (int i = 0; i < 200; i++) {
            Claim one = world.claim(1, 0, 300);
            Claim two = world.claim(2, 0, 300);
            Claim self = world.claim(0, 0, 8);
            world.iprobe(1, 0);
            commit(two, i);
            commit(self, i);
            commit(one, i);
            recv(world, 8, i, 0, 0);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void receivesGoOnWhileAClaimIsOpen(LongMessages way) throws Exception {
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int peer = 1 - world.rank();
          for (int i = 0; i < 100; i++) {
            if (world.rank() == 0) {
              Claim claim = world.claim(peer, 0, 40);
              recv(world, 100_000, i, peer, 0);
              commit(claim, i);
            } else {
              world.send(Data.of(Contents.of(100_000, i)), peer, 0);
              recv(world, 40, i, peer, 0);
            }
          }
        });
  }

  @Test
  void manyThreadsClaimForOneRankEachInItsTurn() throws Exception {
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Thread[] threads = new Thread[3];
          Throwable[] failure = new Throwable[1];
          for (int tag = 0; tag < threads.length; tag++) {
            int mine = tag;
            threads[tag] = new Thread(() -> claimOrReceive(world, mine));
            threads[tag].setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
            threads[tag].start();
          }
          for (Thread thread : threads) {
            thread.join();
          }
          assertNull(failure[0], () -> failure[0].toString());
        });
  }

  private static void claimOrReceive(Communicator world, int tag) {
    for (int i = 0; i < 300; i++) {
      if (world.rank() == 1) {
        recv(world, 100, 10 * i + tag, 0, tag);
        continue;
      }
      Claim claim = null;
      while (claim == null) {
        try {
          claim = world.claim(1, tag, 100);
        } catch (IllegalStateException e) { // another thread's is open
          assertTrue(e.getMessage().contains("is open"), e.getMessage());
          Thread.yield();
        }
      }
      assertNotNull(claim);
      commit(claim, 10 * i + tag);
    }
  }
}
