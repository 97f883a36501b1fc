package io.adrastea.engine.send;

import io.adrastea.engine.control.ControlHandler;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Chunk;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.CapabilityException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.peers.FusedReceive;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Abilities;
import io.adrastea.ranktable.Capability;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.EagerLimits;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.transfer.Transfers;
import io.adrastea.transfer.WaySelector;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * Which messages of a rank are large, by their buffer; and what becomes of these between matching and memory [MPICH2
 * 2007, 3.2]: an RTS takes the place of the message in the order of its source and in the lists of the receiver; once
 * it is matched, the bytes go by {@link Transfers}. No large message is copied for want of a posted receive.
 *
 * <p>
 * The bytes go through memory where that is shared with the receiver, and over its link where not. Messages to ranks in
 * C are sent eagerly whatever their length. A synchronous send is large whatever its length, since an RTS is answered
 * when it is matched: also one of no bytes. With very small cells there is no rendezvous.
 *
 * <p>
 * A large message to the rank itself is copied once, from buffer to buffer, where its receive is posted when the RTS is
 * taken in. Otherwise it is buffered at once, unless the send is synchronous: a rank may send to itself before it
 * receives.
 */
public final class Rendezvous implements ControlHandler, Stepper {
  /**
   * How many control messages taking one in can bring about: a CTS, and the DONE of a transfer that is over at once.
   */
  private static final int ANSWERS = 2;

  /** The control messages of transfers. */
  private static final Set<ControlType> HANDLED =
      EnumSet.of(ControlType.CTS, ControlType.DONE, ControlType.COOKIE, ControlType.WITHDRAW);

  private final EagerLimits limits;
  private final long least; // no message up to here is large
  private final boolean reaches; // without a path into memory every buffer is treated as an array
  private final SharedHeap heap;
  private final boolean[] offers; // ranks that can be offered a message: they know of rendezvous
  private boolean expected; // the last message was large
  private final Cursor begin = new Cursor(); // of a payload, to see what memory it lies in
  private final Stretch first = new Stretch();

  /** What receives hear of the transfers of their messages. */
  public interface Receives {
    /** A message that was fetched ahead is there, and goes on to the receive that has asked for it meanwhile. */
    void fetched(Receive fetch);

    /**
     * Takes a message from those that nobody has asked for, since its sender takes it back; null: it is not there. One
     * that a probe has shown stays, as if it was matched: a program that has seen it may rely on receiving it.
     */
    Transfer withdrawn(int source, int number);
  }

  private final Peers peers;
  private final FusedReceive fused; // null: no link has it
  private final int rank;
  private final Liveness liveness;
  private final ControlMessages control;
  private final TransferWire wire;
  private final Transfers transfers;
  private final IntPredicate gone; // made once
  private final Cookie incoming = new Cookie();
  private final Cookie outgoing = new Cookie();

  /**
   * @param sent is told of each rank that a piece of a large message went to
   */
  public Rendezvous(Resources resources, ControlMessages control, Steppers steppers, IntConsumer sent) {
    TransferSettings settings = resources.settings().large();
    this.peers = resources.peers();
    this.fused = peers.fused();
    this.limits = settings.eager();
    this.least = limits.least();
    this.reaches = settings.reaches();
    this.heap = resources.heap();
    this.rank = peers.self();
    this.offers = new boolean[peers.size()];
    for (int other = 0; other < offers.length; other++) {
      offers[other] = peers.abilities(other).has(Capability.RENDEZVOUS) && hasCookies(other);
    }
    this.liveness = resources.liveness();
    this.control = control;
    this.wire = new TransferWire(resources, control, steppers, steppers.register(this), sent);
    for (ControlType type : HANDLED) {
      control.register(type.number(), this);
    }
    this.gone = peer -> liveness.missing(peer) != Liveness.NONE;
    this.transfers =
        new Transfers(new Transfers.Resources(resources.memory(), resources.spaces(), resources.heap(), settings,
            peers.pieceBytes(rank), rank, peers.size(), peers::sharesMemory), wire);
  }

  /** Whether a piece to that rank has room for a cookie. */
  private boolean hasCookies(int other) {
    return peers.pieceBytes(other) >= Cookie.LEAST_BYTES;
  }

  /** Sets where messages go that were fetched ahead, and where offers wait that may be withdrawn. */
  public void serve(Receives receives) {
    wire.serve(receives);
  }

