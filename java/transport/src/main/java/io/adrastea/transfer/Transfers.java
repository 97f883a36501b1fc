package io.adrastea.transfer;

import io.adrastea.payload.Payload;
import io.adrastea.core.Spaces;
import io.adrastea.error.SegmentException;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.space.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;

/**
 * The large messages of one rank on their way, at either end: rendezvous [MPICH2 2007, 3.2]. The engine matches; here
 * the ends agree on the way of the bytes ({@link Handshake}), which move on at each {@link #progress} ({@link Mover}),
 * until the owner of the transfer is told that it is over ({@link Transfer.Owner}).
 */
public final class Transfers {
  /** Status: there is no memory, shared for a ring or on the heap. */
  public static final int NO_MEMORY = -12;

  /** Status: a buffer was closed. */
  public static final int CANCELED = -125;

  /** Status: the receiver has let go of the offer, as asked. It never had the message. */
  public static final int WITHDRAWN = -4;

  /** Status: the peer, a program in C, has no rendezvous, and has declined the offer. */
  public static final int DECLINED = -95;

  /** Status: the segment, or a message of the peer, holds what no correct rank writes. */
  static final int CORRUPT = -71;

  /** The owner of a transfer that its own has given up. */
  static final Transfer.Owner ORPHAN = transfer -> {};

  private static final Queue<MemorySegment> PINNED = new ConcurrentLinkedQueue<>();

  private final Wire wire;
  private final Handshake handshake;
  private final TransferTable table;
  private Transfer first; // of those that are moved on, the longest there
  private Transfer last;
  private int active; // how many they are
  private Transfer following; // the next one to be moved on

  /**
   * What the transfers of one rank work with.
   *
   * @param cellPayload most bytes of a cookie; at least {@link Cookie#LEAST_BYTES}
   * @param rank its number in the job
   * @param ranks how many ranks the job has
   * @param sharesMemory whether the bytes of a message may go through memory that is shared with a rank; those to and
   * from any other go in pieces over its link
   */
  public record Resources(RemoteMemory memory, Spaces spaces, SharedHeap heap, TransferSettings settings,
      int cellPayload, int rank, int ranks, IntPredicate sharesMemory) {}

  /** Makes those of one rank; refuses settings that ask for a path which the rank does not have. */
  public Transfers(Resources resources, Wire wire) {
    this.wire = wire;
    this.table = new TransferTable();
    this.handshake = new Handshake(resources, table, wire, System::nanoTime);
  }

  /**
   * Begins to send: the engine sends the RTS with the cookie, and calls {@link #drop} when that is not possible now.
   *
   * @param awaited a thread of this rank waits inside the library until the transfer is over, so that none of its own
   * arenas is closed meanwhile
   */
  public Transfer send(Transfer.Owner owner, Payload payload, boolean awaited, int peer, Cookie rts) {
    Transfer transfer = table.take();
    transfer.begin(true, peer, payload.bytes());
    transfer.carry(owner, payload);
    handshake.prepare(transfer, awaited);
    table.enter(transfer);
    handshake.offer(transfer, rts);
    return transfer;
  }

  /** The RTS was sent: what can be done before the receiver answers is done now. */
  public void sent(Transfer transfer) {
    handshake.await(transfer);
  }

  /** Takes a transfer back that nobody has heard of. */
  public void drop(Transfer transfer) {
    give(transfer, false);
  }

  private void give(Transfer transfer, boolean known) {
    handshake.release(transfer);
    table.give(transfer, known);
  }

  /** Whether no more can be on their way; some must end first. */
  public boolean isFull() {
    return table.isFull();
  }

  /**
   * Takes memory for the next transfer that is offered, before its message is taken: there may be none.
   *
   * @param bytes most of its RTS
   */
  public void reserve(int bytes) {
    table.reserve(Cookie.offeredEntries(bytes));
  }

  /** Takes in an RTS: null, it cannot be one. The transfer waits to be matched. */
  public Transfer offered(int peer, long match, Cookie rts) {
    Transfer transfer = table.take();
    transfer.begin(false, peer, rts.word(Cookie.LENGTH));
    transfer.match = match;
    if (!handshake.offered(transfer, rts)) {
      give(transfer, false);
      return null;
    }
    return transfer;
  }

  /** Tells the owner of the sender's end of a message that the rank has offered to itself; null: it is not known. */
  public Transfer.Owner sender(Transfer offer) {
    Transfer sender = SelfMover.sender(table, offer);
    return sender == null ? null : sender.owner;
  }

