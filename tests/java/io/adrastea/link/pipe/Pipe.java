package io.adrastea.link.pipe;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Link;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;

/**
 * One end of the connection between two ranks of a {@link PipeLink}, which holds its lock for all that happens here.
 * Bytes go and come in frames, a header and a piece, cut anywhere; a piece that has come shows after a delay of its
 * own, behind those before it. The end of the rank's connection to itself has no socket, and delays nothing.
 */
final class Pipe {
  /** Kind, length, match and length of the whole message. */
  private static final int HEADER_BYTES = 24;

  static final String CUT = "its connection has ended"; // the reason of a rank that gave none itself
  private static final int LAST_WORD = 0; // kind of a frame that is no piece

  private static final int BLOCK_BYTES = 1 << 20; // more than any piece
  private static final int OUT_BYTES = 1 << 17;
  private static final int IN_BYTES = 1 << 16;
  private static final int MOST_QUEUED = 1 << 17; // bytes that have come and nobody has taken; more wait at the sender
  private static final int LONG_DELAY_NANOS = 2_000_000;
  private static final int SHORT_DELAY_NANOS = 100_000;

  /** A piece that has come, in memory of its own, so that whoever retains it keeps just that. */
  record Piece(int source, int kind, long match, long totalLength, int length, MemorySegment memory, long due) {}

  /** What a rank says of its own end. */
  record LastWord(boolean failed, String reason) {}

  final int rank; // at the other end
  long pid; // of its process; 0: it did not tell
  LastWord lastWord; // null: it has said nothing
  final MemorySegment room; // that is claimed
  private boolean claimed;
  private int claimedKind;
  private long claimedMatch;
  private long claimedTotal;
  private int claimedLength;
  boolean refused; // a send found no room
  boolean gone; // nothing is sent there any more
  private boolean deaf; // its rank has closed its end, perhaps behind bytes that are still to be read
  boolean ended; // the connection has
  long endedAt;
  boolean lost; // it has, though its rank seems to be there
  private final int pieceBytes;
  private final SplittableRandom random;
  private final Deque<Piece> pieces = new ArrayDeque<>();
  private final MemorySegment outMemory;
  private final ByteBuffer out; // up to its position
  private final ByteBuffer in;
  private SocketChannel channel; // null: to itself, or ended
  private SelectionKey key;
  private boolean holding; // a burst is open
  private int shown; // bytes that are to go out: all but those of a burst
  private int reserved; // for what is claimed
  private MemorySegment block = MemorySegment.NULL;
  private long blockUsed;
  private long queued;
  private long lastDue;

  /** An end that is not connected. */
  Pipe(int rank, int pieceBytes, SplittableRandom random) {
    this.rank = rank;
    this.pieceBytes = pieceBytes;
    this.random = random;
    this.room = Arena.ofAuto().allocate(Math.max(8, pieceBytes), 64);
    this.outMemory = Arena.ofAuto().allocate(Math.max(OUT_BYTES, 2 * (HEADER_BYTES + pieceBytes)), 64);
    this.out = outMemory.asByteBuffer();
    this.in = ByteBuffer.allocateDirect(Math.max(IN_BYTES, HEADER_BYTES + pieceBytes));
    this.lastDue = System.nanoTime();
  }

  void connect(SocketChannel connected, Selector selector) throws IOException {
    connected.configureBlocking(false);
    connected.setOption(StandardSocketOptions.SO_SNDBUF, IN_BYTES);
    channel = connected;
    key = connected.register(selector, 0, this);
  }

  /** What came from there, of which nothing was taken yet. */
  boolean isEmpty() {
    return pieces.isEmpty();
  }

  boolean isFlushed() {
    return out.position() == 0 || !takesMore();
  }

  /** Whether what is put here can still go out. */
  boolean takesMore() {
    return !ended && !deaf;
  }

  boolean hasRoom(long length) {
    return channel == null ? queued < MOST_QUEUED : out.remaining() - reserved >= HEADER_BYTES + length;
  }

  /** Puts a piece behind what is to go out; there is room for it. */
  void put(int kind, long match, long totalLength, MemorySegment source, long offset, int length) {
    if (channel == null) {
      MemorySegment copy = memory(length);
      CopyInterrupt.copy(source, offset, copy, 0, length);
      add(kind, match, totalLength, length, copy);
      return;
    }
    CopyInterrupt.copy(source, offset, outMemory, out.position() + HEADER_BYTES, length);
    out.putInt(kind).putInt(length).putLong(match).putLong(totalLength).position(out.position() + length);
    if (!holding) {
      show();
    }
  }

  /** Puts what the rank of this end says of its own end behind all that is to go out; false: there is no room now. */
  boolean tryPutLastWord(boolean failed, String reason) {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    boolean fits = channel == null || ended || out.remaining() >= HEADER_BYTES + bytes.length;
    if (fits && channel != null && !ended) {
      out.putInt(LAST_WORD).putInt(bytes.length).putLong(failed ? 1 : 0).putLong(0).put(bytes);
      endHold();
    }
    return fits;
  }

