package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.adrastea.Communicator;
import io.adrastea.EveryCoreListOfWorld;
import io.adrastea.Garbage;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.ThreadLevel;
import io.adrastea.failure.Agreement;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** What the progress thread makes once all is warm: nothing, whether messages move or not. */
@Tag("spins")
@EveryCoreListOfWorld
class ProgressThreadGarbageTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int MESSAGES = 500;
  private static final int MEASUREMENTS = 80;
  private static final int BYTES = 64 << 10;

  @Parameter
  String cores;

  private static long helper(int rank) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("adrastea-progress-" + rank))
        .findFirst()
        .orElseThrow()
        .threadId();
  }

  private static void exchange(Communicator world, MemorySegment out, MemorySegment in) {
    int peer = 1 - world.rank();
    Request receive = new Request();
    Request send = new Request();
    for (int i = 0; i < MESSAGES; i++) {
      world.irecv(in, peer, 0, receive);
      world.isend(out, peer, 0, send);
      while (!Request.testAll(receive, send)) {
        Thread.onSpinWait(); // outside, so that the other thread gets in
      }
    }
  }

  @Test
  void noneWhereLargeMessagesMove() throws Exception {
    Agreement agreement = new Agreement(2);
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          int rank = Ranks.world(job).rank();
          job.progressThread();
          long thread = helper(rank);
          MemorySegment out = Garbage.memory(BYTES);
          MemorySegment in = Garbage.memory(BYTES);
          long least = Long.MAX_VALUE;
          for (int i = 0; i < MEASUREMENTS; i++) {
            if (agreement.reached(rank, least < MESSAGES)) {
              return;
            }
            long before = THREADS.getThreadAllocatedBytes(thread);
            exchange(Ranks.world(job), out, in);
            least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
          }
          long found = least;
          assertTrue(found < MESSAGES, () -> "%d bytes of garbage in %d messages".formatted(found, MESSAGES));
        });
  }
}
