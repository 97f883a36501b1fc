package io.adrastea.bench.crowd;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.bench.crowd.Windows.Window;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Exchanges;
import io.adrastea.bench.measure.Memory;
import io.adrastea.bench.measure.Side;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A rank of a job that {@code adrastea run} has started. Rank 0 has the standard input, and tells the others each
 * command; between two commands all wait, rank 0 for its input and the others for a message. {@code adr_mpi_peer.c}
 * does the same.
 *
 * <ul>
 * <li>{@code windows-CALL BYTES MILLIS MICROS}: exchanges for so many milliseconds, in windows of about so many
 * microseconds: before each one rank 0 tells how many exchanges it has, which follows from the time of the last one
 * <li>{@code steps-CALL BYTES STEPS EXCHANGES}: so many windows of so many exchanges, from the first one on
 * </ul>
 */
public final class CrowdRank {
  /** The word with which a job needs no commands: it sends until its input ends. */
  static final String BESIDE = "beside";

  /** Goes before a call that is made for some time. */
  static final String WINDOWS = "windows-";

  /** Goes before a call that is made so many times. */
  static final String STEPS = "steps-";

  private static final List<String> CALLS = List.of("latency", "latency-untouched", "barrier", "allreduce");
  private static final int COMMAND_TAG = 31;
  private static final int COUNT_TAG = 32;
  private static final int COMPILERS_TAG = 33;
  private static final int MOST_EXCHANGES = 1 << 28;
  private static final int GROWTH = 4; // of the exchanges of a window over those of the last
  private static final int BESIDE_WINDOW_MICROS = 10_000;
  private static final long BESIDE_WARM_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A command, as ranks tell each other. */
  private record Order(int call, boolean steps, int bytes, int first, int second) {
    static final Order END = new Order(-1, false, 0, 0, 0);
    static final int NUMBERS = 5;

    static Order parse(String line) {
      String[] words = line.split(" ");
      boolean steps = words[0].startsWith(STEPS);
      int call = CALLS.indexOf(words[0].substring(words[0].indexOf('-') + 1));
      if (words.length != 4 || call < 0 || !steps && !words[0].startsWith(WINDOWS)) {
        throw new IllegalArgumentException("unknown command '" + line + "'");
      }
      return new Order(
          call, steps, Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
    }
  }

  private final Communicator world;
  private final Side side;
  private final Input input = new Input(); // of rank 0
  private final Map<Integer, Exchange> exchanges = new HashMap<>();
  private final MemorySegment numbers = Arena.global().allocate(ValueLayout.JAVA_LONG, Order.NUMBERS);

  private CrowdRank(Job job) {
    this.world = job.world();
    this.side = Side.of(job, Memory.NATIVE);
  }

  /**
   * Joins the job and serves commands until there are no more.
   *
   * @param args {@link #BESIDE} or nothing
   * @throws Exception when its input breaks, or a call fails
   */
  public static void main(String[] args) throws Exception {
    boolean beside = List.of(args).contains(BESIDE);
    Job.run(job -> {
      CrowdRank rank = new CrowdRank(job);
      if (beside) {
        rank.sendUntilTheInputEnds();
      } else if (job.world().rank() == 0) {
        rank.lead();
      } else {
        rank.follow();
      }
    });
  }

  private void lead() throws InterruptedException {
    input.start();
    for (String line = input.next(); line != null; line = input.next()) {
      Order order = Order.parse(line);
      tell(order);
      System.out.println(obey(order).line());
      System.out.flush();
    }
    tell(Order.END);
  }

  private void follow() {
    for (Order order = heard(); order.call >= 0; order = heard()) {
      obey(order);
    }
  }

  private void tell(Order order) {
    long[] values = {order.call, order.steps ? 1 : 0, order.bytes, order.first, order.second};
    for (int i = 0; i < values.length; i++) {
      numbers.setAtIndex(ValueLayout.JAVA_LONG, i, values[i]);
    }
    for (int to = 1; to < world.size(); to++) {
      world.send(numbers, to, COMMAND_TAG);
    }
  }

  private Order heard() {
    world.recv(numbers, 0, COMMAND_TAG);
    return new Order((int) number(0), number(1) != 0, (int) number(2), (int) number(3), (int) number(4));
  }

  private long number(int index) {
    return numbers.getAtIndex(ValueLayout.JAVA_LONG, index);
  }

