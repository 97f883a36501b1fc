package io.adrastea.link.pipe;

import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A link through sockets between processes, as a network is one: nothing of it lies in shared memory, but the table of
 * ranks may tell how a rank has ended ({@link RankEnds}). All reading and writing is done by a thread of its own, since
 * an interrupt of a rank's thread would close the socket that it uses; the rank takes from there what has come, and is
 * rung when it sleeps. All fields are guarded by the link.
 */
public final class PipeLink implements Link {
  private static final int TURN = 8;
  private static final long MILLI = 1_000_000;
  private static final long LINGER_NANOS = 5_000_000_000L;
  private static final int MOST_PIECES = 1 << 20;

  /** A bit of the tags by which members of a communicator ask each other where a collective is after a while. */
  private static final long ASKING = 1L << 28;

  private final int self;
  private final RankEnds ends;
  private final int pieceBytes;
  private final Pipe[] pipes; // by rank; null: this link does not go there
  private final Selector selector;
  private final Thread thread;
  private final List<Integer> departed = new ArrayList<>(); // in the order in which they were seen to go
  private boolean open = true;
  private String failure; // of this rank; null: none
  private Pipe.Piece at; // at hand
  private int turn;
  private int polls;
  private Runnable watcher; // null: the rank is awake
  private boolean rung; // since it was last asked to watch
  private boolean news; // a connection has ended since
  private long messages; // of programs and of collectives that were sent
  private long bytes; // of these

  PipeLink(int self, int size, int pieceBytes, RankEnds ends, BitSet ranks) {
    this.self = self;
    this.ends = ends;
    this.pieceBytes = pieceBytes;
    this.pipes = new Pipe[size];
    SplittableRandom random = new SplittableRandom(Integer.getInteger("adrastea.test.seed", 1) * 31L + self);
    for (int rank = 0; rank < size; rank++) {
      pipes[rank] = ranks.get(rank) ? new Pipe(rank, pieceBytes, random) : null;
    }
    try {
      this.selector = Selector.open();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.thread = Thread.ofPlatform().daemon().name("pipes-" + self).unstarted(this::run);
  }

  synchronized void connect(int rank, long pid, SocketChannel channel) throws IOException {
    pipes[rank].pid = pid;
    pipes[rank].connect(channel, selector);
  }

  /** How many messages of programs and of collectives were sent, whatever pieces they were cut into. */
  public synchronized long messages() {
    return messages;
  }

  /** Bytes of these. */
  public synchronized long bytes() {
    return bytes;
  }

  /** A large message is its offer; its bytes are those of control messages of their own. */
  private void count(int kind, long match, long length) {
    if (Link.isControl(match)) {
      bytes += (match & 0xFF) == ControlType.PIECE.number() ? length : 0;
    } else if ((match & ASKING) == 0) {
      messages += kind == CellDescriptor.KIND_FIRST ? 1 : 0;
      bytes += (match & CellDescriptor.MATCH_TRANSFER) == 0 ? length : 0;
    }
  }

  /** A rank that has gone before it was connected. */
  synchronized void missed(int rank) {
    pipes[rank].end();
  }

  void start() {
    thread.start();
  }

  /** Cuts the connection to a rank, as a broken network does. */
  public synchronized void cut(int rank) {
    pipes[rank].end();
    news = true;
    selector.wakeup();
  }

  // The thread

  private void run() {
    try {
      while (true) {
        long nanos = prepare();
        if (nanos < 0) {
          return;
        }
        if (nanos >= MILLI) {
          selector.select(nanos == Long.MAX_VALUE ? 0 : nanos / MILLI);
        } else {
          LockSupport.parkNanos(nanos);
          selector.selectNow();
        }
        serve();
      }
    } catch (IOException e) {
      endAll();
    }
  }

  private synchronized void endAll() {
    for (Pipe pipe : pipes) {
      if (pipe != null) {
        pipe.end();
      }
    }
  }

  /** How long there is nothing to do but what the sockets bring; below zero: the link is closed. */
  private synchronized long prepare() {
    if (!open) {
      return -1;
    }
    long now = System.nanoTime();
    long due = Long.MAX_VALUE;
    boolean rings = news;
    for (Pipe pipe : pipes) {
      if (pipe != null) {
        pipe.prepare();
        due = Math.min(due, pipe.dueIn(now));
        rings |= pipe.refused && pipe.takesMore() && pipe.hasRoom(pieceBytes);
      }
    }
    if (watcher == null || rung) {
      return Long.MAX_VALUE;
    }
    if (rings || due <= 0) {
      rung = true;
      watcher.run();
      return Long.MAX_VALUE;
    }
    return due;
  }

  private synchronized void serve() {
    for (SelectionKey key : selector.selectedKeys()) {
      Pipe pipe = (Pipe) key.attachment();
      if (key.isValid()) {
        pipe.serve();
        news |= pipe.ended;
      }
    }
    selector.selectedKeys().clear();
  }

  // Sending

  @Override
  public int pieceBytes() {
    return pieceBytes;
  }

  /** 0, or why nothing of that match word can go there now. */
  private int refusal(Pipe pipe, long match, long length) {
    if (pipe.gone) {
      return GONE;
    }
    if (pipe.isClaimed() && !Link.isControl(match)) {
      return BUSY;
    }
    pipe.refused = !pipe.takesMore() || !pipe.hasRoom(length); // how the rank has ended is told by repair
    return pipe.refused ? AGAIN : 0;
  }

  @Override
  public synchronized int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    Pipe pipe = pipes[destination];
    int bytes = (int) Math.min(length, pieceBytes);
    int status = refusal(pipe, match, bytes);
    if (status < 0) {
      return status;
    }
    if (destination == self || !LastPieces.loses(self)) {
      pipe.put(kind, match, totalLength, source, offset, bytes);
      count(kind, match, bytes);
    }
    selector.wakeup();
    return bytes;
  }

