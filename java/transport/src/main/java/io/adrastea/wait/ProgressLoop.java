package io.adrastea.wait;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What the progress thread of a rank does: it moves operations on while the rank's other threads compute, that is
 * pending sends, large messages, and what comes in. A step holds the lock of the engine as a step of any call does, for
 * a copy of at most 1 MiB of each large message that is on its way (about 100 microseconds); it waits while another
 * thread is inside, and after it those go first that wait.
 *
 * <p>
 * Without anything to move it yields a few times and then sleeps until its rank is woken. While other threads are at
 * work in the engine it naps instead, each time twice as long, at most a millisecond: they move things on, and others
 * are not to make a call to wake a thread that is not needed. An operation started by its own rank ends either, and is
 * no such work; neither is a wait for a collective that this thread is at ({@link Waits#isAttended}).
 */
public final class ProgressLoop implements AutoCloseable {
  private static final long MOST_END_NANOS = 1_000_000; // from the end of the job to that of the thread
  // To a thread that waits for the lock: the system may have it wait for a CPU.
  private static final int MOST_YIELDS = 1000;

  private final Gate gate;
  private final Waits waits;
  private final BooleanSupplier step;
  private final Waiter waiter;
  private final Thread thread;
  private volatile boolean ending;

  /** A loop that does not run yet; its step tells whether anything moved. */
  public ProgressLoop(Gate gate, Waits waits, BooleanSupplier step, Waiter waiter, int rank) {
    this.gate = gate;
    this.waits = waits;
    this.step = step;
    this.waiter = waiter;
    this.thread = Thread.ofPlatform().name("adrastea-progress-" + rank).daemon().unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  public boolean isOpen() {
    return !ending;
  }

  private void run() {
    while (!ending) {
      if (moveOn()) {
        letIn();
      } else if (!gate.isOpen()) {
        LockSupport.parkNanos(this, MOST_END_NANOS);
        Thread.interrupted(); // nobody has a reason to; it would rest no more
      }
    }
    end();
  }

  /** Takes this thread out of those that may sleep. */
  private void end() {
    gate.enterUnchecked();
    try {
      waits.endProgress(waiter);
    } finally {
      gate.exit();
    }
  }

  /** A step, and a rest if nothing moved; whether anything did. */
  private boolean moveOn() {
    gate.stepInLeisurely();
    try {
      return gate.isOpen() && takeStep();
    } catch (Throwable e) { // whatever it is: nobody else would hear of it
      if (gate.isOpen()) { // else it is the end of the job that is told
        gate.fail(e);
      }
      return false;
    } finally {
      gate.exit();
    }
  }

  private boolean takeStep() {
    boolean moved = step.getAsBoolean();
    waits.afterProgress(waiter, moved);
    return moved;
  }

  /**
   * Yields, since the lock goes to the fastest thread, the one that has just left it: another would hardly ever get it.
   */
  private void letIn() {
    for (int yields = 0; yields < MOST_YIELDS && gate.isWanted(); yields++) {
      Thread.yield();
    }
  }

  /** There is something that nobody waits for. To be called inside the gate. */
  public void wake() {
    waits.wakeProgress();
  }

  /** Ends the thread and waits until it has ended, unless that is the one that calls; again: nothing. */
  @Override
  public void close() {
    ending = true;
    if (Thread.currentThread() == thread) { // a handler of failures closes its job: it ends after this step
      return;
    }
    LockSupport.unpark(thread);
    rouse();
    join(thread);
  }

  /** Waits until a thread has ended. An interrupt does not end the wait, and stays. */
  public static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void rouse() {
    gate.enterUnchecked();
    try {
      waits.rouse();
    } finally {
      gate.exit();
    }
  }
}
