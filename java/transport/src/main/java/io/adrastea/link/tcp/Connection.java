package io.adrastea.link.tcp;

import io.adrastea.link.Inbound;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * What a rank has with one other: first nothing, then a connection, at last how that has ended. The end of the rank's
 * connection to itself has no socket. Guarded by the link.
 */
final class Connection {
  private final TcpSettings settings;
  final int rank; // at the other end
  final TcpCard card; // of it
  private SocketChannel channel; // null: apart, ended, or to itself
  private SelectionKey watched; // of the thread's selector; null: to itself
  private Outflow out; // null: nothing was to be sent yet
  private Inflow in; // null: apart
  private boolean ended;
  private boolean deaf; // its rank reads nothing more
  private boolean shut; // nothing more goes out
  private String why = ""; // it has ended
  private boolean leftInOrder; // it has said so
  private boolean failed; // it has said so
  private boolean heard; // since the last look
  private boolean spoke; // likewise
  private long heardAt;
  private long spokeAt;
  private long acknowledged; // bytes of frames that it has told that it has read

  boolean gone; // nothing is sent there any more
  boolean holding; // a burst is open
  boolean refused; // a send found no room
  boolean readable; // as the selector of the rank's thread says, where there are many
  boolean told; // its rank has the last word of this one, or will

  private MemorySegment room = MemorySegment.NULL; // that is claimed
  private boolean claimed;
  private int claimedKind;
  private long claimedMatch;
  private long claimedTotal;
  private int claimedLength;

  Connection(int rank, TcpCard card, TcpSettings settings) {
    this.rank = rank;
    this.card = card;
    this.settings = settings;
  }

  /** Begins, at last; of the rank to itself without a socket. */
  void connect(SocketChannel connected, SelectionKey key, InBuffers buffers) {
    channel = connected;
    watched = key;
    openOut();
    in = new Inflow(buffers, settings.pieceBytes());
    heardAt = System.nanoTime();
    spokeAt = heardAt;
  }

  /** Takes frames from now on, which go out when it is connected. */
  void openOut() {
    if (out == null) {
      out = new Outflow(settings.bufferBytes());
    }
  }

  SocketChannel channel() {
    return channel;
  }

  boolean isConnected() {
    return in != null;
  }

  private boolean isToSelf() {
    return watched == null;
  }

  /** Whether what is put here can still go out. */
  boolean takesMore() {
    return out != null && !ended && !deaf;
  }

  // What goes out

  boolean hasQueued() {
    return out != null && !out.isEmpty();
  }

  /** Makes room for a frame, if it can now. */
  boolean makeRoom(int length) {
    if (out.hasRoom(length)) {
      return true;
    }
    flush();
    return takesMore() && out.hasRoom(length);
  }

  /** Puts a frame behind the others, for which there is room, and sends it at once where nothing waits before it. */
  void put(int kind, long match, long totalLength, MemorySegment source, long offset, int length) {
    boolean first = out.isEmpty();
    out.put(kind, match, totalLength, source, offset, length);
    if (first && !holding) {
      flush();
    }
  }

  /** Lets the socket take what it can now. A rank that reads nothing more may have sent what is still to be read. */
  void flush() {
    if (channel == null || deaf || out.isEmpty()) {
      return;
    }
    try {
      out.writeTo(channel);
      spoke = true;
    } catch (IOException e) {
      becomeDeaf();
    }
  }

  private void becomeDeaf() {
    deaf = true;
    out.drop();
  }

  /** Says how this rank ends, behind all that goes out; not where there is no room now. */
  void tryPutLastWord(String failure) {
    byte[] text = failure == null ? new byte[0] : failure.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(text.length, Frame.MOST_REASON_BYTES);
    if (!takesMore()) {
      told = true;
    } else if (makeRoom(length)) {
      holding = false;
      put(failure == null ? Frame.LEFT : Frame.FAILED, in.received(), 0, MemorySegment.ofArray(text), 0, length);
      told = true;
    }
  }

  /** Ends what goes out once the socket has all of it. */
  void tryShut() {
    flush();
    if (told && !shut && takesMore() && out.isEmpty()) {
      shut();
    }
  }

  private void shut() {
    shut = true;
    try {
      channel.shutdownOutput();
    } catch (IOException e) {
      deaf = true;
    }
  }

  /** Bytes of frames of which the other rank has not told that it has read them. */
  long unacknowledged() {
    return out == null ? 0 : out.taken() - acknowledged;
  }

  // What is claimed

  boolean isClaimed() {
    return claimed;
  }

  MemorySegment room() {
    return room;
  }

  void claim(int kind, long match, long totalLength, int length) {
    if (room.byteSize() == 0) {
      room = Arena.ofAuto().allocate(settings.pieceBytes(), 64);
    }
    claimed = true;
    claimedKind = kind;
    claimedMatch = match;
    claimedTotal = totalLength;
    claimedLength = length;
    out.reserve(length);
  }

