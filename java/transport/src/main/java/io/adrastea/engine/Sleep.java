package io.adrastea.engine;

import io.adrastea.core.Sleeper;
import io.adrastea.engine.operation.Operation;
import io.adrastea.wait.Waiter;
import java.util.concurrent.locks.LockSupport;

/**
 * How threads of a rank sleep, and how they are woken. A thread that has spun and yielded for long enough announces
 * that it will sleep; its next step is its last look; if that finds nothing too, it sleeps until another rank, or
 * another thread of its own, wakes it. Called inside the gate, which is left while a thread rests.
 */
final class Sleep {
  private static final long MOST_NANOS = 50_000_000; // the next look at who is still there is not to be late
  private static final long LEAST_NAP_NANOS = 50_000;
  private static final long MOST_NAP_NANOS = 1_000_000;

  private final Sleeper sleeper;
  private final Gate gate;
  private final int rank;
  private final boolean wakened; // by whatever it waits for: it need not look by itself
  private int dozing; // threads that have announced and are not awake; inside the gate
  private Waiter helper; // which nobody moves anything for; null: there was none
  private boolean closed; // inside the gate

  /**
   * For one rank.
   *
   * @param allWake every rank of the job can wake others
   */
  Sleep(Sleeper sleeper, Gate gate, int rank, boolean allWake) {
    this.sleeper = sleeper;
    this.gate = gate;
    this.rank = rank;
    this.wakened = allWake;
  }

  /** Begins a wait for one other rank, or {@link Operation#ANY}. */
  void begin(Waiter waiter, int other) {
    stir(waiter);
    waiter.reset(other);
  }

  /** Begins a wait for all other ranks. */
  void beginForAll(Waiter waiter) {
    stir(waiter);
    waiter.resetForAll();
  }

  /** What was waited for is there: the thread does not sleep. */
  void stir(Waiter waiter) {
    if (waiter.isDozing()) {
      wake(waiter);
    }
  }

  /** A step of a wait that found something, though perhaps not all that is waited for. */
  void found(Waiter waiter) {
    stir(waiter);
    waiter.found();
  }

  /** A step of a wait that found nothing. */
  void rest(Waiter waiter) {
    if (waiter.isDozing()) {
      sleep(waiter);
    } else if (waiter.isDrowsy()) {
      dozing++;
      waiter.doze(sleeper.announceSleep());
    } else {
      idle(waiter);
    }
  }

  /** As rest, for the helper, which is not waited for by what other threads move. */
  void restHelper(Waiter waiter) {
    helper = waiter;
    rest(waiter);
  }

  private void stepIn(Waiter waiter) {
    if (waiter == helper) {
      gate.stepInLeisurely();
    } else {
      gate.stepIn();
    }
  }

  private void idle(Waiter waiter) {
    gate.stepOut();
    try {
      pause(waiter);
    } finally {
      stepIn(waiter); // an idle strategy may throw
    }
  }

  /**
   * Spins or yields. A rank that waits for another one on the same CPU moves to another then: that takes long, so the
   * gate is not to be kept from others.
   */
  void pause(Waiter waiter) {
    waiter.idle();
    if (waiter.isTimeToCheckCpu() && sleeper.avoidSharedCpu(waiter.other()) != 0) {
      waiter.cpuChecked();
    }
  }

  private void sleep(Waiter waiter) {
    long nanos = waiter.word() >= 0 && wakened ? MOST_NANOS : waiter.nap(LEAST_NAP_NANOS, MOST_NAP_NANOS);
    gate.stepOut();
    if (waiter.word() >= 0) {
      sleeper.sleep(waiter.word(), waiter.withinLimit(nanos));
    } else {
      nap(this, waiter.withinLimit(nanos));
    }
    stepIn(waiter);
    waiter.slept();
    wake(waiter);
  }

  /** Rests for a moment, where nobody can be relied on to end it; others may come in meanwhile. */
  static void nap(Gate gate) {
    gate.stepOut();
    nap(gate, LEAST_NAP_NANOS);
    gate.stepIn();
  }

  /** An interrupt that is pending does not keep it from resting, and stays. */
  private static void nap(Object blocker, long nanos) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(blocker, nanos);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void wake(Waiter waiter) {
    waiter.wake();
    if (--dozing == 0 && !closed) {
      sleeper.endSleep();
    }
  }

  /** Something was moved on that other threads of this rank may wait for. */
  void moved() {
    int others = helper != null && helper.isDozing() ? dozing - 1 : dozing;
    if (others > 0 && !gate.isExclusive()) {
      rouse();
    }
  }

  /** Wakes the threads of this rank that sleep. */
  void rouse() {
    if (dozing > 0 && !closed) {
      sleeper.wake(rank);
    }
  }

  /** The core is about to be closed: whoever sleeps is to find that out. */
  void close() {
    rouse();
    closed = true;
  }
}
