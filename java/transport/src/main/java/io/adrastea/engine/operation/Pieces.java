package io.adrastea.engine.operation;

import io.adrastea.core.Inbound;
import io.adrastea.link.FusedReceive;
import io.adrastea.link.Link;
import io.adrastea.link.Peers;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import java.lang.foreign.MemorySegment;

/**
 * The pieces of messages, between payloads and links. A link, and a core below it, copies contiguous memory by itself;
 * any other payload is packed straight into room that was claimed, and unpacked straight from where poll found the
 * piece. Nobody else asks which of the two a payload is.
 */
public final class Pieces {
  private final Peers peers;
  private final int pieceBytes;

  public Pieces(Peers peers) {
    this.peers = peers;
    this.pieceBytes = peers.pieceBytes();
  }

  /**
   * Sends the next piece of a message: the bytes taken, or what {@link Link#trySend} says.
   *
   * @throws IllegalStateException when memory of the payload was closed; nothing of the piece is sent
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  public int send(Send send, int kind) {
    Link link = peers.link(send.peer());
    if (!(send.payload() instanceof Contiguous memory)) {
      return pack(send, kind, link);
    }
    Cursor cursor = send.cursor();
    int taken =
        link.trySend(
            send.peer(), kind, send.match(), cursor.length(), memory.memory(), memory.at(cursor), cursor.left());
    memory.seek(cursor, cursor.position() + Math.max(0, taken));
    return taken;
  }

  private int pack(Send send, int kind, Link link) {
    Cursor cursor = send.cursor();
    int bytes = (int) Math.min(pieceBytes, cursor.left());
    long room = link.claim(send.peer(), kind, send.match(), cursor.length(), bytes);
    if (room < 0) {
      return (int) room;
    }
    try {
      send.payload().pack(cursor, link.room(send.peer()), room, bytes);
    } catch (RuntimeException e) { // an arena was closed: nothing of this piece is sent
      CoreStatus.checkedOrAgain(link.abort(send.peer()));
      throw e;
    }
    CoreStatus.checkedOrAgain(link.commit(send.peer()));
    return bytes;
  }

  /**
   * Copies the first bytes of the piece at hand to where its receive wants them, and ends with it.
   *
   * @throws IllegalStateException when memory of the payload was closed; the piece is still at hand
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  public void take(Receive receive, Inbound piece, long bytes) {
    Payload payload = receive.payload();
    Cursor cursor = receive.cursor();
    if (payload instanceof Contiguous memory) {
      take(memory.memory(), memory.at(cursor), bytes);
      memory.seek(cursor, cursor.position() + bytes);
    } else {
      payload.unpack(cursor, piece.memory(), piece.payload(), bytes);
      peers.release();
    }
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
  public static int await(FusedReceive fused, long match, long mask, int source, int polls, Inbound inbound) {
    return fused.receive(match, mask, source, MemorySegment.NULL, 0, 0, polls, inbound);
  }
}
