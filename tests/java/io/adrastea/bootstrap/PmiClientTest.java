package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import io.adrastea.peers.Nodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The conversation by PMI-1 with a process manager of the test's own, which answers as it should, in halves, slowly,
 * with garbage, too long or not at all. The words are those of C ranks (tests/c/pmi_client_test.c), which are asked
 * over a descriptor too.
 */
class PmiClientTest {
  private static final int FUZZ_INPUTS = 200;
  private static final int SEED = 17;
  private static final int CONNECTIONS = 5; // more than a listener's queue of one place holds
  private static final String GET = "get kvsname=kvs_17_0 key=adrastea\n";
  private static final String GET_APART = "get kvsname=kvs_17_0 key=adrastea-apart\n";
  private static final String CLOSE = "close";
  private static final String CARD = "0123456789abcdef,";

  @BeforeEach
  void useSharedMemoryAlone() {
    System.setProperty(Tunable.LINKS.property(), "shm");
  }

  @AfterEach
  void forgetSettings() {
    System.clearProperty(Tunable.JOIN_TIMEOUT.property());
    System.clearProperty(Tunable.LINKS.property());
  }

  /**
   * How a manager answers.
   *
   * @param to the start of the command that is answered otherwise
   * @param answer what it gets; empty: nothing, {@link #CLOSE}: the manager closes
   * @param piece bytes that are sent at a time
   */
  private record Manner(String to, String answer, int piece) {
    static final Manner PROPER = new Manner("-", "", Integer.MAX_VALUE);
  }

  /** A manager for one rank, on the loopback address. */
  private static final class Manager implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final AtomicReference<String> put = new AtomicReference<>("");
    private final Map<String, String> values = new ConcurrentHashMap<>(); // of other keys than that of rank 0
    private final Manner manner;
    private final int rank;
    private final Thread thread = new Thread(this::serve, "manager");

    Manager(Manner manner, int rank) throws IOException {
      this.manner = manner;
      this.rank = rank;
      thread.start();
    }

    Map<String, String> variables() {
      return Map.of("PMI_PORT", "127.0.0.1:" + listener.getLocalPort(), "PMI_ID", String.valueOf(rank));
    }

