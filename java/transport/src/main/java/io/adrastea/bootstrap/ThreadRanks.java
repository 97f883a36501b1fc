package io.adrastea.bootstrap;

import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.peers.Nodes;
import io.adrastea.wait.ProgressLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** Ranks as threads of this JVM. */
public final class ThreadRanks {
  private final ThreadJob threadJob;
  private final Function<JoinedRank, Rank> ranks;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Throwable> failures = new ArrayList<>(); // causes in their order, then what followed
  private int causes;

  private ThreadRanks(ThreadJob threadJob, Function<JoinedRank, Rank> ranks) {
    this.threadJob = threadJob;
    this.ranks = ranks;
  }

  /** What a thread runs as a rank. */
  public interface Rank {
    /**
     * Does the rank's part, and leaves the job.
     *
     * @throws Exception ends the rank as failed
     */
    void run() throws Exception;

    /** Leaves the job as failed, because of what the rank has thrown. */
    void failBecauseOf(Throwable thrown);
  }

  /**
   * Runs the ranks of a job of its own, each on a thread; returns when all have ended.
   *
   * @param nodes where they are to be: more than one for tests alone
   * @param ranks makes the rank that a joined rank is to be, on its thread
   * @throws RuntimeException the first failure of a rank, with those of the others suppressed
   */
  public static void run(Nodes nodes, Function<JoinedRank, Rank> ranks) {
    try (ThreadJob threadJob = ThreadJob.create(nodes)) {
      new ThreadRanks(threadJob, ranks).run(nodes.size());
    }
  }

  private void run(int count) {
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      int rank = number;
      threads.add(Thread.ofPlatform().name("adrastea-rank-" + rank).start(() -> runRank(rank)));
    }
    threads.forEach(ProgressLoop::join); // the ranks must end before their memory does
    raise();
  }

  private void runRank(int number) {
    Rank rank = null;
    try {
      rank = ranks.apply(threadJob.enter(number, stop::get));
      rank.run();
    } catch (Throwable e) {
      failed(e);
      if (rank != null) {
        rank.failBecauseOf(e);
      }
    }
  }

  private void failed(Throwable cause) {
    synchronized (failures) {
      // a rank that failed because of another is not the cause
      failures.add(cause instanceof RankFailedException ? failures.size() : causes++, cause);
    }
    stop.set(true);
  }

  private void raise() {
    if (failures.isEmpty()) {
      return;
    }
    Throwable first = failures.removeFirst();
    failures.stream().filter(other -> other != first).forEach(first::addSuppressed);
    if (first instanceof RuntimeException exception) {
      throw exception;
    }
    if (first instanceof Error error) {
      throw error;
    }
    throw new AdrasteaException("a rank failed: " + first, first);
  }
}
