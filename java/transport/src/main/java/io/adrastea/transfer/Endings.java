package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import java.util.function.LongSupplier;

/** When an end of a transfer is over, and what the two ends tell each other of that (DONE). */
final class Endings {
  private static final long DOUBT_NANOS = 50_000_000;
  private static final long MOST_DOUBT_NANOS = 5_000_000_000L; // of a process that does not come to its end

  /** Of a transfer that is over without a byte, since its offer was taken back. */
  static final int WITHDRAWN = -4;

  private final Wire wire;
  private final LongSupplier clock; // nanoseconds
  private final Mechanism get;
  private final Mechanism put;
  private final Mechanism ring;
  private final Cookie done = new Cookie();

  Endings(Wire wire, Ways ways) {
    this(wire, ways, System::nanoTime);
  }

  Endings(Wire wire, Ways ways, LongSupplier clock) {
    this.wire = wire;
    this.clock = clock;
    this.get = ways.get;
    this.put = ways.put;
    this.ring = ways.ring;
  }

  boolean isOver(Transfer transfer) {
    if (transfer.mechanism == ring) {
      tellOfFailure(transfer);
      return transfer.copied && !lingers(transfer);
    }
    return transfer.sending ? isSent(transfer) : isReceived(transfer);
  }

  /**
   * A sender whose last bytes are in the ring waits for one more step, in which messages are taken in: a receiver that
   * has lost its buffer says so before it makes room.
   */
  private static boolean lingers(Transfer transfer) {
    boolean lingers = transfer.sending && transfer.status == 0 && !transfer.lingered;
    transfer.lingered |= lingers;
    return lingers;
  }

  /**
   * Through the ring both ends know when it is over, but not whether the other one has failed. Who hears of that
   * answers.
   */
  private void tellOfFailure(Transfer transfer) {
    if (transfer.status != 0 && !transfer.told) {
      tell(transfer);
    }
  }

  private boolean isSent(Transfer transfer) {
    if (transfer.started && !transfer.copied) {
      return false;
    }
    boolean lasting = (transfer.own.flags & Exposure.LASTING) != 0 || transfer.mechanism == put;
    if (!transfer.told && (lasting ? transfer.participates : transfer.peerDone)) {
      if (!lasting && transfer.status == 0) {
        requireThere(transfer);
      }
      tell(transfer);
    }
    boolean over = transfer.mechanism == put ? transfer.told : transfer.peerDone;
    return over && (!transfer.misses() || transfer.status != 0); // what is missing will be asked for
  }

  /**
   * Whether what a transfer that is over has come to can be told. A process that ends loses its memory before it is
   * known to be gone: how long before depends on how much memory there is, and on who else wants a CPU. So as long as
   * the peer's process is seen to end, and for a little while in any case, the transfer stays among those that are
   * moved on, and each step asks again.
   */
  boolean isSettled(Transfer transfer) {
    if (transfer.status != Spaces.FAULT || transfer.owner == Transfers.ORPHAN || wire.isGone(transfer.peer)) {
      return true;
    }
    long now = clock.getAsLong();
    transfer.doubtedAt = transfer.doubted ? transfer.doubtedAt : now;
    transfer.doubted = true;
    long doubted = now - transfer.doubtedAt;
    return doubted > MOST_DOUBT_NANOS || doubted > DOUBT_NANOS && !wire.isEnding(transfer.peer);
  }

  /** The receiver has copied from memory that could have been freed: if it is there now, it was there all the time. */
  private static void requireThere(Transfer transfer) {
    Payload.Entry entry = new Payload.Entry();
    for (int i = 0; i < transfer.payload.entries(); i++) {
      transfer.payload.entry(i, entry);
      if (!entry.memory.scope().isAlive()) {
        transfer.fail(Copying.CANCELED, new IllegalStateException("the arena of the buffer is closed"));
      }
    }
  }

  private boolean isReceived(Transfer transfer) {
    if (!transfer.copied || transfer.misses() && transfer.status == 0) {
      return false;
    }
    if (!transfer.told && transfer.mechanism == get) {
      tell(transfer);
    }
    return !waits(transfer);
  }

  private static boolean waits(Transfer transfer) {
    return transfer.awaitsPeer && !transfer.peerDone;
  }

  /** Whether a receiver's end has copied what it can, and the rest has to go through the ring. */
  boolean needsRing(Transfer transfer) {
    if (transfer.sending || transfer.mechanism == ring || !transfer.copied || !transfer.misses()
        || transfer.status != 0) {
      return false;
    }
    if (waits(transfer) && (transfer.offers & Exposure.LASTING) == 0) {
      // Such a sender says nothing before it is asked; it looks at its buffer when it writes to the ring.
      transfer.missingTo = transfer.wanted;
      return true;
    }
    return !waits(transfer);
  }

  /** This end copies no more: with its status, and with what it could not move. */
  void tell(Transfer transfer) {
    transfer.told = true;
    done.clear();
    done.add(Cookie.pack(transfer.peerId, transfer.id));
    done.add(transfer.status);
    done.add(transfer.missingFrom);
    done.add(transfer.missingTo);
    wire.send(transfer.peer, Cookie.DONE, done);
  }

  /** Asks the receiver to let go of an offer. */
  void withdraw(Transfer transfer) {
    transfer.withdrawn = true;
    done.clear();
    done.add(Cookie.pack(Transfer.NO_ID, transfer.id));
    wire.send(transfer.peer, Cookie.WITHDRAW, done);
  }

  /** Tells the sender of an offer that it was let go of. */
  void letGo(Transfer transfer) {
    transfer.fail(WITHDRAWN, null);
    tell(transfer);
  }

  /** The other end copies no more. */
  void heard(Transfer transfer, Pair pair, Cookie cookie) {
    transfer.peerDone = true;
    transfer.peerId = cookie.high(Cookie.TARGET); // not known before when there was no CTS
    int status = cookie.low(Cookie.STATUS);
    if (status == Copying.CORRUPT && transfer.mechanism == ring && !transfer.sending) {
      Rings.abandon(pair);
    }
    long from = cookie.word(Cookie.MISSING_FROM);
    long to = cookie.word(Cookie.MISSING_TO);
    if (status == WITHDRAWN) {
      transfer.told = true; // the receiver knows nothing of it any more
      transfer.fail(transfer.withdrawn && !transfer.started ? WITHDRAWN : Copying.CORRUPT, null);
    } else if (status != 0) {
      transfer.fail(status, null);
    } else if (!transfer.sending && from < to) {
      transfer.miss(Math.max(0, from), Math.min(transfer.wanted, to));
      pair.refused |= transfer.writing == null ? 0 : transfer.writing.bit();
    }
  }
}