    private void serve() {
      try (Socket socket = listener.accept();
          BufferedReader lines =
              new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          boolean otherwise = (line + "\n").startsWith("cmd=" + manner.to);
          if (otherwise && manner.answer.equals(CLOSE)) {
            return;
          }
          send(socket.getOutputStream(), otherwise ? manner.answer : proper(line));
        }
      } catch (IOException e) {
        // The rank has gone.
      }
    }

    private void send(OutputStream out, String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
      for (int done = 0; done < bytes.length; done += Math.min(manner.piece, bytes.length - done)) {
        out.write(bytes, done, Math.min(manner.piece, bytes.length - done));
        out.flush();
      }
    }

    private String proper(String line) {
      if (line.startsWith("cmd=put kvsname=kvs_17_0 key=adrastea-")) {
        values.put(line.substring(line.indexOf("key=") + 4, line.indexOf(" value=")),
            line.substring(line.indexOf("value=") + 6));
        return "cmd=put_result rc=0 msg=success\n";
      }
      if (line.startsWith("cmd=get kvsname=kvs_17_0 key=adrastea-")) {
        String key = line.substring(line.indexOf("key=") + 4);
        return values.containsKey(key)
            ? "cmd=get_result rc=0 msg=success value=" + values.get(key) + "\n"
            : "cmd=get_result rc=-1 msg=key_" + key + "_not_found value=unknown\n";
      }
      if (line.startsWith("cmd=put kvsname=kvs_17_0 key=adrastea value=")) {
        put.set(line.substring(line.indexOf("value=") + 6));
        return "cmd=put_result rc=0 msg=success\n";
      }
      return switch (line) {
        case "cmd=initack pmiid=0", "cmd=initack pmiid=1" ->
          "cmd=initack\ncmd=set size=3\ncmd=set rank=" + rank + "\ncmd=set debug=0\n";
        case "cmd=init pmi_version=1 pmi_subversion=1" ->
          "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n";
        case "cmd=get_my_kvsname" -> "cmd=my_kvsname kvsname=kvs_17_0\n";
        case "cmd=barrier_in" -> "cmd=barrier_out\n";
        case "cmd=get kvsname=kvs_17_0 key=adrastea" ->
          "cmd=get_result rc=0 msg=success value=" + CARD + NodeIdentity.here() + "\n";
        case "cmd=finalize" -> "cmd=finalize_ack\n";
        default -> "cmd=unknown\n";
      };
    }

    @Override
    public void close() throws IOException {
      listener.close();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static Membership membership(Map<String, String> variables) {
    Bootstraps.Found found = Bootstraps.choose("auto", variables).orElseThrow();
    assertEquals("pmi", found.by().name());
    return found.by().membership(found.claim(), variables);
  }

  private static Membership ask(Manner manner, int rank) throws Exception {
    try (Manager manager = new Manager(manner, rank)) {
      return membership(manager.variables());
    }
  }

  private static void assertRefused(String words, String to, String answer) {
    Throwable refusal =
        assertThrows(JoinException.class, () -> ask(new Manner(to, answer, Integer.MAX_VALUE), 0));
    assertTrue(refusal.getMessage().startsWith("PMI_PORT=127.0.0.1:"), refusal::getMessage);
    assertEquals(words, refusal.getMessage().replaceFirst(".*, the way to mpiexec: ", ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aManagerTellsTheJob(int rank) throws Exception {
    try (Manager manager = new Manager(Manner.PROPER, rank)) {
      Membership membership = membership(manager.variables());
      assertEquals(0x0123456789abcdefL, membership.job());
      assertEquals(rank, membership.rank());
      assertEquals(3, membership.size());
      assertFalse(membership.ours());
      assertTrue(manager.put.get().matches(rank == 0 ? "[0-9a-f]{16}," + NodeIdentity.here() : ""), manager.put::get);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 31})
  void answersMayComeInPieces(int piece) throws Exception {
    assertEquals(3, ask(new Manner("-", "", piece), 1).size());
  }

  @Test
  void aWrongAnswerIsRefusedByName() {
    assertRefused(
        "it does not speak version 1 of PMI; the answer is 'cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1'",
        "init ", "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1\n");
    assertRefused("there is no kvsname; the answer is 'cmd=my_kvsname'", "get_my_kvsname", "cmd=my_kvsname\n");
    assertRefused("cmd=barrier_out was expected; the answer is 'HTTP/1.1 400 Bad Request?'", "barrier_in",
        "HTTP/1.1 400 Bad Request\r\n");
    assertRefused("cmd=put_result was expected; the answer is ''", "put ", "\n");
    assertRefused(
        "rank 0 has not put the number of its job; are all ranks of one version?; the answer is 'cmd=get_result rc=-1 "
            + "msg=key_adrastea_not_found value=unknown'",
        GET, "cmd=get_result rc=-1 msg=key_adrastea_not_found value=unknown\n");
    assertRefused("a line has no end; the answer is '" + "x".repeat(95) + "'", "init ", "x".repeat(2048));
    assertRefused(
        "it tells no rank and size; allowed are a size from 1 to 1024 and a rank below it; the answer is 'cmd=set "
            + "debug=0'",
        "initack", "cmd=initack\ncmd=set size=1\ncmd=set rank=1\ncmd=set debug=0\n");
    assertRefused("whole numbers are allowed; the answer is 'cmd=set size=-1'", "initack",
        "cmd=initack\ncmd=set size=-1\n");
  }

  @Test
  void aManagerThatIsGoneOrLateIsRefused() {
    assertRefused(
        "it is closed; a program that mpiexec has started can join once, and a process that a rank has started needs "
            + "ADRASTEA_BOOTSTRAP=none",
        "barrier_in", CLOSE);
    System.setProperty(Tunable.JOIN_TIMEOUT.property(), "50");
    assertRefused("it is not answered in time (adrastea.join.timeout)", "barrier_in", "");
  }

  /** Nobody accepts the connections that fill the listener's queue, so that it leaves one more unanswered. */
  @Test
  void aManagerThatIsNotReachedInTimeIsRefused() throws IOException {
    List<SocketChannel> filling = new ArrayList<>();
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < CONNECTIONS; i++) {
        filling.add(SocketChannel.open());
        filling.getLast().configureBlocking(false);
        filling.getLast().connect(listener.getLocalSocketAddress());
      }
      System.setProperty(Tunable.JOIN_TIMEOUT.property(), "30");
      String way = "127.0.0.1:" + listener.getLocalPort();
      assertEquals(
          "PMI_PORT=" + way + ": mpiexec does not answer there: it was not reached in time (adrastea.join.timeout)",
          assertThrows(JoinException.class, () -> membership(Map.of("PMI_PORT", way, "PMI_ID", "0"))).getMessage());
    } finally {
      for (SocketChannel each : filling) {
        each.close();
      }
    }
  }

  @Test
  void ranksWithLinksGoOnToTheirNodesAndCards() throws Exception {
    System.setProperty(Tunable.LINKS.property(), "pipes");
    Manner manner = new Manner(GET, "cmd=get_result rc=0 value=" + CARD + "elsewhere:1:2\n", Integer.MAX_VALUE);
    try (Manager manager = new Manager(manner, 1)) {
      for (int other = 0; other < 3; other += 2) {
        manager.values.put("adrastea-node-" + other, "0123456789abcdef,elsewhere:1:2");
        manager.values.put("adrastea-card-" + other, "card=" + other);
      }
      Membership membership = membership(manager.variables());
      assertEquals(0x0123456789abcdefL, membership.job());
      assertEquals(Nodes.of(0, 1, 0), membership.nodes());
      assertEquals("1," + NodeIdentity.here(), manager.values.get("adrastea-far"));
      try (CardExchange cards = membership.cards()) {
        assertEquals(List.of("card=0", "own", "card=2"), cards.exchange("own"));
      }
    }
  }

  @Test
  void aRankOfAnotherVersionIsNamed() throws Exception {
    System.setProperty(Tunable.LINKS.property(), "pipes");
    Manner manner = new Manner(GET, "cmd=get_result rc=0 value=" + CARD + "elsewhere:1:2\n", Integer.MAX_VALUE);
    try (Manager manager = new Manager(manner, 1)) {
      manager.values.put("adrastea-node-0", "elsewhere:1:2");
      assertEquals("rank 2 has put nothing under adrastea-node-2; are all ranks of one version?",
          assertThrows(JoinException.class, () -> membership(manager.variables())).getMessage());
    }
    try (Manager manager = new Manager(manner, 1)) {
      manager.values.put("adrastea-node-0", "elsewhere:1:2");
      manager.values.put("adrastea-node-2", "elsewhere:1:2");
      assertEquals(
          "rank 0 has put 'elsewhere:1:2' where the number of the job and its node were to be; are all ranks of "
              + "one version?",
          assertThrows(JoinException.class, () -> membership(manager.variables())).getMessage());
    }
  }

  @Test
  void aRankWithoutLinksIsToldOfOneOnAnotherNodeThatHasThem() throws Exception {
    try (Manager manager = new Manager(Manner.PROPER, 0)) {
      manager.values.put("adrastea-far", "2,elsewhere:1:2");
      assertEquals(NodeIdentity.apart(2, "elsewhere:1:2", NodeIdentity.here()),
          assertThrows(JoinException.class, () -> membership(manager.variables())).getMessage());
    }
  }

  @Test
  void anotherNodeIsRefused() {
    Throwable refusal = assertThrows(JoinException.class, () -> ask(
        new Manner(GET, "cmd=get_result rc=0 value=" + CARD + "elsewhere:1:2\n", Integer.MAX_VALUE), 1));
    assertEquals(NodeIdentity.apart(1, NodeIdentity.here(), "elsewhere:1:2"), refusal.getMessage());
    refusal = assertThrows(JoinException.class, () -> ask(
        new Manner(GET_APART, "cmd=get_result rc=0 value=1,elsewhere:1:2\n", Integer.MAX_VALUE), 0));
    assertEquals(NodeIdentity.apart(1, "elsewhere:1:2", NodeIdentity.here()), refusal.getMessage());
    assertRefused("no rank and node are in it; are all ranks of one version?; the answer is 'cmd=get_result rc=0 "
        + "value=elsewhere:1:2'", GET_APART, "cmd=get_result rc=0 value=elsewhere:1:2\n");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      PMI_FD=x                      | PMI_FD is 'x'; allowed is the number of an open descriptor
      PMI_FD=4                      | PMI_FD=4 needs PMI_RANK and PMI_SIZE too; missing: PMI_RANK (start the program \
      by its launcher, or set ADRASTEA_BOOTSTRAP)
      PMI_PORT=localhost PMI_ID=0   | PMI_PORT is 'localhost'; allowed is host:port, as mpiexec -pmi-port sets it
      PMI_PORT=127.0.0.1:1 PMI_ID=0 | PMI_PORT=127.0.0.1:1: mpiexec does not answer there: Connection refused
      PMI_PORT=127.0.0.1:1 PMI_ID=-1| PMI_PORT=127.0.0.1:1 needs PMI_ID too, which is '-1'; allowed is a whole number \
      from 0 to 1023
      PMI_FD=987654 PMI_RANK=0 PMI_SIZE=1 | PMI_FD=987654, the way to mpiexec: there is no such descriptor; a wrapper \
      may have closed it, and a process that a rank has started needs ADRASTEA_BOOTSTRAP=none
      PMI_PORT=127.0.0.1:1 PMI_ID=2 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=4 | two launchers disagree about this \
      process: rank 1 of 4 by slurm (SLURM_STEP_ID=0, SLURM_PROCID=1, SLURM_NTASKS=4), rank 2 by pmi \
      (PMI_PORT=127.0.0.1:1, PMI_ID=2); choose one by adrastea.bootstrap=slurm or pmi""")
  void wrongVariablesAreRefused(String words, String refusal) {
    Map<String, String> variables = new HashMap<>();
    for (String word : words.split(" ")) {
      variables.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    assertEquals(refusal, assertThrows(JoinException.class, () -> membership(variables)).getMessage());
  }

  @Test
  void coreJavaCannotReadADescriptor() {
    System.setProperty(Tunable.CORE.property(), "java");
    try {
      assertEquals(
          "PMI_FD=4, the way to mpiexec: the core of this rank, java, can read no inherited descriptor; start the "
              + "program by mpiexec -pmi-port, or let adrastea.core be auto, ffm, jni or jna",
          assertThrows(JoinException.class,
              () -> membership(Map.of("PMI_FD", "4", "PMI_RANK", "0", "PMI_SIZE", "1"))).getMessage());
    } finally {
      System.clearProperty(Tunable.CORE.property());
    }
  }

  /** Whatever a manager answers, a rank joins or says why it does not. */
  @Test
  void noAnswerBreaksARank() throws Exception {
    String letters = "cmd=rc0 \n\r=value=kvsname,\u0001\u00ff0123456789abcdef";
    String[] commands = {"init ", "get_my_kvsname", "put ", "barrier_in", GET, GET_APART, "finalize", "initack"};
    Random random = new Random(SEED);
    System.setProperty(Tunable.JOIN_TIMEOUT.property(), "20");
    for (int i = 0; i < FUZZ_INPUTS; i++) {
      StringBuilder answer = new StringBuilder();
      for (int at = random.nextInt(62); at > 0; at--) {
        answer.append(letters.charAt(random.nextInt(letters.length())));
      }
      Manner manner = new Manner(commands[random.nextInt(commands.length)], answer.append('\n').toString(), 1 + i % 64);
      Optional<String> refusal = Optional.empty();
      try {
        ask(manner, 0);
      } catch (JoinException e) {
        refusal = Optional.of(e.getMessage());
      }
      assertTrue(refusal.isEmpty() || refusal.get().length() > 20, refusal::toString);
    }
  }
}
