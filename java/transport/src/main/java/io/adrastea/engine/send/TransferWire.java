package io.adrastea.engine.send;

import io.adrastea.core.Spaces;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.ControlType;
import io.adrastea.peers.Peers;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.transfer.Wire;
import io.adrastea.wait.Movement;

/**
 * What transfers need of the engine: their control messages are sent, they are moved on, and their operations end.
 */
final class TransferWire implements Wire, Operation.Carrier {

  private final Peers peers;
  private final ControlMessages control;
  private final Steppers steppers;
  private final int stepper; // number of the transfers among them
  private final Liveness liveness;
  private final Movement movement;
  private Rendezvous.Receives receives;

  TransferWire(Resources resources, ControlMessages control, Steppers steppers, int stepper) {
    this.peers = resources.peers();
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.control = control;
    this.steppers = steppers;
    this.stepper = stepper;
  }

  /** Sets where messages go that were fetched ahead, and where offers wait that may be withdrawn. */
  void serve(Rendezvous.Receives receives) {
    this.receives = receives;
  }

  @Override
  public void send(int peer, ControlType type, Cookie cookie) {
    control.send(peer, type.number(), cookie.memory(), cookie.bytes());
  }

  @Override
  public void begun() {
    steppers.start(stepper);
  }

  @Override
  public void moved(int peer) {
    movement.message(peer);
    peers.sleeper().wake(peer);
  }

  @Override
  public boolean isGone(int peer) {
    return liveness.missing(peer) != Liveness.NONE;
  }

  @Override
  public boolean isEnding(int peer) {
    return liveness.isEnding(peer);
  }

  @Override
  public void finished(Operation operation, Transfer transfer) {
    operation.transfer(null);
    operation.moveTo(Math.min(transfer.length(), operation.cursor().length()));
    if (transfer.status() == Transfers.WITHDRAWN) {
      operation.cancel();
    } else if (transfer.status() != 0) {
      operation.fail(failure(operation, transfer));
    } else if (operation instanceof Receive receive) {
      receive.finish();
    } else {
      operation.complete();
    }
    if (operation instanceof Receive receive && receive.partner() != null) {
      receives.fetched(receive);
    }
  }

  private RuntimeException failure(Operation operation, Transfer transfer) {
    int status = transfer.status();
    if (transfer.cause() != null && status == Transfers.CANCELED) {
      return new AdrasteaException(
          "the buffer of a %s cannot be used any more: %s".formatted(operation, transfer.cause().getMessage()),
          transfer.cause());
    }
    if (status == Spaces.SRCH || liveness.missing(transfer.peer()) != Liveness.NONE) {
      return liveness.failure(operation.members(), transfer.peer(), operation);
    }
    return new AdrasteaException(
        switch (status) {
          case Transfers.CANCELED, Spaces.FAULT ->
            ("rank %s gave up its end of a %s: its buffer was closed, its memory is gone, or it has closed the "
                + "communicator").formatted(operation.members().name(transfer.peer()), operation);
          case Transfers.DECLINED ->
            ("rank %s has declined a %s: it is a program in C, which has no rendezvous; send to it without, and have "
                + "it answer").formatted(operation.members().name(transfer.peer()), operation);
          case Transfers.NO_MEMORY ->
            ("a %s cannot be done: one of its ends has no memory for it, shared for a copy ring "
                + "(adrastea.ring.bytes) or on its heap (-Xmx)")
                .formatted(operation);
          default -> "a %s failed between the two ranks: error %d".formatted(operation, -status);
        },
        transfer.cause());
  }

  @Override
  public Transfer withdrawn(int peer, int number) {
    return receives.withdrawn(peer, number);
  }
}
