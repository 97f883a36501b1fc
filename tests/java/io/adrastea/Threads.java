package io.adrastea;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Threads of one rank that do the same at the same time. What any of them throws fails the test. */
public final class Threads {
  private final List<Thread> threads = new ArrayList<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

  private Threads() {}

  /** What one of them does. */
  public interface Work {
    /**
     * @param number of the thread, from 0 on
     */
    void run(int number) throws Exception;
  }

  /** Starts as many threads; {@link #join} waits for their end. */
  public static Threads start(int count, Work work) {
    Threads started = new Threads();
    for (int i = 0; i < count; i++) {
      int number = i;
      started.threads.add(Thread.ofPlatform().start(() -> started.run(work, number)));
    }
    return started;
  }

  /** Starts as many threads, and waits for their end. */
  public static void run(int count, Work work) throws InterruptedException {
    start(count, work).join();
  }

  private void run(Work work, int number) {
    try {
      work.run(number);
    } catch (Throwable e) {
      failures.add(e);
    }
  }

  /** Waits for their end. */
  public void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      AssertionError error = new AssertionError("threads have failed: " + failures);
      failures.forEach(error::addSuppressed);
      throw error;
    }
  }
}