  private Windows obey(Order order) {
    Exchange exchange = exchanges.computeIfAbsent(order.call, this::exchange);
    exchange.prepare(order.bytes);
    long before = compilerNanos();
    List<Window> windows =
        order.steps ? steps(exchange, order.first, order.second) : windows(exchange, order.first, order.second);
    long compilers = compilerNanos() - before;
    exchange.verify();
    return new Windows(sum(compilers), windows);
  }

  private Exchange exchange(int call) {
    String command = CALLS.get(call);
    return command.equals("allreduce") ? new AllreduceExchange(world) : Exchanges.make(command, side);
  }

  private static List<Window> steps(Exchange exchange, int steps, int count) {
    List<Window> all = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      long begin = System.nanoTime();
      exchange.batch(count);
      all.add(new Window(count, System.nanoTime() - begin));
    }
    return all;
  }

  private List<Window> windows(Exchange exchange, int millis, int micros) {
    List<Window> all = new ArrayList<>();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (int count = agreed(1); count > 0;) {
      Window window = window(exchange, count);
      all.add(window);
      int next = next(window, TimeUnit.MICROSECONDS.toNanos(micros));
      count = agreed(System.nanoTime() < end && !input.hasEnded() ? next : 0);
    }
    return all;
  }

  private Window window(Exchange exchange, int count) {
    world.barrier();
    long begin = System.nanoTime();
    exchange.batch(count);
    long nanos = System.nanoTime() - begin;
    exchange.check();
    return new Window(count, nanos);
  }

  /**
   * Returns as many exchanges as would have taken a window's time; at most four times as many as in the last window.
   */
  static int next(Window last, long windowNanos) {
    double fit = windowNanos / Math.max(1, last.nanos() / (double) last.exchanges());
    return (int) Math.clamp(Math.min(fit, (double) GROWTH * last.exchanges()), 1, MOST_EXCHANGES);
  }

  /** What rank 0 says: how many exchanges come next; 0: no more. */
  private int agreed(int count) {
    MemorySegment one = numbers.asSlice(0, Long.BYTES);
    if (world.rank() != 0) {
      world.recv(one, 0, COUNT_TAG);
      return (int) number(0);
    }
    one.set(ValueLayout.JAVA_LONG, 0, count);
    for (int to = 1; to < world.size(); to++) {
      world.send(one, to, COUNT_TAG);
    }
    return count;
  }

  /** Sums up a number of each rank, on rank 0. */
  private long sum(long mine) {
    MemorySegment one = numbers.asSlice(0, Long.BYTES);
    if (world.rank() != 0) {
      one.set(ValueLayout.JAVA_LONG, 0, mine);
      world.send(one, 0, COMPILERS_TAG);
      return mine;
    }
    long sum = mine;
    for (int from = 1; from < world.size(); from++) {
      world.recv(one, from, COMPILERS_TAG);
      sum += number(0);
    }
    return sum;
  }

  private static long compilerNanos() {
    CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
    return compilers == null || !compilers.isCompilationTimeMonitoringSupported() ? 0
        : TimeUnit.MILLISECONDS.toNanos(compilers.getTotalCompilationTime());
  }

  /** What runs beside another job: messages to and fro, told by a line once the job is warm. */
  private void sendUntilTheInputEnds() {
    input.start();
    Exchange exchange = exchange(CALLS.indexOf("latency"));
    exchange.prepare(Double.BYTES);
    long warm = System.nanoTime() + BESIDE_WARM_NANOS;
    boolean told = false;
    for (int count = agreed(1); count > 0;) {
      Window window = window(exchange, count);
      if (world.rank() == 0 && !told && System.nanoTime() - warm > 0) {
        System.out.println(BESIDE);
        told = true;
      }
      int next = next(window, TimeUnit.MICROSECONDS.toNanos(BESIDE_WINDOW_MICROS));
      count = agreed(input.hasEnded() ? 0 : next);
    }
  }

  /** The lines of the standard input, read by a thread, so that its end is known while calls are made. */
  private static final class Input {
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private volatile boolean ended;

    void start() {
      Thread.ofPlatform().daemon().name("standard input").start(this::read);
    }

    private void read() {
      BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
      try {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          lines.add(Optional.of(line));
        }
      } catch (IOException e) {
        // A broken input has ended.
      }
      ended = true;
      lines.add(Optional.empty());
    }

    /** The next line; {@code null} behind the last. */
    String next() throws InterruptedException {
      return lines.take().orElse(null);
    }

    /** Whether there will be no more: the bench has ended, however it did. Other ranks than 0 read nothing. */
    boolean hasEnded() {
      return ended;
    }
  }
}