  /**
   * Begins to receive a message that is matched: its bytes go to {@code payload}, as many as it takes.
   *
   * @param awaited as of {@link #send}
   */
  public void receive(Transfer.Owner owner, Payload payload, boolean awaited, Transfer transfer) {
    transfer.carry(owner, payload);
    transfer.chosen.wanted = Math.min(transfer.length, payload.bytes());
    prepare(transfer, awaited);
    handshake.invite(transfer);
    start(transfer);
    progress(transfer);
  }

  /** The message is matched: there is no way back, so want of memory is a failure that both ends are told. */
  private void prepare(Transfer transfer, boolean awaited) {
    if (table.isFull()) {
      transfer.failure.set(NO_MEMORY, new IllegalStateException("too many large messages are on their way"));
      return;
    }
    try {
      table.enter(transfer);
      handshake.choose(transfer, awaited);
    } catch (OutOfMemoryError e) {
      transfer.failure.set(NO_MEMORY, null);
    } catch (IllegalArgumentException | SegmentException e) { // what the sender tells of its elements cannot be
      transfer.failure.set(CORRUPT, e);
    }
  }

  /**
   * Asks the receiver of a message to let go of it, unless it has begun to take it. The transfer ends with
   * {@link #WITHDRAWN}, or as if nothing was asked.
   */
  public void withdraw(Transfer transfer) {
    handshake.withdraw(transfer);
  }

  /** Tells the sender of a message that was offered, and not matched, that it was let go of. */
  public void letGo(Transfer transfer) {
    end(transfer, WITHDRAWN);
  }

  /** Tells the sender of a message that was offered, and not matched, that nobody is going to receive it. */
  public void refuse(Transfer transfer) {
    end(transfer, CANCELED);
  }

  private void end(Transfer transfer, int status) {
    transfer.failure.set(status, null);
    handshake.tell(transfer);
    give(transfer, false);
  }

  /** Takes in a control message. One of a transfer that is over is ignored; false: it cannot be one. */
  public boolean received(int source, ControlType type, Cookie cookie) {
    if (type == ControlType.WITHDRAW) {
      Transfer offer = wire.withdrawn(source, cookie.high(Cookie.TARGET));
      if (offer != null) {
        letGo(offer);
      }
      return true;
    }
    Transfer transfer = table.find(source, cookie.low(Cookie.TARGET));
    if (transfer == null) {
      return true;
    }
    switch (type) {
      case CTS, COOKIE -> {
        if (!transfer.sending || !handshake.invited(transfer, type, cookie)) {
          return false;
        }
        start(transfer);
        giveTurn(transfer); // a peer that asks twice takes a transfer out of the middle
      }
      case DONE -> handshake.done(transfer, cookie);
      default -> {
        return false;
      }
    }
    progress(transfer);
    return true;
  }

  /**
   * Takes in the piece at hand of a message that comes over a link. One of a transfer that is over is dropped; false:
   * no correct rank sends it.
   *
   * @param number that the sender was told
   */
  public boolean piece(int number, Inbound piece) {
    Transfer transfer = table.findByPiece(piece.source(), number);
    if (transfer == null) {
      wire.dropPiece();
      return true;
    }
    if (!handshake.take(transfer, piece)) {
      return false;
    }
    wire.moved(transfer.peer);
    progress(transfer);
    return true;
  }

  /** Both ends of a transfer know its way: it is moved on from now on, or when its turn comes behind others. */
  private void start(Transfer transfer) {
    if (!handshake.waitsForTurn(transfer)) {
      add(transfer);
    }
  }

  private void add(Transfer transfer) {
    if (isActive(transfer)) {
      return;
    }
    transfer.before = last;
    transfer.next = null;
    if (last == null) {
      first = transfer;
    } else {
      last.next = transfer;
    }
    last = transfer;
    active++;
    wire.begun();
  }

  private boolean isActive(Transfer transfer) {
    return transfer.before != null || first == transfer;
  }

  private void remove(Transfer transfer) {
    if (following == transfer) {
      following = transfer.next;
    }
    if (transfer.before == null) {
      first = transfer.next;
    } else {
      transfer.before.next = transfer.next;
    }
    if (transfer.next == null) {
      last = transfer.before;
    } else {
      transfer.next.before = transfer.before;
    }
    transfer.before = null;
    transfer.next = null;
    active--;
  }

  /** Whether none is to be moved on. */
  public boolean isIdle() {
    return first == null;
  }

