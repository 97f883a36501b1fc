package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.InterruptedWaitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An interrupt ends a wait, whatever it is for; what becomes of the operation then. A wait that it does not end hangs,
 * and the test fails by its deadline.
 */
@EveryCoreList
class InterruptedWaitTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final int LARGE = 1 << 20;
  private static final int TAG = 7;
  private static final int MORE_THAN_FIT = 8 * Ranks.CELLS;

  @Parameter
  String cores;

  /** Waits of rank 0 for rank 1, which does nothing. */
  enum Wait {
    RECV(world -> world.recv(Data.of(new byte[8]), 1, TAG)), RECV_FROM_ANY(
        world -> world.recv(Data.of(new byte[8]), Communicator.ANY_SOURCE, TAG)), RECV_OF_WHAT_MAY_BE_LARGE(
            world -> world.recv(Data.of(new byte[LARGE]), 1, TAG)), RECV_IN_PLACE(
                world -> world.recvMessage(1, TAG)), SENDRECV(
                    world -> world.sendrecv(Data.of(new byte[8]), 0, TAG + 1, Data.of(new byte[8]), 1, TAG)), PROBE(
                        world -> world.probe(1, TAG)), BARRIER(Communicator::barrier);

    private final Consumer<Communicator> call;

    Wait(Consumer<Communicator> call) {
      this.call = call;
    }
  }

  /** Runs {@code call} on a thread that is interrupted before it waits, or while. */
  private static void assertInterrupted(Runnable call) {
    Thread.currentThread().interrupt();
    InterruptedWaitException e = assertThrows(InterruptedWaitException.class, call::run);
    assertTrue(Thread.interrupted(), "the interrupt stays");
    assertTrue(e.getMessage().contains(Thread.currentThread().getName()), e::getMessage);
  }

  @ParameterizedTest
  @EnumSource(Wait.class)
  void anInterruptEndsAWaitAndTheNextCallGoesWell(Wait wait) throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            assertInterrupted(() -> wait.call.accept(world));
            interrupted.countDown();
            byte[] received = new byte[8];
            assertEquals(8, world.recv(Data.of(received, 0, 8), 1, TAG).bytes(),
                "nothing is left that takes the message");
            Contents.check(8, 1, received);
            while (world.iprobe(0, TAG + 1) != null) {
              world.recv(Data.of(received, 0, 8), 0, TAG + 1);
            }
          } else {
            Ranks.await(interrupted);
            world.send(Data.of(Contents.of(8, 1)), 0, TAG);
          }
          world.barrier();
        });
  }

  @Test
  void aThreadThatSleepsInAWaitIsInterrupted() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            Thread waiting = Thread.currentThread();
            Thread other =
                Thread.ofPlatform()
                    .start(
                        () -> {
                          awaitSleep(waiting);
                          waiting.interrupt();
                        });
            assertThrows(InterruptedWaitException.class, () -> Ranks.world(job).recv(Data.of(new byte[8]), 1, TAG));
            assertTrue(Thread.interrupted());
            other.join();
            over.countDown();
          } else {
            Ranks.await(over);
          }
        });
  }

  /** Whether a thread is in a nap, or in the kernel: then it looks as if it ran, in a method named so. */
  private static boolean isAsleep(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (frame.getMethodName().equals("sleep") && frame.getClassName().startsWith("io.adrastea")) {
        return true;
      }
    }
    return false;
  }

  private static void awaitSleep(Thread thread) {
    while (!isAsleep(thread)) {
      assertTrue(thread.isAlive(), "it has ended instead");
      Thread.onSpinWait();
    }
  }

  @Test
  void aRequestGoesOnAndCanBeAwaitedAgain() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            byte[] received = new byte[8];
            Request request = world.irecv(Data.of(received, 0, 8), 1, TAG);
            assertInterrupted(request::await);
            assertInterrupted(() -> Request.waitAny(null, request));
            interrupted.countDown();
            assertEquals(8, request.await().bytes());
            Contents.check(8, 1, received);
            Request cancelled = world.irecv(Data.of(received, 0, 8), 1, TAG);
            assertInterrupted(cancelled::await);
            assertTrue(cancelled.cancel());
            assertTrue(cancelled.await().isCancelled());
          } else {
            Ranks.await(interrupted);
            world.send(Data.of(Contents.of(8, 1)), 0, TAG);
          }
          world.barrier();
        });
  }

  /** Pieces of it are out, for which there was room: the receiver is told that no more comes. */
  @Test
  void aSendInPiecesIsCalledOff() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            assertInterrupted(() -> world.send(Data.of(Contents.of(BIG, 1)), 1, TAG));
            interrupted.countDown();
            world.send(Data.of(Contents.of(8, 2)), 1, TAG);
          } else {
            Ranks.await(interrupted);
            byte[] received = new byte[BIG];
            assertThrows(AdrasteaException.class, () -> world.recv(Data.of(received, 0, BIG), 0, TAG));
            assertEquals(8, world.recv(Data.of(received, 0, 8), 0, TAG).bytes());
            Contents.check(8, 2, java.util.Arrays.copyOf(received, 8));
          }
          world.barrier();
        });
  }

  @Test
  void aClaimIsTakenBack() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request before = world.isend(Data.of(Contents.of(BIG, 1)), 1, TAG);
            assertInterrupted(() -> world.claim(1, TAG, 8));
            interrupted.countDown();
            before.await();
            world.send(Data.of(Contents.of(8, 2)), 1, TAG);
          } else {
            Ranks.await(interrupted);
            byte[] received = new byte[BIG];
            world.recv(Data.of(received, 0, BIG), 0, TAG);
            Contents.check(BIG, 1, received);
            assertEquals(8, world.recv(Data.of(received, 0, BIG), 0, TAG).bytes());
          }
          world.barrier();
        });
  }

  /** Its beginning is here, so that it would be lost: the receive goes on, and the interrupt stays for the next. */
  @Test
  void aMessageThatHasBegunToComeIsReceived() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch waits = new CountDownLatch(1);
    AtomicReference<Thread> receiver = new AtomicReference<>();
    LongMessages.IN_PIECES.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Ranks.await(begun);
            if (!Ranks.shareMemory(cores)) {
              world.probe(1, TAG); // on its way, and not here before
            }
            byte[] received = new byte[BIG];
            receiver.set(Thread.currentThread());
            Thread.currentThread().interrupt();
            waits.countDown();
            assertEquals(BIG, world.recv(Data.of(received, 0, BIG), 1, TAG).bytes());
            assertTrue(Thread.interrupted());
            Contents.check(BIG, 1, received);
          } else {
            Request request = world.isend(Data.of(Contents.of(BIG, 1)), 0, TAG);
            assertFalse(request.test()); // before the receiver takes anything, since it could take all of it meanwhile
            begun.countDown();
            Ranks.await(waits);
            awaitSleep(receiver.get());
            request.await();
          }
          world.barrier();
        });
  }

  /** Both send what the other may take at any moment: each lets go of the other's offer. */
  @Test
  void twoRanksThatSendEachOtherLargeMessagesFirstAreFreed() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          int other = 1 - world.rank();
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(LARGE, 64);
            assertInterrupted(() -> world.send(memory, other, TAG));
          }
          world.barrier(); // before it neither has received
          assertNull(world.iprobe(other, TAG), "it was taken back");
          world.barrier();
          world.sendrecv(Data.of(Contents.of(LARGE, world.rank()), 0, LARGE), other, TAG, Data.of(new byte[LARGE]),
              other, TAG);
        });
  }

  /**
   * The sender asks for it back once a probe has shown it, and that comes in before the receive. A sender that sleeps
   * with an interrupt pending asks when it wakes, before it takes anything in: so it has asked when more messages were
   * sent to it than there is room for.
   */
  @Test
  void aLargeSendThatAProbeHasShownGoesOn() throws Exception {
    AtomicReference<Thread> sender = new AtomicReference<>();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          byte[] small = new byte[1024];
          try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(LARGE, 64);
            if (world.rank() == 0) {
              sender.set(Thread.currentThread());
              memory.copyFrom(MemorySegment.ofArray(Contents.of(LARGE, 3)));
              world.send(memory, 1, TAG);
              assertTrue(Thread.interrupted());
              for (int i = 0; i < MORE_THAN_FIT; i++) {
                world.recv(Data.of(small), 1, TAG);
              }
            } else {
              assertEquals(LARGE, world.probe(0, TAG).bytes());
              sender.get().interrupt();
              awaitSleep(sender.get());
              for (int i = 0; i < MORE_THAN_FIT; i++) {
                world.send(Data.of(small), 0, TAG);
              }
              assertNull(world.iprobe(0, TAG + 1), "what the sender asks has come in");
              assertEquals(LARGE, world.recv(memory, 0, TAG).bytes());
              Contents.check(LARGE, 3, memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
            }
          }
          world.barrier();
        });
  }

  /**
   * Its receive was posted before, so that it is matched when it is asked for again, which the sender does once it has
   * slept.
   */
  @Test
  void aLargeSendWhoseReceiverHasBegunGoesOn() throws Exception {
    CountDownLatch known = new CountDownLatch(1);
    CountDownLatch posted = new CountDownLatch(1);
    AtomicReference<Thread> sender = new AtomicReference<>();
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(LARGE, 64);
            if (world.rank() == 0) {
              sender.set(Thread.currentThread());
              known.countDown();
              Ranks.await(posted);
              memory.copyFrom(MemorySegment.ofArray(Contents.of(LARGE, 3)));
              Thread.currentThread().interrupt();
              world.send(memory, 1, TAG);
              assertTrue(Thread.interrupted());
            } else {
              Request request = world.irecv(memory, 0, TAG);
              posted.countDown();
              Ranks.await(known);
              awaitSleep(sender.get());
              request.await();
              Contents.check(LARGE, 3, memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE));
            }
          }
          world.barrier();
        });
  }
}
