package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.wait.Waiter;

/**
 * What a wait consists of: steps of {@link Progress}, rests in between, and now and then a look who is still there.
 * Called inside the gate; while a thread waits, others may come in.
 */
final class Waits {
  private final Progress progress;
  private final Rendezvous rendezvous;
  private final Bursts bursts;
  private final Lookout lookout;
  private final Gate gate;
  private final Sleep sleep;
  private final Patience patience;
  private final HangReport hang;

  Waits(Context context, Progress progress, Rendezvous rendezvous, Bursts bursts, Lookout lookout, Sleep sleep) {
    EngineSettings settings = context.settings();
    this.gate = context.gate();
    this.progress = progress;
    this.rendezvous = rendezvous;
    this.bursts = bursts;
    this.lookout = lookout;
    this.sleep = sleep;
    this.patience = new Patience(context.rank(), rendezvous);
    this.hang = new HangReport(context.table(), context.rank(), settings.waiting().hangNanos(), !settings.many());
  }

  /** Shows what bursts hold back. */
  void show() {
    bursts.show();
  }

  /** Begins a wait of the calling thread, for one other rank, or {@link Operation#ANY}. */
  Waiter beginWait(int other) {
    Waiter waiter = gate.waiter();
    sleep.begin(waiter, other);
    return waiter;
  }

  /** Begins a wait of the calling thread, for all other ranks. */
  Waiter beginWaitForAll() {
    Waiter waiter = gate.waiter();
    sleep.beginForAll(waiter);
    return waiter;
  }

  /** Ends a wait, whether it has found what it was for or not. */
  void endWait(Waiter waiter) {
    sleep.stir(waiter);
    if (waiter.isTold() && !gate.isEnded()) { // else the rank table may be gone
      hang.over(waiter);
    }
  }

  /** How long the core may look at a stretch: transfers of others are not to wait. */
  int looks(Waiter waiter) {
    return rendezvous.isIdle() ? waiter.looks() : 1;
  }

  /** One step of a wait; whether it is time to look who is still there. */
  boolean stepOfWait(Waiter waiter) {
    return stepOfWait(waiter, null);
  }

  /** The same for a wait of one operation, see {@link Progress#step(Operation)}. */
  boolean stepOfWait(Waiter waiter, Operation wanted) {
    if (progress.step(wanted)) {
      letIn(waiter);
    } else {
      sleep.rest(waiter);
    }
    gate.requireOpen();
    return lookout.lookAround(waiter);
  }

  /**
   * When it was time to look who is still there: tells of the wait for an operation if it takes long, and ends it if
   * its time is over ({@link Patience}).
   */
  void judge(Waiter waiter, Operation operation) {
    hang.look(waiter, operation);
    patience.require(waiter, operation);
  }

  /** After the wait for an operation: throws if its send was taken back since the thread was interrupted. */
  void requireSent(Operation operation) {
    patience.requireSent(operation);
  }

  /** The same for another wait, a call of {@code RankEntryDescriptor.IN_…}. */
  void judge(Waiter waiter, int call, int peer, long match, long mask) {
    hang.look(waiter, call, peer, match, mask);
    patience.require(waiter, call, peer, match, mask);
  }

  /** Between two looks of a wait that nobody else can come into. */
  void pause(Waiter waiter) {
    sleep.pause(waiter);
  }

  private void letIn(Waiter waiter) {
    sleep.found(waiter);
    gate.stepOut();
    gate.stepIn();
  }

  /** A step of a wait whose last look found nothing; whether it is time to look who is still there. */
  boolean rest() {
    Waiter waiter = gate.waiter();
    sleep.rest(waiter);
    gate.requireOpen();
    boolean due = lookout.lookAround(waiter);
    if (due) {
      judge(waiter, RankEntryDescriptor.IN_REQUESTS, Operation.ANY, 0, 0);
    }
    return due;
  }

  /** A step for a program that asks again and again, of which that may be the way to wait. */
  void stepOfTest() {
    if (progress.step()) {
      sleep.found(gate.waiter());
    }
  }

  /** A step of the helper, which rests when nothing moved and {@code alone}; whether something moved. */
  boolean stepOfHelper(Waiter waiter, boolean alone) {
    boolean moved = progress.step();
    if (moved) {
      sleep.found(waiter);
    } else if (alone) {
      sleep.restHelper(waiter);
    } else {
      sleep.stir(waiter);
    }
    if (gate.isOpen()) {
      lookout.lookAround(waiter);
    }
    return moved;
  }

  /** What stood in the way of pending sends is gone: whoever sleeps, the helper too, moves them on. */
  void goesOn() {
    if (!gate.isExclusive()) {
      sleep.rouse();
    }
  }
}
