package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.shared.SharedReach;
import io.adrastea.space.Exposure;
import io.adrastea.space.RemoteMemory;
import io.adrastea.space.Space;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * What the two ends of a transfer tell each other, and when an end is over [MPICH2 2007, 3.2]. The sender offers its
 * message (RTS); the receiver, once the message is matched, chooses the way of the bytes and asks the sender for its
 * share (CTS); an end that has copied all says so where the other one waits for it (DONE); the receiver asks for the
 * rest through the ring when the path has failed (COOKIE). A sender may ask for its offer back (WITHDRAW). Of a message
 * of a rank to itself the receiver chooses no way and asks for nothing.
 *
 * <p>
 * Where no memory is shared, the bytes go over the link. There the receiver lets the sender go on as they come
 * (COOKIE), and tells when it has all, so that each end hears of a failure of the other. One that has failed says so,
 * and the transfer is over for a receiver once its sender has heard of it, or all has come.
 */
final class Handshake {
  private static final long DOUBT_NANOS = 50_000_000;
  private static final long MOST_DOUBT_NANOS = 5_000_000_000L; // of a process that does not come to its end

  private final Wire wire;
  private final LongSupplier clock;
  private final int rank; // whose messages to itself need no agreement on a way
  private final int mostEntries; // of an I/O vector that a cookie carries
  private final RemoteMemory memory;
  private final WaySelector selector;
  private final DirectMover direct;
  private final RingMover ring;
  private final SelfMover self;
  private final LinkMover link;
  private final IntPredicate sharesMemory; // with a rank; else the bytes go over its link
  private final Cookie out = new Cookie();
  private final TransferTimes times;

  /** Makes the handshake of one rank; refuses settings that ask for a path which the rank does not have. */
  Handshake(Transfers.Resources resources, TransferTable table, Wire wire, LongSupplier clock) {
    this.wire = wire;
    this.clock = clock;
    this.rank = resources.rank();
    this.mostEntries = Cookie.mostEntries(resources.cellPayload());
    this.memory = resources.memory();
    this.selector = new WaySelector(resources);
    this.direct = new DirectMover(resources);
    this.ring = new RingMover(resources);
    this.self = new SelfMover(resources, table);
    this.link = new LinkMover(wire);
    this.sharesMemory = resources.sharesMemory();
    this.times = new TransferTimes(clock, resources.ranks());
  }

  private Mover mover(Transfer transfer) {
    if (transfer.peer == rank) {
      return self;
    }
    return switch (transfer.chosen.driver) {
      case Cookie.RING -> ring;
      case Cookie.LINK -> link;
      default -> direct;
    };
  }

  private boolean isLinked(int peer) {
    return peer != rank && !sharesMemory.test(peer);
  }

  /** Whether the bytes of a transfer go over a link. */
  boolean goesByLink(Transfer transfer) {
    return transfer.chosen.driver == Cookie.LINK;
  }

  /** Sender: gets ready to offer its message. What a CTS will tell takes no memory then: it would be lost without. */
  void prepare(Transfer transfer, boolean awaited) {
    if (isLinked(transfer.peer)) {
      transfer.chosen.driver = Cookie.LINK;
      return;
    }
    transfer.remote.vector().reserve(mostEntries);
    memory.describe(transfer.payload, transfer.length, mostEntries, awaited, transfer.own);
    transfer.chosen.driver = Cookie.GET; // until the receiver says otherwise
    if (transfer.peer != rank) {
      memory.publish(transfer.own);
      transfer.own.segment(transfer.own.isAddress() ? memory.segment() : 0);
    } else if (transfer.own.isTyped() || !transfer.own.isShared()) {
      transfer.own.clear(); // only a receive in place asks where the memory lies
    }
  }

  /** Sender: fills an RTS. */
  void offer(Transfer transfer, Cookie rts) {
    rts.clear();
    rts.add(transfer.length);
    rts.add(Cookie.pack(transfer.id, goesByLink(transfer) ? 0 : selector.offers(transfer)));
    rts.add(transfer.own.segment());
    rts.add(transfer.own);
  }

  /** Sender: its offer is on its way. */
  void await(Transfer transfer) {
    if (!goesByLink(transfer)) {
      ring.copyAhead(transfer);
    }
  }

  /** Receiver: an RTS came; false: it cannot be one. */
  boolean offered(Transfer transfer, Cookie rts) {
    transfer.peerId = rts.low(Cookie.SENDER);
    Exposure remote = transfer.remote;
    remote.set(rts.high(Cookie.SENDER), rts.word(Cookie.SEGMENT));
    boolean reachable = remote.isShared() || remote.isAddress();
    if (reachable && isLinked(transfer.peer)) {
      return false;
    }
    remote.typed(remote.isTyped() && reachable);
    rts.read(Cookie.OFFERED, remote);
    return reachable
        ? transfer.length > 0 && remote.vector().total() == transfer.length // nobody tells where no bytes lie
        : transfer.length >= 0;
  }