  public Transfers transfers() {
    return transfers;
  }

  /** Whether a message is sent only once its receive is known. */
  public boolean applies(int destination, MemorySegment memory, long offset, long length) {
    return length > least && mayOffer(destination, length) && length > limit(destination, memory, offset, length);
  }

  /** Whether a payload is sent only once its receive is known; in memory of several kinds its first byte decides. */
  boolean applies(int destination, Payload payload) {
    long length = payload.bytes();
    if (length <= least || !mayOffer(destination, length)) {
      return false;
    }
    begin.begin(length);
    payload.stretch(begin, first);
    boolean applies = length > limit(destination, first.memory(), first.offset(), first.bytes());
    first.clear();
    return applies;
  }

  /**
   * Whether a large message is offered to a rank: one that takes offers; and this one, if the message can be buffered.
   */
  private boolean mayOffer(int destination, long length) {
    return offers[destination] && (destination != rank || length <= Chunk.Pool.MOST_BYTES);
  }

  /**
   * Whether a message that was offered is to be buffered if no receive is posted: the rank has sent it to itself, and
   * may wait for the end of the send before it receives.
   */
  public boolean isBuffered(Transfer offer) {
    return offer.peer() == rank && transfers.sender(offer) instanceof Send send && !send.isSynchronous();
  }

  /**
   * Refuses a synchronous send to a rank, one of these members, that does not tell when it has matched a message, or
   * with which this is not possible.
   */
  public void requireSynchronous(Members members, int destination) {
    if (!hasCookies(destination)) {
      throw new UnsupportedOperationException(
          "a synchronous send to rank %s in %s of %d bytes; at least %d are needed%s".formatted(
              members.name(destination), peers.sharesMemory(destination) ? "cells" : "pieces of its link",
              peers.pieceBytes(destination), Cookie.LEAST_BYTES,
              peers.sharesMemory(destination) ? " (adrastea.cell.bytes)" : ""));
    }
    Abilities abilities = peers.abilities(destination);
    if (!abilities.has(Capability.SYNCHRONOUS)) {
      throw new CapabilityException(
          members.numbering().rankOf(destination),
          destination,
          "rank %s %s".formatted(members.name(destination), abilities.lack(Capability.SYNCHRONOUS)));
    }
  }

  private long limit(int destination, MemorySegment memory, long offset, long length) {
    return limits
        .of(reaches && peers.sharesMemory(destination) ? place(memory, offset, length) : WaySelector.Memory.ARRAY);
  }

  private WaySelector.Memory place(MemorySegment memory, long offset, long length) {
    if (!memory.isNative()) {
      return WaySelector.Memory.ARRAY;
    }
    return heap.locate(memory, offset, length) >= 0 ? WaySelector.Memory.SHARED : WaySelector.Memory.NATIVE;
  }

  /** Notes that an eager message was received. */
  public void surprised() {
    expected = false;
  }

  /** Whether the next message for a receive of so many bytes is likely to be large: the last one was. */
  public boolean expects(long capacity) {
    return expected && capacity > least;
  }

  /** Sends the RTS of a send. Returns 0, or what the core says; AGAIN: there is no room now. */
  int start(Send send) {
    if (transfers.isFull()) {
      return Link.AGAIN;
    }
    Transfer transfer = transfers.send(send, send.payload(), send.isAwaited(), send.peer(), outgoing);
    int bytes = outgoing.bytes();
    long match = send.match() | CellDescriptor.MATCH_TRANSFER;
    int taken = peers.link(send.peer()).trySend(send.peer(), CellDescriptor.KIND_FIRST, match, bytes, outgoing.memory(),
        0, bytes);
    if (taken != bytes) {
      transfers.drop(transfer);
      return taken;
    }
    send.carriedBy(wire, transfer);
    transfers.sent(transfer);
    return 0;
  }

  /** Whether what poll found is a message of a transfer. */
  public static boolean isMessage(long match) {
    return (match & CellDescriptor.MATCH_TRANSFER) != 0;
  }

  /** Waits for the RTS of a message, as {@link FusedReceive} waits for a message; to be followed by {@link #taken}. */
  public int receiveOffer(long match, long mask, int source, int polls, Inbound inbound) {
    reserve(Integer.MAX_VALUE);
    MemorySegment memory = incoming.memory();
    return fused.receive(
        match | CellDescriptor.MATCH_TRANSFER, mask, source, memory, 0, memory.byteSize(), polls, inbound);
  }

