package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.TruncationException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Streams of large messages through the copy ring: only arrays are sent, which cannot be reached from outside. */
@EveryCoreList
class LargeStreamTest {
  private static final int BYTES = 200_000; // of which several fit the ring, and which is a step
  private static final int FIRST = 1;
  private static final int MORE = 2;
  private static final int COUNT = 3;
  private static final int MOST = 2000;
  private static final long PAUSE_NANOS = 5_000_000;

  @Parameter
  String cores;

  private final AtomicBoolean received = new AtomicBoolean();

  @Test
  void aSenderThatStartsMessagesAndNeverWaitsMovesTheFirstOn() throws Exception {
    Ranks.run(cores, 2, job -> {
      if (Ranks.world(job).rank() == 0) {
        startUntilReceived(Ranks.world(job));
      } else {
        receive(Ranks.world(job));
      }
    });
  }

  private void startUntilReceived(Communicator world) {
    byte[] first = Contents.of(BYTES, 1);
    byte[] more = Contents.of(BYTES, 2);
    List<Request> requests = new ArrayList<>();
    requests.add(world.isend(Data.of(first), 1, FIRST));
    while (!received.get() && requests.size() < MOST) {
      LockSupport.parkNanos(PAUSE_NANOS);
      requests.add(world.isend(Data.of(more), 1, MORE));
    }
    boolean movedOn = received.get();
    world.send(Data.of(new int[] {requests.size() - 1}), 1, COUNT);
    requests.forEach(Request::await);
    assertTrue(movedOn, "the first message was not received while " + requests.size() + " were started");
  }

  private void receive(Communicator world) {
    byte[] buffer = new byte[BYTES];
    world.recv(Data.of(buffer), 0, FIRST);
    received.set(true);
    Contents.check(BYTES, 1, buffer);
    int[] count = new int[1];
    world.recv(Data.of(count), 0, COUNT);
    for (int i = 0; i < count[0]; i++) {
      world.recv(Data.of(buffer), 0, MORE);
      Contents.check(BYTES, 2, buffer);
    }
  }

  /** What waits for its turn behind others in the ring comes in its order, also where one ahead of it fails. */
  @Test
  void messagesBehindOneWhoseReceiveIsTooShortComeWhole() throws Exception {
    int window = 40;
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      List<Request> requests = new ArrayList<>();
      List<byte[]> buffers = new ArrayList<>();
      for (int i = 0; i < window; i++) {
        boolean sends = world.rank() == 0;
        byte[] buffer = sends ? Contents.of(BYTES, i) : new byte[i % 7 == 3 ? BYTES / 2 : BYTES];
        buffers.add(buffer);
        requests.add(sends ? world.isend(Data.of(buffer), 1, FIRST) : world.irecv(Data.of(buffer), 0, FIRST));
      }
      for (int i = 0; i < window; i++) {
        await(world.rank(), i, requests.get(i));
        if (world.rank() == 1 && i % 7 != 3) {
          Contents.check(BYTES, i, buffers.get(i));
        }
      }
    });
  }

  private static void await(int rank, int number, Request request) {
    boolean truncated = false;
    try {
      request.await();
    } catch (TruncationException e) {
      truncated = true;
    }
    assertEquals(rank == 1 && number % 7 == 3, truncated, "message " + number);
  }
}
