package io.adrastea.bootstrap;

import io.adrastea.bootstrap.RendezvousLine.Hello;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Nodes;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Rank 0 where the ranks of a job meet. One thread waits for all connections at once, and keeps one line of each. Twin
 * of {@code bootstrap/adr_rendezvous_server.h}.
 */
final class RendezvousServer implements AutoCloseable {
  static final int PAUSE_MILLIS = 100; // between two attempts of rank 0 to listen
  static final int IN_USE_MILLIS = 2000; // how long rank 0 waits for a port that another process has
  static final int SILENT_MILLIS = 10_000; // how long a connection may take for its line
  static final int LATE_MILLIS = 5000; // how long rank 0 waits for others to tell them of a refusal, too
  static final int DRAIN_MILLIS = 500; // how long rank 0 lets the others read a refusal
  static final int STRANGERS = 64; // connections beside those of the ranks
  static final int LISTED = 12; // ranks that a message names

  private static final int BACKLOG = 1024; // connections that wait to be accepted
  private static final int UNPRIVILEGED = 1024; // ports from here on are for everybody
  private static final int MOST_SELECT_MILLIS = 200; // then it is time to look whether there is something to log

  private final RendezvousMeeting meeting;
  private final LongSupplier clock;
  private final JoinNotice notice;
  private final long deadline;
  private final List<Connection> connections = new ArrayList<>();
  private final boolean[] came; // by rank
  private final boolean[] here;
  private final Selector selector;
  private ServerSocketChannel listener; // null: there is none yet
  private boolean isFaulty; // a line has come that is to be refused
  private long faultySince;
  private boolean hasTold; // of a connection that is no rank's

  private RendezvousServer(RendezvousMeeting meeting, LongSupplier clock) throws IOException {
    this.meeting = meeting;
    this.clock = clock;
    this.notice = new JoinNotice(clock);
    this.deadline = now() + meeting.timeoutMillis();
    this.came = new boolean[meeting.size()];
    this.here = new boolean[meeting.size()];
    came[0] = true;
    this.selector = Selector.open();
  }

  /** How far the line of a connection has come. */
  private enum State {
    READING, WHOLE, TOO_LONG
  }

  /** A process that has connected. */
  private static final class Connection {
    final SocketChannel channel;
    final long since;
    final ByteBuffer bytes = ByteBuffer.allocate(RendezvousLine.MOST_BYTES);
    State state = State.READING;

    Connection(SocketChannel channel, long since) {
      this.channel = channel;
      this.since = since;
    }

    boolean hasCome() {
      return state != State.READING;
    }

    String text() {
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
    }

    String line() {
      return RendezvousLine.plain(text());
    }
  }

  private long now() {
    return clock.getAsLong() / 1_000_000; // milliseconds
  }

  private boolean isSilent(Connection connection) {
    return !connection.hasCome() && now() - connection.since > SILENT_MILLIS;
  }

  /**
   * Lets the other ranks come, and gives them all a random number for their job, with the node of each, or the reason
   * why there is no job.
   *
   * @throws JoinException when the ranks that came do not fit together, some did not come, the address is another
   * machine's, or another process has the port
   */
  static RendezvousJob serve(RendezvousMeeting meeting) {
    return serve(meeting, System::nanoTime);
  }

  /** Does the same by a clock, of nanoseconds, that never goes back. */
  static RendezvousJob serve(RendezvousMeeting meeting, LongSupplier clock) {
    try (RendezvousServer server = new RendezvousServer(meeting, clock)) {
      server.openListener();
      return server.meet();
    } catch (IOException e) {
      throw new JoinException(shortage(meeting, e), e);
    }
  }

  private static String shortage(RendezvousMeeting meeting, IOException e) {
    return "rank 0 cannot hold a connection of each of %d ranks: %s (ulimit -n says how many files it may open)"
        .formatted(meeting.size(), e.getMessage());
  }

  /**
   * Why rank 0 cannot listen at an address.
   *
   * @param isInUse whether another process does, which may end
   * @param words the reason
   */
  private record Obstacle(boolean isInUse, String words) {}

