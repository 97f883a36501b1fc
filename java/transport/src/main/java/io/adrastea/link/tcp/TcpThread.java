package io.adrastea.link.tcp;

import io.adrastea.link.tcp.Greeting.Step;
import io.adrastea.link.tcp.Handshake.StrangerException;
import io.adrastea.link.tcp.Handshake.VersionException;
import io.adrastea.link.tcp.Handshake.Wait;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The thread of a link: it connects to ranks that are called, takes in those that call, and lets no one else in.
 * Besides it says now and then that its rank is there, moves what goes and comes while that computes, and watches all
 * sockets while it sleeps. All fields are guarded by the link; only the selection itself holds no lock.
 *
 * <p>
 * Two ranks may call each other at once. The lower of them decides: while it calls it takes in no call of the other,
 * and the other gives its own up for it.
 */
final class TcpThread implements Runnable {
  private static final System.Logger LOGGER = System.getLogger(TcpThread.class.getName());
  private static final long MILLI = 1_000_000;
  private static final long LOOK_NANOS = 100 * MILLI; // while the rank is awake
  private static final int LOOKS_PER_TIMEOUT = 8; // while it sleeps
  private static final int SPARE_STRANGERS = 64; // beside the ranks of the job

  private final TcpLink link;
  private final long job;
  private final int self;
  private final Connection[] byRank;
  private final TcpPort port;
  private final TcpSettings settings;
  private final Selector selector;
  private final Thread thread;
  private final SecureRandom random = new SecureRandom();
  private final Set<Handshake> handshakes = new LinkedHashSet<>(); // the oldest first
  private final List<Call> calls = new ArrayList<>();
  private final List<SelectionKey> full = new ArrayList<>(); // that listen, and could take nobody in for want of files
  private long lookAt;
  private boolean open = true;

  TcpThread(TcpLink link, long job, int self, Connection[] byRank, TcpPort port, TcpSettings settings)
      throws IOException {
    this.link = link;
    this.job = job;
    this.self = self;
    this.byRank = byRank;
    this.port = port;
    this.settings = settings;
    this.lookAt = System.nanoTime();
    this.selector = Selector.open();
    for (ServerSocketChannel listener : port.listeners()) {
      listener.register(selector, SelectionKey.OP_ACCEPT);
    }
    this.thread = Thread.ofPlatform().daemon().name("tcp-" + self).unstarted(this);
  }

  void start() {
    thread.start();
  }

  void wakeup() {
    selector.wakeup();
  }

  void close() {
    open = false;
    port.close();
    wakeup();
  }

  /** Waits for the end of the thread; whether it was interrupted. */
  boolean join() {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }

  // Calls

  /** Connects to a rank, unless it is on the way or has ended. */
  void call(Connection connection) {
    long now = System.nanoTime();
    if (connection.hasEnded() || callOf(connection) != null) {
      return;
    }
    Call call = new Call(connection, TcpAddresses.inOrder(connection.card, port.card().host(), port.networks()), now);
    if (handshakes.stream().anyMatch(handshake -> handshake.peer == connection)) {
      call.resumeAt = now + settings.helloNanos(); // it is calling itself
    }
    calls.add(call);
    wakeup();
  }

  private Call callOf(Connection connection) {
    for (Call call : calls) {
      if (call.connection == connection) {
        return call;
      }
    }
    return null;
  }

  /** Whether there are ranks that are to be connected still; of those perhaps that something is to be sent to. */
  boolean isCalling(boolean toSend) {
    return calls.stream().anyMatch(call -> !toSend || call.connection.hasQueued());
  }

  private void attempt(Call call, long now) {
    try {
      SocketChannel channel = openSocket();
      Handshake handshake = new Handshake(channel, call, now + settings.helloNanos());
      prepare(channel);
      call.handshake = handshake;
      handshakes.add(handshake);
      boolean connected = channel.connect(call.address());
      handshake.key = channel.register(selector, SelectionKey.OP_CONNECT, handshake);
      handshake.wait = Wait.CONNECTION;
      if (connected) {
        sayHello(handshake);
      }
    } catch (UnsupportedAddressTypeException e) {
      fail(call.handshake, new IOException("this rank has no IPv6", e));
    } catch (IOException e) {
      if (call.handshake != null) {
        fail(call.handshake, e);
      } else {
        failCall(call, e);
      }
    }
  }

  private static SocketChannel openSocket() throws IOException {
    try {
      return SocketChannel.open();
    } catch (IOException e) {
      throw new IOException("this rank can open no socket, raise ulimit -n: " + e.getMessage(), e);
    }
  }

