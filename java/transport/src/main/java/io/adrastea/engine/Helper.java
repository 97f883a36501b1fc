package io.adrastea.engine;

import io.adrastea.wait.Waiter;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that moves the operations of one rank on while its other threads compute: pending sends, large messages, and
 * what comes in. A step holds the lock of the engine as a step of any call does, for a copy of at most 1 MiB of each
 * large message that is on its way (about 100 microseconds); it is left out while another thread is inside, and after
 * it those go first that wait.
 *
 * <p>
 * Without anything to move it yields a few times and then sleeps until its rank is woken. While other threads are at
 * work in the engine it naps instead, each time twice as long, at most a millisecond: they move things on, and others
 * are not to make a call to wake a thread that is not needed. An operation started by its own rank ends either.
 */
public final class Helper implements AutoCloseable {
  private static final long LEAST_NAP_NANOS = 50_000;
  private static final long MOST_NAP_NANOS = 1_000_000;
  // To a thread that waits for the lock: the system may have it wait for a CPU.
  private static final int MOST_YIELDS = 1000;

  private final HelperSeat seat;
  private final Waiter waiter;
  private final Thread thread;
  private volatile boolean ending;
  private volatile boolean napping;

  private Helper(HelperSeat seat, int rank, Waiter waiter) {
    this.seat = seat;
    this.waiter = waiter;
    this.thread = Thread.ofPlatform().name("adrastea-progress-" + rank).daemon().unstarted(this::run);
  }

  static Helper start(HelperSeat seat, int rank, Waiter waiter) {
    Helper helper = new Helper(seat, rank, waiter);
    helper.thread.start();
    return helper;
  }

  /** Whether it has not been closed. */
  boolean isOpen() {
    return !ending;
  }

  private void run() {
    int entries = seat.entries();
    while (!ending) {
      int before = entries;
      entries = seat.entries();
      boolean alone = entries == before; // nobody was inside since the last time
      if (seat.moveOn(waiter, alone)) {
        letIn();
      } else if (!alone || !seat.isOpen()) {
        nap();
      }
    }
  }

  /** The lock goes to whoever is fastest, which is the one who has just left it: another would hardly ever get it. */
  private void letIn() {
    for (int yields = 0; yields < MOST_YIELDS && seat.isWanted(); yields++) {
      Thread.yield();
    }
  }

  private void nap() {
    napping = true;
    LockSupport.parkNanos(this, waiter.nap(LEAST_NAP_NANOS, MOST_NAP_NANOS));
    napping = false;
    Thread.interrupted(); // nobody has a reason to; it would nap no more
  }

  /** There may be something to move. A helper that is about to nap may miss it, until the end of that nap. */
  void wake() {
    if (napping) {
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread and waits until it has ended, unless that is the one who calls; again: nothing. */
  @Override
  public void close() {
    ending = true;
    if (Thread.currentThread() == thread) { // a handler of failures closes its job: it ends after this step
      return;
    }
    LockSupport.unpark(thread);
    seat.rouse();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // a step is short, and nothing keeps the thread
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