  /** Moves all on; whether anything moved. */
  public boolean progress() {
    boolean any = false;
    following = first;
    for (int left = active; left > 0 && following != null; left--) { // those whose turn comes now wait for the next
                                                                     // step
      any |= progress(takeFollowing());
    }
    return any;
  }

  /** Moves those with one rank on; whether any moved. */
  public boolean progressWith(int peer) {
    boolean any = false;
    following = first;
    for (int left = active; left > 0 && following != null; left--) {
      Transfer transfer = takeFollowing();
      any |= transfer.peer == peer && progress(transfer);
    }
    return any;
  }

  /** The next one in a pass over all; any of them may end meanwhile. */
  private Transfer takeFollowing() {
    Transfer transfer = following;
    following = transfer.next;
    return transfer;
  }

  /** Moves one on, which need not be among the active ones yet; whether anything moved. */
  private boolean progress(Transfer transfer) {
    boolean moved = handshake.move(transfer);
    if (moved) {
      wire.moved(transfer.peer);
    }
    if (handshake.needsRing(transfer)) {
      handshake.fallBack(transfer);
    }
    if (!handshake.isOver(transfer)) {
      if (handshake.goesByLink(transfer) && isActive(transfer)) {
        passTurn(transfer, moved);
      }
      return moved;
    }
    if (!handshake.isSettled(transfer)) {
      add(transfer);
      return moved;
    }
    leave(transfer);
    transfer.owner.finished(transfer);
    give(transfer, true);
    return true;
  }

  /**
   * What goes by a link is not moved on while it has to wait for its other end; one that has moved goes behind all
   * others, so that none takes the room of a link that is always full.
   */
  private void passTurn(Transfer transfer, boolean moved) {
    boolean rests = LinkMover.rests(transfer);
    if (rests || moved) {
      remove(transfer);
    }
    if (!rests && moved) {
      add(transfer);
    }
  }

  /** A transfer is over: it is not moved on any more, and another one may have its turn. */
  private void leave(Transfer transfer) {
    handshake.end(transfer);
    if (isActive(transfer)) {
      remove(transfer);
    }
    giveTurn(transfer);
  }

  private void giveTurn(Transfer transfer) {
    Transfer next = handshake.next(transfer);
    if (next != null) {
      add(next);
    }
  }

  /**
   * Tells where a message that was offered lies, when it can be read in place: in one piece of the sender's shared
   * allocations. Then it is the caller's until {@link #release}. Null: it is to be received.
   */
  public SharedReach.Mapping inPlace(Transfer transfer) {
    return handshake.inPlace(transfer);
  }

  /** Tells where in that mapping it begins. */
  public static long offsetIn(SharedReach.Mapping mapping, Transfer transfer) {
    return transfer.remote.vector().startAt(0) - mapping.offset();
  }

  /** Gives a message that was read in place back to its sender. */
  public void release(Transfer transfer) {
    handshake.tell(transfer);
    give(transfer, true);
  }

  /**
   * Ends a transfer whose owner gives it up.
   *
   * @param gone so is the peer; else the transfer goes on to its end as one that has failed, without its owner
   */
  public void giveUp(Transfer transfer, boolean gone) {
    if (gone) {
      handshake.forget(transfer.peer);
      end(transfer);
    } else {
      forsake(transfer);
      transfer.failure.set(CANCELED, null);
      add(transfer);
    }
  }

  /** Lets a transfer go on to its end for nobody. */
  public void forsake(Transfer transfer) {
    transfer.owner = ORPHAN;
  }

  private void end(Transfer transfer) {
    leave(transfer);
    give(transfer, true);
  }

  /** Ends those that nobody owns any more and whose peer is gone. */
  public void reap(IntPredicate gone) {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && transfer.isOrphan() && gone.test(transfer.peer)) {
        handshake.forget(transfer.peer);
        end(transfer);
      }
    }
  }

  /**
   * Keeps the memory of all that are not over for good, as far as their peers know its addresses: they may still use it
   * when this rank has left.
   */
  public void pin() {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && transfer.own.isAddress()) {
        for (int i = 0; i < transfer.payload.memories(); i++) {
          PINNED.add(transfer.payload.memory(i)); // alone: what else hangs on the payload may be collected
        }
      }
    }
  }

  /** Tells the log, at level debug, what the ways of messages cost, as far as this rank has received any. */
  public void sayCosts() {
    handshake.sayCosts();
  }

  /** Adds a description of each whose bytes are not all there to {@code words}. */
  public void describe(List<String> words) {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && !transfer.isOrphan()) {
        words.add(transfer.owner.toString());
      }
    }
  }
}
