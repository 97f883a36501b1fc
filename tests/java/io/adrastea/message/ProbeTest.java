package io.adrastea.message;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looking at messages before they are received. */
@EveryCoreList
class ProbeTest {
  @Parameter
  String cores;

  private static void receive(Communicator world, Status probed, long seed) {
    int length = (int) probed.bytes();
    byte[] received = new byte[length];
    Status status = world.recv(Data.of(received, 0, length), probed.source(), probed.tag());
    assertEquals(length, status.bytes());
    Contents.check(length, seed, received);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1, 3 * Ranks.ALL_CELLS})
  void tellsTheLengthForAnExactReceive(int bytes) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            for (int i = 0; i < 4; i++) {
              world.send(Data.of(Contents.of(bytes, i)), 1, 10 + i);
            }
            return;
          }
          receive(world, world.probe(0, 10), 0);
          receive(world, world.probe(ANY_SOURCE, 11), 1);
          receive(world, world.probe(0, ANY_TAG), 2);
          Status last = world.iprobe(ANY_SOURCE, ANY_TAG);
          while (last == null) {
            Thread.yield();
            last = world.iprobe(ANY_SOURCE, ANY_TAG);
          }
          assertEquals(0, last.source());
          assertEquals(13, last.tag());
          assertEquals(bytes, last.bytes());
          receive(world, last, 3);
        });
  }

  @Test
  void findsOnlyWhatFits() throws Exception {
    CountDownLatch looked = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Ranks.await(looked);
            world.send(Data.of(Contents.of(8, 1)), 1, 5);
            return;
          }
          assertNull(world.iprobe(ANY_SOURCE, ANY_TAG), "nothing was sent");
          looked.countDown();
          world.probe(0, 5);
          assertNull(world.iprobe(0, 6), "another tag");
          assertNull(world.iprobe(1, 5), "another source");
          receive(world, world.iprobe(0, 5), 1);
          assertNull(world.iprobe(ANY_SOURCE, ANY_TAG), "it was received");
        });
  }

  @Test
  void leavesMessagesWhereTheyAre() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.send(Data.of(Contents.of(10, 1)), 1, 1);
            world.send(Data.of(Contents.of(20, 2)), 1, 2);
            return;
          }
          assertEquals(20, world.probe(0, 2).bytes());
          assertEquals(10, world.probe(0, ANY_TAG).bytes());
          assertEquals(10, world.probe(0, 1).bytes());
          assertEquals(20, world.probe(0, 2).bytes());
          receive(world, world.probe(0, 2), 2);
          receive(world, world.probe(0, ANY_TAG), 1);
        });
  }

  @Test
  void doesNotSeeAMessageThatAPostedReceiveTakes() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] received = new byte[8];
          Request posted = world.irecv(Data.of(received, 0, 8), 0, ANY_TAG);
          world.send(Data.of(Contents.of(8, 1)), 0, 1);
          assertNull(world.iprobe(0, ANY_TAG));
          posted.await();
          Contents.check(8, 1, received);
        });
  }
}