  /**
   * Receiver: chooses the way of the bytes of a message that is matched.
   *
   * @throws IllegalArgumentException when what the sender tells of its memory cannot be
   */
  void choose(Transfer transfer, boolean awaited) {
    if (transfer.peer == rank) {
      transfer.chosen.driver = Cookie.GET;
      return;
    }
    if (isLinked(transfer.peer)) {
      transfer.chosen.driver = Cookie.LINK;
      return;
    }
    memory.describe(transfer.payload, transfer.chosen.wanted, mostEntries, awaited, transfer.own);
    selector.choose(transfer, times.matched(transfer));
  }

  /** Receiver: asks for the bytes of a message that is matched, or for none of them after a failure. */
  void invite(Transfer transfer) {
    invite(transfer, ControlType.CTS, 0, transfer.chosen.wanted);
  }

  private void invite(Transfer transfer, ControlType type, long from, long to) {
    if (transfer.chosen.wanted == 0 || transfer.failure.status != 0) {
      transfer.chosen.driver = Cookie.GET;
      transfer.ends.copied();
      return;
    }
    time(transfer);
    transfer.ends.agree();
    out.clear();
    out.add(Cookie.pack(transfer.peerId, transfer.id));
    if (mover(transfer).preRecv(transfer, from, to, out)) {
      wire.send(transfer.peer, type, out);
    }
  }

  /**
   * Receiver: a transfer that is to be timed is so from its match on, or else, behind others in the ring's stream, from
   * the first step that is its own: their time is not its.
   */
  private void time(Transfer transfer) {
    if (transfer.chosen.costs != null && (transfer.chosen.driver != Cookie.RING || ring.isNext(transfer))) {
      times.begin(transfer);
    }
  }

  /** A peer is gone: what was learnt of it is forgotten. */
  void forget(int peer) {
    selector.forget(peer);
  }

  /** Tells the log, at level debug, what is believed of the ways. */
  void sayCosts() {
    selector.say();
  }

  /** Receiver: what the path could not move goes through the ring. */
  void fallBack(Transfer transfer) {
    direct.end(transfer);
    selector.refused(transfer);
    long from = transfer.failure.missingFrom;
    long to = transfer.failure.missingTo;
    transfer.chosen.take(Way.RING);
    transfer.failure.missNothing();
    invite(transfer, ControlType.COOKIE, from, to);
  }

  /** Receiver: where a message that is not matched yet can be read in place; null: it is to be received. */
  SharedReach.Mapping inPlace(Transfer transfer) {
    if (!selector.isShared(transfer) || transfer.remote.isTyped() || transfer.remote.vector().count() != 1) {
      return null;
    }
    try {
      return memory.shared(transfer.peer, transfer.remote.vector().startAt(0), transfer.length);
    } catch (IllegalArgumentException | OutOfMemoryError e) {
      // It is not the sender's, or there is no memory: told when it is received.
      return null;
    }
  }

  /** Sender: a CTS or a COOKIE says how the bytes are to go; false: it cannot be one. */
  boolean invited(Transfer transfer, ControlType type, Cookie cookie) {
    int way = cookie.low(Cookie.WAY) & 0xFF;
    Space writing = Space.of(cookie.low(Cookie.WAY) >>> 8 & 0xFF);
    transfer.peerId = cookie.high(Cookie.TARGET);
    transfer.chosen.wanted = cookie.word(Cookie.TO);
    boolean typed = way != Cookie.RING && (cookie.low(Cookie.RECEIVER_FLAGS) & Exposure.TYPED) != 0;
    transfer.remote.typed(typed);
    cookie.read(Cookie.WANTED, transfer.remote);
    if (!isSound(transfer, way, cookie.word(Cookie.FROM), writing)) {
      transfer.failure.set(Transfers.CORRUPT, null); // what it was told before is lost
      transfer.ends.copied();
      return false;
    }
    mover(transfer).end(transfer);
    transfer.chosen.driver = way;
    transfer.chosen.writing = writing;
    transfer.ends.agree();
    transfer.failure.missNothing();
    start(transfer, type, cookie);
    return true;
  }

  private boolean isSound(Transfer transfer, int way, long from, Space writing) {
    long to = transfer.chosen.wanted;
    boolean straight = way == Cookie.GET || way == Cookie.PUT;
    boolean reachable = isLinked(transfer.peer) ? way == Cookie.LINK
        : way == Cookie.RING || straight && transfer.remote.vector().total() == to;
    return from >= 0 && to <= transfer.length && from < to && writing != null && reachable;
  }

