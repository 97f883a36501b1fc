package io.adrastea.engine;

import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.collective.AgreementMessages;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.control.Notices;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waiter;
import java.util.List;

/**
 * Detects ranks that are gone, about every 100 ms, and sees to what follows: what the rank left behind is taken in and
 * put right, and the program is told. Called inside the gate.
 */
final class FailureDetector implements Upkeep {
  private final Peers peers;
  private final Gate gate;
  private final Liveness liveness;
  private final Progress progress;
  private final Receiver receiver;
  private final Rendezvous rendezvous;
  private final ControlMessages control;
  private final Notices notices;
  private final ActiveMessages active;
  private final AgreementMessages agreements;
  private final GivenUp givenUp;
  private final Movement movement;
  private final int mostPieces;
  private int polls; // in waits and outside of them

  FailureDetector(Resources resources, Progress progress, Receiver receiver, Rendezvous rendezvous,
      ControlMessages control, Notices notices, ActiveMessages active, AgreementMessages agreements,
      GivenUp givenUp) {
    this.peers = resources.peers();
    this.gate = resources.gate();
    this.liveness = resources.liveness();
    this.progress = progress;
    this.receiver = receiver;
    this.rendezvous = rendezvous;
    this.control = control;
    this.notices = notices;
    this.active = active;
    this.agreements = agreements;
    this.givenUp = givenUp;
    this.movement = resources.movement();
    this.mostPieces = peers.mostPieces();
    gate.serve(this::poll);
  }

  private void poll() {
    polls++;
    movement.tell();
    checkTransfers();
    restore();
    endCutShort();
    agreements.check();
    givenUp.sweep();
    notices.send();
    tell();
    givenUp.check(this::drain); // once the program knows of the failures: it may acknowledge them
  }

  /** Ends what only waits for ranks that are gone, as far as no operation does. */
  void checkTransfers() {
    control.check();
    active.check();
    rendezvous.check();
  }

  @Override
  public int pollInVain() {
    if (gate.isTimeInVain()) {
      poll();
    }
    return polls;
  }

  /** Messages that no operation waits for, and whose senders are gone: no more of them comes. */
  private void endCutShort() {
    for (int gone = receiver.cutShort(); gone != Liveness.NONE && drain(gone); gone = receiver.cutShort()) {
      receiver.endCutShort(gone);
    }
    for (int gone = active.cutShort(); gone != Liveness.NONE && drain(gone); gone = active.cutShort()) {
      active.endCutShort(gone);
    }
  }

  @Override
  public boolean tell() {
    List<Integer> untold = liveness.untold();
    if (untold.isEmpty()) {
      return false;
    }
    tell(untold);
    gate.requireOpen();
    return true;
  }

  /** The program hears of failures between two steps, and may take its time. */
  private void tell(List<Integer> failed) {
    Waiter waiter = gate.waiter();
    long limit = waiter.limit(); // it is not to hold for waits that the program begins now
    waiter.limitAt(0);
    gate.stepOut();
    try {
      liveness.tell(failed);
    } finally {
      gate.stepIn();
      waiter.limitAt(limit);
    }
  }

  /**
   * Takes in all that is there now, and what rank {@code gone} left behind; bounded, since others may keep sending.
   *
   * @return whether that is all: no living rank is in the middle of putting a message in that others are behind
   */
  @Override
  public boolean drain(int gone) {
    restore();
    progress.drain(gone, mostPieces);
    return restore();
  }

  @Override
  public void show() {
    progress.show();
  }

  @Override
  public boolean step() {
    return progress.step();
  }

  @Override
  public boolean isIdle() {
    return progress.isIdle();
  }

  @Override
  public void raise() {
    control.raise();
  }

  /** Finds out which ranks are gone: they may have broken a queue that others wait at, and the links put that right. */
  private boolean restore() {
    liveness.sample();
    int status = peers.repair();
    if (status < 0 && status != Link.AGAIN) {
      throw CoreStatus.corrupt("what a rank left that is gone cannot be put right");
    }
    return status != Link.AGAIN; // else a link of the queue is missing
  }
}
