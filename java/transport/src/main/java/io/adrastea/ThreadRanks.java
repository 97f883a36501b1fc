package io.adrastea;

import io.adrastea.bootstrap.ThreadMembers;
import io.adrastea.engine.resources.EngineSettings;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.RankFailedException;
import io.adrastea.wait.ProgressLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Ranks as threads of this JVM. */
final class ThreadRanks {
  private final ThreadMembers members;
  private final EngineSettings settings;
  private final Job.Body body;
  private final AtomicBoolean stop = new AtomicBoolean();
  private final List<Throwable> failures = new ArrayList<>(); // causes in their order, then what followed
  private int causes;

  private ThreadRanks(ThreadMembers members, EngineSettings settings, Job.Body body) {
    this.members = members;
    this.settings = settings;
    this.body = body;
  }

  static void run(int ranks, EngineSettings settings, Job.Body body) {
    try (ThreadMembers members = ThreadMembers.create(ranks)) {
      new ThreadRanks(members, settings, body).run(ranks);
    }
  }

  private void run(int ranks) {
    List<Thread> threads = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int number = rank;
      threads.add(Thread.ofPlatform().name("adrastea-rank-" + rank).start(() -> runRank(number)));
    }
    threads.forEach(ProgressLoop::join); // the ranks must end before their memory does
    raise();
  }

  private void runRank(int rank) {
    Job job = null;
    try {
      job = new Job(members.enter(rank, stop::get), false, settings);
      body.run(job);
      job.close();
    } catch (Throwable e) {
      failed(e);
      if (job != null) {
        job.failBecauseOf(e);
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
