package io.adrastea.engine;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.engine.step.Steppers;
import io.adrastea.wait.ProgressLoop;
import io.adrastea.wait.Waits;

/**
 * Moves things on, a step at a time: what has come is taken in, what is pending goes out. Called inside the gate.
 */
final class Progress {
  private static final int PIECES_PER_STEP = 16;

  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Steppers steppers;
  private final Waits waits;

  private volatile ProgressLoop loop; // of the progress thread; null: there was none

  Progress(Receiver receiver, Sender sender, Rendezvous rendezvous, Steppers steppers, Waits waits) {
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.steppers = steppers;
    this.waits = waits;
  }

  /** Takes in what has come, up to a bound, and moves pending sends on. Whether anything happened. */
  boolean step() {
    return step(null);
  }

  /**
   * A step that polls first where a receive's message comes from, and ends when it is complete, so that what follows is
   * not copied aside.
   */
  boolean step(Operation wanted) {
    int first = wanted == null ? Operation.ANY : origin(wanted);
    boolean any = !steppers.isIdle() && (sender.progress() | steppers.step());
    for (int pieces = 0; pieces < PIECES_PER_STEP && !isOver(wanted) && receiver.progress(first); pieces++) {
      any = true;
    }
    if (any) {
      waits.moved();
    }
    return any;
  }

  /** Where from comes what completes an operation. */
  private static int origin(Operation operation) {
    if (operation.transfer() != null) {
      return operation.transfer().peer();
    }
    return operation instanceof Receive ? operation.peer() : Operation.ANY;
  }

  private static boolean isOver(Operation wanted) {
    return wanted != null && wanted.isComplete();
  }

  /**
   * Takes in all that is there now, from rank {@code first} rather than from others.
   *
   * @param mostPieces bound, since others may keep sending; also of the steps of a large message from that rank
   */
  void drain(int first, int mostPieces) {
    sender.progress();
    int pieces = 0;
    while (pieces < mostPieces && receiver.progress(first)) {
      pieces++;
    }
    int steps = 0;
    while (steps < mostPieces && rendezvous.transfers().progressWith(first)) {
      steps++;
    }
    waits.moved();
  }

  /** Whether a thread moves things on that does nothing else. */
  boolean hasThread() {
    return loop != null && loop.isOpen();
  }

  /** Has a thread move things on from now on. */
  void startThread(ProgressLoop made) {
    made.start();
    loop = made;
  }

  /** There is something to move on that no thread waits for; whether the progress thread, if there was one, hears. */
  boolean wakeThread() {
    ProgressLoop found = loop;
    if (found != null) {
      found.wake();
    }
    return found != null;
  }

  /** Called outside the gate, when the engine is closed: then no other thread is started. */
  void endThread() {
    if (loop != null) {
      loop.close();
    }
  }

  /** Whether nothing but messages is to be moved on. */
  boolean isIdle() {
    return steppers.hasMessagesAtMost();
  }

  /** Shows what was held back in bursts. */
  void show() {
    sender.bursts().show();
  }
}
