import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.Status;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * How late a sleep ends, measured by Java ranks and by C ranks of one job at the same time. Rank 0 tells the others
 * what to measure, gathers what they send and prints a table; every other rank measures, be it this program or
 * {@code lateness.c}.
 *
 * <pre>
 * bin/adrastea run -n 2 java examples/mixed/Lateness.java : -n 1 build-mixed/lateness
 * </pre>
 *
 * <p>
 * Arguments: microseconds from one waking to the next (1 to 1000000, default 1000), and how many of them (1 to
 * 10000000, default 2000). The exit code is 2 when they are none, or when there is no rank to measure.
 */
public final class Lateness {
  private static final int COLLECTOR = 0;
  private static final int ORDER_TAG = 1;
  private static final int NAME_TAG = 2;
  private static final int SAMPLES_TAG = 3;
  private static final int BATCH = 500;
  private static final int LONGEST_NAME = 100;
  private static final int BAD_ARGUMENT = 2;

  private Lateness() {}

  public static void main(String[] args) throws Exception {
    long period = number(args, 0, 1_000, 1_000_000, "microseconds") * 1_000;
    int samples = (int) number(args, 1, 2_000, 10_000_000, "number of samples");
    Job.run(job -> run(job.world(), period, samples));
  }

  private static void run(Communicator world, long period, int samples) {
    if (world.size() == 1) {
      refuse("there is no other rank to measure; start it as: adrastea run -n 2 java Lateness.java : -n 1 lateness");
    }
    if (world.rank() == COLLECTOR) {
      collect(world, period, samples);
    } else {
      measure(world);
    }
  }

  private static void collect(Communicator world, long period, int samples) {
    byte[][] names = new byte[world.size()][LONGEST_NAME];
    for (int rank = 1; rank < world.size(); rank++) {
      world.send(Data.of(new long[] {period, samples}), rank, ORDER_TAG);
    }
    for (int rank = 1; rank < world.size(); rank++) {
      Status status = world.recv(Data.of(names[rank]), rank, NAME_TAG);
      names[rank] = Arrays.copyOf(names[rank], (int) status.bytes());
    }
    world.barrier(); // all begin at once
    long[][] late = gather(world, samples);
    System.out.printf("%4s  %-24s %9s %9s %9s %9s  [us late]%n", "rank", "program", "least", "median", "p99", "most");
    for (int rank = 1; rank < world.size(); rank++) {
      print(rank, new String(names[rank], StandardCharsets.UTF_8), late[rank]);
    }
  }

  /** Takes batches from whoever has one, until all have sent all. */
  private static long[][] gather(Communicator world, int samples) {
    long[][] late = new long[world.size()][samples];
    int[] have = new int[world.size()];
    long[] batch = new long[BATCH];
    for (long left = (world.size() - 1L) * samples; left > 0;) {
      Status status = world.recv(Data.of(batch), Communicator.ANY_SOURCE, SAMPLES_TAG);
      int count = (int) (status.bytes() / Long.BYTES);
      System.arraycopy(batch, 0, late[status.source()], have[status.source()], count);
      have[status.source()] += count;
      left -= count;
    }
    return late;
  }

  private static void print(int rank, String name, long[] late) {
    Arrays.sort(late);
    System.out.printf(
        "%4d  %-24s %9.1f %9.1f %9.1f %9.1f%n",
        rank, name, share(late, 0), share(late, 0.5), share(late, 0.99), share(late, 1));
  }

  private static double share(long[] sorted, double part) {
    return sorted[(int) Math.round(part * (sorted.length - 1))] / 1e3;
  }

  private static void measure(Communicator world) {
    long[] order = new long[2];
    world.recv(Data.of(order), COLLECTOR, ORDER_TAG);
    byte[] name = ("Java " + Runtime.version().feature() + ", parkNanos").getBytes(StandardCharsets.UTF_8);
    world.send(Data.of(name), COLLECTOR, NAME_TAG);
    world.barrier();
    long[] batch = new long[BATCH];
    long due = System.nanoTime();
    for (long left = order[1]; left > 0;) {
      int count = (int) Math.min(left, BATCH);
      for (int i = 0; i < count; i++) {
        due += order[0];
        batch[i] = sleepUntil(due);
      }
      world.send(Data.of(batch, 0, count), COLLECTOR, SAMPLES_TAG);
      left -= count;
    }
  }

  private static long sleepUntil(long due) {
    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return System.nanoTime() - due;
  }

  private static long number(String[] args, int index, long otherwise, long most, String what) {
    if (args.length > 2) {
      refuse("there are at most two arguments: microseconds, number of samples");
    }
    try {
      long number = args.length > index ? Long.parseLong(args[index]) : otherwise;
      if (number >= 1 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    refuse("'%s' is no %s; allowed is 1 to %d".formatted(args[index], what, most));
    return 0;
  }

  private static void refuse(String why) {
    System.err.println("Lateness: " + why);
    System.exit(BAD_ARGUMENT);
  }
}
