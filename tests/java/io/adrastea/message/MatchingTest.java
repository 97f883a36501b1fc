package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Status;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Which message a receive gets: source, tag, wildcards, and the order between them. */
@EveryCoreList
class MatchingTest {
  private static final int COUNT = 300;
  private static final int DONE = 1 << 20;

  @Parameter
  String cores;

  private static int size(int index) {
    Random random = new Random(index);
    return random.nextInt(8) == 0 ? random.nextInt(4 * Ranks.CELL_BYTES) : 4 + random.nextInt(200);
  }

  private static void sendAll(Communicator world, int destination, int tags) {
    for (int i = 0; i < COUNT; i++) {
      int size = size(i);
      world.send(Data.of(Contents.of(size, i)), destination, i % tags);
    }
  }

  private static Status receive(Communicator world, int index, int source, int tag) {
    byte[] received = new byte[4 * Ranks.CELL_BYTES];
    Status status = world.recv(Data.of(received), source, tag);
    assertEquals(size(index), status.bytes(), () -> "length of message " + index);
    Contents.check(size(index), index, received);
    return status;
  }

  @Test
  void keepsTheOrderOfMessagesOfAllSizesWithOneTag() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            sendAll(Ranks.world(job), 1, 1);
          } else {
            for (int i = 0; i < COUNT; i++) {
              receive(Ranks.world(job), i, 0, 0);
            }
          }
        });
  }

  @Test
  void receivesFromAnySourceInEachSourcesOrder() throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() > 0) {
            sendAll(world, 0, 1);
            return;
          }
          int[] next = new int[3];
          byte[] received = new byte[4 * Ranks.CELL_BYTES];
          for (int i = 0; i < 2 * COUNT; i++) {
            Status status =
                world.recv(Data.of(received), Communicator.ANY_SOURCE, 0);
            int index = next[status.source()]++;
            assertEquals(size(index), status.bytes());
            Contents.check(size(index), index, received);
          }
          assertEquals(COUNT, next[1]);
          assertEquals(COUNT, next[2]);
        });
  }

  @Test
  void receivesAnyTagInTheOrderSent() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            sendAll(Ranks.world(job), 1, 7);
          } else {
            for (int i = 0; i < COUNT; i++) {
              Status status = receive(Ranks.world(job), i, 0, Communicator.ANY_TAG);
              assertEquals(i % 7, status.tag());
            }
          }
        });
  }

  @Test
  void keepsUnexpectedMessagesForReceivesInAnotherOrder() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            sendAll(world, 1, COUNT);
            world.send(Data.of(new byte[0]), 1, DONE);
          } else {
            world.recv(Data.of(new byte[0]), 0, DONE); // all others have come before it
            for (int i = COUNT - 1; i >= 0; i--) {
              assertEquals(i, receive(world, i, 0, i).tag());
            }
          }
        });
  }

  @Test
  void keepsTheOrderAmongUnexpectedMessagesOfOneTag() throws Exception {
    int tags = 3;
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            sendAll(world, 1, tags);
            world.send(Data.of(new byte[0]), 1, DONE);
          } else {
            world.recv(Data.of(new byte[0]), 0, DONE);
            for (int tag = tags - 1; tag >= 0; tag--) {
              for (int i = tag; i < COUNT; i += tags) {
                receive(world, i, 0, tag);
              }
            }
          }
        });
  }

  @Test
  void givesAMessageToTheReceiveThatWasPostedFirst() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            world.recv(Data.of(new byte[0]), 1, DONE);
            for (int i = 0; i < 4; i++) {
              world.send(Data.of(new int[] {i}), 1, 5);
            }
            return;
          }
          int[] received = {-1, -1, -1, -1};
          Request any = world.irecv(Data.of(received, 0, 1), Communicator.ANY_SOURCE, Communicator.ANY_TAG);
          Request tagged = world.irecv(Data.of(received, 1, 1), Communicator.ANY_SOURCE, 5);
          Request other = world.irecv(Data.of(received, 2, 1), 0, 6);
          Request sourced = world.irecv(Data.of(received, 2, 1), 0, Communicator.ANY_TAG);
          world.send(Data.of(new byte[0]), 0, DONE);
          world.recv(Data.of(received, 3, 1), 0, 5); // posted last, though it waits first
          Request.waitAll(sourced, tagged, any);
          for (int i = 0; i < 4; i++) {
            assertEquals(i, received[i], "message of receive " + i);
          }
          assertTrue(other.cancel(), "nothing has that tag");
          other.await();
        });
  }

  @Test
  void tellsTheGreatestTagFromAnyTag() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          world.send(Data.of(new byte[] {1}, 0, 1), 0, 0);
          world.send(Data.of(new byte[] {2}, 0, 1), 0, Integer.MAX_VALUE);
          byte[] received = new byte[2];
          Status status = world.recv(Data.of(received, 0, 1), 0, Integer.MAX_VALUE);
          assertEquals(Integer.MAX_VALUE, status.tag());
          world.recv(Data.of(received, 1, 1), 0, Communicator.ANY_TAG);
          assertEquals(2, received[0]);
          assertEquals(1, received[1]);
        });
  }
}
