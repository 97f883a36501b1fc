package io.adrastea.bootstrap;

import static io.adrastea.bootstrap.FakePeer.NODE;
import static io.adrastea.bootstrap.FakePeer.PATIENCE_MILLIS;
import static io.adrastea.bootstrap.FakePeer.come;
import static io.adrastea.bootstrap.FakePeer.hello;
import static io.adrastea.bootstrap.FakePeer.meeting;
import static io.adrastea.bootstrap.FakePeer.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rank 0 among fake ranks and strangers; the words are those of C ranks ({@code rendezvous_test.c}). */
class RendezvousServerTest {
  private static final int SEED = 7;

  private final int port = FreePort.find();
  private final AtomicLong ahead = new AtomicLong();
  private final LongSupplier clock = () -> System.nanoTime() + ahead.get();

  private CompletableFuture<Long> serve(int size) {
    return FakePeer.start(RendezvousServer::serve, meeting(port, 0, size, PATIENCE_MILLIS));
  }

  /** Lets rank 0 meet the others by a clock that {@link #pass} puts forward. */
  private CompletableFuture<Long> serveByClock(int size) {
    return FakePeer.start(meeting -> RendezvousServer.serve(meeting, clock), meeting(port, 0, size, PATIENCE_MILLIS));
  }

  private void pass(int millis) {
    ahead.addAndGet(millis * 1_000_000L);
  }

  private static String answer(CompletableFuture<Long> job) {
    return "job %016x\n".formatted(job.join());
  }

  /** The other rank of two comes, and hears of the job. */
  private void checkMeets(CompletableFuture<Long> zero) throws Exception {
    String heard = come(port, hello(1, 2)).hear();
    assertEquals(answer(zero), heard);
  }

  @Test
  void ranksMeet() {
    CompletableFuture<Long> second = FakePeer.start(RendezvousClient::ask, meeting(port, 2, 3, PATIENCE_MILLIS));
    CompletableFuture<Long> first = FakePeer.start(RendezvousClient::ask, meeting(port, 1, 3, PATIENCE_MILLIS));
    CompletableFuture<Long> zero = serve(3);
    assertEquals(zero.join(), first.join());
    assertEquals(zero.join(), second.join());
  }

  @Test
  void eachMeetingHasANumberOfItsOwn() throws Exception {
    CompletableFuture<Long> first = serve(2);
    checkMeets(first);
    CompletableFuture<Long> second = serve(2); // on the port of the first, at once
    checkMeets(second);
    assertNotEquals(first.join(), second.join());
  }

  /** A launcher tells its number to the ranks alone. */
  @Test
  void ofAJobThatHasANumberOnlyThoseThatKnowItCount() throws Exception {
    String job = "00112233aabbccdd";
    CompletableFuture<Long> zero = FakePeer.start(RendezvousServer::serve,
        new RendezvousMeeting(RendezvousAddress.parse("127.0.0.1:" + port), 0, 2, PATIENCE_MILLIS, NODE, "", job));
    assertEquals("", come(port, hello(1, 2)).hear());
    assertEquals("", come(port, hello(1, 2).replace("\n", " job=ffffffffffffffff\n")).hear());
    assertEquals("job " + job + "\n", come(port, hello(1, 2).replace("\n", " job=" + job + "\n")).hear());
    assertEquals(0x00112233aabbccddL, zero.join());
  }

  @Test
  void aLineMayComeInPieces() throws Exception {
    CompletableFuture<Long> zero = serve(2);
    try (FakePeer one = come(port)) {
      for (String piece : hello(1, 2).split("(?<=\\G.{5})")) {
        one.say(piece);
        Thread.sleep(1);
      }
      String heard = one.hear();
      assertEquals(answer(zero), heard);
    }
  }

