package io.adrastea.link.tcp;

import io.adrastea.error.JoinException;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The link of a rank over TCP. Pieces go and come on the calls of the rank's own thread, through one socket for each
 * rank that it talks to ({@link Connection}); a thread of the link ({@link TcpThread}) makes the connections, and sees
 * to them while the rank sleeps or computes. All fields, and those of connections, are guarded by the link.
 *
 * <p>
 * Sources: [Nemesis 2006, 3.4] (a send that nothing waits before goes straight to the socket), [Nemesis 2006, 3.5] (one
 * read into a large buffer, in which pieces lie until they are taken).
 */
final class TcpLink implements Link {
  private static final System.Logger LOGGER = System.getLogger(TcpLink.class.getName());
  private static final int TURN = 8; // one of so many polls does not begin with the rank asked for: a power of two
  private static final int FEW = 4; // connections that are read in turn; more are asked for by one selection
  private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(100); // from one that nobody needs to the next
  private static final long FAREWELL_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long PAUSE_NANOS = 50_000;

  private final int self;
  private final TcpSettings settings;
  private final String describe;
  private final String host; // of this rank
  private final InBuffers buffers;
  private final Connection[] byRank; // null: the link does not go there
  private final TcpThread thread;
  private final List<Connection> connected = new ArrayList<>();
  private final Consumer<SelectionKey> readable = key -> ((Connection) key.attachment()).readable = true;
  private Selector readers; // of all connections, once there are more than few
  private Connection at; // that the piece at hand came by; null: none
  private int turn;
  private int polls;
  private int pollsBefore; // at the last look of the thread
  private Runnable watcher; // null: the rank is awake
  private boolean rung; // since it was last asked to watch
  private boolean news; // a rank has gone since
  private final List<Integer> departed = new ArrayList<>(); // in the order in which they were seen to go
  private final BitSet listed = new BitSet(); // the same
  private int called; // the last rank that was called to see whether it is there
  private long calledAt = System.nanoTime();
  private String failure; // of this rank; null: none
  private boolean closing;

  /**
   * Makes the link and starts its thread.
   *
   * @param cards of the ranks that it is to reach, by their numbers; null: it does not go there
   * @param port of this rank, which the link closes
   */
  TcpLink(long job, int self, TcpCard[] cards, TcpPort port, TcpSettings settings) {
    this.self = self;
    this.called = self; // so not all begin with the same
    this.settings = settings;
    this.describe = "tcp from " + port.card().addresses().getFirst().getAddress().getHostAddress();
    this.host = port.card().host();
    this.buffers = new InBuffers(settings.bufferBytes());
    this.byRank = new Connection[cards.length];
    for (int rank = 0; rank < cards.length; rank++) {
      byRank[rank] = cards[rank] == null ? null : new Connection(rank, cards[rank], settings);
    }
    if (byRank[self] != null) {
      byRank[self].connect(null, null, buffers);
      connected.add(byRank[self]);
    }
    try {
      this.thread = new TcpThread(this, job, self, byRank, port, settings);
    } catch (IOException e) {
      throw new JoinException("rank %d cannot watch sockets for tcp: %s; is ulimit -n too low?".formatted(self,
          e.getMessage()), e);
    }
    thread.start();
  }

  // What the thread tells, which holds the lock of the link

