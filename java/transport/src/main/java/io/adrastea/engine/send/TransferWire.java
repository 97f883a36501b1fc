package io.adrastea.engine.send;

import io.adrastea.core.Spaces;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pieces;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.peers.Peers;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.transfer.Wire;
import io.adrastea.wait.Movement;
import java.util.function.IntConsumer;

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
  private final Pieces pieces;
  private final IntConsumer sent; // hears of each rank that a piece went to
  private Rendezvous.Receives receives;

  TransferWire(
      Resources resources, ControlMessages control, Steppers steppers, int stepper, IntConsumer sent) {
    this.peers = resources.peers();
    this.pieces = new Pieces(peers);
    this.sent = sent;
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
  public int sendPiece(int peer, int number, Payload payload, Cursor cursor, long most) {
    int taken = pieces.sendControl(peer, PieceWord.of(number), payload, cursor, most);
    if (taken == Link.GONE || taken == Link.BUSY || CoreStatus.checkedOrAgain(taken) == Link.AGAIN) {
      return 0; // where the peer is gone, that is found out by the wait for it
    }
    sent.accept(peer);
    return taken;
  }

  @Override
  public void takePiece(Payload payload, Cursor cursor, Inbound piece) {
    pieces.take(payload, cursor, piece, piece.length());
  }

  @Override
  public void dropPiece() {
    CoreStatus.checked(peers.release());
  }

  @Override
  public void begun() {
    steppers.start(stepper);
  }

  @Override
  public void moved(int peer) {
    movement.message(peer);
    if (peers.sharesMemory(peer)) { // by any other link it is woken when something comes
      peers.sleeper().wake(peer);
    }
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
