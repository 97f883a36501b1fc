package io.adrastea.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Message;
import io.adrastea.MessageHandler;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What is done with a message in place that must not be. */
@EveryCoreList
class MessageMisuseTest {
  @Parameter
  String cores;

  private static Map<String, Runnable> uses(Message message) {
    Map<String, Runnable> uses = new LinkedHashMap<>();
    uses.put("source", message::source);
    uses.put("tag", message::tag);
    uses.put("bytes", message::bytes);
    uses.put("getByte", () -> message.getByte(0));
    uses.put("getShort", () -> message.getShort(0));
    uses.put("getInt", () -> message.getInt(0));
    uses.put("getLong", () -> message.getLong(0));
    uses.put("getFloat", () -> message.getFloat(0));
    uses.put("getDouble", () -> message.getDouble(0));
    uses.put("copyTo memory", () -> message.copyTo(0, MemorySegment.ofArray(new byte[8]), 0, 8));
    uses.put("copyTo array", () -> message.copyTo(0, Data.of(new byte[8])));
    uses.put("segment", message::segment);
    uses.put("close", message::close);
    uses.put("release", message::release);
    return uses;
  }

  private void withMessage(java.util.function.BiConsumer<Communicator, Message> body) throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          for (int aside = 0; aside < 2; aside++) {
            world.send(Data.of(Contents.of(8, 1)), 0, 0);
            if (aside == 1) {
              world.probe(0, 0);
            }
            body.accept(world, world.recvMessage(0, 0));
          }
        });
  }

  @Test
  void everyUseAfterTheReleaseIsRefused() throws Exception {
    withMessage(
        (world, message) -> {
          message.release();
          uses(message)
              .forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "was released", use));
          assertEquals("released", message.toString());
        });
  }

  @Test
  void everyUseAfterTheHandlerIsRefused() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          Message[] kept = new Message[1];
          world.send(Data.of(Contents.of(8, 1)), 0, 0);
          world.recv(0, 0, message -> kept[0] = message);
          uses(kept[0])
              .forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "was released", use));
        });
  }

  @Test
  void everyUseByAnotherThreadIsRefusedAndTheMessageStays() throws Exception {
    withMessage(
        (world, message) -> {
          uses(message)
              .forEach(
                  (name, use) -> {
                    try {
                      Refusals.refusesAnotherThread(
                          "received by thread 'adrastea-rank-%d'".formatted(Ranks.inJob(cores, 1, 0)), use);
                    } catch (InterruptedException e) {
                      throw new AssertionError(e);
                    }
                  });
          byte[] copy = new byte[8];
          message.copyTo(0, Data.of(copy, 0, 8));
          Contents.check(8, 1, copy);
          message.release();
        });
  }

  @Test
  void offsetsOutsideTheMessageAreRefused() throws Exception {
    Class<IndexOutOfBoundsException> type = IndexOutOfBoundsException.class;
    withMessage(
        (world, message) -> {
          for (long at : new long[] {-1, 8, Long.MIN_VALUE, Long.MAX_VALUE}) {
            Refusals.refuses(type, "do not lie in a message of 8 bytes", () -> message.getByte(at));
          }
          Refusals.refuses(type, "2 bytes at offset 7", () -> message.getShort(7));
          Refusals.refuses(type, "4 bytes at offset 5", () -> message.getInt(5));
          Refusals.refuses(type, "8 bytes at offset 1", () -> message.getLong(1));
          Refusals.refuses(type, "4 bytes at offset -4", () -> message.getFloat(-4));
          Refusals.refuses(type, "8 bytes at offset 8", () -> message.getDouble(8));
          MemorySegment target = MemorySegment.ofArray(new byte[16]);
          Refusals.refuses(type, "9 bytes at offset 0", () -> message.copyTo(0, target, 0, 9));
          Refusals.refuses(type, "-1 bytes", () -> message.copyTo(0, target, 0, -1));
          Refusals.refuses(type, "16 bytes at offset 0", () -> message.copyTo(0, Data.of(new long[2])));
          assertThrows(type, () -> message.copyTo(0, target, 9, 8));
          assertThrows(type, () -> message.copyTo(0, Data.of(new byte[8], 1, 8)));
          assertThrows(NullPointerException.class, () -> message.copyTo(0, (MemorySegment) null, 0, 1));
          Refusals.refuses(NullPointerException.class, "data is null", () -> message.copyTo(0, (Data) null));
          Refusals.refuses(IllegalArgumentException.class, "read-only",
              () -> message.copyTo(0, Data.of(MemorySegment.ofArray(new byte[8]).asReadOnly())));
          assertEquals(8, message.segment().byteSize());
          assertTrue(message.segment().isReadOnly());
          message.release();
        });
  }

  @Test
  void argumentsOutOfRangeAreRefused() throws Exception {
    Ranks.run(
        cores,
        1,
        job -> {
          Communicator world = Ranks.world(job);
          MessageHandler handler = message -> {};
          Class<IllegalArgumentException> type = IllegalArgumentException.class;
          Refusals.refuses(type, "source 1", () -> world.recv(1, 0, handler));
          Refusals.refuses(type, "source -3", () -> world.recvMessage(-3, 0));
          Refusals.refuses(type, "tag -2", () -> world.tryRecvMessage(0, -2));
          Refusals.refuses(NullPointerException.class, "handler is null", () -> world.recv(0, 0, null));
        });
  }

  @Test
  void aRankThatFailsHoldsNoMessageAnyMore() throws Exception {
    for (int aside = 0; aside < 2; aside++) {
      boolean copied = aside == 1;
      Ranks.run(
          cores,
          1,
          job -> {
            Communicator world = Ranks.world(job);
            Message[] kept = new Message[1];
            for (int tag = 0; tag < 2; tag++) {
              world.send(Data.of(Contents.of(8, 1)), 0, tag);
            }
            if (copied) {
              world.probe(0, 1);
            }
            Message held = world.recvMessage(0, 0);
            world.recv(
                0,
                1,
                message -> {
                  kept[0] = message;
                  job.fail("on purpose");
                });
            for (Message message : List.of(held, kept[0])) {
              uses(message)
                  .forEach((name, use) -> Refusals.refuses(IllegalStateException.class, "the job was left", use));
            }
          });
    }
  }

  @Test
  void leavingTheJobNamesMessagesThatAreHeldAndGivesThemBack() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            world.send(Data.of(Contents.of(8, 1)), 0, 5);
            world.send(Data.of(Contents.of(Ranks.CELL_BYTES, 1)), 0, 6);
            Ranks.await(closed);
            for (int i = 0; i < 3 * Ranks.CELLS; i++) { // with all cells
              world.send(Data.of(Contents.of(Ranks.CELL_BYTES, i)), 2, 0);
            }
          } else if (world.rank() == 0) {
            Message small = world.recvMessage(1, 5);
            Message big = world.recvMessage(1, 6);
            String said = assertThrows(IllegalStateException.class, job::close).getMessage();
            closed.countDown();
            assertTrue(Ranks.byRank(said).contains("message of 8 bytes from rank 1 with tag 5, not released"), said);
            assertTrue(Ranks.byRank(said).contains("message of 8192 bytes from rank 1 with tag 6, not released"), said);
            Refusals.refuses(IllegalStateException.class, "the job was left", small::release);
            Refusals.refuses(IllegalStateException.class, "the job was left", () -> big.getByte(0));
          } else {
            for (int i = 0; i < 3 * Ranks.CELLS; i++) {
              byte[] received = new byte[Ranks.CELL_BYTES];
              world.recv(Data.of(received), 1, 0);
              Contents.check(received.length, i, received);
            }
          }
        });
  }
}
