package io.adrastea.thread;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.core.Core;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** A progress thread and a thread that calls: the one gets out of the other's way, and goes on after it. */
@EverySharedCoreList
class ProgressThreadBesideCallersTest {
  private static final int ROUNDS = 20;
  private static final int HANDOVERS = 50;
  // While a thread at the lock gets no CPU: far more if it gave way to none.
  private static final int MOST_STEPS = 100 * HANDOVERS;
  private static final int LONG = 48 << 10; // in pieces, which longer messages of a rank to itself are not sent in
  private static final long LOOKED_NANOS = 200_000; // of its CPU time: it has tried to come in, many times

  @Parameter
  String cores;

  private Thread helper; // once it runs

  private void run(AlteredRank.Change change, Job.Body body) throws Exception {
    Settings.with(
        Map.of("adrastea.core", Ranks.cores(cores)),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(1);
              Job job = AlteredRank.job(threadJob.enter(0, () -> false), true, change, AlteredRank.NONE)) {
            job.progressThread();
            helper =
                Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("adrastea-progress-0"))
                    .findFirst()
                    .orElseThrow();
            body.run(job);
          }
          return null;
        });
  }

  private static void probe(Job job) {
    Ranks.world(job).iprobe(0, 99);
  }

  /** Stays inside until the helper has tried to come in. */
  private void watch() {
    long before = cpuTime();
    while (cpuTime() - before < LOOKED_NANOS) { // the class has a deadline
      assertNotEquals(Thread.State.WAITING, helper.getState(), "it queues for the lock");
    }
  }

  private long cpuTime() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(helper.threadId());
  }

  @Test
  void whileAnotherThreadIsInsideItDoesNotQueueForTheLockAndThenGoesOn() throws Exception {
    Thread caller = Thread.currentThread();
    boolean[] watching = {false};
    run(
        (name, arguments, real) -> {
          if (name.equals("poll") && Thread.currentThread() == caller && watching[0]) {
            watching[0] = false; // once in a call
            watch();
          }
          return real.call();
        },
        job -> {
          for (int round = 1; round <= ROUNDS; round++) {
            watching[0] = true;
            probe(job);
            byte[] received = new byte[8];
            Request receive = Ranks.world(job).irecv(Data.of(received, 0, 8), 0, round);
            Ranks.world(job).send(Data.of(Contents.of(8, round)), 0, round);
            byte last = Contents.of(8, round)[7];
            while (received[7] != last) {
              Thread.sleep(1);
            }
            receive.await();
          }
        });
  }

  /**
   * A send to the rank itself: a step of the helper moves a byte on, as far as it can tell, and the caller comes to the
   * lock.
   */
  private final class Handovers implements AlteredRank.Change {
    private Thread caller;
    private volatile boolean called; // the caller is to come in
    private boolean moved; // in this step; from here on with the lock held
    private boolean queued; // the caller is at the lock
    private int steps; // of the helper meanwhile
    private int rounds;

    @Override
    public Object call(String name, Object[] arguments, AlteredRank.Real real) throws Throwable {
      if (!name.equals("trySend")) {
        return real.call();
      }
      if (Thread.currentThread() == caller && queued) {
        rounds++;
        queued = false;
      }
      moved = Thread.currentThread() == helper && !moved;
      return moved ? move((long) arguments[6]) : Core.AGAIN;
    }

    private int move(long rest) {
      if (queued) {
        steps++;
      } else if (rounds < HANDOVERS) {
        called = true;
        while (caller.getState() != Thread.State.WAITING) {
          Thread.onSpinWait();
        }
        queued = true;
      }
      return rounds < HANDOVERS ? 1 : (int) rest;
    }

    private void comeIn(Job job) {
      while (rounds < HANDOVERS) {
        if (called) {
          called = false;
          probe(job);
        }
      }
    }
  }

  @Test
  void afterAStepItLetsAThreadInThatIsAtTheLock() throws Exception {
    Handovers handovers = new Handovers();
    run(
        handovers,
        job -> {
          FutureTask<Void> task = new FutureTask<>(() -> handovers.comeIn(job), null);
          handovers.caller = new Thread(task, "caller");
          handovers.caller.start();
          Request send = Ranks.world(job).isend(Data.of(new byte[LONG]), 0, 0);
          task.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          send.await();
        });
    assertTrue(handovers.steps < MOST_STEPS,
        () -> "it made %d steps while a thread was at the lock".formatted(handovers.steps));
  }
}
