package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.adrastea.failure.Agreement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** Finds out whether messages make garbage once all is warm, on either side. */
public final class Garbage {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Messages of one measurement: with less than a byte for each, none of them made an object. */
  public static final int MESSAGES = 8_000;

  /** The number of large messages: they are copied. */
  public static final int LARGE_MESSAGES = 800;

  /** The last of these must be reached only by code that never gets warm. */
  private static final int MEASUREMENTS = 250;

  /** Messages that a part sends or receives at a time. */
  public static final int BATCH = 100;

  private Garbage() {}

  private static long allocatedBy(Runnable part, int messages) {
    long thread = Thread.currentThread().threadId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    for (int i = 0; i < messages / BATCH; i++) {
      part.run();
    }
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }

  /** Rank 0 sends and rank 1 receives until each has done so without garbage. */
  public static void check(
      String cores, Function<Communicator, Runnable> sender, Function<Communicator, Runnable> receiver)
      throws Exception {
    check(cores, MESSAGES, sender, receiver);
  }

  /** Checks likewise with another number of messages in a measurement. */
  public static void check(
      String cores, int messages, Function<Communicator, Runnable> sender, Function<Communicator, Runnable> receiver)
      throws Exception {
    checkJobs(cores, messages, job -> sender.apply(Ranks.world(job)), job -> receiver.apply(Ranks.world(job)));
  }

  /** Checks likewise what needs its job. */
  public static void checkJobs(
      String cores, int messages, Function<Job, Runnable> sender, Function<Job, Runnable> receiver)
      throws Exception {
    Agreement agreement = new Agreement(2);
    Ranks.run(
        cores,
        2,
        job -> {
          Communicator world = Ranks.world(job);
          Runnable part = (world.rank() == 0 ? sender : receiver).apply(job);
          long least = Long.MAX_VALUE;
          for (int i = 0; i < MEASUREMENTS; i++) {
            if (agreement.reached(world.rank(), least < messages)) {
              return;
            }
            least = Math.min(least, allocatedBy(part, messages));
          }
          String found = "rank %d: %d bytes of garbage in %d messages";
          assertTrue(least < messages, found.formatted(world.rank(), least, messages));
        });
  }

  public static Runnable each(IntConsumer message) {
    return () -> {
      for (int i = 0; i < BATCH; i++) {
        message.accept(i);
      }
    };
  }

  /** A batch that its receiver answers, so that no more than one is unexpected at a time. */
  public static Runnable eachAnswered(Communicator world, IntConsumer message) {
    Runnable batch = each(message);
    MemorySegment answer = memory(1);
    return () -> {
      batch.run();
      if (world.rank() == 0) {
        world.recv(answer, 1, BATCH);
      } else {
        world.send(answer, 0, BATCH);
      }
    };
  }

  public static MemorySegment memory(int bytes) {
    return Arena.ofAuto().allocate(bytes);
  }
}
