package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Ranks;
import io.adrastea.ThreadLevel;
import io.adrastea.error.ConcurrentUseException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Two threads of one rank that call the same collective of one communicator. */
final class TwoThreads {
  private TwoThreads() {}

  /** Fails unless one of the two is refused, which names the other, and that one gets the result. */
  static void oneIsRefused(String cores, String collective, Object result, Function<Communicator, Object> call)
      throws Exception {
    CountDownLatch refused = new CountDownLatch(1);
    Ranks.run(
        cores,
        ThreadLevel.MULTIPLE,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          if (world.rank() == 1) {
            Ranks.await(refused);
            assertEquals(result, call.apply(world));
            return;
          }
          BlockingQueue<String> ends = new LinkedBlockingQueue<>();
          for (String name : new String[] {"first", "second"}) {
            new Thread(() -> ends.add(name + " " + end(world, call)), name).start();
          }
          String one = ends.poll(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
          assertTrue(Ranks.byRank(one).contains("came to the " + collective + " of rank 0 while thread"), one);
          String other = one.startsWith("first") ? "second" : "first";
          assertTrue(one.contains("'" + other + "'"), one);
          refused.countDown();
          assertEquals(other + " " + result, ends.poll(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS));
        });
  }

  private static Object end(Communicator world, Function<Communicator, Object> call) {
    try {
      return call.apply(world);
    } catch (ConcurrentUseException e) {
      return e.getMessage();
    }
  }
}