  /**
   * What is in the way of listening; empty: it listens. The others try all addresses of the host, so that one is enough
   * here. Of several obstacles the last counts, but for that of a port in use.
   */
  private Optional<Obstacle> listenAtAny(List<InetSocketAddress> found) throws IOException {
    Optional<Obstacle> obstacle = Optional.empty();
    for (InetSocketAddress address : found) {
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true); // a second start on the port works at once
        channel.configureBlocking(false);
        channel.bind(address, BACKLOG);
        channel.register(selector, SelectionKey.OP_ACCEPT);
        listener = channel;
        return Optional.empty();
      } catch (IOException e) {
        channel.close();
        obstacle = obstacle.filter(Obstacle::isInUse).or(() -> Optional.of(obstacle(address, e)));
      }
    }
    return obstacle;
  }

  /** The system's words depend on its language, so the address is looked for. */
  private Obstacle obstacle(InetSocketAddress address, IOException e) {
    if (!(e instanceof BindException) || address.getPort() < UNPRIVILEGED) {
      return new Obstacle(false, "rank 0 cannot listen there: " + e.getMessage());
    }
    return isOfThisMachine(address)
        ? new Obstacle(true, "another process listens at that port; each job that runs there at the same time needs a "
            + "port of its own, and one process alone is rank 0")
        : new Obstacle(false, ("%.128s is no address of this machine, on which rank 0 runs; let it name the machine of "
            + "rank 0").formatted(meeting.address().host()));
  }

  private static boolean isOfThisMachine(InetSocketAddress address) {
    try {
      return address.getAddress().isLoopbackAddress() || address.getAddress().isAnyLocalAddress()
          || NetworkInterface.getByInetAddress(address.getAddress()) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** The name may not be known yet, as that of a pod that has just begun. */
  private void openListener() throws IOException {
    RendezvousAddress address = meeting.address();
    long inUseUntil = now() + IN_USE_MILLIS;
    while (true) {
      try {
        Optional<Obstacle> obstacle = listenAtAny(address.resolve());
        if (obstacle.isEmpty()) {
          return;
        }
        if (!obstacle.get().isInUse() || now() > inUseUntil || now() > deadline) {
          throw new JoinException("ADRASTEA_RENDEZVOUS=%s: %s".formatted(address.words(), obstacle.get().words()));
        }
      } catch (UnknownHostException e) {
        if (now() > deadline) {
          throw new JoinException(
              ("ADRASTEA_RENDEZVOUS=%s: the host %.128s is unknown to rank 0, which looked for it for %d ms "
                  + "(ADRASTEA_JOIN_TIMEOUT)").formatted(address.words(), address.host(), meeting.timeoutMillis()),
              e);
        }
      }
      select(PAUSE_MILLIS);
    }
  }

  /** Waits; returns early, or with an exception, when the thread is interrupted. */
  private void select(long millis) throws IOException {
    selector.select(Math.max(1, Math.min(millis, MOST_SELECT_MILLIS)));
    if (Thread.currentThread().isInterrupted()) {
      throw new JoinException("interrupted while joining");
    }
  }

  private int countCome() {
    return (int) connections.stream().filter(Connection::hasCome).count();
  }

  /** Forgets a connection; a rank may come again. */
  private void drop(Connection connection) throws IOException {
    connections.remove(connection);
    connection.channel.close();
  }

  private void tellOfStranger(Connection connection) {
    if (!hasTold) {
      hasTold = true;
      System.err.printf(
          "adrastea: rank 0 has closed a connection from %s to %s, which is no rank's: it sent '%.64s' (more of them "
              + "are not told)%n",
          host(connection), meeting.address().words(), connection.line());
    }
  }

  private static String host(Connection connection) {
    try {
      SocketAddress peer = connection.channel.getRemoteAddress();
      return peer instanceof InetSocketAddress address ? address.getAddress().getHostAddress() : "somewhere";
    } catch (IOException e) {
      return "somewhere";
    }
  }

  /** Why a line alone is refused; empty: it is not. */
  private Optional<String> refusal(Connection connection, Optional<Hello> read) {
    if (connection.state == State.TOO_LONG) {
      return Optional.of("a rank has sent a line of more than %d bytes to rank 0: '%.64s'"
          .formatted(RendezvousLine.MOST_BYTES, connection.line()));
    }
    if (read.isEmpty()) {
      return Optional.of(
          ("a rank has sent a line to rank 0 that is malformed: '%.64s'; all ranks of a job need the same version of "
              + "Adrastea").formatted(connection.line()));
    }
    Hello hello = read.get();
    if (hello.version() != RendezvousLine.VERSION) {
      return Optional.of(
          ("a rank speaks version %d of the rendezvous and rank 0 version %d; all ranks of a job need the same version "
              + "of Adrastea").formatted(hello.version(), RendezvousLine.VERSION));
    }
    if (hello.size() != meeting.size()) {
      return Optional.of(
          "rank %d has ADRASTEA_SIZE=%d and rank 0 has ADRASTEA_SIZE=%d; all ranks of a job need the same".formatted(
              hello.rank(), hello.size(), meeting.size()));
    }
    if (hello.rank() >= meeting.size()) {
      return Optional.of("a process says that it is rank %d of %d: ranks are 0 to %d".formatted(hello.rank(),
          meeting.size(), meeting.size() - 1));
    }
    return hello.node().equals(meeting.node()) || !hello.links().isEmpty() && !meeting.links().isEmpty()
        ? Optional.empty()
        : Optional.of(NodeIdentity.apart(hello.rank(), hello.node(), meeting.node()));
  }

  /** Goes through all that came, and notes which ranks are here; why there can be no job, empty: there can. */
  private Optional<String> refusalOfAny() {
    Arrays.fill(here, false);
    here[0] = true;
    for (Connection connection : connections) {
      if (!connection.hasCome()) {
        continue;
      }
      Optional<Hello> hello = RendezvousLine.readHello(connection.line());
      Optional<String> refusal = refusal(connection, hello);
      if (refusal.isPresent()) {
        return refusal;
      }
      int rank = hello.orElseThrow().rank();
      if (here[rank]) {
        return Optional.of(
            ("two processes say that they are rank %d; each process of a job needs a rank of its own (ADRASTEA_RANK, "
                + "JOB_COMPLETION_INDEX)").formatted(rank));
      }
      here[rank] = true;
    }
    return Optional.empty();
  }

  /** Notes that a line is here. */
  private void note(Connection connection, State state) {
    connection.state = state;
    Optional<Hello> hello = RendezvousLine.readHello(connection.line());
    boolean faulty = refusal(connection, hello).isPresent();
    if (!faulty) {
      int rank = hello.orElseThrow().rank();
      faulty = came[rank] && refusalOfAny().isPresent(); // else the one that came before is gone
      came[rank] = true;
    }
    if (faulty && !isFaulty) {
      isFaulty = true;
      faultySince = now();
    }
  }

  /** Whether a rank does not know the number of the job, which launchers tell to its ranks alone. */
  private boolean isOfAnotherJob(Connection connection) {
    return !meeting.job().isEmpty() && RendezvousLine.readHello(connection.line())
        .filter(hello -> hello.version() == RendezvousLine.VERSION && !hello.job().equals(meeting.job())).isPresent();
  }

  /** Takes in what has come; false: the connection is to be dropped. */
  private boolean takeIn(Connection connection) {
    boolean reading = !connection.hasCome();
    ByteBuffer into = reading ? connection.bytes : ByteBuffer.allocate(RendezvousLine.MOST_BYTES); // does not count
    try {
      if (connection.channel.read(into) < 0) {
        return false;
      }
    } catch (IOException e) {
      return false;
    }
    if (!reading) {
      return true;
    }
    String text = connection.text();
    if (!RendezvousLine.mayBeHello(text)) {
      tellOfStranger(connection);
      return false;
    }
    if (text.indexOf('\n') >= 0) {
      if (isOfAnotherJob(connection)) {
        tellOfStranger(connection);
        return false;
      }
      note(connection, State.WHOLE);
    } else if (!connection.bytes.hasRemaining()) {
      note(connection, State.TOO_LONG);
    }
    return true;
  }

  private void acceptOne() throws IOException {
    SocketChannel channel = listener.accept();
    if (channel == null) {
      return; // the other end has gone in this moment
    }
    channel.configureBlocking(false);
    Connection connection = new Connection(channel, now());
    connections.add(connection);
    channel.register(selector, SelectionKey.OP_READ, connection);
  }

  /** Waits until something comes, or until it is time to look at what did not. */
  private void waitAndRead() throws IOException {
    boolean hasRoom = connections.size() < meeting.size() - 1 + STRANGERS;
    listener.keyFor(selector).interestOps(hasRoom ? SelectionKey.OP_ACCEPT : 0);
    select(deadline - now() + 1);
    boolean comes = false;
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof Connection connection) {
        if (!takeIn(connection)) {
          drop(connection);
        }
      } else {
        comes = true;
      }
    }
    selector.selectedKeys().clear();
    for (Connection connection : connections.stream().filter(this::isSilent).toList()) {
      tellOfStranger(connection);
      drop(connection);
    }
    if (comes) {
      acceptOne();
    }
  }

  private void sendToAll(String line) {
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.US_ASCII));
    for (Connection connection : connections) {
      try {
        connection.channel.write(bytes.rewind()); // there is room for some 64 KiB: it is the first that is sent
      } catch (IOException e) {
        // who does not get it finds out by its own deadline
      }
    }
  }

  /**
   * Lets the others read what was sent: bytes of theirs that nobody has read would take it away with the connection.
   */
  private void drain() throws IOException {
    long until = now() + DRAIN_MILLIS;
    listener.keyFor(selector).cancel();
    for (Connection connection : List.copyOf(connections)) {
      try {
        connection.channel.shutdownOutput();
      } catch (IOException e) {
        drop(connection);
      }
    }
    while (!connections.isEmpty() && now() < until) {
      select(until - now());
      for (SelectionKey key : selector.selectedKeys()) {
        Connection connection = (Connection) key.attachment();
        connection.state = State.WHOLE; // what comes does not count
        if (connection.channel.isOpen() && !takeIn(connection)) {
          drop(connection);
        }
      }
      selector.selectedKeys().clear();
    }
  }

  private JoinException refuse(String words) throws IOException {
    sendToAll(RendezvousLine.writeRefusal(words));
    drain();
    return new JoinException(words);
  }

  /** Lists the ranks that are not here, of those that came before or of those that did not. */
  private String list(boolean before) {
    StringBuilder text = new StringBuilder();
    int count = 0;
    for (int rank = 0; rank < meeting.size(); rank++) {
      if (here[rank] || came[rank] != before) {
        continue;
      }
      if (count++ < LISTED) {
        text.append(count == 1 ? "" : ", ").append(rank);
      }
    }
    return count > LISTED ? text + " and " + (count - LISTED) + " more" : text.toString();
  }

  /** Which ranks are not here. */
  private String missing() {
    List<String> parts = new ArrayList<>();
    String absent = list(false);
    String gone = list(true);
    if (!absent.isEmpty()) {
      parts.add("rank(s) [" + absent + "] have not come");
    }
    if (!gone.isEmpty()) {
      parts.add("rank(s) [" + gone + "] have come and gone again");
    }
    return String.join(", ", parts);
  }

  private JoinException refuseLate() throws IOException {
    return refuse("rank 0 waited %d ms at %s for all %d ranks: %s; were all started? (ADRASTEA_JOIN_TIMEOUT)"
        .formatted(meeting.timeoutMillis(), meeting.address().words(), meeting.size(), missing()));
  }

  private String waiting() {
    refusalOfAny(); // which notes the ranks that are here
    return "rank 0 waits at %s for all %d ranks, for at most %d ms (ADRASTEA_JOIN_TIMEOUT): %s".formatted(
        meeting.address().words(), meeting.size(), meeting.timeoutMillis(), missing());
  }

  private RendezvousJob meet() throws IOException {
    while (true) {
      boolean all = countCome() + 1 >= meeting.size();
      boolean late = now() > deadline;
      if (all || late || isFaulty && now() - faultySince > LATE_MILLIS) {
        isFaulty = false; // what was wrong may have gone
        Optional<String> refusal = refusalOfAny();
        if (refusal.isPresent()) {
          throw refuse(refusal.get());
        }
        if (all) {
          return begin();
        }
        if (late) {
          throw refuseLate();
        }
      }
      notice.look(this::waiting);
      try {
        waitAndRead();
      } catch (IOException e) {
        throw refuse(shortage(meeting, e));
      }
    }
  }

  /** Where ranks are on several nodes their connections are kept, and are closed by what goes on with them. */
  private RendezvousJob begin() throws IOException {
    Hello[] hellos = new Hello[meeting.size()];
    hellos[0] = new Hello(RendezvousLine.VERSION, 0, meeting.size(), meeting.node(), meeting.links(), meeting.job());
    SocketChannel[] channels = new SocketChannel[meeting.size()];
    for (Connection connection : connections) {
      if (connection.hasCome()) {
        Hello hello = RendezvousLine.readHello(connection.line()).orElseThrow();
        hellos[hello.rank()] = hello;
        channels[hello.rank()] = connection.channel;
      }
    }
    List<String> identities = Stream.of(hellos).map(Hello::node).distinct().toList();
    Nodes nodes = Nodes.of(Stream.of(hellos).mapToInt(hello -> identities.indexOf(hello.node())).toArray());
    if (nodes.count() > 1) {
      requireLinks(nodes, hellos);
    }
    long job = meeting.job().isEmpty() ? Variables.drawJobNumber() : Long.parseUnsignedLong(meeting.job(), 16);
    sendToAll(RendezvousLine.writeJob(job, nodes));
    if (nodes.count() == 1) {
      return new RendezvousJob(job, nodes, null);
    }
    for (SocketChannel channel : channels) {
      if (channel != null) {
        channel.keyFor(selector).cancel();
      }
    }
    connections.removeIf(Connection::hasCome);
    selector.selectNow(); // from now on the channels are registered nowhere
    return new RendezvousJob(job, nodes, new RendezvousCards(meeting, channels, deadline, clock));
  }

  private void requireLinks(Nodes nodes, Hello... hellos) throws IOException {
    for (Hello hello : hellos) {
      if (hello.links().isEmpty()) {
        throw refuse(
            ("rank %d has no links to other nodes, as a C rank has none, and the ranks of this job are on %d nodes; "
                + "put a jar with links on its class path (adrastea.links), or start all ranks on one node")
                .formatted(hello.rank(), nodes.count()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.channel.close();
    }
    if (listener != null) {
      listener.close();
    }
    selector.close(); // last, since it is what closes the files of its channels
  }
}
