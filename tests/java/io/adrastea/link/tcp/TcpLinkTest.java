package io.adrastea.link.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.error.JoinException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Inbound;
import io.adrastea.link.Link;
import io.adrastea.link.LinkPromises;
import io.adrastea.link.tcp.TcpAddresses.Network;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ends of links over TCP, without a job. */
@Timeout(240)
class TcpLinkTest extends LinkPromises {
  private static final long JOB = 0x1234_5678_9abc_def0L;
  private static final long MILLI = 1_000_000;
  private static final TcpSettings SETTINGS =
      new TcpSettings(1000, 1 << 16, 0, 60_000 * MILLI, 500 * MILLI, 300 * MILLI);

  private final List<TcpLink> links = new ArrayList<>();
  private final List<TcpPort> ports = new ArrayList<>();

  @BeforeEach
  void connectTwo() {
    open(SETTINGS, 2);
    connect(0, 1);
  }

  private static TcpPort port() {
    return new TcpPort(List.of(InetAddress.ofLiteral("127.0.0.1")), List.of());
  }

  private void open(TcpSettings settings, int ranks) {
    List<TcpPort> opened = Stream.generate(TcpLinkTest::port).limit(ranks).toList();
    open(settings, opened, opened.stream().map(TcpPort::card).toArray(TcpCard[]::new));
  }

  /** Opens the links of ranks that have such cards, instead of those that there are. */
  private void open(TcpSettings settings, List<TcpPort> opened, TcpCard... cards) {
    close();
    ports.addAll(opened);
    for (int rank = 0; rank < opened.size(); rank++) {
      TcpCard[] each = cards.clone();
      each[rank] = opened.get(rank).card();
      links.add(new TcpLink(JOB, rank, each, opened.get(rank), settings));
    }
  }

  private static TcpCard at(TcpCard card, InetSocketAddress... addresses) {
    return new TcpCard(card.pid(), card.key(), card.host(), List.of(addresses));
  }

  /** Two ranks, of which 0 reaches 1 through a relay. */
  private Relay relayed(TcpSettings settings) throws IOException {
    List<TcpPort> two = List.of(port(), port());
    Relay relay = new Relay(two.get(1).card().addresses().getFirst());
    open(settings, two, two.get(0).card(), at(two.get(1).card(), relay.address()));
    connect(0, 1);
    return relay;
  }

  private void connect(int from, int to) {
    while (send(links.get(from), to, 1, 8) < 0) {
      Thread.yield();
    }
    assertEquals(1, taken(links.get(to)));
  }

  @Override
  protected Link zero() {
    return links.get(0);
  }

  @Override
  protected Link one() {
    return links.get(1);
  }

  @Override
  protected void connectAgain() {
    links.removeFirst(); // it is closed
    connectTwo();
  }

