package io.adrastea.failure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.AlteredRank;
import io.adrastea.Communicator;
import io.adrastea.Contents;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.Settings;
import io.adrastea.bootstrap.ThreadJob;
import io.adrastea.message.Calls;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A call that ends with an error before it has begun, as it looks which ranks are still there: it leaves nobody locked
 * out.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ErrorOnTheWayInTest {
  private final Error error = new StackOverflowError("on purpose");
  private final AtomicReference<Error> next = new AtomicReference<>();

  /** The first look for ranks that are gone throws, once the job is there: making it is a call, too. */
  private Object failsOnce(String name, AlteredRank.Real real) throws Throwable {
    Error now = name.equals("reclaim") ? next.getAndSet(null) : null;
    if (now != null) {
      now.fillInStackTrace();
      throw now;
    }
    return real.call();
  }

  /** Calls that find what they are for, until one ends so. */
  private static Error callUntilItThrows(Communicator world) {
    byte[] bytes = new byte[8];
    while (true) { // the class has a deadline
      try {
        world.send(Data.of(bytes, 0, 8), 0, 0);
        world.irecv(Data.of(bytes, 0, 8), 0, 0).await();
      } catch (StackOverflowError e) {
        return e;
      }
    }
  }

  private static Void exchange(Communicator world) {
    byte[] received = new byte[8];
    Request receive = world.irecv(Data.of(received, 0, 8), 0, 1);
    world.send(Data.of(Contents.of(8, 1)), 0, 1);
    receive.await();
    assertArrayEquals(Contents.of(8, 1), received);
    return null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void leavesTheRankToAllItsThreads(boolean multithreaded) throws Exception {
    Settings.with(
        Map.of("adrastea.core", "java"),
        () -> {
          try (ThreadJob threadJob = ThreadJob.create(1);
              Job job =
                  AlteredRank.job(
                      threadJob.enter(0, () -> false), multithreaded, (name, arguments, real) -> failsOnce(name, real),
                      AlteredRank.NONE)) {
            next.set(error);
            Error thrown = callUntilItThrows(job.world());
            assertSame(error, thrown);
            assertTrue(Arrays.stream(thrown.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("enter")));
            FutureTask<Void> another = new FutureTask<>(() -> exchange(job.world()));
            new Thread(another, "another").start();
            another.get(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
            exchange(job.world());
          }
          return null;
        });
  }
}