  /** What a broken peer says, or want of memory, ends this transfer, not those with others. */
  private void start(Transfer transfer, ControlType type, Cookie cookie) {
    try {
      if (type == ControlType.COOKIE && transfer.chosen.driver != Cookie.RING && !goesByLink(transfer)) {
        throw new IllegalArgumentException("rank %d asked for the rest of a message by way %d; allowed is the copy ring"
            .formatted(transfer.peer, transfer.chosen.driver));
      }
      mover(transfer).startSend(transfer, cookie);
    } catch (IllegalArgumentException | IllegalStateException | SegmentException e) {
      transfer.failure.set(Transfers.CORRUPT, e);
      transfer.ends.copied();
    } catch (OutOfMemoryError e) {
      // The ring has lost a stretch of its stream.
      transfer.failure.set(transfer.chosen.driver == Cookie.RING ? Transfers.CORRUPT : Transfers.NO_MEMORY, null);
      transfer.ends.copied();
      transfer.ends.letSenderTell(); // so that the receiver is told
    }
  }

  /**
   * Copies some more; whether anything moved. What a broken peer brings about ends this transfer, not those with
   * others.
   */
  boolean move(Transfer transfer) {
    try {
      if (transfer.chosen.costs != null && !TransferTimes.runs(transfer)) {
        time(transfer);
      }
      return mover(transfer).progress(transfer);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | SegmentException e) {
      transfer.failure.set(Transfers.CORRUPT, e);
      transfer.ends.copied();
      return true;
    }
  }

  /** The transfer is over: its mover forgets it. */
  void end(Transfer transfer) {
    if (transfer.chosen.driver != 0) {
      mover(transfer).end(transfer);
    }
    if (transfer.sending && transfer.chosen.driver != Cookie.RING && !goesByLink(transfer)) {
      ring.passedBy(transfer.peer);
    }
    if (!transfer.sending) {
      long nanos = times.end(transfer);
      if (transfer.chosen.costs != null) {
        selector.ended(transfer, nanos, times.gap());
      }
    }
  }

  /** Whether there is nothing to be moved on before others are over. */
  boolean waitsForTurn(Transfer transfer) {
    return goesByLink(transfer) ? LinkMover.rests(transfer)
        : transfer.chosen.driver == Cookie.RING && ring.waits(transfer);
  }

  /** The one whose turn it is now among those of the same pair and direction that wait for theirs; null: none. */
  Transfer next(Transfer transfer) {
    return goesByLink(transfer) ? null : ring.next(transfer);
  }

  /** The peer knows that the transfer is over, or has never heard of it. */
  void release(Transfer transfer) {
    memory.release(transfer.own);
  }

  /** Whether this end is over. Tells the other end what it waits for. */
  boolean isOver(Transfer transfer) {
    if (transfer.chosen.driver == Cookie.RING) {
      if (transfer.failure.status != 0 && !transfer.ends.isTold()) {
        tell(transfer); // both ends know when it is over, but not whether the other one has failed
      }
      return transfer.ends.isCopied() && !lingers(transfer);
    }
    if (goesByLink(transfer)) {
      return isPassed(transfer);
    }
    return transfer.sending ? isSent(transfer) : isReceived(transfer);
  }

  /**
   * A sender whose last bytes are in the ring waits for one more step, in which messages are taken in: a receiver that
   * has lost its buffer says so before it makes room.
   */
  private static boolean lingers(Transfer transfer) {
    return transfer.sending && transfer.failure.status == 0 && transfer.ends.linger();
  }

  /** Receiver: takes the piece at hand, and lets the sender go on; false: no correct rank sends it. */
  boolean take(Transfer transfer, Inbound piece) {
    if (transfer.sending || !goesByLink(transfer) || !link.take(transfer, piece)) {
      return false;
    }
    out.clear();
    out.add(Cookie.pack(transfer.peerId, transfer.id));
    if (link.grant(transfer, out)) {
      wire.send(transfer.peer, ControlType.COOKIE, out);
    }
    return true;
  }

  /**
   * Over a link: a sender is over when its receiver has said so, or has been told of a failure; a receiver when it has
   * all, or has heard of a failure, and after one of its own when nothing comes any more.
   */
  private boolean isPassed(Transfer transfer) {
    Ends ends = transfer.ends;
    boolean failed = transfer.failure.status != 0;
    if (ends.isAgreed() && !ends.isTold()
        && (transfer.sending ? failed : (failed || ends.isCopied()) && !ends.isPeerDone())) {
      tell(transfer);
    }
    return ends.isPeerDone() || (transfer.sending ? ends.isAgreed() && failed : ends.phase() == Phase.TOLD);
  }

