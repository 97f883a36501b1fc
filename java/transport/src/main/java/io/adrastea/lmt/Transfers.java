package io.adrastea.lmt;

import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;

/**
 * The large messages of one rank on their way, at either end: rendezvous with the LMT interface (000 section 3.2). The engine matches; here
 * the way is chosen, both ends are told of it, and the bytes move on at each {@link #progress}.
 */
public final class Transfers {
  /** There is no shared memory for a ring. */
  public static final int NO_MEMORY = -12;

  /** The peer's buffer was closed. */
  public static final int CANCELED = Copying.CANCELED;

  /** Owner of a transfer whose own has given it up. */
  public static final Object ORPHAN = new Object();

  private static final Queue<Payload> PINNED = new ConcurrentLinkedQueue<>();

  private final Node node;
  private final Wire wire;
  private final Lmt get;
  private final Lmt put;
  private final RingLmt ring;
  private final Choice choice;
  private final Endings endings;
  private final Cookie out = new Cookie();
  private final TransferTable table = new TransferTable();
  private final List<Transfer> active = new ArrayList<>();

  /**
   * Those of one rank.
   *
   * @param cellPayload most bytes of a cookie; at least {@link Cookies#LEAST_BYTES}
   * @param pids of the ranks' processes; 0: it cannot be addressed from here
   * @throws IllegalArgumentException when the settings ask for a mechanism that this rank does not have
   */
  public Transfers(
      Spaces spaces, SharedHeap heap, SharedReach reach, LmtSettings settings, Wire wire, int cellPayload, int[] pids) {
    this.node = new Node(spaces, heap, reach, settings, wire, cellPayload, pids);
    this.wire = wire;
    this.get = new GetLmt(node);
    this.put = new PutLmt(node);
    this.ring = new RingLmt(node);
    this.endings = new Endings(wire, get, put, ring);
    int able = settings.mechanisms() & node.able();
    this.choice = new Choice(node, able);
    settings.requireAble(able, spaces);
  }

  private Lmt lmt(int number) {
    return switch (number) {
      case Cookies.GET -> get;
      case Cookies.PUT -> put;
      case Cookies.RING -> ring;
      default -> throw new IllegalArgumentException("no way %d for a large message".formatted(number));
    };
  }

  private Transfer begin(boolean sending, int peer, long length) {
    Transfer transfer = table.take();
    transfer.begin(sending, peer, length);
    transfer.pid = node.pair(transfer).pid;
    return transfer;
  }

  private void activate(Transfer transfer) {
    if (!transfer.active) {
      transfer.active = true;
      active.add(transfer);
    }
  }

  // ---- the sender

  /**
   * Begins to send: the engine sends the RTS with the cookie, and calls {@link #drop} when that is not possible now.
   *
   * @param owner what the transfer belongs to
   */
  public Transfer send(Object owner, Payload payload, int peer, long length, Cookie rts) {
    Transfer transfer = begin(true, peer, length);
    table.enter(transfer);
    transfer.owner = owner;
    transfer.payload = payload;
    rts.clear();
    rts.add(length);
    rts.add(0);
    rts.add(node.segment);
    get.preSend(transfer, rts);
    rts.set(Cookies.SENDER, Cookie.pack(transfer.id, choice.offers(transfer)));
    transfer.lmt = get; // until the receiver says otherwise
    return transfer;
  }

  /** Takes a transfer back that nobody has heard of. */
  public void drop(Transfer transfer) {
    table.give(transfer, false);
  }

  /** Whether no more can be on their way; some must end first. */
  public boolean isFull() {
    return table.isFull();
  }

  // ---- the receiver

  /** An RTS came: false, it cannot be one. The transfer waits to be matched. */
  public Transfer offered(int peer, long match, Cookie rts) {
    long length = rts.word(Cookies.LENGTH);
    Transfer transfer = begin(false, peer, length);
    transfer.match = match;
    transfer.peerId = rts.low(Cookies.SENDER);
    transfer.offers = rts.high(Cookies.SENDER);
    transfer.segment = rts.word(Cookies.SEGMENT);
    rts.read(Cookies.OFFERED, transfer.remote);
    boolean reachable = (transfer.offers & (Exposure.SHARED | Exposure.ADDRESS)) != 0;
    if (length <= 0 || reachable && transfer.remote.total() != length) {
      table.give(transfer, false);
      return null;
    }
    return transfer;
  }

