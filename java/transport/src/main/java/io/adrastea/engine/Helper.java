package io.adrastea.engine;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that moves the operations of one rank on while its other threads compute: pending sends, large messages, and what comes in.
 * A step holds the lock of the engine as a step of any call does, for a copy of at most 1 MiB of each large message that is on its
 * way (about 100 microseconds); it is left out while another thread is inside, and after it those go first that wait.
 *
 * <p>Without anything to move it yields for a moment and then naps, each time for as long as nothing has moved yet, at most a
 * millisecond: so it finds what a peer does late by no more than the peer was late itself. An operation started by its own rank ends the
 * nap. (A doorbell that others could ring will do away with the naps.)
 */
public final class Helper implements AutoCloseable {
  private static final long AWAKE_NANOS = 20_000;
  private static final long MOST_NAP_NANOS = 1_000_000;
  private static final int MOST_YIELDS = 1000; // to a thread that waits for the lock: the system may have it wait for a CPU

  private final Engine engine;
  private final Thread thread;
  private volatile boolean ending;
  private volatile boolean napping;
  private volatile boolean woken;

  private Helper(Engine engine, int rank) {
    this.engine = engine;
    this.thread = Thread.ofPlatform().name("adrastea-progress-" + rank).daemon().unstarted(this::run);
  }

  static Helper start(Engine engine, int rank) {
    Helper helper = new Helper(engine, rank);
    helper.thread.start();
    return helper;
  }

  /** Whether it has not been closed. */
  boolean isOpen() {
    return !ending;
  }

  private void run() {
    long last = System.nanoTime(); // when something moved
    while (!ending) {
      if (engine.moveOn() || woken) {
        woken = false;
        last = System.nanoTime();
        letIn();
      } else {
        rest(System.nanoTime() - last);
      }
    }
  }

  /** The lock goes to whoever is fastest, which is the one who has just left it: another would hardly ever get it. */
  private void letIn() {
    for (int yields = 0; yields < MOST_YIELDS && engine.isWanted(); yields++) {
      Thread.yield();
    }
  }

  private void rest(long idle) {
    if (idle < AWAKE_NANOS) {
      Thread.yield();
      return;
    }
    napping = true;
    LockSupport.parkNanos(this, Math.min(idle, MOST_NAP_NANOS));
    napping = false;
    Thread.interrupted(); // nobody has a reason to; it would nap no more
  }

  /** There may be something to move. A helper that is about to nap may miss it, until the end of that nap. */
  void wake() {
    if (napping) {
      woken = true;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread and waits until it has ended; again: nothing. */
  @Override
  public void close() {
    ending = true;
    LockSupport.unpark(thread);
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