  boolean isClaimed() {
    return claimed;
  }

  /** Takes room for a piece that is filled in later; there is enough. */
  void claim(int kind, long match, long totalLength, int length) {
    claimed = true;
    claimedKind = kind;
    claimedMatch = match;
    claimedTotal = totalLength;
    claimedLength = length;
    reserved = HEADER_BYTES + length;
  }

  void unclaim() {
    claimed = false;
    reserved = 0;
  }

  /** Sends what was claimed. */
  void commit() {
    unclaim();
    put(claimedKind, claimedMatch, claimedTotal, room, 0, claimedLength);
  }

  /** Memory for one piece, native as that of a network's is: a part of a block that lives as long as any of them. */
  private MemorySegment memory(int length) {
    long bytes = length + 7 & -8;
    if (bytes > block.byteSize() - blockUsed) {
      block = Arena.ofAuto().allocate(BLOCK_BYTES, 64);
      blockUsed = 0;
    }
    blockUsed += bytes;
    return block.asSlice(blockUsed - bytes, length);
  }

  void hold() {
    holding = true;
  }

  void show() {
    shown = out.position();
  }

  void endHold() {
    holding = false;
    show();
  }

  private void add(int kind, long match, long totalLength, int length, MemorySegment memory) {
    int draw = random.nextInt(64);
    long delay = channel == null ? 0
        : draw == 0 ? random.nextInt(LONG_DELAY_NANOS) : draw < 16 ? random.nextInt(SHORT_DELAY_NANOS) : 0;
    lastDue = Math.max(lastDue, System.nanoTime() + delay);
    pieces.add(new Piece(rank, kind, match, totalLength, length, memory, lastDue));
    queued += length + HEADER_BYTES;
  }

  /** When the next piece shows, from now; {@link Long#MAX_VALUE}: there is none. */
  long dueIn(long now) {
    Piece next = pieces.peek();
    return next == null ? Long.MAX_VALUE : next.due() - now;
  }

  /** Takes the next piece, which is due. */
  Piece poll() {
    Piece piece = pieces.poll();
    queued -= piece.length() + HEADER_BYTES;
    return piece;
  }

  /** Whether reading was stopped, and may go on. */
  boolean isToResume() {
    return key != null && key.isValid() && queued < MOST_QUEUED && (key.interestOps() & SelectionKey.OP_READ) == 0;
  }

  /** Says what the socket is to be watched for. */
  void prepare() {
    if (key != null && key.isValid()) {
      key.interestOps(
          (queued < MOST_QUEUED ? SelectionKey.OP_READ : 0) | (shown > 0 && !deaf ? SelectionKey.OP_WRITE : 0));
    }
  }

  /** Reads and writes what can be now. */
  void serve() {
    if (key.isReadable()) {
      tryRead();
    }
    if (takesMore() && key.isWritable()) {
      tryWrite();
    }
  }

  private void tryRead() {
    try {
      read();
    } catch (IOException e) {
      end();
    }
  }

  /** A rank that has left reads nothing more; what it has sent before is still to be read, up to its end. */
  private void tryWrite() {
    try {
      write();
    } catch (IOException e) {
      deaf = true;
    }
  }

  private void write() throws IOException {
    int end = out.position();
    out.position(0).limit(shown);
    channel.write(out);
    shown -= out.position();
    out.limit(end).compact();
  }

  private void read() throws IOException {
    if (random.nextInt(4) == 0) {
      in.limit(Math.min(in.limit(), in.position() + 1 + random.nextInt(100))); // frames come cut anywhere
    }
    int bytes = channel.read(in);
    in.flip();
    boolean sound = true;
    while (sound && in.remaining() >= HEADER_BYTES
        && in.remaining() - HEADER_BYTES >= Math.max(0, in.getInt(in.position() + 4))) {
      sound = readFrame();
    }
    in.compact();
    if (bytes < 0 || !sound) {
      end();
    }
  }

  private boolean readFrame() {
    int kind = in.getInt();
    int length = in.getInt();
    long match = in.getLong();
    long totalLength = in.getLong();
    if (kind == LAST_WORD && length >= 0 && length <= in.remaining()) {
      byte[] reason = new byte[length];
      in.get(reason);
      lastWord = new LastWord(match != 0, new String(reason, StandardCharsets.UTF_8));
      return true;
    }
    if (length < 0
        || length > pieceBytes
        || totalLength < length
        || kind < 1
        || kind > Link.MOST_KIND) {
      return false;
    }
    MemorySegment memory = memory(length);
    MemorySegment.copy(MemorySegment.ofBuffer(in), 0, memory, 0, length);
    in.position(in.position() + length);
    add(kind, match, totalLength, length, memory);
    return true;
  }

  /** Ends the connection: nothing goes or comes any more; what has come stays. */
  void end() {
    if (!ended) {
      ended = true;
      endedAt = System.nanoTime();
      closeChannel();
    }
  }

  private void closeChannel() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        // nothing more goes there in any case
      }
    }
  }
}
