package io.adrastea.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Closer;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EveryCoreList;
import io.adrastea.Job;
import io.adrastea.LargeKind;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.error.AdrasteaException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Arenas closed at random moments of large transfers. Allowed outcomes: both ends complete, with the right contents at
 * the receiver; both fail; or only a receiver whose own buffer was closed, after its sender had written all. Then all
 * else goes on.
 */
@EveryCoreList
class LargeClosedBufferTest {
  private static final int BYTES = 1_000_003;
  private static final int TRIALS = 24;
  private static final int FAILED = 1;

  @Parameter
  String cores;

  /** Whether an operation failed; that it says why. */
  private static boolean failed(Request request) {
    try {
      request.await();
      return false;
    } catch (AdrasteaException e) {
      assertTrue(
          e.getMessage().contains("cannot be used any more") || e.getMessage().contains("its buffer was closed"),
          e.getMessage());
      return true;
    }
  }

  /** One message; the buffer of {@code closing} is closed at some moment. Each rank tells the other how it ended. */
  private static void trial(Job job, LargeKind other, int closing, int number, long nanos) throws Exception {
    Communicator world = Ranks.world(job);
    int self = world.rank();
    boolean closes = self == closing;
    try (LargeBuffer buffer = (closes ? LargeKind.CLOSABLE : other).make(job, other.bytes(BYTES))) {
      if (self == 0) {
        buffer.fill(number);
      }
      world.barrier();
      Request request = self == 0 ? buffer.isend(1, 0) : buffer.irecv(0, 0);
      Thread thread = closes ? Closer.start(buffer.arena(), nanos) : null;
      boolean failed = failed(request);
      checkAgainstTheOther(world, closing, failed);
      if (self == 1 && !failed && !closes) {
        buffer.check(other.bytes(BYTES), number);
      }
      if (thread != null) {
        assertFalse(Thread.currentThread().isInterrupted(), "nobody has interrupted it");
        thread.join();
      }
    }
    exchange(world, number);
  }

  /** A sender through a ring is done when the last bytes are in it; then a receiver can still lose its buffer. */
  private static void checkAgainstTheOther(Communicator world, int closing, boolean failed) {
    int[] mine = {failed ? FAILED : 0};
    int[] theirs = new int[1];
    int peer = 1 - world.rank();
    world.sendrecv(Data.of(mine, 0, 1), peer, 1, Data.of(theirs, 0, 1), peer, 1);
    int sender = world.rank() == 0 ? mine[0] : theirs[0];
    int receiver = world.rank() == 0 ? theirs[0] : mine[0];
    if (closing == 0 || sender == FAILED) {
      assertEquals(sender, receiver, "both fail, or none");
    }
  }

  private static void exchange(Communicator world, int number) {
    byte[] small = new byte[100];
    byte[] large = new byte[50_000];
    int self = world.rank();
    world.sendrecv(Data.of(Contents.of(100, number + self)), 1 - self, 2, Data.of(small, 0, 100), 1 - self, 2);
    Contents.check(100, number + 1 - self, small);
    world.sendrecv(Data.of(Contents.of(50_000, number + self)), 1 - self, 3, Data.of(large, 0, 50_000), 1 - self, 3);
    Contents.check(50_000, number + 1 - self, large);
  }

  @ParameterizedTest
  @CsvSource({
    "auto,AUTOMATIC,0", "auto,AUTOMATIC,1", "auto,BYTES,0", "auto,BYTES,1", "auto,ALLOCATION,0", "auto,ALLOCATION,1",
    "auto,MIXED_PARTS,0", "auto,CLOSABLE,1", "ring,AUTOMATIC,0", "ring,AUTOMATIC,1"
  })
  void failBothEndsOrNone(String way, LargeKind other, int closing) throws Exception {
    Settings.with(
        Map.of("adrastea.lmt", way),
        () -> {
          Ranks.run(
              cores,
              2,
              job -> {
                SplittableRandom random = new SplittableRandom(closing);
                for (int i = 0; i < TRIALS; i++) {
                  trial(job, other, closing, i, random.nextLong(1 + i % 8 * 100_000L));
                }
              });
          return null;
        });
  }

  /** Closed by its own thread, between two looks at the request. */
  @Test
  void failBothEndsOrNoneWhenAConfinedArenaIsClosedBetweenTwoCalls() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          for (int i = 0; i < TRIALS; i++) {
            int closing = i % 2;
            Arena arena = Arena.ofConfined();
            MemorySegment memory = arena.allocate(BYTES);
            boolean sends = world.rank() == 0;
            if (sends) {
              memory.copyFrom(MemorySegment.ofArray(Contents.of(BYTES, i)));
            }
            world.barrier();
            Request request = sends ? world.isend(memory, 1, 0) : world.irecv(memory, 0, 0);
            boolean complete = false;
            boolean failed = false; // the other end may have closed its arena already
            for (int looks = 0; !complete && !failed && looks < i / 2; looks++) {
              try {
                complete = request.test();
              } catch (AdrasteaException e) {
                failed = true;
              }
            }
            if (world.rank() == closing) {
              arena.close();
            }
            failed = failed || !complete && failed(request);
            checkAgainstTheOther(world, closing, failed);
            if (world.rank() != closing) {
              if (!failed) {
                Contents.check(BYTES, i, memory);
              }
              arena.close();
            }
            exchange(world, i);
          }
        });
  }

  @Test
  void failAReceiverThatComesLate() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 0) {
            Request send;
            try (Arena arena = Arena.ofShared()) {
              send = world.isend(arena.allocate(BYTES), 1, 0);
            }
            world.send(Data.of(new byte[0]), 1, 1);
            assertTrue(failed(send));
          } else {
            world.recv(Data.of(new byte[0]), 0, 1);
            assertTrue(failed(world.irecv(Data.of(new byte[BYTES]), 0, 0)));
          }
          exchange(world, 5);
        });
  }
}