  void unclaim() {
    claimed = false;
    out.endReserve();
  }

  void commit() {
    unclaim();
    put(claimedKind, claimedMatch, claimedTotal, room, 0, claimedLength);
  }

  // What comes in

  /** Whether there is a piece, without a look at the socket. */
  boolean hasPiece() {
    return in != null && in.pieces() > 0;
  }

  /** Whether there is something that {@link #read} would find without a socket. */
  boolean hasForSelf() {
    return isToSelf() && hasQueued();
  }

  void tell(Inbound inbound) {
    in.tell(rank, inbound);
  }

  Inflow in() {
    return in;
  }

  /** Reads what is there, once, and goes over it. */
  void read() {
    if (ended || in == null) {
      return;
    }
    ByteBuffer space = in.room();
    if (space == null) {
      heard = true; // what it has said is for this rank to take
      return;
    }
    int wanted = space.remaining();
    int bytes;
    try {
      bytes = isToSelf() ? out.moveTo(space) : channel.read(space);
    } catch (IOException e) {
      end(endedWithoutWord(e.getMessage()));
      return;
    }
    readable = bytes == wanted;
    if (bytes > 0) {
      heard = true;
      in.came(bytes);
      scan();
    } else if (bytes < 0) {
      if (shut) {
        acknowledged = out.taken(); // it answers our end by its own
      }
      end(endedWithoutWord("end of stream"));
    }
  }

  private String endedWithoutWord(String how) {
    return "its process on host %s has ended without a word (%s)".formatted(card.host(), how);
  }

  private void scan() {
    for (int kind = in.scan(); kind != Inflow.NONE; kind = in.scan()) {
      switch (kind) {
        case Frame.HEARTBEAT -> acknowledged = in.match();
        case Frame.LEFT -> hearLastWord(false, "");
        case Frame.FAILED -> hearLastWord(true, in.reason());
        default -> {
          end("its process on host %s has sent what no rank sends (%s)".formatted(card.host(), in.words()));
          return;
        }
      }
    }
  }

  /** Nothing of this rank is read there any more; its own end tells the other that it was heard. */
  private void hearLastWord(boolean hasFailed, String reason) {
    leftInOrder = !hasFailed;
    failed = hasFailed;
    why = reason;
    acknowledged = in.match();
    if (!isToSelf()) {
      becomeDeaf();
      if (!shut) {
        shut();
      }
    }
  }

  // How it ends

  /** Ends the connection, or what was to become one: nothing goes or comes any more; what has come stays. */
  void end(String reason) {
    if (ended) {
      return;
    }
    ended = true;
    if (!hasSaidLast()) {
      why = reason;
    }
    if (out != null) {
      out.drop();
    }
    if (channel != null) {
      close(channel);
      channel = null;
    }
  }

  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // nothing more goes there in any case
    }
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isPresent() {
    return !ended && !hasSaidLast();
  }

  boolean hasFailed() {
    return !isPresent() && !leftInOrder;
  }

  String reason() {
    return why;
  }

  /** Whether its rank has told how it ends. */
  boolean hasSaidLast() {
    return leftInOrder || failed;
  }

  /** Whether all that its rank has sent was taken. */
  boolean isOver() {
    return !isPresent() && !hasPiece();
  }

  /**
   * Looks at the clock: says that this rank is there when it has said nothing for a while, and ends the connection when
   * the other has not.
   */
  void keepAlive(long now) {
    if (channel == null) {
      return;
    }
    if (!heard && now - heardAt > settings.timeoutNanos() / 2) {
      read(); // this rank may have been elsewhere
    }
    if (heard) {
      heard = false;
      heardAt = now;
    } else if (now - heardAt > settings.timeoutNanos()) {
      end("no word from host %s for %d s (adrastea.tcp.timeout)".formatted(card.host(),
          TimeUnit.NANOSECONDS.toSeconds(settings.timeoutNanos())));
    }
    if (spoke) {
      spoke = false;
      spokeAt = now;
    } else if (now - spokeAt > settings.timeoutNanos() / 4 && takesMore() && out.isEmpty() && !shut) {
      put(Frame.HEARTBEAT, in.received(), 0, MemorySegment.NULL, 0, 0);
    }
  }

  /** What the thread is to watch for while the rank sleeps, or nothing. */
  void watch(boolean asleep) {
    if (watched != null && watched.isValid()) {
      int ops = (in.isFull() ? 0 : SelectionKey.OP_READ) | (takesMore() && hasQueued() ? SelectionKey.OP_WRITE : 0);
      watched.interestOps(asleep ? ops : 0);
    }
  }
}
