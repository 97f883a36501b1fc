package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.AlteredRank;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Memory of a peer that XPMEM does not reach, of all the reasons there are: each message is right all the same, and
 * what is logged is what happened.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class XpmemRefusalTest {
  private static final int BYTES = 100_000;
  private static final int MESSAGES = 3;
  private static final long SEGMENT = 77;
  private static final int INVALID = -22;
  private static final int MOST_LOOKS = 5000; // then the test fails

  private final Logger logger = Logger.getLogger("io.adrastea.space.RemoteMemory");
  private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
  private final AtomicInteger tries = new AtomicInteger();
  private volatile int received; // messages

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          told.add(new SimpleFormatter().formatMessage(entry));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Both ranks have XPMEM, as far as they know; what it gives is {@code status}. */
  private Object refused(int status, String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    return switch (name) {
      case "export" -> SEGMENT;
      case "unreach" -> 0;
      case "reach" -> {
        tries.incrementAndGet();
        yield (long) status;
      }
      default -> real.call();
    };
  }

  /** Reaches all memory, for both are in one process, but not before the other has tried it for this message. */
  private Object reached(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    return switch (name) {
      case "export" -> SEGMENT;
      case "unreach" -> 0;
      case "reach" -> {
        for (int look = 0; look < MOST_LOOKS && tries.get() < received + 1; look++) {
          Thread.sleep(1);
        }
        yield arguments[1];
      }
      default -> real.call();
    };
  }

  private Job job(ThreadJob threadJob, int rank, int status) {
    AlteredRank.Change spaces =
        (name, arguments, real) -> status == 0 ? reached(name, arguments, real)
            : refused(status, name, arguments, real);
    return AlteredRank.job(threadJob.enter(rank, () -> false), false, AlteredRank.NONE, spaces);
  }

  private Void send(ThreadJob threadJob, int status) {
    try (Job job = job(threadJob, 1, status)) {
      for (int i = 0; i < MESSAGES; i++) {
        job.world().send(Arena.ofAuto().allocate(BYTES).fill((byte) (i + 1)), 0, 7);
      }
    }
    return null;
  }

  private void receive(ThreadJob threadJob, int status) {
    try (Job job = job(threadJob, 0, status)) {
      for (int i = 0; i < MESSAGES; i++) {
        MemorySegment into = Arena.ofAuto().allocate(BYTES);
        job.world().recv(into, 1, 7);
        received = i + 1;
        assertEquals(i + 1, into.get(ValueLayout.JAVA_BYTE, BYTES - 1));
        assertEquals(-1, into.mismatch(Arena.ofAuto().allocate(BYTES).fill((byte) (i + 1))));
      }
    }
  }

  private void exchange(int ofReceiver, int ofSender) throws Exception {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try (ThreadJob threadJob = ThreadJob.create(2)) {
      FutureTask<Void> sending = new FutureTask<>(() -> send(threadJob, ofSender));
      new Thread(sending, "rank 1").start();
      receive(threadJob, ofReceiver);
      sending.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
  }

  /**
   * A process that is gone, or has lost XPMEM, is no refusal; want of memory passes; what else the system says is told,
   * in its words.
   *
   * @param tries how often it is asked in three messages
   */
  @ParameterizedTest
  @CsvSource({Spaces.SRCH + ",1,''", Spaces.NOMEM + ",3,''", INVALID + ",1,22", Spaces.PERM + ",1,1"})
  void isToldByItsReasonAndOnce(int status, int wanted, String error) throws Exception {
    Settings.with(
        Map.of("adrastea.core", "java", "adrastea.split.bytes", "0"),
        () -> {
          exchange(status, status);
          return null;
        });
    assertEquals(wanted, tries.get());
    List<String> expected = new ArrayList<>();
    if (!error.isEmpty()) {
      expected.add(
          "large messages with rank 1 go through the copy ring: XPMEM is refused by the system (error %s)"
              .formatted(error));
    }
    assertEquals(expected, List.copyOf(told));
  }

  /** Where both ends copy, the sender writes: it tries again with the next message, and says nothing. */
  @Test
  void ofAWriterThatLacksMemoryPasses() throws Exception {
    Settings.with(
        Map.of("adrastea.core", "java", "adrastea.split.bytes", "65536"),
        () -> {
          exchange(0, Spaces.NOMEM);
          return null;
        });
    assertEquals(MESSAGES, tries.get());
    assertEquals(List.of(), List.copyOf(told));
  }
}