  /** A connection has become one. */
  void hasConnected(Connection connection, SelectionKey key) {
    connection.connect((SocketChannel) key.channel(), key, buffers);
    connected.add(connection);
    try {
      if (readers != null) {
        readable(connection);
      } else if (connected.size() > FEW) {
        readers = Selector.open();
        for (Connection one : connected) {
          readable(one);
        }
      }
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "tcp reads its connections in turn: " + e.getMessage()); // slower, and as well
    }
    connection.flush();
    connection.watch(watcher != null);
    if (connection.refused) {
      ring();
    }
  }

  private void readable(Connection connection) throws IOException {
    if (connection.channel() != null) {
      connection.channel().register(readers, SelectionKey.OP_READ, connection);
    }
  }

  /** Something may be there for a rank that sleeps. */
  void ring() {
    if (watcher != null && !rung) {
      rung = true;
      watcher.run();
    }
  }

  /** A rank has gone. */
  void tellEnd(Connection connection) {
    list(connection);
    news = true;
    ring();
  }

  /** A socket that is watched can be read or written. */
  void serve(Connection connection, boolean canRead) {
    if (watcher == null) {
      connection.watch(false);
      return;
    }
    connection.flush();
    connection.watch(!canRead);
    if (canRead || connection.refused || !connection.takesMore()) {
      ring();
    }
  }

  /**
   * Looks at the clock for all connections, and moves those of a rank that does not poll: it computes, or only sends.
   *
   * @return whether the rank sleeps
   */
  boolean look(long now) {
    boolean moves = polls == pollsBefore && watcher == null;
    pollsBefore = polls;
    for (Connection connection : connected) {
      boolean wasPresent = connection.isPresent();
      if (moves && !connection.hasForSelf()) {
        connection.flush();
        connection.read();
      }
      connection.keepAlive(now);
      if (wasPresent && !connection.isPresent()) {
        tellEnd(connection);
      } else if (connection.hasPiece()) {
        ring();
      }
    }
    return watcher != null;
  }

  boolean isClosing() {
    return closing;
  }

  // Sending

  @Override
  public int pieceBytes() {
    return settings.pieceBytes();
  }

  /** 0, or why nothing of that match word can go there now. */
  private int refusal(Connection connection, long match, int length) {
    if (connection.gone) {
      return GONE;
    }
    if (connection.isClaimed() && !Link.isControl(match)) {
      return BUSY;
    }
    if (!connection.isConnected()) {
      connection.openOut();
      thread.call(connection);
    }
    connection.refused = !connection.takesMore() || !connection.makeRoom(length); // repair tells how a rank has ended
    return connection.refused ? AGAIN : 0;
  }

  @Override
  public synchronized int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    Connection connection = byRank[destination];
    int bytes = (int) Math.min(length, settings.pieceBytes());
    int status = refusal(connection, match, bytes);
    if (status < 0) {
      return status;
    }
    connection.put(kind, match, totalLength, source, offset, bytes);
    return bytes;
  }

  @Override
  public synchronized long claim(int destination, int kind, long match, long totalLength, long length) {
    Connection connection = byRank[destination];
    int status = connection.isClaimed() ? BUSY : refusal(connection, match, (int) length);
    if (status < 0) {
      return status;
    }
    connection.claim(kind, match, totalLength, (int) length);
    return 0;
  }

  @Override
  public synchronized MemorySegment room(int destination) {
    return byRank[destination].room();
  }

  @Override
  public synchronized int commit(int destination) {
    Connection connection = byRank[destination];
    if (connection.gone || !connection.takesMore()) {
      connection.unclaim();
      return connection.gone ? GONE : 0; // what goes to a rank that has just ended is lost as what it had not read
    }
    connection.commit();
    return 0;
  }

  @Override
  public synchronized int abort(int destination) {
    byRank[destination].unclaim();
    return 0;
  }

  @Override
  public synchronized int beginBurst(int destination) {
    byRank[destination].holding = true;
    return 0;
  }

  @Override
  public synchronized int endBurst(int destination) {
    byRank[destination].holding = false;
    byRank[destination].flush();
    return 0;
  }

  // Receiving

  @Override
  public synchronized int poll(int first, Inbound inbound) {
    polls++;
    if (at == null) {
      at = next(first);
      if (at == null) {
        return AGAIN;
      }
    }
    at.tell(inbound);
    return PIECE;
  }

  private Connection next(int first) {
    if (first >= 0 && (polls & TURN - 1) != 0 && has(byRank[first], readers == null)) {
      return byRank[first];
    }
    Connection found = nextInTurn(readers == null);
    return found == null && readers != null && select() ? nextInTurn(false) : found;
  }

  private Connection nextInTurn(boolean reads) {
    for (int count = 0; count < connected.size(); count++) {
      Connection connection = connected.get(turn);
      turn = turn + 1 == connected.size() ? 0 : turn + 1;
      if (has(connection, reads)) {
        return connection;
      }
    }
    return null;
  }

  private static boolean has(Connection connection, boolean reads) {
    if (!connection.holding) {
      connection.flush();
    }
    if (!connection.hasPiece() && (reads || connection.readable || connection.hasForSelf())) {
      connection.read();
    }
    return connection.hasPiece();
  }

  private boolean select() {
    try {
      return readers.selectNow(readable) > 0;
    } catch (IOException e) {
      throw new UncheckedIOException("rank %d cannot watch its sockets".formatted(self), e);
    }
  }

  @Override
  public synchronized int take(MemorySegment destination, long offset, long length) {
    CopyInterrupt.copy(at.in().memory(), at.in().payload(), destination, offset, length);
    return release();
  }

  @Override
  public synchronized int release() {
    at.in().pass();
    at = null;
    return 0;
  }

  @Override
  public synchronized int retain() {
    if (!at.in().retain()) {
      return AGAIN;
    }
    at = null;
    return 0;
  }

  @Override
  public synchronized int releaseRetained(int source, long place) {
    buffers.release((int) place);
    return 0;
  }

  // Which ranks are there

  @Override
  public synchronized boolean isPresent(int rank) {
    Connection connection = byRank[rank];
    if (!connection.isConnected() && !connection.hasEnded() && !closing) {
      thread.call(connection); // that is how it is found out
    }
    return connection.isPresent();
  }

  @Override
  public synchronized int departed(int index) {
    connected.forEach(this::list);
    if (index < departed.size()) {
      return departed.get(index);
    }
    callNext();
    return AGAIN;
  }

  private void list(Connection connection) {
    if (!connection.isPresent() && !listed.get(connection.rank)) {
      listed.set(connection.rank);
      departed.add(connection.rank);
    }
  }

  /**
   * Calls one more of the ranks that this one never talked to: else the death of one would never be seen here. One at a
   * time and not often, so that a short wait does not connect all ranks with all.
   */
  private void callNext() {
    long now = System.nanoTime();
    if (closing || now - calledAt < CALL_NANOS) {
      return;
    }
    calledAt = now;
    for (int count = 0; count < byRank.length; count++) {
      called = called + 1 == byRank.length ? 0 : called + 1;
      Connection connection = byRank[called];
      if (connection != null && !connection.isConnected() && !connection.hasEnded()) {
        thread.call(connection);
        return;
      }
    }
  }

  @Override
  public synchronized boolean hasFailed(int rank) {
    return byRank[rank].hasFailed();
  }

  @Override
  public synchronized String reason(int rank) {
    return byRank[rank].reason();
  }

  @Override
  public long pid(int rank) {
    return byRank[rank].card.pid();
  }

  @Override
  public String host(int rank) {
    String other = byRank[rank].card.host();
    return other.equals(host) ? "" : other;
  }

  @Override
  public String describe() {
    return describe;
  }

  @Override
  public synchronized int repair() {
    boolean all = true;
    for (Connection connection : byRank) {
      if (connection != null && !connection.isPresent()) {
        connection.gone = true;
        all &= connection.isOver();
      }
    }
    return all ? 0 : AGAIN;
  }

  @Override
  public synchronized int mostPieces() {
    return (connected.size() + 1) * (settings.bufferBytes() / Frame.bytes(0) + 1);
  }

  // Sleeping

  @Override
  public synchronized void watch(Runnable wake) {
    watcher = wake;
    rung = false;
    boolean there = news;
    for (Connection connection : connected) {
      connection.watch(true);
      there |= connection.hasPiece() || connection.hasForSelf()
          || connection.refused && (!connection.takesMore() || connection.makeRoom(settings.pieceBytes()));
    }
    if (there) {
      ring();
    } else {
      thread.wakeup();
    }
  }

  @Override
  public synchronized void endWatch() {
    watcher = null;
    news = false;
  }

  // The end

  @Override
  public synchronized void failing(String reason) {
    failure = failure == null || failure.isEmpty() ? reason : failure;
  }

  /**
   * Sends what is left and the last word to each rank, and waits until each has answered it by its own end, which tells
   * that it has read all. Those that it never talked to are told as well, since they could not tell a rank that has
   * left from one that has died, nor why it has failed; until then it takes in ranks that call.
   */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    long begun = System.nanoTime();
    synchronized (this) {
      closing = true;
      Stream.of(byRank).filter(one -> one != null && !one.isConnected()).forEach(thread::call);
    }
    while (!hasToldAll(begun) && System.nanoTime() - begun < settings.lingerNanos()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    synchronized (this) {
      Stream.of(byRank).filter(Objects::nonNull).forEach(this::tellLost);
      thread.close();
      for (Connection connection : byRank) {
        if (connection != null && connection.rank != self) {
          connection.end("this rank has left before");
        }
      }
    }
    interrupted |= thread.join();
    closeReaders();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeReaders() {
    try {
      if (readers != null) {
        readers.close();
      }
    } catch (IOException e) {
      LOGGER.log(Level.DEBUG, "a selector does not close: " + e.getMessage());
    }
  }

  private synchronized boolean hasToldAll(long begun) {
    boolean all = !thread.isCalling(System.nanoTime() - begun > FAREWELL_NANOS);
    for (Connection connection : connected) {
      if (connection.rank != self && !connection.hasEnded()) {
        if (!connection.told) {
          connection.tryPutLastWord(failure);
        }
        connection.tryShut();
        connection.read();
        connection.in().drop();
        all &= connection.hasEnded();
      }
    }
    return all;
  }

  private void tellLost(Connection connection) {
    if (connection.rank != self && connection.unacknowledged() > 0 && !connection.hasSaidLast()) {
      LOGGER.log(Level.WARNING,
          "rank %d ends, and rank %d on host %s has not acknowledged the last %d bytes that were sent to it by tcp: %s"
              .formatted(self, connection.rank, connection.card.host(), connection.unacknowledged(),
                  connection.hasEnded() ? connection.reason()
                      : "it has not read them within %d s (adrastea.tcp.linger)"
                          .formatted(TimeUnit.NANOSECONDS.toSeconds(settings.lingerNanos()))));
    }
  }
}