  private void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    if (settings.socketBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.socketBytes());
      channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.socketBytes());
    }
  }

  private void fail(Handshake handshake, IOException why) {
    drop(handshake);
    if (handshake.call != null) {
      failCall(handshake.call, why);
    } else if (why instanceof VersionException) {
      LOGGER.log(Level.WARNING, "rank %d refuses a connection: %s".formatted(self, why.getMessage()));
    }
  }

  private void drop(Handshake handshake) {
    handshakes.remove(handshake);
    handshake.close();
  }

  private void failCall(Call call, IOException why) {
    long now = System.nanoTime();
    boolean isNobody = why instanceof ConnectException && !"Connection timed out".equals(why.getMessage())
        || why instanceof StrangerException;
    String reason = call.failed(why.getMessage(), isNobody, now, settings.timeoutNanos());
    if (why instanceof VersionException) {
      reason = why.getMessage();
    }
    if (reason != null) {
      calls.remove(call);
      call.connection.end(reason);
      link.tellEnd(call.connection);
    }
  }

  // Greetings

  private void sayHello(Handshake handshake) throws IOException {
    // A connection to a port of this host at which nobody listens can be given that very port, and then meets itself.
    if (handshake.channel.getLocalAddress().equals(handshake.channel.getRemoteAddress())) {
      throw new ConnectException("Connection refused");
    }
    byte[] hello = Greeting.hello(job, self, handshake.peer.rank, nonce());
    handshake.greeting = greeting(handshake.peer, hello);
    handshake.write(hello, handshake.greeting.code(Step.HELLO));
    handshake.await(Wait.ANSWER, Greeting.ANSWER_BYTES);
  }

  private byte[] nonce() {
    byte[] nonce = new byte[Greeting.NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private Greeting greeting(Connection peer, byte... hello) {
    byte[] own = port.card().key();
    return self < peer.rank ? new Greeting(own, peer.card.key(), hello) : new Greeting(peer.card.key(), own, hello);
  }

  private void accept(SelectionKey key) {
    ServerSocketChannel listener = (ServerSocketChannel) key.channel();
    try {
      for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
        prepare(channel);
        Handshake handshake = new Handshake(channel, null, System.nanoTime() + settings.helloNanos());
        handshake.key = channel.register(selector, 0, handshake);
        handshake.await(Wait.HELLO, Greeting.HELLO_BYTES);
        handshakes.add(handshake);
        dropStranger();
      }
    } catch (IOException e) {
      if (listener.isOpen()) {
        key.interestOps(0); // until the next look
        full.add(key);
        tellFull(e);
      }
    }
  }

  private void tellFull(IOException e) {
    try {
      LOGGER.log(Level.WARNING, "rank %d cannot take in a rank that connects by tcp: %s; raise ulimit -n".formatted(
          self, e.getMessage()));
    } catch (LinkageError | RuntimeException ofLog) {
      // a log that writes for the first time may need a file, too
    }
  }

  /** Of more that have said nothing than there can be ranks, the oldest goes. */
  private void dropStranger() {
    if (handshakes.size() > 2 * byRank.length + SPARE_STRANGERS) {
      handshakes.stream().filter(handshake -> handshake.peer == null).findFirst().ifPresent(this::drop);
    }
  }

  private void go(Handshake handshake) {
    try {
      if (handshake.wait == Wait.CONNECTION) {
        if (handshake.channel.finishConnect()) {
          sayHello(handshake);
        }
      } else if (handshake.read()) {
        hear(handshake, handshake.taken());
      }
    } catch (VersionException e) {
      tellVersion(handshake);
      fail(handshake, e);
    } catch (IOException e) {
      fail(handshake, e);
    }
  }

  private static void tellVersion(Handshake handshake) {
    try {
      if (handshake.wait == Wait.HELLO) {
        handshake.write(ByteBuffer.allocate(Greeting.NAME_BYTES).putLong(Greeting.name()).array());
      }
    } catch (IOException e) {
      // it is not told
    }
  }

  private void hear(Handshake handshake, ByteBuffer said) throws IOException {
    switch (handshake.wait) {
      case HELLO -> hearHello(handshake, said);
      case ANSWER -> {
        byte[] nonce = bytes(said.position(Greeting.NAME_BYTES), Greeting.NONCE_BYTES);
        handshake.greeting.answered(nonce);
        require(handshake, Step.ANSWER, said);
        handshake.write(handshake.greeting.code(Step.PROOF));
        handshake.await(Wait.WELCOME, Greeting.CODE_BYTES);
      }
      case PROOF -> {
        require(handshake, Step.PROOF, said);
        handshake.write(handshake.greeting.code(Step.WELCOME));
        connected(handshake);
      }
      case WELCOME -> {
        require(handshake, Step.WELCOME, said);
        connected(handshake);
      }
      case CONNECTION -> throw new IllegalStateException("nothing is said before the connection is there");
    }
  }

  private static byte[] bytes(ByteBuffer said, int length) {
    byte[] bytes = new byte[length];
    said.get(bytes);
    return bytes;
  }

  private static void require(Handshake handshake, Step step, ByteBuffer said) throws StrangerException {
    if (!handshake.greeting.matches(step, bytes(said, Greeting.CODE_BYTES))) {
      throw new StrangerException();
    }
  }

  private void hearHello(Handshake handshake, ByteBuffer said) throws IOException {
    byte[] hello = bytes(said, Greeting.HELLO_BYTES - Greeting.CODE_BYTES);
    ByteBuffer words = ByteBuffer.wrap(hello).position(Greeting.NAME_BYTES);
    long ofJob = words.getLong();
    int from = words.getInt();
    int to = words.getInt();
    boolean isOfJob =
        ofJob == job && to == self && from >= 0 && from < byRank.length && from != self && byRank[from] != null;
    Connection peer = isOfJob ? byRank[from] : null;
    handshake.greeting = isOfJob ? greeting(peer, hello) : null;
    if (!isOfJob || !handshake.greeting.matches(Step.HELLO, bytes(said, Greeting.CODE_BYTES))) {
      // An answer that proves nothing: the other end need not try again until it has lost its patience.
      handshake.write(Arrays.copyOf(ByteBuffer.allocate(Greeting.NAME_BYTES).putLong(Greeting.name()).array(),
          Greeting.ANSWER_BYTES));
      throw new StrangerException();
    }
    if (peer.isConnected() || peer.hasEnded() || !giveWay(peer)) {
      drop(handshake);
      return;
    }
    handshake.peer = peer;
    byte[] nonce = nonce();
    handshake.greeting.answered(nonce);
    handshake.write(ByteBuffer.allocate(Greeting.NAME_BYTES).putLong(Greeting.name()).array(), nonce,
        handshake.greeting.code(Step.ANSWER));
    handshake.await(Wait.PROOF, Greeting.CODE_BYTES);
  }

  /** Gives up what is on the way with a rank that calls; false: this rank calls it, and is the lower. */
  private boolean giveWay(Connection peer) {
    Call call = callOf(peer);
    if (call != null && call.handshake != null && self < peer.rank) {
      return false;
    }
    for (Handshake other : List.copyOf(handshakes)) {
      if (other.peer == peer) {
        drop(other);
      }
    }
    if (call != null) {
      call.handshake = null;
      call.resumeAt = System.nanoTime() + settings.helloNanos();
    }
    return true;
  }

  private void connected(Handshake handshake) {
    handshakes.remove(handshake);
    calls.remove(callOf(handshake.peer));
    handshake.key.attach(handshake.peer);
    link.hasConnected(handshake.peer, handshake.key);
  }

  // The loop

  @Override
  public void run() {
    try (selector) {
      while (true) {
        long millis;
        synchronized (link) {
          if (!open) {
            endAll();
            return;
          }
          millis = prepare(System.nanoTime());
        }
        selector.select(millis);
        synchronized (link) {
          selector.selectedKeys().forEach(this::serve);
          selector.selectedKeys().clear();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      synchronized (link) {
        endAll();
        for (Connection connection : byRank) {
          if (connection != null && connection.rank != self) {
            connection.end("the thread that makes connections has ended: " + e);
            link.tellEnd(connection);
          }
        }
      }
      LOGGER.log(Level.ERROR, "the thread of rank %d that makes connections by tcp has ended".formatted(self), e);
    }
  }

  private void endAll() {
    open = false;
    port.close();
    calls.clear();
    List.copyOf(handshakes).forEach(this::drop);
  }

  private void serve(SelectionKey key) {
    try {
      switch (key.attachment()) {
        case Handshake handshake -> {
          if (handshakes.contains(handshake)) {
            go(handshake);
          }
        }
        case Connection connection -> {
          link.serve(connection, key.isReadable());
          lookAt = earlier(lookAt, System.nanoTime() + LOOK_NANOS); // the rank may compute after its sleep
        }
        case null, default -> accept(key);
      }
    } catch (CancelledKeyException e) {
      // it was closed meanwhile
    }
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /** Does what the clock says; how many milliseconds there is nothing else to do but what sockets bring, 0: no end. */
  private long prepare(long now) {
    for (Handshake handshake : List.copyOf(handshakes)) {
      if (now - handshake.deadline > 0) {
        fail(handshake, new IOException("no answer within %d s".formatted(
            TimeUnit.NANOSECONDS.toSeconds(settings.helloNanos()))));
      }
    }
    for (Call call : List.copyOf(calls)) {
      if (call.handshake == null && now - call.resumeAt >= 0) {
        attempt(call, now);
      }
    }
    if (now - lookAt >= 0) {
      full.stream().filter(SelectionKey::isValid).forEach(key -> key.interestOps(SelectionKey.OP_ACCEPT));
      full.clear();
      boolean sleeps = link.look(now);
      long every = settings.timeoutNanos() / LOOKS_PER_TIMEOUT;
      lookAt = now + (sleeps ? every : Math.min(LOOK_NANOS, every));
    }
    long until = lookAt;
    for (Handshake handshake : handshakes) {
      until = earlier(until, handshake.deadline);
    }
    for (Call call : calls) {
      until = call.handshake == null ? earlier(until, call.resumeAt) : until;
    }
    return Math.max(1, (until - System.nanoTime()) / MILLI + 1);
  }
}
