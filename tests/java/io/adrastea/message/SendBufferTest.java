package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.EveryCoreList;
import io.adrastea.Intercommunicator;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.SendBuffer;
import io.adrastea.Settings;
import io.adrastea.Status;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankLeftException;
import io.adrastea.error.TypeMismatchException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Sends that are complete at once, whatever the receiver does. */
@EveryCoreList
class SendBufferTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;
  private static final int TAG = 4;

  @Parameter
  String cores;

  @Test
  void bothSendBeforeEitherReceives() throws Exception {
    for (LongMessages way : LongMessages.values()) {
      way.run(cores, 2, job -> {
        Communicator world = Ranks.world(job);
        int other = 1 - world.rank();
        try (SendBuffer buffer = new SendBuffer(2 * BIG)) {
          byte[] sent = Contents.of(BIG, world.rank());
          buffer.bsend(world, Data.of(sent), other, TAG);
          Arrays.fill(sent, (byte) -1); // it is the program's again
          buffer.bsend(world, Data.of(Contents.of(8, 5)), other, TAG);
          byte[] received = new byte[BIG];
          assertEquals(BIG, world.recv(Data.of(received), other, TAG).bytes());
          Contents.check(BIG, other, received);
          assertEquals(8, world.recv(Data.of(received), other, TAG).bytes());
        }
      });
    }
  }

  @Test
  void smallMessagesLeaveAtOnceOrWaitInTheBufferInOrder() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int messages = 4 * Ranks.CELLS;
      if (world.rank() == 0) {
        try (SendBuffer buffer = new SendBuffer(messages * (long) (Ranks.CELL_BYTES + SendBuffer.OVERHEAD))) {
          for (int i = 0; i < messages; i++) {
            buffer.bsend(world, Data.of(Contents.of(Ranks.CELL_BYTES, i)), 1, TAG);
          }
          assertFalse(buffer.toString().contains(": 0 messages"), "as long as the receiver does nothing");
          filled.countDown();
          buffer.flush();
          assertTrue(buffer.toString().endsWith(": 0 messages in 0 bytes"), buffer::toString);
        }
      } else {
        Ranks.await(filled);
        byte[] received = new byte[Ranks.CELL_BYTES];
        for (int i = 0; i < messages; i++) {
          world.recv(Data.of(received), 0, TAG);
          Contents.check(Ranks.CELL_BYTES, i, received);
        }
      }
    });
  }

  @Test
  void aMessageThatHasNoRoomIsRefusedUntilOthersAreGone() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    LongMessages.BY_RENDEZVOUS.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        try (SendBuffer buffer = new SendBuffer(BIG)) {
          buffer.bsend(world, Data.of(Contents.of(BIG - 128, 1)), 1, TAG);
          Data second = Data.of(Contents.of(129, 2));
          String words =
              assertThrows(IllegalStateException.class, () -> buffer.bsend(world, second, 1, TAG)).getMessage();
          assertEquals(
              ("no room for a message of 129 bytes in a send buffer of %d bytes: 1 messages in %d bytes that are not "
                  + "gone; flush() waits for them, a longer buffer has room for more").formatted(BIG, BIG - 128),
              words);
          filled.countDown();
          buffer.flush();
          buffer.bsend(world, second, 1, TAG);
        }
      } else {
        Ranks.await(filled);
        byte[] received = new byte[BIG];
        assertEquals(BIG - 128, world.recv(Data.of(received), 0, TAG).bytes());
        Contents.check(BIG - 128, 1, received);
        assertEquals(129, world.recv(Data.of(received), 0, TAG).bytes());
        Contents.check(129, 2, received);
      }
    });
  }

  @Test
  void aRequestIsCompleteAtOnce() throws Exception {
    LongMessages.BY_RENDEZVOUS.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      byte[] bytes = new byte[BIG];
      if (world.rank() == 0) {
        try (SendBuffer buffer = new SendBuffer(2 * BIG)) {
          Request mine = new Request();
          assertSame(mine, buffer.ibsend(world, Data.of(Contents.of(BIG, 1)), 1, TAG, mine));
          assertTrue(mine.isActive());
          assertTrue(mine.isComplete());
          assertFalse(mine.cancel());
          assertEquals(new Request().status(), mine.await());
          assertTrue(buffer.ibsend(world, Data.EMPTY, 1, TAG).test());
          world.send(Data.EMPTY, 1, TAG + 1);
        }
      } else {
        world.recv(Data.EMPTY, 0, TAG + 1);
        world.recv(Data.of(bytes), 0, TAG);
        Contents.check(BIG, 1, bytes);
        world.recv(Data.EMPTY, 0, TAG);
      }
    });
  }

  @Test
  void aPreparedOneSendsWhatTheDataHoldsAtItsStart() throws Exception {
    CountDownLatch filled = new CountDownLatch(1);
    LongMessages.BY_RENDEZVOUS.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      byte[] bytes = new byte[BIG];
      if (world.rank() == 0) {
        try (SendBuffer buffer = new SendBuffer(3 * BIG)) {
          Request prepared = buffer.bsendInit(world, Data.of(bytes), 1, TAG);
          for (int i = 0; i < 3; i++) {
            System.arraycopy(Contents.of(BIG, i), 0, bytes, 0, BIG);
            Request.startAll(prepared);
            assertThrows(IllegalStateException.class, prepared::start);
            assertEquals(0, Request.waitAny(new Request[] {prepared}, new Status[1]));
          }
          assertThrows(IllegalStateException.class, prepared::start, "there is no room for a fourth one");
          assertFalse(prepared.isActive());
          filled.countDown();
        }
      } else {
        Ranks.await(filled);
        for (int i = 0; i < 3; i++) {
          world.recv(Data.of(bytes), 0, TAG);
          Contents.check(BIG, i, bytes);
        }
        assertNull(world.iprobe(0, TAG));
      }
    });
  }

  @Test
  void aMessageOfAJobThatWasLeftHoldsNothingUp() throws Exception {
    SendBuffer buffer = new SendBuffer(BIG + 256);
    LongMessages.BY_RENDEZVOUS.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        buffer.bsend(world, Data.of(Contents.of(BIG, 1)), 1, TAG);
        assertThrows(IllegalStateException.class, job::close);
      } else {
        assertThrows(RankLeftException.class, () -> world.recv(Data.EMPTY, 0, TAG + 1));
      }
    });
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Data word = Data.of(new byte[8]);
      buffer.bsend(world, word, 0, TAG);
      world.recv(word, 0, TAG);
      String told = assertThrows(IllegalStateException.class, buffer::flush).getMessage();
      assertTrue(told.endsWith(" has closed its job"), told);
      buffer.flush();
      Data longer = Data.of(new byte[257]);
      String words = assertThrows(IllegalStateException.class, () -> buffer.bsend(world, longer, 0, TAG)).getMessage();
      assertTrue(words.contains(
          "a send buffer of %d bytes, of which %d are lost to jobs that were left: 0 messages in 0 bytes".formatted(
              BIG + 256, BIG)),
          words);
      buffer.close();
    });
  }

  @Test
  void elementsOfATypeGoPacked() throws Exception {
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      int[] matrix = {1, 2, 3, 4, 5, 6};
      int[] column = new int[3];
      try (SendBuffer buffer = new SendBuffer(1)) {
        buffer.bsend(world, Data.of(matrix, 1, 1, Datatype.vector(3, 1, 2, Datatype.INT)), 0, TAG);
        buffer.bsend(world, Data.of(matrix), Communicator.NO_RANK, TAG);
        world.recv(Data.of(column), 0, TAG);
        assertEquals("[2, 4, 6]", Arrays.toString(column));
      }
    });
  }

  @Test
  void theReceiverIsToldOfTypesThatAreChecked() throws Exception {
    Settings.with(Map.of("adrastea.check", "types"), () -> {
      Ranks.run(cores, 1, job -> {
        Communicator world = Ranks.world(job);
        try (SendBuffer buffer = new SendBuffer(128)) {
          int[] matrix = {1, 2, 3, 4, 5, 6};
          Data column = Data.of(matrix, 1, 1, Datatype.vector(3, 1, 2, Datatype.INT));
          buffer.bsend(world, column, 0, TAG);
          assertThrows(TypeMismatchException.class, () -> world.recv(Data.of(new float[3]), 0, TAG));
          buffer.bsend(world, column, 0, TAG);
          int[] received = new int[3];
          world.recv(Data.of(received), 0, TAG);
          assertEquals("[2, 4, 6]", Arrays.toString(received));
        }
      });
      return null;
    });
  }

  @Test
  void aMessageGoesToTheOtherGroup() throws Exception {
    Ranks.assumeShared(cores);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      int self = world.rank();
      try (Communicator alone = world.split(self, 0);
          Intercommunicator inter = Intercommunicator.create(alone, 0, world, 1 - self, TAG);
          SendBuffer buffer = new SendBuffer(256)) {
        buffer.bsend(inter, Data.of(new int[] {self}), 0, TAG);
        Request prepared = buffer.bsendInit(inter, Data.of(new int[] {10 + self}), 0, TAG);
        prepared.start();
        prepared.await();
        int[] received = new int[1];
        inter.recv(Data.of(received), 0, TAG);
        assertEquals(1 - self, received[0]);
        inter.recv(Data.of(received), 0, TAG);
        assertEquals(11 - self, received[0]);
      }
    });
  }

  @Test
  void refusesWhatCannotBe() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> new SendBuffer(0));
    Ranks.run(cores, 1, job -> {
      Communicator world = Ranks.world(job);
      Data data = Data.of(new byte[8]);
      SendBuffer buffer = new SendBuffer(256);
      assertThrows(NullPointerException.class, () -> buffer.bsend(null, data, 0, TAG));
      assertThrows(NullPointerException.class, () -> buffer.bsend(world, null, 0, TAG));
      assertReason(Reason.RANK, () -> buffer.bsend(world, data, 1, TAG));
      assertReason(Reason.TAG, () -> buffer.bsend(world, data, 0, -1));
      assertReason(Reason.BUFFER, () -> buffer.bsend(world, Data.IN_PLACE, 0, TAG));
      assertReason(Reason.COUNT, () -> buffer.bsend(world, Data.of(new byte[257]), 0, TAG));
      assertReason(Reason.RANK, () -> buffer.bsendInit(world, data, 1, TAG));
      Request prepared = buffer.bsendInit(world, data, 0, TAG);
      assertReason(Reason.REQUEST, () -> buffer.ibsend(world, data, 0, TAG, prepared));
      assertEquals("send buffer of 256 bytes: 0 messages in 0 bytes", buffer.toString());
      buffer.close();
      buffer.close();
      assertEquals("send buffer, closed", buffer.toString());
      assertThrows(IllegalStateException.class, () -> buffer.bsend(world, data, 0, TAG));
      assertThrows(IllegalStateException.class, () -> buffer.bsendInit(world, data, 0, TAG));
      assertThrows(IllegalStateException.class, buffer::flush);
      assertThrows(IllegalStateException.class, prepared::start);
      assertNull(world.iprobe(0, TAG));
    });
  }

  private static void assertReason(Reason reason, Runnable call) {
    assertEquals(reason, assertThrows(ArgumentException.class, call::run).reason());
  }

  @Test
  void anInterruptLeavesTheMessagesInTheBuffer() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    LongMessages.BY_RENDEZVOUS.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      byte[] bytes = Contents.of(BIG, 1);
      if (world.rank() == 0) {
        SendBuffer buffer = new SendBuffer(BIG);
        buffer.bsend(world, Data.of(bytes), 1, TAG);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWaitException.class, buffer::close);
        assertTrue(Thread.interrupted(), "the interrupt stays");
        interrupted.countDown();
        buffer.close();
      } else {
        Ranks.await(interrupted);
        world.recv(Data.of(bytes), 0, TAG);
        Contents.check(BIG, 1, bytes);
      }
    });
  }
}