  /** The message is matched: its bytes go to {@code payload}, as many as it takes. */
  public void receive(Object owner, Payload payload, long capacity, Transfer transfer) {
    transfer.owner = owner;
    transfer.payload = payload;
    if (table.isFull()) {
      transfer.fail(NO_MEMORY, new IllegalStateException("too many large messages are on their way"));
    } else {
      table.enter(transfer);
    }
    transfer.wanted = Math.min(transfer.length, capacity);
    transfer.position = 0;
    transfer.end = transfer.wanted;
    transfer.own.describe(payload, transfer.wanted, node.heap, node.mostStretches);
    choice.choose(transfer);
    transfer.lmt = lmt(Paths.way(transfer.reading, transfer.writing));
    begin(transfer, Cookies.CTS);
    activate(transfer);
    progress(transfer);
  }

  private void begin(Transfer transfer, int type) {
    out.clear();
    out.add(Cookie.pack(transfer.peerId, transfer.id));
    if (transfer.wanted == 0 || transfer.status != 0) {
      transfer.lmt = get;
      transfer.copied = true;
      transfer.started = true;
      return;
    }
    if (transfer.lmt.preRecv(transfer, out)) {
      wire.send(transfer.peer, type, out);
    }
    transfer.lmt.startRecv(transfer);
  }

  // ---- both

  /** A message of a transfer came. Those of transfers that are over are of no interest; false: it cannot be. */
  public boolean received(int source, int type, Cookie cookie) {
    Transfer transfer = table.find(source, cookie.low(Cookies.TARGET));
    if (transfer == null) {
      return true;
    }
    switch (type) {
      case Cookies.CTS, Cookies.COOKIE -> {
        return transfer.sending && told(transfer, type, cookie);
      }
      case Cookies.DONE -> done(transfer, cookie);
      default -> {
        return false;
      }
    }
    progress(transfer);
    return true;
  }

  private boolean told(Transfer transfer, int type, Cookie cookie) {
    int way = cookie.low(Cookies.WAY);
    long from = cookie.word(Cookies.FROM);
    long to = cookie.word(Cookies.TO);
    Mechanism writing = Mechanism.of(way >>> 8 & 0xFF);
    transfer.peerId = cookie.high(Cookies.TARGET);
    transfer.wanted = to;
    cookie.read(Cookies.WANTED, transfer.remote);
    boolean direct = (way & 0xFF) != Cookies.RING;
    if (from < 0 || to > transfer.length || from >= to || writing == null || direct && (transfer.remote.total() != to || node.memory(writing) == null)) {
      return false;
    }
    transfer.writing = writing;
    transfer.lmt.postSend(transfer);
    transfer.lmt = lmt(way & 0xFF);
    transfer.copied = false;
    transfer.told = false;
    transfer.peerDone = false;
    transfer.participates = false;
    transfer.missingTo = transfer.missingFrom;
    try {
      if (type == Cookies.COOKIE) {
        transfer.lmt.handleCookie(transfer, cookie);
      } else {
        transfer.lmt.startSend(transfer, cookie);
      }
    } catch (IllegalArgumentException | IllegalStateException | SegmentException e) {
      transfer.fail(Copying.CORRUPT, e);
      transfer.copied = true;
    }
    activate(transfer);
    progress(transfer);
    return true;
  }

  private void done(Transfer transfer, Cookie cookie) {
    transfer.peerDone = true;
    transfer.peerId = cookie.high(Cookies.TARGET); // not known before when there was no CTS
    int status = cookie.low(Cookies.STATUS);
    if (status == Copying.CORRUPT && transfer.lmt == ring && !transfer.sending) {
      ring.abandon(node.pair(transfer));
    }
    long from = cookie.word(Cookies.MISSING_FROM);
    long to = cookie.word(Cookies.MISSING_TO);
    if (status != 0) {
      transfer.fail(status, null);
    } else if (!transfer.sending && from < to) {
      transfer.miss(Math.max(0, from), Math.min(transfer.wanted, to));
      node.pair(transfer).refused |= transfer.writing == null ? 0 : transfer.writing.bit();
    }
  }