  @Override
  public synchronized long claim(int destination, int kind, long match, long totalLength, long length) {
    Pipe pipe = pipes[destination];
    int status = pipe.isClaimed() ? BUSY : refusal(pipe, match, length);
    if (status < 0) {
      return status;
    }
    pipe.claim(kind, match, totalLength, (int) length);
    count(kind, match, length); // tests that count abort none
    return 0;
  }

  @Override
  public MemorySegment room(int destination) {
    return pipes[destination].room;
  }

  @Override
  public synchronized int commit(int destination) {
    Pipe pipe = pipes[destination];
    if (pipe.gone || !pipe.takesMore()) {
      pipe.unclaim();
      return pipe.gone ? GONE : 0; // what goes to a rank that has just ended is lost as what it had not read
    }
    pipe.commit();
    selector.wakeup();
    return 0;
  }

  @Override
  public synchronized int abort(int destination) {
    pipes[destination].unclaim();
    return 0;
  }

  @Override
  public synchronized int beginBurst(int destination) {
    pipes[destination].hold();
    return 0;
  }

  @Override
  public synchronized int endBurst(int destination) {
    pipes[destination].endHold();
    selector.wakeup();
    return 0;
  }

  // Receiving

  @Override
  public synchronized int poll(int first, Inbound inbound) {
    if (at == null) {
      Pipe pipe = next(first);
      if (pipe == null) {
        return AGAIN;
      }
      at = pipe.poll();
      if (pipe.isToResume()) {
        selector.wakeup();
      }
    }
    inbound.found(at.source(), at.kind(), at.match(), at.totalLength(), at.memory(), 0, at.length(), 0);
    return PIECE;
  }

  private Pipe next(int first) {
    long now = System.nanoTime();
    if (first >= 0 && ++polls % TURN != 0 && pipes[first].dueIn(now) <= 0) {
      return pipes[first];
    }
    for (int count = 0; count < pipes.length; count++) {
      Pipe pipe = pipes[turn];
      turn = (turn + 1) % pipes.length;
      if (pipe != null && pipe.dueIn(now) <= 0) {
        return pipe;
      }
    }
    return null;
  }

  @Override
  public synchronized int take(MemorySegment destination, long offset, long length) {
    CopyInterrupt.copy(at.memory(), 0, destination, offset, length);
    return release();
  }

  @Override
  public synchronized int release() {
    at = null;
    return 0;
  }

  @Override
  public synchronized int retain() {
    at = null; // whoever has its memory keeps it
    return 0;
  }

  @Override
  public int releaseRetained(int source, long place) {
    return 0;
  }

  // Which ranks are there

  @Override
  public synchronized boolean isPresent(int rank) {
    return rank == self || ends.isPresent(pipes[rank]);
  }

  @Override
  public synchronized int departed(int index) {
    if (!ends.areTold()) {
      return NOSYS; // the table finds out who has gone when it is asked
    }
    for (Pipe pipe : pipes) {
      if (pipe != null && !departed.contains(pipe.rank) && !isPresent(pipe.rank)) {
        departed.add(pipe.rank);
      }
    }
    return index < departed.size() ? departed.get(index) : AGAIN;
  }

  @Override
  public synchronized boolean hasFailed(int rank) {
    return ends.hasFailed(pipes[rank]);
  }

  @Override
  public synchronized String reason(int rank) {
    return ends.reason(pipes[rank]);
  }

  @Override
  public synchronized long pid(int rank) {
    return ends.pid(pipes[rank]);
  }

  @Override
  public synchronized int repair() {
    boolean all = true;
    for (Pipe pipe : pipes) {
      if (pipe != null && pipe.rank != self && !isPresent(pipe.rank)) {
        pipe.gone = true;
        all &= pipe.ended && pipe.isEmpty();
      }
    }
    return all ? 0 : AGAIN;
  }

  @Override
  public int mostPieces() {
    return MOST_PIECES / Math.max(1, pieceBytes) * pipes.length + MOST_PIECES;
  }

  // Sleeping and waking

  @Override
  public synchronized void watch(Runnable wake) {
    watcher = wake;
    rung = false;
    selector.wakeup();
  }

  @Override
  public synchronized void endWatch() {
    watcher = null;
    news = false;
  }

  @Override
  public synchronized void failing(String reason) {
    failure = failure == null || failure.isEmpty() ? reason : failure;
  }

  private synchronized boolean tellEnd(BitSet untold) {
    untold.stream().filter(rank -> pipes[rank].tryPutLastWord(failure != null, failure == null ? "" : failure))
        .boxed().toList().forEach(untold::clear);
    selector.wakeup();
    return untold.isEmpty();
  }

  private BitSet toldOfEnd() {
    BitSet ranks = new BitSet();
    for (Pipe pipe : pipes) {
      ranks.set(pipe == null ? self : pipe.rank, pipe != null && pipe.rank != self && ends.areTold());
    }
    return ranks;
  }

  @Override
  public void close() {
    BitSet untold = toldOfEnd();
    boolean interrupted = Thread.interrupted(); // it would close what is waited for
    long deadline = System.nanoTime() + LINGER_NANOS;
    while (!(tellEnd(untold) & isFlushed()) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(100_000);
    }
    synchronized (this) {
      open = false;
      selector.wakeup();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      interrupted = true;
    }
    endAll();
    try {
      selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isFlushed() {
    boolean all = true;
    for (Pipe pipe : pipes) {
      all &= pipe == null || pipe.rank == self || pipe.isFlushed();
    }
    return all;
  }
}
