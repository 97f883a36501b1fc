package io.adrastea.bench.measure;

import java.time.Duration;
import java.util.List;

/** One thing that is timed beside others: it stays alive between runs and does nothing then. */
public interface Variant extends AutoCloseable {
  /** The name in the table and in the CSV. */
  String name();

  /** False when this variant has no figure for messages of that size. */
  boolean measures(Kind kind, int bytes);

  /**
   * Runs and times batches.
   *
   * @return nanoseconds of each batch, one array for each pair of ranks
   * @throws BenchException when a process died, hangs or answers nonsense
   */
  List<long[]> run(Order order) throws BenchException, InterruptedException;

  /**
   * Whether it runs code that is compiled while it runs, and so needs the whole warm-up; else a tenth will do, for
   * pages to be there and connections to be made.
   */
  default boolean isCompiledMeanwhile() {
    return true;
  }

  /**
   * Nanoseconds that the compilers of its processes have worked so far, together; 0 where they cannot tell.
   *
   * @throws BenchException when a process died, hangs or answers nonsense
   */
  default long compilerNanos() throws BenchException, InterruptedException {
    return 0;
  }

  /** True when a failure leaves it out, named, and the rest goes on; else it ends the run. */
  default boolean optional() {
    return false;
  }

  /** Ends the processes; a second call does nothing. */
  @Override
  void close();

  /**
   * What to run: {@code batches} times {@code exchanges} with messages of {@code bytes}.
   *
   * @param expected how long that should take, as far as one can know
   */
  record Order(Kind kind, int bytes, int batches, int exchanges, Duration expected) {
    private static final Duration SLACK = Duration.ofSeconds(30);
    private static final int FACTOR = 10;

    /** The command line for a process that knows this kind of run as {@code verb}. */
    public String command(String verb) {
      return verb + " " + bytes + " " + batches + " " + exchanges;
    }

    /** A process that has not answered by then hangs. */
    public Duration deadline() {
      return expected.multipliedBy(FACTOR).plus(SLACK);
    }
  }
}
