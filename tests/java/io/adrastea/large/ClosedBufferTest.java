package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Closer;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.AdrasteaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas closed under operations on their way: those fail, on both sides, and nothing else. */
@EveryCoreList
class ClosedBufferTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final int CLOSINGS = 40;
  private static final long MOST_NANOS = 500_000;
  private static final int STREAM = 1; // tags
  private static final int CLOSED = 2;
  private static final MemorySegment NOTHING = MemorySegment.NULL;

  @Parameter
  String cores;

  private static void fails(Request request, String said) {
    String message = assertThrows(AdrasteaException.class, request::await).getMessage();
    assertTrue(Ranks.byRank(message).contains(said), message);
  }

  private static void sendMore(Communicator world) {
    for (int i = 0; i < 3 * Ranks.CELLS; i++) { // more than there are cells: none was lost
      world.send(Data.of(Contents.of(100, i)), 1, 0);
    }
    world.send(Data.of(Contents.of(BIG, 7)), 1, 0);
  }

  private static void receiveMore(Communicator world) {
    byte[] received = new byte[BIG];
    for (int i = 0; i < 3 * Ranks.CELLS; i++) {
      assertEquals(100, world.recv(Data.of(received, 0, BIG), 0, 0).bytes());
      Contents.check(100, i, received);
    }
    world.recv(Data.of(received, 0, BIG), 0, 0);
    Contents.check(BIG, 7, received);
  }

  private static Request sendAndClose(Communicator world) {
    try (Arena arena = Arena.ofShared()) {
      return world.isend(arena.allocate(BIG), 1, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void failsASendOnBothSidesWhenItsBufferGoesBeforeTheReceiveIsPosted(LongMessages way) throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = sendAndClose(world);
            closed.countDown();
            fails(send, "cannot be used any more");
            sendMore(world);
          } else {
            Ranks.await(closed);
            Request receive = world.irecv(Data.of(new byte[BIG]), 0, 0);
            fails(receive, "rank 0 gave up its ");
            receiveMore(world);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void failsASendOnBothSidesWhenItsMessageIsUnexpectedAsFarAsItWent(LongMessages way) throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = sendAndClose(world);
            closed.countDown();
            world.send(Data.of(new byte[0]), 1, 1);
            fails(send, "cannot be used any more");
            sendMore(world);
          } else {
            Ranks.await(closed);
            world.recv(Data.of(new byte[0]), 0, 1); // all of the first message there will ever be
            Request receive = world.irecv(Data.of(new byte[BIG]), 0, 0);
            fails(receive, "rank 0 gave up its ");
            receiveMore(world);
          }
        });
  }

  @Test
  void failsASendThatWaitsBehindAnotherWithoutATrace() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request first = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            Request second = sendAndClose(world);
            closed.countDown();
            first.await();
            fails(second, "cannot be used any more");
            sendMore(world);
          } else {
            Ranks.await(closed);
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, 0);
            Contents.check(BIG, 1, received);
            receiveMore(world);
          }
        });
  }

  /** A send whose receiver has lost its buffer: it fails if it was to wait for the receive. */
  private static void ends(LongMessages way, int bytes, Request send) {
    if (way == LongMessages.BY_RENDEZVOUS && bytes == BIG) {
      fails(send, "rank 1 gave up its end");
    } else {
      send.await();
    }
  }

  @ParameterizedTest
  @EnumSource
  void failsAReceiveWhoseBufferGoesBeforeTheMessageComes(LongMessages way) throws Exception {
    for (int bytes : new int[] {8, BIG}) {
      CountDownLatch closed = new CountDownLatch(1);
      way.run(
          cores,
          2,
          job -> {
            Communicator world = Ranks.world(job);
            if (world.rank() == 0) {
              Ranks.await(closed);
              ends(way, bytes, world.isend(Data.of(new byte[bytes]), 1, 0));
              sendMore(world);
            } else {
              Request receive;
              try (Arena arena = Arena.ofConfined()) {
                receive = world.irecv(arena.allocate(bytes), 0, 0);
              }
              closed.countDown();
              fails(receive, "cannot be used any more");
              receiveMore(world);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void failsAReceiveWhoseBufferGoesInTheMiddleOfTheMessage(LongMessages way) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = world.isend(Data.of(Contents.of(BIG, 1)), 1, 0);
            begun.countDown();
            Ranks.await(closed); // meanwhile nothing moves the rest on
            ends(way, BIG, send);
            sendMore(world);
          } else {
            Ranks.await(begun);
            world.probe(0, 0);
            Request receive;
            try (Arena arena = Arena.ofConfined()) {
              MemorySegment memory = arena.allocate(BIG);
              receive = world.irecv(memory, 0, 0);
              assertFalse(receive.test());
            }
            closed.countDown();
            fails(receive, "cannot be used any more");
            receiveMore(world);
          }
        });
  }

  @Test
  void failsAPersistentSendStartedWithoutItsBuffer() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send;
            try (Arena arena = Arena.ofConfined()) {
              send = world.sendInit(Data.of(arena.allocate(8)), 1, 0);
            }
            for (int i = 0; i < 2 * Ranks.CELLS; i++) { // each time, no cell is lost
              fails(send.start(), "cannot be used any more");
            }
            sendMore(world);
          } else {
            receiveMore(world);
          }
        });
  }

  /** Whether the memory was there until the call was over; at whatever moment it went, nobody has interrupted this. */
  private static boolean finds(BooleanSupplier call) {
    try {
      return call.getAsBoolean();
    } catch (AdrasteaException | IllegalStateException | IllegalArgumentException e) {
      assertFalse(Thread.currentThread().isInterrupted(), () -> "nobody has interrupted it: " + e);
      return false;
    }
  }

  /** HotSpot interrupts a thread in whose copy an arena is closed. */
  @ParameterizedTest
  @ValueSource(ints = {8, 40, 1000, 8000})
  void leavesNobodyInterruptedWhenItsBufferGoesInTheMiddleOfACall(int bytes) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          SplittableRandom random = new SplittableRandom(bytes);
          for (int closing = 0; closing < CLOSINGS; closing++) {
            Arena arena = Arena.ofShared();
            MemorySegment memory = arena.allocate(bytes, 8);
            boolean closes = closing % 2 == world.rank();
            Thread closer = closes ? Closer.start(arena, random.nextLong(MOST_NANOS)) : null;
            if (world.rank() == 0) {
              sendUntilOneIsClosed(world, memory);
            } else {
              receiveUntilOneIsClosed(world, memory, bytes);
            }
            if (closes) {
              closer.join();
            } else {
              arena.close();
            }
          }
        });
  }

  private static void sendUntilOneIsClosed(Communicator world, MemorySegment memory) {
    boolean open = true;
    while (open && world.iprobe(1, CLOSED) == null) {
      open = finds(() -> {
        world.send(memory, 1, STREAM);
        return true;
      });
    }
    if (open) {
      world.recv(NOTHING, 1, CLOSED);
    }
    world.send(NOTHING, 1, CLOSED);
  }

  private static void receiveUntilOneIsClosed(Communicator world, MemorySegment memory, int bytes) {
    boolean[] over = new boolean[1];
    while (!over[0] && finds(() -> {
      over[0] = world.recv(memory, 0, Communicator.ANY_TAG).tag() == CLOSED;
      return true;
    })) {}
    if (!over[0]) {
      world.send(NOTHING, 0, CLOSED);
    }
    MemorySegment own = MemorySegment.ofArray(new byte[bytes]);
    while (!over[0]) {
      over[0] = world.recv(own, 0, Communicator.ANY_TAG).tag() == CLOSED;
    }
  }
}
