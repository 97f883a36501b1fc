package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessage;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.active.ActiveWord;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.group.Numbering;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.failure.FailingRanks;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Messages that handlers of their receivers take in: any length, in order, while all ranks send, on every core. */
@EveryCoreList
class ActiveMessagesTest {
  private static final int[] SIZES =
      {0, 1, 7, 8, 100, 4079, 4080, 4081, 4096, 8, Ranks.CELL_BYTES - 1, Ranks.CELL_BYTES, Ranks.CELL_BYTES + 1, 0,
        3 * Ranks.CELL_BYTES + 5, 1 << 20, 1, 2 * Ranks.ALL_CELLS, 8};
  private static final int PUT = 1;
  private static final int ANSWER = 255;
  private static final int TAG = 7;
  private static final int NUMBER = 0; // words of the headers here
  private static final int SOURCE = 1;

  @Parameter
  String cores;

  private static Payload heap(byte[] bytes) {
    return new Contiguous(MemorySegment.ofArray(bytes), 0, bytes.length);
  }

  private static Payload outside(byte[] bytes) {
    MemorySegment memory = Arena.ofAuto().allocate(bytes.length + 8L);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, 8, bytes.length);
    return new Contiguous(memory, 8, bytes.length);
  }

  /** Bytes in two pieces of memory. */
  private static Payload scattered(byte[] bytes) {
    int half = bytes.length / 2;
    IoEntries entries = new IoEntries(2);
    entries.add(MemorySegment.ofArray(bytes), 0, half);
    entries.add(Arena.ofAuto().allocate(bytes.length + 1L).copyFrom(MemorySegment.ofArray(bytes)), half,
        bytes.length - half);
    return entries;
  }

  private static Payload payload(int number, byte[] bytes) {
    return switch (number % 3) {
      case 0 -> heap(bytes);
      case 1 -> outside(bytes);
      default -> scattered(bytes);
    };
  }

  private static long seed(long source, long number) {
    return source * 1000 + number;
  }

  private static byte[] bytes(Payload payload, long length) {
    byte[] bytes = new byte[(int) length];
    Cursor cursor = new Cursor();
    cursor.begin(length);
    payload.pack(cursor, MemorySegment.ofArray(bytes), 0, length);
    return bytes;
  }

  /** A rank of the job, as its engine has it. */
  private static final class Rank {
    final Communicator world;
    final ActiveMessages active;
    final Members members;
    final List<ActiveMessage> pending = new ArrayList<>();

    Rank(Job job) {
      this.world = Ranks.world(job);
      this.active = world.engine().active();
      this.members = new Members(Numbering.world(job.world().size()), "the test's");
    }

    ActiveMessage send(int to, int type, long number, Payload payload) {
      ActiveMessage message = active.start(members, world.jobRank(to), type,
          new long[] {number, world.jobRank(world.rank())}, payload);
      if (message != null) {
        pending.add(message);
      }
      return message;
    }

    void finishAll() {
      for (ActiveMessage message : pending) {
        message.finish(Long.MAX_VALUE, (subject, done) -> assertNull(done.failure()), null);
      }
      pending.clear();
    }

    void progress() {
      assertNull(world.iprobe(Communicator.ANY_SOURCE, TAG));
    }
  }

  /** Checks contents and order, and counts. */
  private static class Checking implements ActiveHandler {
    final int[] next;
    int begun;
    int count;
    final List<RuntimeException> failures = new ArrayList<>();

    Checking(Job job) {
      this.next = new int[job.world().size()];
    }

    @Override
    public Payload begin(int source, long[] header, long length) {
      assertEquals(source, header[SOURCE]);
      assertEquals(0, header[SOURCE + 1]);
      begun++;
      return payload((int) header[NUMBER] + 1, new byte[(int) length]);
    }

    @Override
    public void finished(int source, long[] header, Payload memory) {
      assertEquals(next[source]++, header[NUMBER], "order");
      Contents.check((int) memory.bytes(), seed(source, header[NUMBER]), bytes(memory, memory.bytes()));
      count++;
    }

    @Override
    public void failed(int source, long[] header, Payload memory, RuntimeException cause) {
      failures.add(cause);
    }
  }

  @Test
  void bringPayloadsOfAnyLengthInOrderToAll() throws Exception {
    for (int ranks : new int[] {2, 4}) {
      Ranks.run(cores, ranks, job -> {
        Rank rank = new Rank(job);
        Checking handler = new Checking(job);
        rank.active.register(PUT, handler);
        rank.world.barrier();
        long own = rank.world.jobRank(rank.world.rank());
        for (int number = 0; number < SIZES.length; number++) {
          byte[] contents = Contents.of(SIZES[number], seed(own, number));
          for (int to = 0; to < ranks; to++) {
            rank.send(to, PUT, number, payload(number, contents));
          }
        }
        rank.finishAll();
        while (handler.count < ranks * SIZES.length) {
          rank.progress();
        }
        assertEquals(List.of(), handler.failures);
        rank.world.barrier();
      });
    }
  }

  /** Answers each message with what it has brought. */
  private static final class Echo extends Checking {
    private final Rank rank;

    Echo(Job job, Rank rank) {
      super(job);
      this.rank = rank;
    }

    @Override
    public void reserve() {
      rank.active.reserve(1);
    }

    @Override
    public void finished(int source, long[] header, Payload memory) {
      super.finished(source, header, memory);
      rank.active.post(source, ANSWER, new long[] {header[NUMBER]}, memory);
    }
  }

  @Test
  void areAnsweredByHandlersWhileBothSend() throws Exception {
    int rounds = 5;
    Ranks.run(cores, 2, job -> {
      Rank rank = new Rank(job);
      long own = rank.world.jobRank(rank.world.rank());
      rank.active.register(PUT, new Echo(job, rank));
      Checking answers = new Checking(job) {
        @Override
        public Payload begin(int source, long[] header, long length) {
          assertEquals(0, header[1], "words that were not sent");
          return heap(new byte[(int) length]);
        }

        @Override
        public void finished(int source, long[] header, Payload memory) {
          assertEquals(count++, header[NUMBER]);
          Contents.check((int) memory.bytes(), seed(own, header[NUMBER]), bytes(memory, memory.bytes()));
        }
      };
      rank.active.register(ANSWER, answers);
      rank.world.barrier();
      int number = 0;
      for (int round = 0; round < rounds; round++) {
        for (int size : SIZES) {
          rank.send(1 - rank.world.rank(), PUT, number, payload(number, Contents.of(size, seed(own, number))));
          number++;
        }
      }
      rank.finishAll();
      while (answers.count < number) {
        rank.progress();
      }
      rank.world.barrier();
    });
  }

  @Test
  void waitForRoomAndGoOnBesideMessagesOfTheProgram() throws Exception {
    int many = 5 * Ranks.CELLS;
    CountDownLatch sent = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Rank rank = new Rank(job);
      Checking handler = new Checking(job);
      rank.active.register(PUT, handler);
      rank.world.barrier();
      if (rank.world.rank() == 0) {
        long own = rank.world.jobRank(0);
        int number = 0;
        while (rank.pending.size() < many && number < 1000 * many) {
          rank.send(1, PUT, number, heap(Contents.of(3000, seed(own, number))));
          number++;
        }
        Request large = rank.world.isend(Data.of(Contents.of(Ranks.ALL_CELLS, 1)), 1, TAG + 1);
        ActiveMessage last = rank.send(1, PUT, number + 1L, heap(new byte[0]));
        assertFalse(last.isComplete());
        assertTrue(last.toString().contains("active message of type 1 to rank"), last::toString);
        assertTrue(last.withdraw());
        assertTrue(last.isCancelled());
        rank.pending.remove(last);
        sent.countDown();
        large.await();
        rank.finishAll();
        rank.world.send(Data.of(new int[] {number}), 1, TAG + 2);
      } else {
        Ranks.await(sent);
        int[] count = new int[1];
        Contents.recv(rank.world, Ranks.ALL_CELLS, 1, 0, TAG + 1);
        rank.world.recv(Data.of(count), 0, TAG + 2);
        while (handler.count < count[0]) {
          rank.progress();
        }
        assertEquals(count[0], handler.count);
      }
      rank.world.barrier();
    });
  }

  @Test
  void failWhenMemoryOfOneEndIsClosedInTheMiddle() throws Exception {
    int large = 3 * Ranks.ALL_CELLS;
    CountDownLatch begun = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Rank rank = new Rank(job);
      Arena arena = Arena.ofShared();
      Checking handler = new Checking(job) {
        @Override
        public Payload begin(int source, long[] header, long length) {
          Payload usual = super.begin(source, header, length);
          return header[NUMBER] == 1 ? new Contiguous(arena.allocate(length), 0, length) : usual;
        }

        @Override
        public void finished(int source, long[] header, Payload memory) {
          next[source] = (int) header[NUMBER];
          super.finished(source, header, memory);
        }
      };
      rank.active.register(PUT, handler);
      rank.world.barrier();
      if (rank.world.rank() == 0) {
        long own = rank.world.jobRank(0);
        ActiveMessage closed = rank.send(1, PUT, 0, new Contiguous(arena.allocate(large), 0, large));
        arena.close();
        rank.pending.clear();
        rank.send(1, PUT, 1, heap(new byte[large]));
        rank.send(1, PUT, 2, heap(Contents.of(100_000, seed(own, 2))));
        begun.countDown();
        closed.finish(Long.MAX_VALUE,
            (subject, done) -> assertTrue(
                done.failure().getMessage().contains("the memory of an active message of type 1 to rank")),
            null);
        rank.finishAll();
      } else {
        Ranks.await(begun);
        while (handler.begun < 2) {
          rank.progress();
        }
        assertEquals(1, handler.failures.size());
        arena.close();
        while (handler.count < 1) {
          rank.progress();
        }
        assertEquals(2, handler.failures.size());
        assertTrue(handler.failures.get(0).getMessage().contains("has given up an active message of type 1"));
        assertTrue(handler.failures.get(1).getMessage().contains("the memory for an active message of type 1"));
      }
      rank.world.barrier();
    });
  }

  /** Rank 1 fails while a message of its own, and one to it, are under way. */
  @Test
  void tellWhenTheOtherEndFailsInTheMiddle() {
    Ranks.assumeOneNode(cores); // between nodes its end comes behind what nobody polls for in awaitFailed
    int large = 5 * Ranks.ALL_CELLS;
    FailingRanks.run(cores, 2, (job, cause) -> {
      Rank rank = new Rank(job);
      Checking handler = new Checking(job);
      rank.active.register(PUT, handler);
      rank.world.barrier();
      ActiveMessage message = rank.send(1 - rank.world.rank(), PUT, 0, heap(new byte[large]));
      if (rank.world.rank() == FailingRanks.GONE) {
        while (handler.begun == 0) {
          rank.progress();
        }
        throw cause;
      }
      FailingRanks.awaitFailed(job, FailingRanks.GONE);
      message.finish(
          Long.MAX_VALUE, (subject, done) -> assertInstanceOf(RankFailedException.class, done.failure()), null);
      while (handler.failures.isEmpty()) {
        rank.progress();
      }
      assertInstanceOf(RankFailedException.class, handler.failures.get(0));
      assertEquals(0, handler.count);
    });
  }

  /** Counts, without memory. */
  private static final class Counting implements ActiveHandler {
    int count;
    int wanted;

    @Override
    public Payload begin(int source, long[] header, long length) {
      return NO_MEMORY;
    }

    @Override
    public void finished(int source, long[] header, Payload memory) {
      count++;
    }

    @Override
    public void failed(int source, long[] header, Payload memory, RuntimeException cause) {
      throw new AssertionError(cause);
    }
  }

  @Test
  void thatAreShortMakeNoGarbage() throws Exception {
    assumeFalse(cores.contains("+"), "the links of tests make some");
    assumeFalse(cores.contains("@"), "the ranks are those of the job");
    Garbage.check(cores, world -> {
      ActiveMessages active = world.engine().active();
      Members members = new Members(Numbering.world(2), "the test's");
      long[] header = new long[4];
      return () -> {
        for (int i = 0; i < Garbage.BATCH; i++) {
          ActiveMessage message = active.start(members, 1, PUT, header, ActiveHandler.NO_MEMORY);
          if (message != null) {
            message.finish(Long.MAX_VALUE, (subject, done) -> {}, null);
          }
        }
      };
    }, world -> {
      Counting handler = new Counting();
      world.engine().active().register(PUT, handler);
      return () -> {
        handler.wanted += Garbage.BATCH; // those that came early count
        while (handler.count < handler.wanted) {
          world.iprobe(0, TAG);
        }
      };
    });
  }

  @Test
  void refuseWhatCannotBe() throws Exception {
    Ranks.run(cores, 2, job -> {
      Rank rank = new Rank(job);
      rank.active.register(PUT, new Counting());
      String type = "of type 256; allowed are types from 1 to 255";
      Refusals.refuses(IllegalArgumentException.class, type, () -> rank.active.register(256, new Counting()));
      Refusals.refuses(IllegalArgumentException.class, "have a handler",
          () -> rank.active.register(PUT, new Counting()));
      Refusals.refuses(IllegalArgumentException.class, type, () -> rank.send(0, 256, 0, ActiveHandler.NO_MEMORY));
      Refusals.refuses(IllegalArgumentException.class, "header of 17 words; allowed are up to 16",
          () -> rank.active.start(rank.members, 0, PUT, new long[ActiveWord.MOST_WORDS + 1], ActiveHandler.NO_MEMORY));
      rank.world.barrier();
      if (rank.world.rank() == 0) {
        rank.send(1, PUT + 1, 0, heap(new byte[100_000]));
        rank.finishAll();
      } else {
        String unknown = "sent an active message of type 2; this rank handles types 1, 253, 254;";
        assertTrue(assertThrows(AdrasteaException.class,
            () -> rank.world.recv(Data.of(new byte[1]), 0, TAG)).getMessage().contains(unknown));
      }
      rank.world.barrier();
    });
  }
}
