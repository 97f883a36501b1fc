package io.adrastea.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.IoVector;
import io.adrastea.Job;
import io.adrastea.LongMessages;
import io.adrastea.Ranks;
import io.adrastea.Refusals;
import io.adrastea.Request;
import io.adrastea.error.AdrasteaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists of parts that are refused, and parts that go away under an operation. */
@EveryCoreList
class IoVectorMisuseTest {
  private static final int BIG = 3 * Ranks.ALL_CELLS;

  @Parameter
  String cores;

  private static List<Consumer<IoVector>> sends(Communicator world) {
    return List.of(parts -> world.send(Data.of(parts), 1, 0), parts -> world.isend(Data.of(parts), 1, 0));
  }

  private static List<Consumer<IoVector>> receives(Communicator world) {
    return List.of(parts -> world.recv(Data.of(parts), 1, 0), parts -> world.irecv(Data.of(parts), 1, 0));
  }

  private static void refused(
      List<Consumer<IoVector>> calls, Class<? extends Exception> type, String said, IoVector parts) {
    calls.forEach(call -> Refusals.refuses(type, said, () -> call.accept(parts)));
  }

  private static IoVector withGood(MemorySegment other) {
    return new IoVector().add(Data.of(new byte[8])).add(other);
  }

  /** Runs checks on rank 0; rank 1 sees that nothing was sent before the last message. */
  private void check(Job.Body checks) throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            checks.run(job);
            Ranks.world(job).send(Data.of(new byte[0]), 1, 99);
          } else {
            assertEquals(99, Ranks.world(job).recv(Data.of(new byte[8]), 0, Communicator.ANY_TAG).tag());
          }
        });
  }

  @Test
  void refusesNullAndStretchesOutsideMemory() {
    IoVector parts = new IoVector();
    MemorySegment none = null;
    MemorySegment eight = MemorySegment.ofArray(new byte[8]);
    Class<NullPointerException> isNull = NullPointerException.class;
    Refusals.refuses(isNull, "buffer is null", () -> parts.add(none));
    Refusals.refuses(isNull, "buffer is null", () -> parts.add(none, 0, 0));
    for (long[] stretch : new long[][] {{-1, 1}, {0, 9}, {8, 1}, {9, 0}, {0, -1}, {Long.MAX_VALUE, 1}}) {
      Class<IndexOutOfBoundsException> outside = IndexOutOfBoundsException.class;
      Refusals.refuses(outside, "" + stretch[0], () -> parts.add(eight, stretch[0], stretch[1]));
    }
    assertThrows(IndexOutOfBoundsException.class, () -> parts.set(0, eight, 0, 8));
    assertThrows(IndexOutOfBoundsException.class, () -> parts.add(Data.of(new int[2], 1, 2)));
    Refusals.refuses(IllegalArgumentException.class, "-1 entries", () -> new IoVector(-1));
    assertEquals(0, parts.size());
  }

  @Test
  void refusesPartsThatCannotBeUsed() throws Exception {
    AtomicReference<MemorySegment> confined = new AtomicReference<>();
    Thread other = new Thread(() -> confined.set(Arena.ofConfined().allocate(8)));
    other.start();
    other.join();
    check(
        job -> {
          Communicator world = Ranks.world(job);
          MemorySegment closed;
          try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
          }
          refused(sends(world), IllegalStateException.class, "arena is closed", withGood(closed));
          refused(receives(world), IllegalStateException.class, "arena is closed", withGood(closed));
          Class<WrongThreadException> type = WrongThreadException.class;
          refused(sends(world), type, "confined to another thread", withGood(confined.get()));
          refused(receives(world), type, "confined to another thread", withGood(confined.get()));
          MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();
          refused(receives(world), IllegalArgumentException.class, "read-only", withGood(readOnly));
          refused(sends(world), NullPointerException.class, "I/O vector is null", null);
          refused(receives(world), NullPointerException.class, "I/O vector is null", null);
        });
  }

  @Test
  void refusesRanksAndTagsOutOfRange() throws Exception {
    check(
        job -> {
          Communicator world = Ranks.world(job);
          IoVector parts = withGood(MemorySegment.ofArray(new byte[1]));
          Class<IllegalArgumentException> type = IllegalArgumentException.class;
          Refusals.refuses(type, "destination 2", () -> world.send(Data.of(parts), 2, 0));
          Refusals.refuses(type, "destination -1", () -> world.isend(Data.of(parts), -1, 0));
          Refusals.refuses(type, "tag -1", () -> world.send(Data.of(parts), 1, -1));
          Refusals.refuses(type, "source 2", () -> world.recv(Data.of(parts), 2, 0));
          Refusals.refuses(type, "tag -2", () -> world.irecv(Data.of(parts), 1, -2));
          parts.clear(); // none of these uses it
        });
  }

  private static Request sendAndClose(Communicator world, int bytes) {
    try (Arena arena = Arena.ofShared()) {
      IoVector parts = new IoVector().add(Data.of(new byte[bytes])).add(arena.allocate(bytes));
      return world.isend(Data.of(parts), 1, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPartThatGoesInTheMiddleFailsTheSendOnBothSidesAndNothingElse(LongMessages way) throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    way.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send = sendAndClose(world, BIG);
            closed.countDown();
            fails(send, "cannot be used any more");
          } else {
            Ranks.await(closed);
            fails(world.irecv(Data.of(new byte[2 * BIG]), 0, 0), "rank 0 gave up its ");
          }
          exchangeMore(world);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aPartThatGoesFailsTheReceiveAndNothingElse(LongMessages way) throws Exception {
    if (way == LongMessages.BY_RENDEZVOUS) {
      Ranks.assumeShared(cores);
    }
    for (int bytes : new int[] {4, 20, BIG}) {
      CountDownLatch closed = new CountDownLatch(1);
      way.run(
          cores,
          2,
          job -> {
            Communicator world = Ranks.world(job);
            if (world.rank() == 0) {
              Ranks.await(closed);
              Request send = world.isend(Data.of(new byte[2 * bytes]), 1, 0);
              if (way == LongMessages.BY_RENDEZVOUS && bytes == BIG) {
                fails(send, "rank 1 gave up its end");
              } else {
                send.await();
              }
            } else {
              Request receive;
              try (Arena arena = Arena.ofConfined()) {
                IoVector parts = new IoVector().add(Data.of(new byte[bytes])).add(arena.allocate(bytes));
                receive = world.irecv(Data.of(parts), 0, 0);
                assertFalse(receive.test());
              }
              closed.countDown();
              fails(receive, "cannot be used any more");
            }
            exchangeMore(world);
          });
    }
  }

  private static void fails(Request request, String said) {
    String message = assertThrows(AdrasteaException.class, request::await).getMessage();
    assertTrue(Ranks.byRank(message).contains(said), message);
  }

  /** More than there are cells: none was lost. */
  private static void exchangeMore(Communicator world) {
    byte[] received = new byte[Ranks.CELL_BYTES];
    for (int i = 0; i < 3 * Ranks.CELLS; i++) {
      if (world.rank() == 0) {
        world.send(Data.of(Contents.of(Ranks.CELL_BYTES, i)), 1, 1);
      } else {
        world.recv(Data.of(received), 0, 1);
        Contents.check(received.length, i, received);
      }
    }
  }
}