  @AfterEach
  void close() {
    links.reversed().stream().map(link -> Thread.ofPlatform().start(link::close)).toList().forEach(TcpLinkTest::join);
    ports.forEach(TcpPort::close);
    links.clear();
    ports.clear();
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitEnd(Link link, int rank) throws InterruptedException {
    while (link.isPresent(rank)) {
      assertEquals(Link.AGAIN, link.poll(-1, inbound));
      Thread.sleep(1);
    }
    assertTrue(link.hasFailed(rank));
  }

  private static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void piecesOfAnyLengthComeInOrderThoughBuffersAreSmallAndFramesAreCut() throws Exception {
    Relay relay = relayed(new TcpSettings(1000, 3000, 0, 60_000 * MILLI, 500 * MILLI, 300 * MILLI));
    try {
      int pieces = 2000;
      Link zero = links.get(0);
      Thread sender = Thread.ofPlatform().start(() -> {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < pieces; i++) {
          byte[] bytes = bytes(i, random.nextInt(1001));
          Thread.currentThread().interrupt(); // which closes no socket, nor stops anything
          while (zero.trySend(1, 1 + i % 3, i, 5000, MemorySegment.ofArray(bytes), 0, bytes.length) < 0) {
            Thread.yield();
          }
        }
      });
      SplittableRandom random = new SplittableRandom(1);
      for (int i = 0; i < pieces; i++) {
        awaitPiece(one());
        byte[] expected = bytes(i, random.nextInt(1001));
        assertEquals(1 + i % 3, inbound.kind());
        assertEquals(i, inbound.match());
        assertEquals(5000, inbound.totalLength());
        byte[] came = new byte[inbound.length()];
        assertEquals(0, one().take(MemorySegment.ofArray(came), 0, came.length));
        assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(came));
      }
      sender.join();
    } finally {
      relay.close();
    }
  }

  @Test
  void bothCallEachOtherAtOnce() throws Exception {
    for (int round = 0; round < 20; round++) {
      open(SETTINGS, 2);
      Thread other = Thread.ofPlatform().start(() -> connect(one(), 0, zero()));
      connect(zero(), 1, one());
      other.join();
      assertEquals(10, taken(one()));
      assertEquals(11, taken(zero()));
    }
  }

  private static void connect(Link from, int to, Link other) {
    while (send(from, to, 11 - to, 8) < 0) {
      Thread.yield();
    }
  }

  /** A rank that computes behind its first send moves nothing on by itself. */
  @Test
  void whatIsSentBeforeThereIsAConnectionGoesOutWithIt() {
    open(SETTINGS, 2);
    assertEquals(8, send(zero(), 1, 3, 8));
    assertEquals(3, taken(one()));
  }

  @Test
  void eachOfManyReachesEachOther() {
    int ranks = 7; // more connections than are read in turn
    open(SETTINGS, ranks);
    for (int from = 0; from < ranks; from++) {
      for (int to = 0; to < ranks; to++) {
        while (send(links.get(from), to, 10 * from + to, 8) < 0) {
          Thread.yield();
        }
      }
    }
    for (int to = 0; to < ranks; to++) {
      boolean[] heard = new boolean[ranks];
      for (int i = 0; i < ranks; i++) {
        long value = taken(links.get(to));
        assertEquals(to, value % 10);
        assertFalse(heard[(int) value / 10]);
        heard[(int) value / 10] = true;
      }
    }
  }

  @Test
  void strangersAreCutAndCostNobodyAnything() throws Exception {
    InetSocketAddress address = ports.get(1).card().addresses().getFirst();
    byte[] hello = Greeting.hello(JOB, 0, 1, new byte[Greeting.NONCE_BYTES]);
    byte[] unproven = new byte[Greeting.HELLO_BYTES];
    System.arraycopy(hello, 0, unproven, 0, hello.length);
    for (byte[] said : new byte[][] {{}, {1}, "GET / HTTP/1.1\r\n\r\n".getBytes(), bytes(3, 5000), hello}) {
      try (Socket stranger = new Socket(address.getAddress(), address.getPort())) {
        stranger.getOutputStream().write(said);
        assertEquals(-1, endOf(stranger), "it is told nothing, and cut");
      }
    }
    try (Socket stranger = new Socket(address.getAddress(), address.getPort())) {
      stranger.getOutputStream().write(unproven);
      byte[] nothing = ByteBuffer.allocate(Greeting.ANSWER_BYTES).putLong(Greeting.name()).array();
      assertArrayEquals(nothing, stranger.getInputStream().readAllBytes());
    }
    assertEquals(8, send(zero(), 1, 5, 8));
    assertEquals(5, taken(one()));
    assertTrue(one().isPresent(0));
  }

  /** What comes last of a socket: -1, or what was said before. */
  private static int endOf(Socket socket) {
    try {
      return socket.getInputStream().read();
    } catch (IOException e) {
      return -1; // it was reset
    }
  }

  @Test
  void anotherVersionIsToldByItsNumber() throws Exception {
    long name = Greeting.name() + 1;
    InetSocketAddress address = ports.get(1).card().addresses().getFirst();
    try (Socket other = new Socket(address.getAddress(), address.getPort())) {
      other.getOutputStream().write(ByteBuffer.allocate(8).putLong(name).array());
      assertEquals(Greeting.name(), ByteBuffer.wrap(other.getInputStream().readNBytes(8)).getLong());
    }
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      List<TcpPort> one = List.of(port());
      open(SETTINGS, one, one.get(0).card(),
          at(one.get(0).card(), (InetSocketAddress) listener.getLocalSocketAddress()));
      Link zero = links.get(0);
      assertTrue(zero.isPresent(1));
      try (Socket called = listener.accept()) {
        called.getOutputStream().write(ByteBuffer.allocate(8).putLong(name).array());
        awaitEnd(zero, 1);
      }
      assertEquals("it speaks version 2 of tcp between ranks, and this rank version 1; all ranks of a job need the "
          + "same version of Adrastea", zero.reason(1));
    }
  }

  /** A proven hello of a rank that is connected: it is cut, and takes nothing from the one that was there. */
  @Test
  void aRankThatConnectsTwiceIsOneRank() throws Exception {
    InetSocketAddress address = ports.get(1).card().addresses().getFirst();
    byte[] hello = Greeting.hello(JOB, 0, 1, new byte[Greeting.NONCE_BYTES]);
    Greeting greeting = new Greeting(ports.get(0).card().key(), ports.get(1).card().key(), hello);
    for (int round = 0; round < 3; round++) {
      try (Socket again = new Socket(address.getAddress(), address.getPort())) {
        again.getOutputStream().write(hello);
        again.getOutputStream().write(greeting.code(Greeting.Step.HELLO));
        assertEquals(-1, endOf(again));
      }
      assertEquals(8, send(zero(), 1, round, 8));
      assertEquals(round, taken(one()));
      assertEquals(8, send(one(), 0, round, 8));
      assertEquals(round, taken(zero()));
    }
  }

  @Test
  void anAddressThatLeadsNowhereIsPassedOverAndNamedWhereThereIsNoOther() throws Exception {
    TcpPort gone = port();
    gone.close();
    List<TcpPort> two = List.of(port(), port());
    open(SETTINGS, two, two.get(0).card(),
        at(two.get(1).card(), gone.card().addresses().getFirst(), two.get(1).card().addresses().getFirst()));
    connect(0, 1);
    List<TcpPort> one = List.of(port());
    TcpCard away = at(one.get(0).card(), new InetSocketAddress(InetAddress.ofLiteral("240.0.0.1"), 9));
    open(new TcpSettings(1000, 1 << 16, 0, 300 * MILLI, 100 * MILLI, 100 * MILLI), one, one.get(0).card(), away);
    assertEquals(8, send(zero(), 1, 1, 8));
    awaitEnd(zero(), 1);
    String words = "nobody answers for it on host %s (240.0.0.1:9: ".formatted(away.host());
    assertTrue(zero().reason(1).startsWith(words), zero().reason(1));
  }

  @Test
  void ranksReachEachOtherOverIpv6() throws Exception {
    List<InetAddress> six = List.of(InetAddress.ofLiteral("::1"));
    assumeTrue(TcpAddresses.ofHost().stream().map(Network::address).anyMatch(six.getFirst()::equals),
        "this machine has no ::1");
    List<TcpPort> two = List.of(new TcpPort(six, List.of()), new TcpPort(six, List.of()));
    open(SETTINGS, two, two.stream().map(TcpPort::card).map(card -> TcpCard.read(0, card.words()))
        .toArray(TcpCard[]::new));
    connect(0, 1);
    assertEquals(8, send(one(), 0, 7, 8));
    assertEquals(7, taken(zero()));
    assertEquals("tcp from 0:0:0:0:0:0:0:1", zero().describe());
  }

  /** It is told so by what answers there, and does not try until it has lost its patience. */
  @Test
  void aRankWithAnotherKeyOrThatHasEndedIsNobody() throws Exception {
    TcpPort gone = port();
    gone.close();
    List<TcpPort> two = List.of(port(), port());
    TcpCard strange = at(gone.card(), two.get(1).card().addresses().getFirst());
    open(SETTINGS, two, two.get(0).card(), strange);
    long begun = System.nanoTime();
    assertTrue(zero().isPresent(1));
    awaitEnd(zero(), 1);
    assertTrue(System.nanoTime() - begun < SETTINGS.timeoutNanos(), "it tries no more");
    String said = zero().reason(1);
    assertTrue(said.startsWith("nobody answers for it on host " + gone.card().host() + " (127.0.0.1:"), said);
    assertTrue(said.endsWith(": what answers there is another program, or a rank of another job)"), said);
    List<TcpPort> one = List.of(port());
    open(SETTINGS, one, one.get(0).card(), gone.card());
    assertEquals(8, send(zero(), 1, 1, 8), "before it is known");
    awaitEnd(zero(), 1);
    assertTrue(zero().reason(1).endsWith(": Connection refused)"), zero().reason(1));
    assertEquals(0, zero().repair());
    assertEquals(Link.GONE, send(zero(), 1, 1, 8));
  }

  @Test
  void anEndWithoutAWordIsAFailureAndWhatCameBeforeStays() throws Exception {
    try (Relay relay = relayed(SETTINGS)) {
      assertEquals(8, send(zero(), 1, 7, 8));
      awaitPiece(one());
      relay.cut();
      while (one().isPresent(0) || zero().isPresent(1)) {
        zero().poll(-1, new Inbound());
        Thread.sleep(1);
      }
      assertEquals(Link.AGAIN, one().repair(), "the piece is still there");
      assertEquals(7, taken(one()));
      assertEquals(0, one().repair());
      assertEquals(Link.GONE, send(one(), 0, 8, 8));
      String words = "its process on host %s has ended without a word (".formatted(ports.get(0).card().host());
      assertTrue(one().reason(0).startsWith(words), one().reason(0));
      assertTrue(one().hasFailed(0));
    }
  }

  /** Whom a rank never talked to it calls now and then while it waits, one by one, and finds out who has died. */
  @Test
  void allThatHaveGoneAreListedOnceThoughNobodyAskedForThem() throws Exception {
    List<TcpPort> three = List.of(port(), port(), port());
    TcpPort gone = port();
    gone.close();
    open(SETTINGS, three, Stream.concat(three.stream(), Stream.of(gone)).map(TcpPort::card).toArray(TcpCard[]::new));
    assertEquals(Link.AGAIN, zero().departed(0));
    connect(0, 1);
    links.remove(1).close();
    List<Integer> departed = new ArrayList<>();
    while (departed.size() < 2) {
      int rank = zero().departed(departed.size());
      if (rank >= 0) {
        assertFalse(zero().isPresent(rank));
        departed.add(rank);
      }
      zero().poll(-1, inbound);
    }
    assertEquals(List.of(1, 3), departed.stream().sorted().toList());
    assertEquals(departed.get(1), zero().departed(1));
    assertEquals(Link.AGAIN, zero().departed(2));
    assertTrue(zero().isPresent(2));
  }

  @Test
  void silenceIsAFailureAfterAWhile() throws Exception {
    TcpSettings settings = new TcpSettings(1000, 1 << 16, 0, 1000 * MILLI, 100 * MILLI, 300 * MILLI);
    try (Relay relay = relayed(settings)) {
      Thread.sleep(1500); // both say now and then that they are there
      assertTrue(zero().isPresent(1));
      assertTrue(one().isPresent(0));
      relay.beSilent();
      Bell bell = new Bell();
      zero().watch(bell);
      bell.rings.acquire();
      zero().endWatch();
      awaitEnd(zero(), 1);
      String words = "no word from host %s for 1 s (adrastea.tcp.timeout)".formatted(ports.get(1).card().host());
      assertEquals(words, zero().reason(1));
      awaitEnd(one(), 0);
    }
  }

  @Test
  void framesThatNoRankSendsAreTheEndOfTheirRank() throws Exception {
    try (Relay relay = relayed(SETTINGS)) {
      assertEquals(8, send(zero(), 1, 7, 8));
      awaitPiece(one());
      relay.spoil();
      assertEquals(8, send(zero(), 1, 8, 8));
      while (one().isPresent(0)) {
        Thread.sleep(1); // its thread reads for a rank that does not
      }
      assertTrue(one().reason(0).contains("has sent what no rank sends (kind 1431655764, "), one().reason(0));
      assertEquals(7, taken(one()));
      assertEquals(Link.AGAIN, one().poll(-1, inbound));
      assertEquals(8, send(one(), 1, 2, 8), "to itself");
    }
  }

  @Test
  void theLastWordTellsAFailureFromALeave() throws Exception {
    zero().failing("");
    zero().failing("no license");
    links.removeFirst().close();
    Link one = links.getFirst();
    awaitEnd(one, 0);
    assertEquals("no license", one.reason(0));
    open(SETTINGS, 3);
    connect(0, 1);
    links.removeFirst().close();
    for (Link other : links) { // also one that it never talked to
      while (other.isPresent(0)) {
        Thread.sleep(1);
      }
      assertFalse(other.hasFailed(0));
    }
  }

  @Test
  void aRankThatIsCalledWhileItLeavesHasLeft() throws Exception {
    for (int round = 0; round < 20; round++) {
      open(SETTINGS, 2);
      Link zero = links.removeFirst();
      Thread leaving = Thread.ofPlatform().start(zero::close);
      Link one = links.getFirst();
      while (one.isPresent(0)) {
        Thread.yield();
      }
      leaving.join();
      assertFalse(one.hasFailed(0), one.reason(0));
    }
  }

  private interface Part {
    void run() throws Exception;
  }

  /** What a class tells the log meanwhile. */
  private static List<String> logged(Class<?> by, Part part) throws Exception {
    List<String> said = Collections.synchronizedList(new ArrayList<>());
    Handler handler = new StreamHandler() {
      @Override
      public void publish(LogRecord entry) {
        said.add(entry.getMessage());
      }
    };
    Logger logger = Logger.getLogger(by.getName());
    logger.addHandler(handler);
    try {
      part.run();
    } finally {
      logger.removeHandler(handler);
    }
    return said;
  }

  /** Once it may again all goes on: what was sent is not lost. */
  @Test
  void aRankThatMayOpenNoMoreFilesSaysSoAndConnectsWhenItMay() throws Exception {
    TcpPort gone = port();
    gone.close();
    List<TcpPort> first = List.of(port());
    open(SETTINGS, first, first.get(0).card(), gone.card());
    assertEquals(8, send(zero(), 1, 1, 8));
    awaitEnd(zero(), 1); // all classes that a failed connection needs are there now
    open(SETTINGS, 2);
    String pid = Long.toString(ProcessHandle.current().pid());
    Process limit = new ProcessBuilder("sh", "-c", """
        old=$(prlimit --pid %1$s --nofile --noheadings --output SOFT) && prlimit --pid %1$s --nofile=8: &&
        echo && read end && prlimit --pid %1$s --nofile=$old:""".formatted(pid)).start();
    List<String> said;
    try (SocketChannel caller = SocketChannel.open()) {
      said = logged(TcpThread.class, () -> {
        assertEquals('\n', limit.getInputStream().read());
        try {
          assertEquals(8, send(zero(), 1, 3, 8));
          caller.connect(ports.get(1).card().addresses().getFirst());
          Thread.sleep(300);
          assertEquals(Link.AGAIN, one().poll(-1, inbound));
        } finally {
          limit.outputWriter().append('\n').flush();
          limit.waitFor();
        }
      });
      assertEquals(3, taken(one()));
    }
    assertTrue(said.getFirst().matches("rank 1 cannot take in a rank that connects by tcp: .*; raise ulimit -n"),
        said::toString);
  }

  /** A rank that computes reads no more than its buffers take: the other does not wait for it for ever. */
  @Test
  void aRankLeavesThoughAnotherReadsNothing() throws Exception {
    for (int refused = 0; refused < 10_000; refused++) {
      if (send(zero(), 1, refused, 1000) >= 0) {
        refused = 0;
      }
    }
    List<String> said = logged(TcpLink.class, () -> links.removeFirst().close());
    assertTrue(said.getFirst().startsWith("rank 0 ends, and rank 1 on host "), said::toString);
    assertTrue(said.getFirst().matches(".* has not acknowledged the last [0-9]+ bytes that were sent to it by tcp: it "
        + "has not read them within 0 s .*"), said::toString);
    Link one = links.getFirst();
    while (one.isPresent(0)) {
      if (one.poll(-1, inbound) == Link.PIECE) {
        one.release();
      }
    }
  }

  @Test
  void piecesThatAreRetainedStayWhateverComes() {
    int kept = 200;
    List<MemorySegment> pieces = new ArrayList<>();
    List<Long> places = new ArrayList<>();
    for (int i = 0; i < kept; i++) {
      assertTrue(send(zero(), 1, i, 1000) >= 0);
      awaitPiece(one());
      pieces.add(inbound.memory().asSlice(inbound.payload(), 1000));
      places.add(inbound.place());
      assertEquals(0, one().retain());
    }
    assertTrue(places.stream().distinct().count() > 2, "in several buffers");
    for (int i = 0; i < kept; i++) {
      assertEquals(i, pieces.get(i).get(ValueLayout.JAVA_LONG, 0));
      assertEquals(0, one().releaseRetained(0, places.get(i)));
    }
    int retained = 0;
    while (true) {
      assertTrue(send(zero(), 1, retained, 1000) >= 0);
      awaitPiece(one());
      if (one().retain() == Link.AGAIN) {
        break;
      }
      retained++;
    }
    assertTrue(retained >= (InBuffers.MOST_HELD - 1) * 60, "most that are retained: " + retained);
    assertEquals(retained, taken(one()));
  }

  @Test
  void aRankSpeaksToItself() {
    assertEquals(8, send(zero(), 0, 3, 8));
    assertEquals(3, taken(zero()));
    assertEquals(CellDescriptor.KIND_FIRST, inbound.kind());
  }

  @Test
  void addressesAreChosenByTheSetting() {
    List<Network> host = Stream.of("127.0.0.1/8", "10.1.2.3/16", "192.168.7.1/24", "fd00::1/64").map(Network::read)
        .toList();
    assertEquals("[/10.1.2.3, /192.168.7.1, /fd00:0:0:0:0:0:0:1]", TcpAddresses.chosen("auto", host).toString());
    assertEquals("[/127.0.0.1]", TcpAddresses.chosen("auto", host.subList(0, 1)).toString());
    assertEquals("[/192.168.7.1, /fd00:0:0:0:0:0:0:1]",
        TcpAddresses.chosen("192.168.0.0/16,fd00::/8,10.9.9.9", host).toString());
    assertEquals("[/127.0.0.3]", TcpAddresses.chosen("127.0.0.3", host).toString());
    String said = assertThrows(JoinException.class, () -> TcpAddresses.chosen("10.2.0.0/16", host)).getMessage();
    assertTrue(said.startsWith("adrastea.tcp.addresses is '10.2.0.0/16', and this host has none of these; it has "
        + "127.0.0.1, 10.1.2.3, "), said);
    said = assertThrows(JoinException.class, () -> TcpAddresses.chosen("10.2.0.0/33", host)).getMessage();
    assertTrue(said.startsWith("adrastea.tcp.addresses has '10.2.0.0/33'; allowed are IP addresses"), said);
    TcpCard other = TcpCard.read(3,
        "1,7," + "0f".repeat(16) + ",b,192.168.7.1:1,172.16.0.9:2,10.1.9.9:3,[fd00::1]:4");
    assertEquals("10.1.9.9:3 172.16.0.9:2 192.168.7.1:1 [fd00:0:0:0:0:0:0:1]:4",
        TcpCard.list(TcpAddresses.inOrder(other, "a", host), " "));
    assertEquals(other.words(), TcpCard.read(3, other.words()).words());
  }

  @Test
  void aCardOfAnotherVersionOrWithoutSenseIsRefused() {
    String said = assertThrows(JoinException.class, () -> TcpCard.read(3, "2,what,ever")).getMessage();
    assertTrue(said.startsWith("rank 3 tells '2,what,ever' of how it is reached by tcp, which version 1 of"), said);
    said = assertThrows(JoinException.class, () -> TcpCard.read(3, "1,7," + "0f".repeat(16) + ",b,1.2.3.4.5:1"))
        .getMessage();
    assertTrue(said.startsWith("rank 3 tells '1.2.3.4.5:1' for an address"), said);
  }
}
