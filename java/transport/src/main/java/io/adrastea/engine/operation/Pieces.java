package io.adrastea.engine.operation;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.peers.FusedReceive;
import io.adrastea.link.Link;
import io.adrastea.peers.NodeLink;
import io.adrastea.peers.Peers;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;

/**
 * The pieces of messages, between payloads and links. A link, and a core below it, copies contiguous memory by itself;
 * any other payload is packed straight into room that was claimed, and unpacked straight from where poll found the
 * piece. Nobody else asks which of the two a payload is.
 */
public final class Pieces {
  private final Peers peers;
  private final Cursor atOnce = new Cursor(); // of a payload that moves without an operation
  private MemorySegment aside; // where bytes are packed for want of room that can be claimed; null: not yet

  public Pieces(Peers peers) {
    this.peers = peers;
  }

  /**
   * Sends the next piece of a message: the bytes taken, or what {@link Link#trySend} says.
   *
   * @throws IllegalStateException when memory of the payload was closed; nothing of the piece is sent
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  public int send(Send send, int kind) {
    return send(send.peer(), kind, send.match(), send.payload(), send.cursor());
  }

  /** Sends the next piece of a payload, likewise. */
  public int send(int destination, int kind, long match, Payload payload, Cursor cursor) {
    Link link = peers.link(destination);
    if (!(payload instanceof Contiguous memory)) {
      return pack(link, destination, kind, match, cursor.length(), payload, cursor, cursor.left());
    }
    int taken =
        link.trySend(destination, kind, match, cursor.length(), memory.memory(), memory.at(cursor), cursor.left());
    memory.seek(cursor, cursor.position() + Math.max(0, taken));
    return taken;
  }

  /**
   * Sends a whole message of one piece of a payload that is not contiguous, without an operation: its bytes, or what
   * {@link Link#trySend} says; also {@link Link#AGAIN}: the memory of the payload was closed, or is another thread's.
   */
  public int send(int destination, long match, Payload payload) {
    boolean interrupted = CopyInterrupt.isPending();
    NodeLink node = peers.nodeLink(destination);
    long length = payload.bytes();
    atOnce.begin(length);
    try {
      int taken = node != null && payload instanceof Typed typed
          ? node.trySendElements(destination, match, typed.program(), typed.memory(0), typed.offset(), typed.count(),
              length)
          : Link.NOSYS;
      return taken != Link.NOSYS ? taken
          : pack(peers.link(destination), destination, KIND_FIRST, match, length, payload, atOnce, length);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      return Link.AGAIN; // an operation that is made for it fails in its words
    }
  }

  /**
   * Sends the next bytes of a payload, at most {@code most} and as many as fit a piece, as a control message of that
   * one piece: the bytes taken, or what {@link Link#trySend} says.
   *
   * @throws IllegalStateException as of {@link #send(Send, int)}
   * @throws WrongThreadException likewise
   */
  public int sendControl(int destination, long match, Payload payload, Cursor cursor, long most) {
    Link link = peers.link(destination);
    int bytes = (int) Math.min(peers.pieceBytes(destination), most);
    if (payload instanceof Contiguous memory) {
      int taken = link.trySend(destination, KIND_FIRST, match, bytes, memory.memory(), memory.at(cursor), bytes);
      memory.seek(cursor, cursor.position() + Math.max(0, taken));
      return taken;
    }
    int taken = pack(link, destination, KIND_FIRST, match, bytes, payload, cursor, bytes);
    return taken == Link.BUSY ? packAside(link, destination, match, payload, cursor, bytes) : taken;
  }

  /** A claim is open to that rank, which a control message passes all the same, if it takes no claim of its own. */
  private int packAside(Link link, int destination, long match, Payload payload, Cursor cursor, int bytes) {
    if (aside == null || aside.byteSize() < bytes) {
      aside = MemorySegment.ofArray(new byte[bytes]);
    }
    long from = cursor.position();
    payload.pack(cursor, aside, 0, bytes);
    int taken = link.trySend(destination, KIND_FIRST, match, bytes, aside, 0, bytes);
    payload.seek(cursor, from + Math.max(0, taken));
    return taken;
  }

