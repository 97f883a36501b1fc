package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.atomic.Words;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Links;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.Gate;
import io.adrastea.wait.WaitPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A rank that an Error has stopped in the middle of an enqueue, and that closes its job then, as a program in Java
 * does.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StoppedEnqueueTest {
  private static final long CELL = 1; // nobody looks at it before the rank is gone

  private static Job job(JoinedRank joined) {
    return new Job(joined, false,
        new EngineSettings(new WaitPolicy(100, Optional.empty(), null, 0), TransferSettings.inForce(), true,
            Gate.Threads.IN_TURN, Links.SHARED_MEMORY));
  }

  private static long intent(JoinedRank joined) {
    return joined.segment().geometry().rankEntryOffset(joined.rank()) + RankEntryDescriptor.INTENT_CELL_OFFSET;
  }

  /** Stopped with a message received in place, which a close in order would give back: by an enqueue. */
  private static Object stops(JoinedRank joined) {
    Job job = job(joined);
    Message message = job.world().recvMessage(0, 7);
    assertEquals(4, message.bytes());
    Words.storeLong(joined.segment().memory(), intent(joined), CELL);
    job.close();
    job.close(); // once more does nothing
    assertEquals(CELL, Words.loadLong(joined.segment().memory(), intent(joined)), "what the others need");
    Words.storeLong(joined.segment().memory(), intent(joined), 0); // there was no enqueue
    return null;
  }

  private static Object looks(JoinedRank joined) {
    try (Job job = job(joined)) {
      job.world().send(Data.of(new byte[4]), 1, 7);
      assertThrows(RankFailedException.class, () -> job.world().recv(Data.of(new byte[4]), 1, 8));
      assertEquals(List.of(1), job.failedRanks());
    }
    return null;
  }

  @Test
  void leavesAsFailedAndItsIntentStandsForThoseWhoRepair() throws Exception {
    Settings.with(
        Map.of("adrastea.core", "java", "adrastea.box.lines", "0"),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2);
              ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<?> stopped = threads.submit(() -> stops(threadJob.enter(1, () -> false)));
            Future<?> other = threads.submit(() -> looks(threadJob.enter(0, () -> false)));
            stopped.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
            other.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          return null;
        });
  }
}