  /** Moves all on; whether anything moved. */
  public boolean progress() {
    boolean any = false;
    for (int i = active.size() - 1; i >= 0; i--) {
      any |= progress(active.get(i));
    }
    return any;
  }

  /** Whether any is to be moved on. */
  public boolean isIdle() {
    return active.isEmpty();
  }

  private boolean progress(Transfer transfer) {
    boolean moved = move(transfer);
    if (endings.needsRing(transfer)) {
      fallBack(transfer);
    }
    boolean over = endings.isOver(transfer);
    if (over) {
      finish(transfer);
    }
    return moved || over;
  }

  /** What a broken peer brings about ends this transfer, not those with others. */
  private static boolean move(Transfer transfer) {
    try {
      return transfer.lmt.progress(transfer);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | SegmentException e) {
      transfer.fail(Copying.CORRUPT, e);
      transfer.copied = true;
      return true;
    }
  }

  /** What the mechanism could not move goes through the ring. */
  private void fallBack(Transfer transfer) {
    transfer.lmt.postRecv(transfer);
    transfer.lmt = ring;
    transfer.position = transfer.missingFrom;
    transfer.end = transfer.missingTo;
    transfer.missingTo = transfer.missingFrom;
    transfer.copied = false;
    transfer.started = false;
    transfer.peerDone = false;
    transfer.told = false;
    begin(transfer, Cookies.COOKIE);
  }

  private void finish(Transfer transfer) {
    leave(transfer);
    wire.finished(transfer);
    table.give(transfer, true);
  }

  private void leave(Transfer transfer) {
    if (transfer.sending) {
      transfer.lmt.postSend(transfer);
    } else if (transfer.lmt != null) {
      transfer.lmt.postRecv(transfer);
    }
    if (transfer.active) {
      active.remove(transfer);
      transfer.active = false;
    }
  }

  /**
   * Where a message that was offered lies, when it can be read in place: in one stretch of the sender's shared allocations. Then it is the
   * caller's until {@link #release}. Null: it is to be received.
   */
  public SharedReach.Mapping inPlace(Transfer transfer) {
    if (!choice.isShared(transfer) || transfer.remote.count() != 1) {
      return null;
    }
    try {
      return node.reach.mapping(transfer.peer, transfer.remote.startAt(0), transfer.length);
    } catch (IllegalArgumentException e) { // it is not the sender's: told when it is received
      return null;
    }
  }

  /** Where in that mapping it begins. */
  public static long offsetIn(SharedReach.Mapping mapping, Transfer transfer) {
    return transfer.remote.startAt(0) - mapping.offset();
  }

  /** A message read in place is given back to its sender. */
  public void release(Transfer transfer) {
    endings.tell(transfer);
    table.give(transfer, true);
  }

  /** Ends those that nobody owns any more and whose peer is gone. */
  public void reap(IntPredicate gone) {
    for (int i = active.size() - 1; i >= 0; i--) {
      Transfer transfer = active.get(i);
      if (transfer.owner == ORPHAN && gone.test(transfer.peer)) {
        giveUp(transfer, true);
      }
    }
  }

  /** Keeps the memory of all that are not over for good: their peers may still use it when this rank has left. */
  public void pin() {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null) {
        PINNED.add(transfer.payload);
      }
    }
  }

  /** Adds a description of each whose bytes are not all there to {@code words}. */
  public void describe(List<String> words) {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && transfer.owner != ORPHAN) {
        words.add(transfer.owner.toString());
      }
    }
  }

  /**
   * Ends a transfer whose owner gives it up.
   *
   * @param gone so is the peer; else the transfer goes on to its end as one that has failed, without its owner
   */
  public void giveUp(Transfer transfer, boolean gone) {
    if (gone) {
      leave(transfer);
      table.give(transfer, true);
    } else {
      transfer.owner = ORPHAN;
      transfer.fail(CANCELED, null);
      activate(transfer);
    }
  }
}
