package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A test that goes on when its time limit has ended it changes no system property of the next tests. */
class EndedTestsTest {
  private static final String UNSET = "adrastea.test.unset";
  private static final String SET = "adrastea.test.set";

  /** A test that no interrupt ends, which only the test around it runs. */
  static final class Hung {
    private static final CountDownLatch BEGAN = new CountDownLatch(1);
    private static final CountDownLatch MAY_GO_ON = new CountDownLatch(1);

    /** A thread of the test, such as a rank: gives what the test is told that changes a property too late. */
    private static final FutureTask<Exception> RANK =
        new FutureTask<>(
            () -> {
              Settings.with(
                  Map.of(UNSET, "hung", SET, "hung"),
                  () -> {
                    BEGAN.countDown();
                    MAY_GO_ON.await();
                    return null;
                  });
              return assertThrows(IllegalStateException.class, () -> Settings.with(Map.of(UNSET, "late"), () -> null));
            });

    /** Not within the time limit of the test: it may be over before a thread of the test has begun. */
    @BeforeEach
    void starts() throws Exception {
      new Thread(RANK).start();
      BEGAN.await();
      assertEquals("hung", System.getProperty(SET));
    }

    @Test
    @Timeout(value = 1, threadMode = SEPARATE_THREAD)
    void hangs() throws Exception {
      new CountDownLatch(1).await();
    }
  }

  @Test
  void leaveTheNextTestsTheirSettings() throws Exception {
    Settings.with(
        Map.of(SET, "before"),
        () -> {
          assertInstanceOf(TimeoutException.class, failureOfHung());
          assertEquals(null, System.getProperty(UNSET));
          assertEquals("before", System.getProperty(SET));
          return null;
        });
    Settings.with(
        Map.of(UNSET, "next", SET, "next"),
        () -> {
          Hung.MAY_GO_ON.countDown();
          Exception refusal = Hung.RANK.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          assertTrue(refusal.getMessage().contains("was ended"), refusal::getMessage);
          assertEquals("next", System.getProperty(UNSET));
          assertEquals("next", System.getProperty(SET));
          return null;
        });
    assertEquals(null, System.getProperty(UNSET));
    assertEquals(null, System.getProperty(SET));
  }

  /** Runs it by itself: in a thread of its own, for what runs a test takes its thread for that test's. */
  private static Throwable failureOfHung() throws Exception {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    FutureTask<Void> run =
        new FutureTask<>(
            () -> LauncherFactory.create()
                .execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Hung.class)).build(),
                    listener),
            null);
    new Thread(run).start();
    run.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    return listener.getSummary().getFailures().getFirst().getException();
  }
}