  private int pack(
      Link link, int destination, int kind, long match, long total, Payload payload, Cursor cursor, long most) {
    int bytes = (int) Math.min(peers.pieceBytes(destination), most);
    long room = link.claim(destination, kind, match, total, bytes);
    if (room < 0) {
      return (int) room;
    }
    try {
      payload.pack(cursor, link.room(destination), room, bytes);
    } catch (RuntimeException e) { // an arena was closed: nothing of this piece is sent
      CoreStatus.checkedOrAgain(link.abort(destination));
      throw e;
    }
    int status = link.commit(destination);
    return status < 0 ? status : bytes;
  }

  /**
   * Copies the first bytes of the piece at hand to where the cursor stands, which goes on, and ends with it.
   *
   * @throws IllegalStateException when memory of the payload was closed; the piece is still at hand
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  public void take(Payload payload, Cursor cursor, Inbound piece, long bytes) {
    if (payload instanceof Contiguous memory) {
      take(memory.memory(), memory.at(cursor), bytes);
      memory.seek(cursor, cursor.position() + bytes);
    } else {
      payload.unpack(cursor, piece.memory(), piece.payload(), bytes);
      peers.release();
    }
  }

  /**
   * Receives a whole message into a payload that is not contiguous, without an operation, as
   * {@link FusedReceive#receive}; one that is left to poll may be one that {@link #unpack} takes.
   */
  public int receive(
      FusedReceive fused, long match, long mask, int source, Payload payload, int polls, Inbound inbound) {
    if (!(payload instanceof Typed typed)) {
      return await(fused, match, mask, source, polls, inbound);
    }
    boolean interrupted = CopyInterrupt.isPending();
    try {
      int status = fused.receiveElements(match, mask, source, typed.program(), typed.memory(0), typed.offset(),
          typed.count(), typed.bytes(), polls, inbound);
      return status != Link.NOSYS ? status : await(fused, match, mask, source, polls, inbound);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      return Link.NOMSG; // the buffer is gone: found out, and told, when the message is there
    }
  }

  /**
   * Unpacks the piece at hand, a whole message that fits, and ends with it; false: the memory of the payload was
   * closed, or is another thread's, and the piece is still at hand.
   */
  public boolean unpack(Payload payload, Inbound piece) {
    boolean interrupted = CopyInterrupt.isPending();
    atOnce.begin(payload.bytes());
    try {
      payload.unpack(atOnce, piece.memory(), piece.payload(), piece.length());
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      return false;
    }
    peers.release();
    return true;
  }

  /** Copies the first bytes of the piece at hand to contiguous memory, and ends with it. */
  public void take(MemorySegment destination, long offset, long length) {
    CoreStatus.checked(length == 0 ? peers.release() : peers.take(destination, offset, length));
  }

  /**
   * Receives a whole message in one crossing, as {@link FusedReceive#receive}; one that is not for contiguous memory is
   * waited for as long, and left to {@link Peers#poll}.
   */
  public static int receive(FusedReceive fused, Receive receive, int polls, Inbound inbound) {
    if (!(receive.payload() instanceof Contiguous memory)) {
      return await(fused, receive.match(), receive.mask(), receive.peer(), polls, inbound);
    }
    try {
      return fused.receive(
          receive.match(),
          receive.mask(),
          receive.peer(),
          memory.memory(),
          memory.offset(),
          memory.bytes(),
          polls,
          inbound);
    } catch (IllegalStateException | WrongThreadException e) {
      return Link.NOMSG; // the buffer is gone: found out, and told, when the message is there
    }
  }

  /**
   * Waits for any piece, as {@link FusedReceive#receive} does into memory for no bytes: it receives a message without
   * bytes, and only finds that another one is there.
   */
  private static int await(FusedReceive fused, long match, long mask, int source, int polls, Inbound inbound) {
    return fused.receive(match, mask, source, MemorySegment.NULL, 0, 0, polls, inbound);
  }
}
