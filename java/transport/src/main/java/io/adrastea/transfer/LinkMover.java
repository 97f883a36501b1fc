package io.adrastea.transfer;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;

/**
 * Pieces over a link, between ranks that share no memory: the sender hands bytes from its buffer to the link, and the
 * receiver puts each piece straight into its own as it comes, so nothing is kept in between. The receiver paces the
 * sender: it tells how far the message may go, and tells more as bytes come, so that never more than {@link #WINDOW}
 * bytes of a message are on their way. Other messages pass between the pieces, and several large ones to a rank go on
 * in turn.
 */
final class LinkMover implements Mover {
  /** The most bytes of one message on their way: some pieces for each of the link's own buffers. */
  static final long WINDOW = 1 << 20;

  /** The most bytes that a sender hands to the link before others have their turn. */
  static final long STEP = 1 << 17;

  /** How far one end of a transfer is. */
  static final class State {
    private long granted; // bytes of the message that may be sent, as this end knows
    private long passed; // of them, those that were sent or have come

    void clear() {
      granted = 0;
      passed = 0;
    }
  }

  private final Wire wire;

  LinkMover(Wire wire) {
    this.wire = wire;
  }

  @Override
  public boolean preRecv(Transfer transfer, long from, long to, Cookie cts) {
    transfer.link.granted = Math.min(to, WINDOW);
    fill(transfer, cts);
    return true;
  }

  private static void fill(Transfer transfer, Cookie cookie) {
    cookie.add(Cookie.LINK);
    cookie.add(transfer.link.passed);
    cookie.add(transfer.chosen.wanted);
    cookie.add(transfer.link.granted);
  }

  /** Receiver: lets the sender go on, once half of what it was let send has come; whether it is to be told so. */
  boolean grant(Transfer transfer, Cookie cookie) {
    State state = transfer.link;
    if (!transfer.ends.isMoving() || transfer.failure.status != 0 || state.granted == transfer.chosen.wanted
        || state.granted - state.passed > WINDOW / 2) {
      return false;
    }
    state.granted = Math.min(transfer.chosen.wanted, state.passed + WINDOW);
    fill(transfer, cookie);
    return true;
  }

  @Override
  public void startSend(Transfer transfer, Cookie cts) {
    long granted = cts.word(Cookie.GRANTED);
    if (granted <= transfer.link.granted || granted > transfer.chosen.wanted) {
      throw new IllegalArgumentException("rank %d lets %d bytes of a message come, after %d, and takes %d"
          .formatted(transfer.peer, granted, transfer.link.granted, transfer.chosen.wanted));
    }
    transfer.link.granted = granted;
  }

  /** Sender: hands some more to the link. The receiver's pieces {@link #take come} by themselves. */
  @Override
  public boolean progress(Transfer transfer) {
    if (!transfer.sending || !transfer.ends.isMoving()) {
      return false;
    }
    State state = transfer.link;
    long before = state.passed;
    if (transfer.failure.status == 0) {
      send(transfer, Math.min(state.granted, before + STEP));
    }
    if (transfer.failure.status != 0 || state.passed == transfer.chosen.wanted) {
      transfer.ends.copied();
    }
    return state.passed != before || transfer.ends.isCopied();
  }

  private void send(Transfer transfer, long until) {
    State state = transfer.link;
    boolean interrupted = CopyInterrupt.isPending();
    try {
      transfer.payload.seek(transfer.cursor, state.passed);
      long sent = 1;
      while (state.passed < until && sent > 0) {
        sent =
            wire.sendPiece(transfer.peer, TransferTable.pieceNumber(transfer.peerId), transfer.payload, transfer.cursor,
                until - state.passed);
        state.passed += sent;
      }
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.failure.set(Transfers.CANCELED, e);
    } catch (OutOfMemoryError e) {
      transfer.failure.set(Transfers.NO_MEMORY, null);
    }
  }

  /** Receiver: takes the piece at hand; false: no correct rank sends it. One that nobody wants any more is dropped. */
  boolean take(Transfer transfer, Inbound piece) {
    State state = transfer.link;
    if (piece.length() == 0 || piece.length() > state.granted - state.passed) {
      return false;
    }
    if (transfer.failure.status == 0) {
      unpack(transfer, piece);
    } else {
      wire.dropPiece();
    }
    state.passed += piece.length();
    if (state.passed == transfer.chosen.wanted) {
      transfer.ends.copied();
    }
    return true;
  }

  private void unpack(Transfer transfer, Inbound piece) {
    boolean interrupted = CopyInterrupt.isPending();
    try {
      wire.takePiece(transfer.payload, transfer.cursor, piece);
      return;
    } catch (IllegalStateException | WrongThreadException e) { // this end's buffer
      CopyInterrupt.forget(interrupted, e);
      transfer.failure.set(Transfers.CANCELED, e);
    } catch (OutOfMemoryError e) {
      transfer.failure.set(Transfers.NO_MEMORY, null);
    }
    wire.dropPiece();
  }

  /** Whether this end has nothing to do before the other one says something, or sends. */
  static boolean rests(Transfer transfer) {
    return !transfer.sending || !transfer.ends.isMoving()
        || transfer.failure.status == 0 && transfer.link.passed == transfer.link.granted;
  }

  @Override
  public void end(Transfer transfer) {}
}
