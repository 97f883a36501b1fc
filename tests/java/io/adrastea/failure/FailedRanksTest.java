package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.ThreadLevel;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RankFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a rank is told of others that failed, beside the failures of its own operations. */
@EverySharedCoreList
class FailedRanksTest {
  private static final int FAILING = 1;

  @Parameter
  String cores;

  /**
   * Runs three ranks; rank 1 fails on purpose, rank 2 waits for the last message of rank 0, which does as it is told.
   */
  private void run(Job.Builder builder, Job.Body first) throws Exception {
    IllegalArgumentException cause = new IllegalArgumentException("on purpose");
    Job.Body body =
        job -> {
          switch (Ranks.world(job).rank()) {
            case FAILING -> throw cause;
            case 0 -> {
              first.run(job);
              Ranks.world(job).send(Data.of(new byte[1]), 2, 0);
            }
            default -> Ranks.world(job).recv(Data.of(new byte[1]), 0, 0);
          }
        };
    RuntimeException thrown =
        assertThrows(
            RuntimeException.class,
            () -> Settings.with(Map.of("adrastea.core", Ranks.cores(cores)), () -> runThreads(builder, body)));
    assertSame(cause, thrown, () -> "suppressed: " + List.of(thrown.getSuppressed()));
    assertEquals(List.of(), List.of(thrown.getSuppressed()));
  }

  private static Void runThreads(Job.Builder builder, Job.Body body) {
    builder.runThreads(3, body);
    return null;
  }

  private static void awaitFailure(Job job) {
    RankFailedException failure =
        assertThrows(RankFailedException.class, () -> Ranks.world(job).recv(Data.of(new byte[1]), FAILING, 0));
    assertEquals(FAILING, failure.rank());
  }

  private static void awaitList(Job job) throws InterruptedException {
    while (Ranks.world(job).failedRanks().isEmpty()) {
      Thread.sleep(1);
    }
  }

  @Test
  void areListedWhenAsked() throws Exception {
    run(
        Job.builder(),
        job -> {
          awaitList(job); // without any other call
          assertEquals(List.of(FAILING), Ranks.world(job).failedRanks());
          assertThrows(UnsupportedOperationException.class, () -> Ranks.world(job).failedRanks().add(2));
        });
  }

  @Test
  void doNotIncludeThoseThatLeft() throws Exception {
    Ranks.run(
        cores,
        2,
        job -> {
          if (Ranks.world(job).rank() == 0) {
            assertThrows(RankFailedException.class, () -> Ranks.world(job).recv(Data.of(new byte[1]), 1, 0)); // it has
            // left
            assertEquals(List.of(), Ranks.world(job).failedRanks());
          }
        });
  }

  @Test
  void areToldOnceToTheHandlerByTheThreadThatWaits() throws Exception {
    List<Integer> told = new ArrayList<>();
    List<Thread> tellers = new ArrayList<>();
    run(
        Job.builder(),
        job -> {
          job.onRankFailure(
              rank -> {
                told.add(rank);
                tellers.add(Thread.currentThread());
              });
          awaitFailure(job);
          awaitFailure(job);
          assertEquals(List.of(FAILING), told);
          assertEquals(List.of(Thread.currentThread()), tellers);
        });
  }

  @Test
  void areToldToAHandlerThatComesLater() throws Exception {
    List<Integer> first = new ArrayList<>();
    List<Integer> second = new ArrayList<>();
    run(
        Job.builder(),
        job -> {
          job.onRankFailure(first::add);
          awaitFailure(job);
          job.onRankFailure(second::add);
          Request never = Ranks.world(job).irecv(Data.of(new byte[1]), 2, 9);
          while (second.isEmpty()) { // a rank that tests is told, as one that waits is
            assertTrue(!never.test());
          }
          assertTrue(never.cancel());
          never.await();
          assertEquals(List.of(FAILING), first);
          assertEquals(List.of(FAILING), second);
        });
  }

  @Test
  void areToldToNobodyWhenTheHandlerIsTakenBack() throws Exception {
    List<Integer> told = new ArrayList<>();
    run(
        Job.builder(),
        job -> {
          job.onRankFailure(told::add);
          job.onRankFailure(null);
          awaitFailure(job);
          assertEquals(List.of(), told);
        });
  }

