package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Standard error and the handler are the process's; classes of tests run one after another. */
class ConsequencesTest {
  private final UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

  @AfterEach
  void putBack() {
    Thread.setDefaultUncaughtExceptionHandler(before);
  }

  /** What is printed when a thread ends by this. */
  private static List<String> printed(Consumer<Thread> change, RuntimeException failure) throws InterruptedException {
    return printed(failed -> true, change, failure);
  }

  private static List<String> printed(IntPredicate tellsReason, Consumer<Thread> change, RuntimeException failure)
      throws InterruptedException {
    Thread.setDefaultUncaughtExceptionHandler(new Consequences(0, tellsReason));
    PrintStream err = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      Thread thread =
          Thread.ofPlatform()
              .name("worker")
              .unstarted(
                  () -> {
                    throw failure;
                  });
      change.accept(thread);
      thread.start();
      thread.join();
    } finally {
      System.setErr(err);
    }
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static RankFailedException rankFailed() {
    RankFailedException failure = new RankFailedException(1, 1, "rank 1 has failed: no license");
    failure.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("io.adrastea.engine.failure.Liveness", "failure", "Liveness.java", 1),
          new StackTraceElement("io.adrastea.Communicator", "recv", "Communicator.java", 2),
          new StackTraceElement("Prog", "work", "Prog.java", 3),
          new StackTraceElement("Prog", "main", "Prog.java", 4)
        });
    return failure;
  }

  @Test
  void thatAnotherRankHasFailedIsALineWithThePlaceInTheProgram() throws Exception {
    assertEquals(
        List.of(
            "Exception in thread \"worker\" io.adrastea.error.RankFailedException: rank 1 has failed: no license (at "
                + "Prog.work(Prog.java:3))"),
        printed(thread -> {}, rankFailed()));
  }

  @Test
  void ofSeveralRanksOneTellsTheReason() throws Exception {
    assertEquals(
        List.of(
            "Exception in thread \"worker\" io.adrastea.error.RankFailedException: rank 1 has failed (at "
                + "Prog.work(Prog.java:3))"),
        printed(failed -> failed == 0, thread -> {}, rankFailed()));
  }

  @Test
  void aRankThatHasLeftHasNotFailed() throws Exception {
    RankFailedException left = new RankLeftException(2, 2, "rank 2 has left the job; a barrier cannot complete");
    left.setStackTrace(rankFailed().getStackTrace());
    assertEquals(
        List.of(
            "Exception in thread \"worker\" io.adrastea.error.RankLeftException: rank 2 has left (at "
                + "Prog.work(Prog.java:3))"),
        printed(failed -> failed == 0, thread -> {}, left));
  }

  @Test
  void allElseHasItsStackTrace() throws Exception {
    List<String> lines = printed(thread -> {}, new IllegalStateException("a bug"));
    assertEquals("Exception in thread \"worker\" java.lang.IllegalStateException: a bug", lines.getFirst());
    assertTrue(lines.get(1).startsWith("\tat "), lines::toString);
  }

  @Test
  void whatCarriesAnotherExceptionIsToldInFull() throws Exception {
    RankFailedException failure = rankFailed();
    failure.addSuppressed(new IllegalStateException("a bug"));
    List<String> lines = printed(thread -> {}, failure);
    assertTrue(lines.stream().anyMatch(line -> line.contains("a bug")), lines::toString);
    assertTrue(lines.size() > 4, lines::toString);
  }

  @Test
  void aHandlerOfTheProgramIsKept() throws Exception {
    assertEquals(List.of(), printed(thread -> thread.setUncaughtExceptionHandler((which, what) -> {}), rankFailed()));
    Thread.setDefaultUncaughtExceptionHandler(null);
    Consequences.foldUncaught(failed -> true);
    assertTrue(Thread.getDefaultUncaughtExceptionHandler() instanceof Consequences);
    UncaughtExceptionHandler own = (which, what) -> {};
    Thread.setDefaultUncaughtExceptionHandler(own);
    Consequences.foldUncaught(failed -> true);
    assertSame(own, Thread.getDefaultUncaughtExceptionHandler());
  }
}
