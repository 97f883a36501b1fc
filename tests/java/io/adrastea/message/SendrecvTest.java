package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Ranks;
import io.adrastea.Status;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TruncationException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending and receiving in one call. */
@EveryCoreList
class SendrecvTest {
  @Parameter
  String cores;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void handsMessagesRoundARing(int ranks) throws Exception {
    Ranks.run(
        cores,
        ranks,
        job -> {
          Communicator world = Ranks.world(job);
          int left = (world.rank() + ranks - 1) % ranks;
          int right = (world.rank() + 1) % ranks;
          for (int bytes : new int[] {0, 8, Ranks.CELL_BYTES + 1, 2 * Ranks.ALL_CELLS}) {
            MemorySegment mine = MemorySegment.ofArray(Contents.of(bytes, world.rank()));
            MemorySegment theirs = MemorySegment.ofArray(new byte[bytes]);
            Status status = world.sendrecv(Data.of(mine), right, right, Data.of(theirs), left, world.rank());
            assertEquals(left, status.source());
            assertEquals(world.rank(), status.tag());
            assertEquals(bytes, status.bytes());
            Contents.check(bytes, left, theirs);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void replacesWhatItSends(int ranks) throws Exception {
    Ranks.run(
        cores,
        ranks,
        job -> {
          Communicator world = Ranks.world(job);
          int left = (world.rank() + ranks - 1) % ranks;
          int right = (world.rank() + 1) % ranks;
          for (int bytes : new int[] {0, 8, Ranks.CELL_BYTES + 1, 2 * Ranks.ALL_CELLS, 24}) {
            byte[] mine = Contents.of(bytes, world.rank());
            Data data = Data.of(mine);
            if (bytes > 1) {
              data = Data.of(new IoVector().add(MemorySegment.ofArray(mine), 0, 1)
                  .add(MemorySegment.ofArray(mine), 1, bytes - 1));
            }
            for (Data each : new Data[] {Data.of(mine), data}) {
              MemorySegment.copy(MemorySegment.ofArray(Contents.of(bytes, world.rank())), 0,
                  MemorySegment.ofArray(mine), 0, bytes);
              assertEquals(new Status(left, world.rank(), bytes, false),
                  world.sendrecvReplace(each, right, right, left, world.rank()));
              Contents.check(bytes, left, mine);
            }
          }
        });
  }

  @Test
  void leavesNothingOfAReplacementThatFails() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] mine = {1, 2, 3};
          assertThrows(IllegalArgumentException.class, () -> world.sendrecvReplace(Data.of(mine), 1, 0, 0, 0));
          assertThrows(IllegalArgumentException.class,
              () -> world.sendrecvReplace(Data.of(MemorySegment.ofArray(mine).asReadOnly()), 0, 0, 0, 0));
          world.send(Data.of(new byte[4]), 0, 1);
          assertThrows(TruncationException.class, () -> world.sendrecvReplace(Data.of(mine), 0, 0, 0, 1));
          assertEquals(3, world.recv(Data.of(mine), 0, 0).bytes(), "what it sent is there");
        });
  }

  @Test
  void handsStretchesOfArraysRound() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          int left = (world.rank() + 2) % 3;
          int right = (world.rank() + 1) % 3;
          long[] token = {-1, world.rank(), -1};
          double[] received = new double[4];
          for (int step = 0; step < 300; step++) {
            long[] next = new long[3];
            world.sendrecv(Data.of(token, 1, 1), right, 0, Data.of(next, 2, 1), left, 0);
            token[1] = next[2];
          }
          assertEquals(world.rank(), token[1]);
          double[] mine = {world.rank() + 0.5};
          world.sendrecv(Data.of(mine, 0, 1), right, 0, Data.of(received, 3, 1), left, 0);
          assertEquals(left + 0.5, received[3]);
          assertEquals(0, received[2]);
        });
  }

  @Test
  void leavesNoReceiveBehindWhenTheSendFails() throws Exception {
    CountDownLatch left = new CountDownLatch(1);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            job.close();
            left.countDown();
          } else if (world.rank() == 2) {
            Ranks.await(left);
            byte[] unused = new byte[8];
            byte[] big = new byte[2 * Ranks.ALL_CELLS];
            assertThrows(
                RankFailedException.class,
                () -> world.sendrecv(Data.of(big), 1, 0, Data.of(unused, 0, 8), 0, 0));
            world.send(Data.of(unused, 0, 8), 0, 1);
            byte[] received = new byte[8];
            world.recv(Data.of(received, 0, 8), 0, 0);
            Contents.check(8, 9, received);
            Contents.checkZero(MemorySegment.ofArray(unused));
          } else {
            world.recv(Data.of(new byte[8]), 2, 1);
            world.send(Data.of(Contents.of(8, 9)), 2, 0);
          }
        });
  }
}
