package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Settings;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that is killed has no memory any more before it is gone. A rank that is to read it waits, for longer than
 * for memory that its owner has given back: here the system says so for a while, and then lets it read. The twin of
 * {@code comm_ending_test.c}.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndingMemberTest {
  private static final int READER = 0;
  private static final int ROOT = 1;
  private static final int BYTES = 1 << 19;
  private static final byte GIVEN = 0x5a;
  private static final long ENDING_NANOS = 2_100_000_000; // longer than one waits for other memory

  private long since; // of the reader, in nanoseconds: the first read that was refused; 0: none was
  private boolean reads;

  private Object ending(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    if (!name.equals("read") || (long) arguments[4] <= 1) { // one byte tells what is permitted
      return real.call();
    }
    long now = System.nanoTime() | 1;
    since = since == 0 ? now : since;
    reads = now - since > ENDING_NANOS;
    return reads ? real.call() : (long) Spaces.SRCH;
  }

  private Void run(JoinedRank joined, int rank) throws Exception {
    MemorySegment data = Arena.ofAuto().allocate(BYTES);
    try (Job job =
        AlteredRank.job(joined, false, AlteredRank.NONE, rank == READER ? this::ending : AlteredRank.NONE)) {
      data.fill(rank == ROOT ? GIVEN : 0);
      job.world().bcast(Data.of(data, 0, BYTES), ROOT);
      for (long i = 0; i < BYTES; i++) {
        assertEquals(GIVEN, data.get(ValueLayout.JAVA_BYTE, i));
      }
    }
    return null;
  }

  @Test
  void aMemberWhoseProcessHasNoMemoryIsWaitedFor() throws Exception {
    Settings.with(Map.of("adrastea.core", "ffm"), () -> {
      try (ThreadJob all = ThreadJob.create(2)) {
        FutureTask<Void> reader = new FutureTask<>(() -> run(all.enter(READER, () -> false), READER));
        FutureTask<Void> root = new FutureTask<>(() -> run(all.enter(ROOT, () -> false), ROOT));
        new Thread(reader, "reader").start();
        new Thread(root, "root").start();
        reader.get(100, TimeUnit.SECONDS);
        root.get(100, TimeUnit.SECONDS);
      }
      return null;
    });
    assertTrue(reads, "half of the root's memory was read by the system");
  }
}
