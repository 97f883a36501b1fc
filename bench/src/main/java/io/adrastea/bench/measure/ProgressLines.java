package io.adrastea.bench.measure;

import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A line every so often on what is being done, also while one step lasts; none for what is quick. */
final class ProgressLines implements AutoCloseable {
  private final long steps;
  private final PrintStream stream;
  private final long every;
  private final long start = System.nanoTime();
  private final AtomicLong done = new AtomicLong();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String phase = "starting";

  /** Begins to write. */
  ProgressLines(long steps, PrintStream stream, Duration every) {
    this.steps = steps;
    this.stream = stream;
    this.every = every.toNanos();
    Thread.ofPlatform().name("bench progress").daemon().start(this::write);
  }

  private void write() {
    try {
      while (!closed.await(every, TimeUnit.NANOSECONDS)) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        stream.println("adrastea: %s; %d of %d steps done after %d s".formatted(phase, done.get(), steps, seconds));
      }
    } catch (InterruptedException e) {
      // nobody interrupts it
    }
  }

  void begin(String what) {
    phase = what;
  }

  void step() {
    done.incrementAndGet();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
