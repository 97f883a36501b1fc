package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.bootstrap.JoinedRank;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Spaces;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.transfer.Path;
import io.adrastea.transfer.TransferSettings;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A large message whose sender's memory is gone when it is read: alone, or with its process, which is known a moment
 * later.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostMemoryTest {
  private static final int BYTES = 1 << 20;
  private static final int TRIES = 20; // for a thread to get a CPU in time

  /** Rank 1, which sends memory that nobody can read. */
  private static final class Sender {
    private final CountDownLatch told = new CountDownLatch(1); // what comes of it
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile AdrasteaException failure;

    private Void send(ThreadJob threadJob, boolean waits) throws Exception {
      Job job = AlteredRank.job(threadJob.enter(1, () -> false), true, AlteredRank.NONE, AlteredRank.NONE);
      Request send = job.world().isend(Arena.ofAuto().allocate(BYTES), 0, 7);
      failure = waits ? assertThrows(AdrasteaException.class, send::await) : null;
      told.countDown();
      Ranks.await(over);
      job.fail("");
      return null;
    }
  }

  private static AdrasteaException receive(Job job) {
    return assertThrows(AdrasteaException.class, () -> job.world().recv(Arena.ofAuto().allocate(BYTES), 1, 7));
  }

  private interface Check {
    void of(JoinedRank joined, Sender sender) throws Exception;
  }

  private static void run(boolean waits, Check check) throws Exception {
    Sender sender = new Sender();
    Settings.with(
        Map.of("adrastea.core", "java"),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(2)) {
            FutureTask<Void> sending = new FutureTask<>(() -> sender.send(threadJob, waits));
            new Thread(sending, "rank 1").start();
            try {
              check.of(threadJob.enter(0, () -> false), sender);
            } finally {
              sender.over.countDown();
            }
            sending.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          }
          return null;
        });
  }

  /** The receiver is to read the sender's memory, which is not what it takes first by itself. */
  private static TransferSettings reading() {
    TransferSettings own = TransferSettings.inForce();
    return new TransferSettings(Path.CMA.bit(), own.eager(), own.splitBytes(), own.ringBytes(), own.ringChunk(), false,
        false, false, 0);
  }

  /** Whether a message is read: else it is only tried. */
  private static boolean isRead(String name, Object[] arguments) {
    return name.equals("read") && (long) arguments[4] > 1;
  }

  private static Object lost(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
    return isRead(name, arguments) ? (Object) (long) Spaces.FAULT : name.equals("read") ? (Object) 1L : real.call();
  }

  private static void assertGivenUp(AdrasteaException failure) {
    assertFalse(failure instanceof RankFailedException, failure::toString);
    assertTrue(failure.getMessage().contains("gave up its end"), failure::toString);
  }

  @Test
  void bothEndsAreToldWhenItsRankLivesOn() throws Exception {
    run(
        true,
        (joined, sender) -> {
          Job job = AlteredRank.job(joined, true, AlteredRank.NONE, LostMemoryTest::lost, reading());
          assertGivenUp(receive(job));
          Ranks.await(sender.told);
          assertGivenUp(sender.failure);
          job.close();
        });
  }

  /**
   * Another thread of rank 0, which comes to the lock as the memory is found to be gone, and with which rank 1 dies.
   */
  private static final class Death {
    private final JoinedRank joined;
    private final Job job;
    private final Thread other = new Thread(this::comeIn, "other");

    private Death(JoinedRank joined) {
      this.joined = joined;
      this.job = AlteredRank.job(joined, true, this::atLook, this::atRead, reading());
    }

    private void comeIn() {
      job.world().iprobe(1, 99);
    }

    private Object atLook(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
      if (name.equals("poll") && Thread.currentThread() == other) {
        joined.table().depart(1, RankEntryDescriptor.STATE_FAILED);
      }
      return real.call();
    }

    private Object atRead(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
      if (isRead(name, arguments)) {
        other.start();
        while (other.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
      }
      return lost(name, arguments, real);
    }

    private boolean isNamed() throws InterruptedException {
      AdrasteaException failure = receive(job);
      other.join();
      job.close();
      return failure instanceof RankFailedException dead && dead.rank() == 1;
    }
  }

  @Test
  void itsRankIsNamedThatDiesAMomentLaterAsAnotherThreadFinds() throws Exception {
    boolean[] named = {false};
    for (int i = 0; i < TRIES && !named[0]; i++) {
      run(false, (joined, sender) -> named[0] = new Death(joined).isNamed());
    }
    assertTrue(named[0]);
  }
}