  private static Stream<Throwable> mistakes() {
    return Stream.of(
        new IllegalStateException("the handler's own mistake"),
        new AssertionError("on purpose"),
        new IOException("not declared, as in other languages"));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> RuntimeException raise(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void whateverTheHandlerThrowsIsLoggedAndHarmsNobody(Throwable mistake) throws Exception {
    List<Throwable> logged =
        logged(
            () -> run(
                Job.builder(),
                job -> {
                  job.onRankFailure(rank -> raise(mistake));
                  awaitFailure(job); // and nothing else comes out
                }));
    assertEquals(List.of(mistake), logged);
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void whateverTheHandlerThrowsDoesNotEndTheProgressThread(Throwable mistake) throws Exception {
    List<String> tellers = Collections.synchronizedList(new ArrayList<>());
    List<Throwable> logged =
        logged(
            () -> run(
                Job.builder().progressThread(),
                job -> {
                  CountDownLatch called = new CountDownLatch(1);
                  job.onRankFailure(
                      rank -> {
                        called.countDown();
                        raise(mistake);
                      });
                  Ranks.await(called);
                  job.onRankFailure(rank -> tellers.add(Thread.currentThread().getName()));
                  while (tellers.isEmpty()) {
                    Thread.sleep(1);
                  }
                }));
    assertEquals(List.of("adrastea-progress-0"), tellers);
    assertEquals(List.of(mistake), logged);
  }

  private interface Action {
    void run() throws Exception;
  }

  private static List<Throwable> logged(Action action) throws Exception {
    Logger logger = Logger.getLogger("io.adrastea.engine.failure.Liveness");
    List<Throwable> logged = Collections.synchronizedList(new ArrayList<>());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            logged.add(line.getThrown());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      action.run();
    } finally {
      logger.setUseParentHandlers(true);
      logger.removeHandler(handler);
    }
    return logged;
  }

  @Test
  void theHandlerOfARankOfOneThreadCannotWaitForMessages() throws Exception {
    AtomicReference<Throwable> refused = new AtomicReference<>();
    run(
        Job.builder(),
        job -> {
          job.onRankFailure(
              rank -> {
                assertEquals(List.of(FAILING), Ranks.world(job).failedRanks());
                refused.set(
                    assertThrows(ConcurrentUseException.class,
                        () -> Ranks.world(job).send(Data.of(new byte[1]), 2, 1)));
              });
          awaitFailure(job);
          assertTrue(refused.get() != null, "the handler was not called");
        });
  }

  @Test
  void theHandlerOfARankOfManyThreadsMayTalk() throws Exception {
    List<Integer> told = new ArrayList<>();
    run(
        Job.builder().threads(ThreadLevel.MULTIPLE),
        job -> {
          job.onRankFailure(
              rank -> {
                byte[] answer = new byte[1];
                Ranks.world(job).sendrecv(Data.of(new byte[] {42}, 0, 1), 0, 7, Data.of(answer, 0, 1), 0, 7); // with
                                                                                                              // itself
                told.add((int) answer[0]);
              });
          awaitFailure(job);
          assertEquals(List.of(42), told);
        });
  }

  @Test
  void areToldByTheProgressThreadWhileTheRankMakesNoCall() throws Exception {
    List<String> tellers = Collections.synchronizedList(new ArrayList<>());
    run(
        Job.builder().progressThread(),
        job -> {
          job.onRankFailure(rank -> tellers.add(Thread.currentThread().getName() + " told of " + rank));
          while (tellers.isEmpty()) {
            Thread.sleep(1);
          }
          assertTrue(tellers.get(0).startsWith("adrastea-progress-"), tellers::toString);
          assertEquals("adrastea-progress-0 told of 1", tellers.get(0));
        });
  }

  @Test
  void endALoopOfTests() throws Exception {
    run(
        Job.builder(),
        job -> {
          Request request = Ranks.world(job).irecv(Data.of(new byte[1]), FAILING, 0);
          RankFailedException failure =
              assertThrows(
                  RankFailedException.class,
                  () -> {
                    while (!request.test()) {
                      Thread.onSpinWait();
                    }
                  });
          assertEquals(FAILING, failure.rank());
        });
  }

  @Test
  void cannotBeAskedForOnceTheJobWasLeft() throws Exception {
    Job[] left = new Job[1];
    Ranks.run(cores, 1, job -> left[0] = job);
    assertThrows(IllegalStateException.class, () -> left[0].failedRanks());
    assertThrows(IllegalStateException.class, () -> left[0].onRankFailure(rank -> {}));
  }
}