  /**
   * Waits for a message about the transfer of an operation, and takes it in; false: nothing came, or something else.
   */
  public boolean receiveControl(Operation operation, int polls, Inbound inbound) {
    return control.receive(operation.transfer().peer(), polls, inbound);
  }

  /** Takes an RTS in: memory first. Its transfer is to be matched. */
  public Transfer accept(Inbound piece) {
    reserve(piece.length());
    if (piece.kind() != CellDescriptor.KIND_FIRST
        || piece.length() != piece.totalLength()
        || piece.length() > incoming.memory().byteSize()) {
      throw CoreStatus.corrupt("rank %d sent a cookie of %d bytes".formatted(piece.source(), piece.totalLength()));
    }
    int source = piece.source();
    if (!offers[source]) {
      throw CoreStatus.corrupt("rank %d sent a tag below zero".formatted(source));
    }
    long match = piece.match();
    CoreStatus.checked(peers.take(incoming.memory(), 0, piece.length()));
    return taken(source, match, piece.length());
  }

  /** Takes memory for going on with a message that waits to be matched. */
  @Override
  public void reserve() {
    reserve(0);
  }

  private void reserve(int bytes) {
    transfers.reserve(bytes);
    control.reserve(ANSWERS);
  }

  @Override
  public boolean received(int source, int type, MemorySegment memory, int bytes) {
    return incoming.fill(memory, bytes) && transfers.received(source, ControlType.of(type), incoming);
  }

  /** Takes in a piece of a large message that comes over a link: memory first. */
  public void acceptPiece(Inbound piece) {
    reserve();
    if (liveness.isGone(piece.source())) { // what it was part of fails, or has failed
      CoreStatus.checked(peers.release());
    } else if (piece.kind() != CellDescriptor.KIND_FIRST
        || piece.length() != piece.totalLength()
        || !transfers.piece(PieceWord.number(piece.match()), piece)) {
      throw CoreStatus.corrupt(
          "rank %d sent a piece of %d bytes of a large message out of turn".formatted(piece.source(), piece.length()));
    }
  }

  /** Accepts what {@link #receiveOffer} has brought, like {@link #accept}. */
  public Transfer taken(int source, long match, int bytes) {
    Transfer transfer =
        incoming.filled(bytes) ? transfers.offered(source, match & ~CellDescriptor.MATCH_TRANSFER, incoming) : null;
    if (transfer == null) {
      throw CoreStatus.corrupt("rank %d sent a malformed rendezvous cookie".formatted(source));
    }
    expected = transfer.length() > least;
    return transfer;
  }

  /** Begins to receive the message of a transfer, which is for this receive. */
  public void receive(Receive receive, Transfer transfer) {
    receive.carriedBy(wire, transfer);
    transfers.receive(receive, receive.payload(), receive.isAwaited(), transfer);
  }

  /**
   * Lets a receive in place read the message where the sender has it; false: it is to be copied. So is a message that
   * is buffered: its send does not wait for the receiver to release it.
   */
  public boolean lies(Receive receive, Transfer transfer) {
    SharedReach.Mapping mapping = isBuffered(transfer) ? null : transfers.inPlace(transfer);
    if (mapping == null) {
      return false;
    }
    receive.lies(mapping.memory(), Transfers.offsetIn(mapping, transfer), transfer.length());
    receive.moveTo(transfer.length());
    receive.transfer(transfer);
    return true;
  }

  /** Lets the sender of a message know that it is not going to be received. */
  public void refuse(Transfer transfer) {
    transfers.refuse(transfer);
  }

  @Override
  public boolean step() {
    return transfers.progress();
  }

  @Override
  public boolean isIdle() {
    return transfers.isIdle();
  }

  /** Gives up an operation whose peer is gone, or whose wait has failed; then its transfer may live on for a while. */
  public void giveUp(Operation operation) {
    transfers.giveUp(operation.transfer(), liveness.isGone(operation.transfer().peer()));
    operation.transfer(null);
  }

  /** An operation that goes on to its end, for nobody. */
  public void forsake(Operation operation) {
    transfers.forsake(operation.transfer());
    operation.transfer(null);
  }

  /** Off the fast path: ends what only waits for ranks that are gone. */
  public void check() {
    transfers.reap(gone);
  }
}
