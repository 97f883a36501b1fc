package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.IdleStrategy;
import io.adrastea.Job;
import io.adrastea.ThreadLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A rank of the bench. All ranks read the same commands, run them together and answer each with one line: the lower
 * half with {@code ns} and the time of each batch, the upper half with {@code
 * done}. Between commands they wait in a read, so that they cost the others nothing; the end of the input ends them.
 */
public final class Worker {
  static final String READY = "ready";
  static final String DONE = "done";

  /** What the line of a rank begins with that cannot join with its settings; the reason follows. */
  static final String REFUSED = "refused: ";

  /** The command that is answered with the nanoseconds that this JVM's compilers have worked. */
  static final String COMPILERS = "compilers";

  /** Waits by spinning, also when there are more ranks than CPUs. */
  static final String SPIN = "spin";

  /** Joins with {@link ThreadLevel#MULTIPLE}. */
  static final String MULTIPLE = "multiple";

  /** Waits by a {@link PollMeter}, and so can tell its CPU time. */
  static final String METERED = "metered";

  /** Neither yields nor sleeps. */
  private static final class BusySpin implements IdleStrategy {
    @Override
    public void idle() {
      Thread.onSpinWait();
    }

    @Override
    public boolean mayTakeLong() {
      return false;
    }
  }

  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);
  private static final int START_TAG = 1;

  private final Communicator world;
  private final BufferedReader commands;
  private final PrintStream answers;
  private final Side side;
  private final PollMeter meter; // null: it does not wait by one
  private final Map<String, Exchange> exchanges = new HashMap<>();
  private final Clock clock = Clock.calibrated();

  private Worker(Side side, PollMeter meter, BufferedReader commands, PrintStream answers) {
    this.world = side.world();
    this.side = side;
    this.meter = meter;
    this.commands = commands;
    this.answers = answers;
  }

  /** Whether a worker knows what to do at a command. */
  static boolean knows(String command) {
    return Exchanges.has(command);
  }

  /**
   * Joins the job and serves commands until there are no more.
   *
   * @param args {@link #SPIN}, {@link #MULTIPLE}, {@link #METERED}, the word of a {@link Memory}, in any order, or none
   * @throws IOException when its input breaks
   */
  public static void main(String[] args) throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    List<String> words = List.of(args);
    PollMeter meter = words.contains(METERED) ? new PollMeter() : null;
    Job joined;
    try {
      joined = join(words, meter);
    } catch (IllegalArgumentException e) {
      System.out.println(REFUSED + e.getMessage().replace('\n', ' '));
      return;
    }
    try (Job job = joined) {
      new Worker(Side.of(job, Memory.among(words)), meter, commands, System.out).serve();
    }
  }

  private static Job join(List<String> words, PollMeter meter) {
    Job.Builder builder = Job.builder();
    if (words.contains(SPIN)) {
      builder.idleStrategy(BusySpin::new);
    }
    if (meter != null) {
      builder.idleStrategy(() -> meter); // of the one thread that calls
    }
    if (words.contains(MULTIPLE)) {
      builder.threads(ThreadLevel.MULTIPLE);
    }
    return builder.join();
  }

  private void serve() throws IOException {
    answer(READY);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals(COMPILERS)) {
        answer(report(new long[] {compilerNanos()}));
        continue;
      }
      String[] words = line.split(" ");
      if (words.length != 4) {
        throw new IllegalArgumentException("unknown command '" + line + "'");
      }
      answer(
          run(
              exchanges.computeIfAbsent(words[0], this::exchange),
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              Integer.parseInt(words[3])));
    }
  }

  /** A JVM without a compiler has none at work. */
  private static long compilerNanos() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers == null || !compilers.isCompilationTimeMonitoringSupported() ? 0
        : TimeUnit.MILLISECONDS.toNanos(compilers.getTotalCompilationTime());
  }

  private Exchange exchange(String command) {
    if (!Kind.isCpu(command)) {
      return Exchanges.make(command, side);
    }
    if (meter == null) {
      throw new IllegalArgumentException(
          "'%s' asks for CPU time of a rank that does not measure its polls; start it with the word %s"
              .formatted(command, METERED));
    }
    return new CpuExchange(Exchanges.make(Kind.withoutCpu(command), side), side, meter);
  }

  private void answer(String line) {
    answers.println(line);
    answers.flush();
  }

  private String run(Exchange exchange, int bytes, int batches, int count) {
    exchange.prepare(bytes);
    startTogether();
    long[] times = new long[batches];
    for (int batch = 0; batch < batches; batch++) {
      times[batch] = exchange.timed(count, clock);
      exchange.check();
    }
    exchange.verify();
    return side.lower() ? report(times) : DONE;
  }

  /** No pair begins before the last one has read the command. */
  private void startTogether() {
    if (world.rank() == 0) {
      for (int rank = 1; rank < world.size(); rank++) {
        world.recv(NOTHING, rank, START_TAG);
      }
      for (int rank = 1; rank < world.size(); rank++) {
        world.send(NOTHING, rank, START_TAG);
      }
    } else {
      world.send(NOTHING, 0, START_TAG);
      world.recv(NOTHING, 0, START_TAG);
    }
  }

  private static String report(long[] times) {
    StringBuilder line = new StringBuilder("ns");
    for (long time : times) {
      line.append(' ').append(time);
    }
    return line.toString();
  }
}