  static Stream<Arguments> misfits() {
    String version = "all ranks of a job need the same version of Adrastea";
    String two = "; each process of a job needs a rank of its own (ADRASTEA_RANK, JOB_COMPLETION_INDEX)";
    return Stream.of(
        Arguments.of(hello(1, 3), "two processes say that they are rank 1" + two),
        Arguments.of(hello(0, 3), "two processes say that they are rank 0" + two),
        Arguments.of(hello(2, 4),
            "rank 2 has ADRASTEA_SIZE=4 and rank 0 has ADRASTEA_SIZE=3; all ranks of a job need the same"),
        Arguments.of(hello(3, 3), "a process says that it is rank 3 of 3: ranks are 0 to 2"),
        Arguments.of("adrastea 2 whatever\n",
            "a rank speaks version 2 of the rendezvous and rank 0 version 1; " + version),
        Arguments.of("adrastea 1 rank=two\1\n",
            "a rank has sent a line to rank 0 that is malformed: 'adrastea 1 rank=two?'; " + version),
        Arguments.of("adrastea 1 rank=" + "7".repeat(583),
            "a rank has sent a line of more than 512 bytes to rank 0: 'adrastea 1 rank=" + "7".repeat(48) + "'"),
        Arguments.of("adrastea 1 rank=2 size=3 node=6a1c:26:3\n",
            "rank 2 shares no memory with rank 0: the one is on node 6a1c:26:3, the other on 6a1c:26:2 (start of the "
                + "kernel, device and inode of the directory of segments); start all ranks on "
                + "one host and let ADRASTEA_SHM_DIR name one directory that all of them see"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void whatDoesNotFitTogetherIsRefusedByAll(String line, String words) throws Exception {
    CompletableFuture<Long> zero = serve(3);
    try (FakePeer one = come(port, hello(1, 3)); FakePeer two = come(port, line)) {
      assertEquals("refused " + words + "\n", one.hear());
      assertEquals("refused " + words + "\n", two.hear());
    }
    assertEquals(words, refusal(zero));
  }

  /** What rank 0 says on standard error meanwhile. */
  private static String said(Callable<Void> action) throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      action.call();
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void strangersDoNotCountAndAreToldOnce() throws Exception {
    String said = said(() -> {
      CompletableFuture<Long> zero = serve(2);
      List<FakePeer> waiting = List.of(come(port), come(port, "adrastea 1 ra"));
      come(port).close();
      come(port, "adrast").close();
      assertEquals("", come(port, "GET / HTTP/1.1\r\nHost: me\r\n\r\n").hear());
      assertEquals("", come(port, "\u0016\3\1").hear());
      checkMeets(zero);
      for (FakePeer each : waiting) {
        each.close();
      }
      return null;
    });
    assertEquals(("adrastea: rank 0 has closed a connection from 127.0.0.1 to 127.0.0.1:%d, which is no rank's: it sent"
        + " 'GET / HTTP/1.1?' (more of them are not told)%n").formatted(port), said);
  }

  @Test
  void whateverStrangersSendTheRanksMeet() throws Exception {
    Random random = new Random(SEED);
    String said = said(() -> {
      CompletableFuture<Long> zero = serve(2);
      for (int i = 0; i < 300; i++) {
        StringBuilder text = new StringBuilder();
        random.ints(1 + random.nextInt(60), 0, 256).forEach(each -> text.append((char) each));
        text.setCharAt(0, text.charAt(0) == 'a' ? 'b' : text.charAt(0));
        assertEquals("", come(port, text.toString()).hear());
      }
      List<FakePeer> waiting = new ArrayList<>();
      for (int i = 0; i < RendezvousServer.STRANGERS; i++) {
        waiting.add(come(port));
      }
      checkMeets(zero);
      for (FakePeer each : waiting) {
        each.close();
      }
      return null;
    });
    assertTrue(said.startsWith("adrastea: rank 0 has closed a connection"), said);
    assertEquals(1, said.lines().count());
  }

  @ParameterizedTest
  @MethodSource("first")
  void aRankThatGoesMayComeAgain(String line) throws Exception {
    CompletableFuture<Long> zero = serve(3);
    for (int i = 0; i < 3; i++) {
      come(port, line).close();
    }
    Thread.sleep(50);
    try (FakePeer one = come(port, hello(1, 3)); FakePeer two = come(port, hello(2, 3))) {
      assertEquals(answer(zero), one.hear());
      assertEquals(answer(zero), two.hear());
    }
  }

  static Stream<String> first() {
    return Stream.of(hello(1, 3), hello(2, 4));
  }

  @Test
  void ranksThatDidNotComeAreNamedToThoseThatDid() throws Exception {
    CompletableFuture<Long> zero = FakePeer.start(RendezvousServer::serve, meeting(port, 0, 20, 1000));
    come(port, hello(2, 20)).close();
    String words =
        ("rank 0 waited 1000 ms at 127.0.0.1:%d for all 20 ranks: rank(s) [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
            + "13, 14 and 5 more] have not come, rank(s) [2] have come and gone again; were all started? "
            + "(ADRASTEA_JOIN_TIMEOUT)")
            .formatted(port);
    assertEquals("refused " + words + "\n", come(port, hello(1, 20)).hear());
    assertEquals(words, refusal(zero));
  }

  /** What a rank logs that has waited for some seconds, before it fails. */
  private List<String> logged(BiFunction<RendezvousMeeting, LongSupplier, RendezvousJob> rank,
      RendezvousMeeting meeting)
      throws Exception {
    Logger logger = Logger.getLogger("io.adrastea");
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Handler listener = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        told.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(listener);
    logger.setUseParentHandlers(false);
    try {
      CompletableFuture<Long> job = FakePeer.start(it -> rank.apply(it, clock), meeting);
      Thread.sleep(50);
      assertEquals(List.of(), told);
      pass(6_000);
      while (told.isEmpty()) {
        Thread.sleep(1);
      }
      pass(6_000);
      Thread.sleep(250);
      pass(PATIENCE_MILLIS);
      refusal(job);
    } finally {
      logger.removeHandler(listener);
      logger.setUseParentHandlers(true);
    }
    return told;
  }

  @Test
  @Timeout(60)
  void aRankThatWaitsLogsOnceForWhom() throws Exception {
    assertEquals(
        List.of("rank 0 waits at 127.0.0.1:%d for all 3 ranks, for at most 20000 ms (ADRASTEA_JOIN_TIMEOUT): rank(s) "
            .formatted(port) + "[1, 2] have not come"),
        logged(RendezvousServer::serve, meeting(port, 0, 3, PATIENCE_MILLIS)));
    assertEquals(
        List.of("rank 1 waits for rank 0 at 127.0.0.1:%d, for at most 20000 ms (ADRASTEA_JOIN_TIMEOUT): Connection "
            .formatted(port) + "refused"),
        logged(RendezvousClient::ask, meeting(port, 1, 3, PATIENCE_MILLIS)));
  }

  @Test
  void aConnectionThatSaysNothingIsClosedAfterAWhile() throws Exception {
    String said = said(() -> {
      CompletableFuture<Long> zero = serveByClock(2);
      FakePeer silent = come(port, "adrastea 1 rank=");
      FakePeer other = come(port);
      Thread.sleep(50);
      pass(RendezvousServer.SILENT_MILLIS + 1);
      assertEquals("", silent.hear());
      assertEquals("", other.hear());
      checkMeets(zero);
      return null;
    });
    assertTrue(said.contains("which is no rank's: it sent '"), said);
  }

  @Test
  void aRankThatIsRefusedDoesNotWaitForAllOthers() throws Exception {
    CompletableFuture<Long> zero = serveByClock(4);
    FakePeer one = come(port, hello(1, 5));
    FakePeer two = come(port, hello(2, 4));
    Thread.sleep(50);
    assertFalse(zero.isDone());
    pass(RendezvousServer.LATE_MILLIS + 1);
    String words = "rank 1 has ADRASTEA_SIZE=5 and rank 0 has ADRASTEA_SIZE=4; all ranks of a job need the same";
    assertEquals("refused " + words + "\n", one.hear());
    assertEquals("refused " + words + "\n", two.hear());
    assertEquals(words, refusal(zero));
  }

  @Test
  void anAddressOfAnotherMachineIsRefusedByName() {
    RendezvousMeeting elsewhere =
        new RendezvousMeeting(RendezvousAddress.parse("192.0.2.1:29950"), 0, 2, PATIENCE_MILLIS, NODE, "", "");
    assertEquals(
        "ADRASTEA_RENDEZVOUS=192.0.2.1:29950: 192.0.2.1 is no address of this machine, on which rank 0 runs; let it "
            + "name the machine of rank 0",
        refusal(FakePeer.start(RendezvousServer::serve, elsewhere)));
  }

  @Test
  void aPortThatAnotherHasIsRefusedAfterAWhile() throws Exception {
    try (ServerSocket other = FakePeer.listen(port)) {
      CompletableFuture<Long> zero = serveByClock(2);
      Thread.sleep(50);
      assertFalse(zero.isDone());
      pass(RendezvousServer.IN_USE_MILLIS + 1);
      assertEquals(
          ("ADRASTEA_RENDEZVOUS=127.0.0.1:%d: another process listens at that port; each job that runs there at the "
              + "same time needs a port of its own, and one process alone is rank 0").formatted(other.getLocalPort()),
          refusal(zero));
    }
  }

  @Test
  void ranksMeetAtAddressesOfVersion6() throws Exception {
    try (ServerSocket trial = new ServerSocket(port, 1, InetAddress.getByName("::1"))) {
      assertTrue(trial.isBound());
    } catch (IOException e) {
      assumeTrue(false, "no ::1 on this machine: " + e.getMessage());
    }
    RendezvousAddress address = RendezvousAddress.parse("[::1]:" + port);
    CompletableFuture<Long> zero =
        FakePeer.start(RendezvousServer::serve, new RendezvousMeeting(address, 0, 2, PATIENCE_MILLIS, NODE, "", ""));
    CompletableFuture<Long> one =
        FakePeer.start(RendezvousClient::ask, new RendezvousMeeting(address, 1, 2, PATIENCE_MILLIS, NODE, "", ""));
    assertEquals(zero.join(), one.join());
  }

  @Test
  void anInterruptEndsTheMeeting() throws Exception {
    for (int rank = 0; rank < 2; rank++) {
      RendezvousMeeting meeting = meeting(port, rank, 2, PATIENCE_MILLIS);
      CompletableFuture<String> words = new CompletableFuture<>();
      Thread thread = Thread.ofPlatform().daemon().start(() -> {
        CompletableFuture<Long> job = new CompletableFuture<>();
        try {
          job.complete(
              (meeting.rank() == 0 ? RendezvousServer.serve(meeting) : RendezvousClient.ask(meeting)).number());
        } catch (Throwable e) {
          job.completeExceptionally(e);
        }
        words.complete(refusal(job));
      });
      Thread.sleep(20);
      thread.interrupt();
      assertEquals("interrupted while joining", words.join());
    }
  }
}
