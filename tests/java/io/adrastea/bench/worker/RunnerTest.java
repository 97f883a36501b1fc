package io.adrastea.bench.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both sides of a link in one JVM: answers to commands, and messages that arrive as they were sent. */
@Timeout(240)
class RunnerTest {
  @TempDir
  Path directory;
  private final ExecutorService sides = Executors.newFixedThreadPool(2);

  @AfterEach
  void end() {
    sides.shutdownNow();
  }

  private Link open(String kind, int side) throws IOException {
    return kind.equals("tcp") ? Streams.tcp(directory, side) : Streams.unix(directory, side);
  }

  /** What a side says to one command after the other. */
  private Callable<String> side(String kind, int side) {
    return () -> {
      try (Link link = open(kind, side)) {
        Runner runner = new Runner(link, side);
        return String.join(
            "\n",
            runner.run("latency", 13, 3, 5),
            runner.run("bandwidth", 100_000, 2, 20),
            runner.run("rate", 8, 4, 100),
            runner.run("latency-untouched", 1000, 2, 5),
            runner.run("bandwidth-untouched", 100_000, 2, 20),
            runner.run("latency", 8, 1, 1));
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"unix", "tcp"})
  void shouldAnswerWithATimeForEachBatchOnSideZeroAlone(String kind) throws Exception {
    Future<String> upper = sides.submit(side(kind, 1));
    Future<String> lower = sides.submit(side(kind, 0));
    String answer = lower.get(200, TimeUnit.SECONDS);
    assertTrue(
        answer.matches(
            "ns( \\d+){3}\nns( \\d+){2}\nns( \\d+){4}\nns( \\d+){2}\nns( \\d+){2}\nns \\d+"),
        answer);
    assertEquals("done\ndone\ndone\ndone\ndone\ndone", upper.get(200, TimeUnit.SECONDS));
  }

  @Test
  void shouldFailWhenTheOtherSideCloses() throws Exception {
    Future<?> upper =
        sides.submit(
            () -> {
              open("unix", 1).close();
              return null;
            });
    try (Link link = open("unix", 0)) {
      upper.get(200, TimeUnit.SECONDS);
      assertThrows(IOException.class, () -> new Runner(link, 0).run("latency", 8, 1, 1));
    }
  }

  /** Side 1 is told that nothing was written, and does not read; side 0 reads what side 1 did not write. */
  @Test
  void shouldRefuseMessagesThatWereNotReadAsTheyWereWritten() throws Exception {
    Future<?> upper = sides.submit(() -> {
      try (Link link = open("unix", 1)) {
        new Runner(link, 1).run("latency-untouched", 64, 1, 5);
      }
      return null;
    });
    try (Link link = open("unix", 0)) {
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> new Runner(link, 0).run("latency", 64, 1, 5));
      assertTrue(e.getMessage().contains("not read as they were written"), e.getMessage());
    }
    assertThrows(Exception.class, () -> upper.get(200, TimeUnit.SECONDS)); // the link is closed before its last message
  }

  @Test
  void shouldMakeRingsThatTakeTheirMessages() {
    assertEquals(1 << 16, RingLink.capacity(8));
    assertEquals(1 << 20, RingLink.capacity(1 << 16));
    assertEquals(1 << 24, RingLink.capacity(PeerWorker.MAX_BYTES));
    assertEquals(1 << 17, RingLink.capacity(4097));
  }
}