  private boolean isSent(Transfer transfer) {
    if (transfer.ends.isMoving()) {
      return false;
    }
    boolean put = transfer.chosen.driver == Cookie.PUT;
    boolean lasting = transfer.own.isLasting() || put;
    if (!transfer.ends.isTold() && (lasting ? transfer.ends.doesSenderTell() : transfer.ends.isPeerDone())) {
      if (!lasting && transfer.failure.status == 0) {
        requireThere(transfer);
      }
      tell(transfer);
    }
    boolean over = put ? transfer.ends.isTold() : transfer.ends.isPeerDone();
    return over && (!transfer.failure.misses() || transfer.failure.status != 0); // what is missing will be asked for
  }

  /** The receiver has copied from memory that could have been freed: if it is there now, it was there all the time. */
  private static void requireThere(Transfer transfer) {
    for (int i = 0; i < transfer.payload.memories(); i++) {
      if (!transfer.payload.memory(i).scope().isAlive()) {
        transfer.failure.set(Transfers.CANCELED, new IllegalStateException("the arena of the buffer is closed"));
      }
    }
  }

  private boolean isReceived(Transfer transfer) {
    if (!transfer.ends.isCopied() || transfer.failure.misses() && transfer.failure.status == 0) {
      return false;
    }
    if (!transfer.ends.isTold() && transfer.chosen.driver == Cookie.GET) {
      tell(transfer);
    }
    return !waits(transfer);
  }

  private static boolean waits(Transfer transfer) {
    return transfer.ends.doesSenderTell() && !transfer.ends.isPeerDone();
  }

  /** Whether a receiver's end has copied what it can, and the rest has to go through the ring. */
  boolean needsRing(Transfer transfer) {
    if (transfer.sending
        || transfer.chosen.driver == Cookie.RING
        || !transfer.ends.isCopied()
        || !transfer.failure.misses()
        || transfer.failure.status != 0) {
      return false;
    }
    if (waits(transfer) && !transfer.remote.isLasting()) {
      // Such a sender says nothing before it is asked; it checks its buffer when it writes to the ring.
      transfer.failure.missingTo = transfer.chosen.wanted;
      return true;
    }
    return !waits(transfer);
  }

  /**
   * Whether what a transfer that is over has come to can be told. A process that ends loses its memory before it is
   * known to be gone: how long before depends on how much memory there is, and on what else wants a CPU. So as long as
   * the peer's process is seen to end, and for a little while in any case, the transfer stays among those that are
   * moved on, and each step asks again.
   */
  boolean isSettled(Transfer transfer) {
    if (transfer.failure.status != Spaces.FAULT || transfer.isOrphan() || wire.isGone(transfer.peer)) {
      return true;
    }
    long doubted = transfer.failure.doubtNanos(clock.getAsLong());
    return doubted > MOST_DOUBT_NANOS || doubted > DOUBT_NANOS && !wire.isEnding(transfer.peer);
  }

  /** Tells the other end that this one copies no more, with its status and with what it could not move. */
  void tell(Transfer transfer) {
    transfer.ends.told();
    out.clear();
    out.add(Cookie.pack(transfer.peerId, transfer.id));
    out.add(transfer.failure.status);
    out.add(transfer.failure.missingFrom);
    out.add(transfer.failure.missingTo);
    wire.send(transfer.peer, ControlType.DONE, out);
  }

  /** The other end copies no more. */
  void done(Transfer transfer, Cookie cookie) {
    transfer.ends.peerDone();
    transfer.peerId = cookie.high(Cookie.TARGET); // not known before when there was no CTS
    int status = cookie.low(Cookie.STATUS);
    if (status == Transfers.CORRUPT && transfer.chosen.driver == Cookie.RING && !transfer.sending) {
      ring.abandon(transfer.peer);
    }
    long from = cookie.word(Cookie.MISSING_FROM);
    long to = cookie.word(Cookie.MISSING_TO);
    if (status == Transfers.WITHDRAWN) {
      boolean asked = transfer.ends.phase() == Phase.WITHDRAWING;
      transfer.failure.set(asked ? Transfers.WITHDRAWN : Transfers.CORRUPT, null);
      transfer.ends.told(); // the receiver knows nothing of it any more
    } else if (status != 0) {
      transfer.failure.set(status, null);
    } else if (!transfer.sending && goesByLink(transfer)) {
      transfer.failure.set(Transfers.CORRUPT, null); // such a sender speaks of failures alone
    } else if (!transfer.sending && from < to) {
      // What the sender cannot do any more, its next offer tells: want of memory passes.
      transfer.failure.miss(Math.max(0, from), Math.min(transfer.chosen.wanted, to));
    }
  }

  /** Sender: asks the receiver to let go of the offer, unless it has begun to take it. */
  void withdraw(Transfer transfer) {
    if (transfer.sending && transfer.ends.withdraw()) {
      out.clear();
      out.add(Cookie.pack(Transfer.NO_ID, transfer.id));
      wire.send(transfer.peer, ControlType.WITHDRAW, out);
    }
  }
}
