package io.adrastea.bench.rma;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.Op;
import io.adrastea.ProgressThread;
import io.adrastea.atomic.Words;
import io.adrastea.bench.measure.CacheFlush;
import io.adrastea.bench.measure.Clock;
import io.adrastea.bench.measure.Exchange;
import io.adrastea.bench.measure.Helper;
import io.adrastea.bench.measure.Side;
import io.adrastea.bench.measure.Work;
import io.adrastea.rma.Epoch;
import io.adrastea.rma.Window;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/** One access of ours to a window, made again and again; {@code adr_mpi_rma.c} does the same with one of an MPI. */
final class RmaExchange implements Exchange {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;

  private static final long DONE = Access.MOST_BYTES; // where rank 0 tells the target that it is done
  private static final long STEPS = 100;
  private static final long MOST_COMPUTING_NANOS = 2_000_000;

  /** Bytes of a rank's window. */
  static final long WINDOW_BYTES = DONE + Long.BYTES;

  private final Access access;
  private final Job job;
  private final Communicator world;
  private final Window window;
  private final MemorySegment own;
  private final int rank;
  private final int target;
  private final int[] others;
  private final MemorySegment origin = Arena.global().allocate(WINDOW_BYTES, 4096);
  private final MemorySegment result = Arena.global().allocate(WINDOW_BYTES, 4096);
  private final CacheFlush flush; // null: nothing is flushed
  private final Work work = new Work();
  private final long[] times = new long[2];
  private final Data allTimes = Data.of(times);
  private Data summands;
  private int bytes;
  private Epoch epoch;
  private long exchanges; // so far, of each rank that takes part
  private long number; // of the last put
  private long seen; // by the last compareAndSwap
  private long swapped;
  private long sum; // of what was got
  private long best; // the least time of an exchange so far
  private ProgressThread progress;

  RmaExchange(Access access, Side side, Window window) {
    this.access = access;
    this.job = side.job();
    this.world = side.world();
    this.window = window;
    this.own = window.local();
    this.rank = world.rank();
    int next = (rank + 1) % world.size();
    this.target = access.part() == Access.Part.FIRST ? 1
        : access.part() == Access.Part.EACH ? next : world.size() - 1;
    this.others = IntStream.range(0, world.size()).filter(of -> of != rank).toArray();
    this.flush = access.isCold() ? new CacheFlush() : null;
  }

  private boolean takesPart() {
    return access.part() != Access.Part.FIRST || rank == 0;
  }

  @Override
  public void prepare(int length) {
    bytes = length;
    exchanges = 0;
    number = 0;
    seen = 0;
    swapped = 0;
    sum = 0;
    best = Long.MAX_VALUE;
    own.fill((byte) 0);
    origin.fill((byte) 0);
    result.fill((byte) 0);
    if (access.adds()) {
      for (long at = 0; at < bytes; at += Double.BYTES) {
        origin.set(DOUBLE, at, 1);
      }
      summands = Data.of(origin, 0, bytes / Double.BYTES, Datatype.DOUBLE);
    }
    if (access.gets()) {
      own.set(LONG, 0, 1);
    }
    world.barrier();
    switch (access.epoch()) {
      case LOCK -> epoch = rank == 0 ? window.lock(target, true) : null;
      case LOCK_ALL -> epoch = window.lockAll();
      case FENCE -> window.fence();
      case NONE -> epoch = null;
    }
    if (access.hasProgress() && rank == target) {
      progress = Helper.start(job);
    }
  }

  @Override
  public void batch(int count) {
    switch (access) {
      case PUT, PUT_COMPUTING, PUT_PROGRESS -> put(count);
      case GET -> get(count);
      case PUTS -> puts(count);
      case GETS -> gets(count);
      case FETCH_AND_OP, FETCH_AND_OP_ALL, FETCH_AND_OP_COMPUTING, FETCH_AND_OP_PROGRESS -> fetchAndOp(count);
      case COMPARE_AND_SWAP, COMPARE_AND_SWAP_ALL -> compareAndSwap(count);
      case ACCUMULATE, ACCUMULATE_ALL, ACCUMULATE_EACH, ACCUMULATE_LOCKED -> accumulate(count);
      case FENCE -> fence(count);
      case POST_START_COMPLETE_WAIT -> postStartCompleteWait(count);
      case LOCK -> lock(count);
      case LOCK_ALL -> lockAll(count);
      case SPARSE_PUT, SPARSE_PUT_COLD, SPARSE_PUT_BEST -> sparsePut(count);
      case SPARSE_GET, SPARSE_GET_COLD -> sparseGet(count);
      case BARRIER -> barrier(count);
    }
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      origin.set(LONG, 0, ++number);
      window.put(origin, 0, bytes, target, 0);
      window.flush(target);
    }
  }

  private void get(int count) {
    for (int i = 0; i < count; i++) {
      window.get(result, 0, bytes, target, 0);
      window.flush(target);
      sum += result.get(LONG, 0);
    }
  }

  private void puts(int count) {
    origin.set(LONG, 0, ++number);
    for (int i = 0; i < count; i++) {
      window.put(origin, 0, bytes, target, 0);
    }
    window.flush(target);
  }

  private void gets(int count) {
    for (int i = 0; i < count; i++) {
      window.get(result, 0, bytes, target, 0);
    }
    window.flush(target);
    sum += count * result.get(LONG, 0);
  }

  private void fetchAndOp(int count) {
    for (int i = 0; i < count; i++) {
      seen = window.fetchAndOp(1L, target, 0, Op.SUM);
      window.flush(target);
    }
  }

  /** Expects what the last one left, or what the failed one saw. */
  private void compareAndSwap(int count) {
    for (int i = 0; i < count; i++) {
      long expected = seen;
      seen = window.compareAndSwap(expected, expected + 1, target, 0);
      window.flush(target);
      if (seen == expected) {
        seen++;
        swapped++;
      }
    }
  }

  private void accumulate(int count) {
    for (int i = 0; i < count; i++) {
      window.accumulate(summands, target, 0, Op.SUM);
      window.flush(target);
    }
  }

  private void fence(int count) {
    for (int i = 0; i < count; i++) {
      window.fence();
    }
  }

  private void barrier(int count) {
    for (int i = 0; i < count; i++) {
      world.barrier();
    }
  }

  private void postStartCompleteWait(int count) {
    for (int i = 0; i < count; i++) {
      window.post(others);
      window.start(others);
      window.complete();
      window.await();
    }
  }

  private void lock(int count) {
    for (int i = 0; i < count; i++) {
      window.lock(target, true).close();
    }
  }

  private void lockAll(int count) {
    for (int i = 0; i < count; i++) {
      window.lockAll().close();
    }
  }

  private void sparsePut(int count) {
    for (int i = 0; i < count; i++) {
      origin.set(LONG, 0, ++number);
      for (long at = 0; at + bytes <= Access.SPARSE_BYTES; at += 2L * bytes) {
        window.put(origin, 0, bytes, target, at);
      }
      window.fence();
    }
  }

  private void sparseGet(int count) {
    for (int i = 0; i < count; i++) {
      for (long at = 0; at + bytes <= Access.SPARSE_BYTES; at += 2L * bytes) {
        window.get(result, at, bytes, target, at);
      }
      window.fence();
      sum += result.get(LONG, 0);
    }
  }

  @Override
  public long timed(int count, Clock clock) {
    if (!access.isCold()) {
      return together(count, clock);
    }
    long taken = 0;
    for (int i = 0; i < count; i++) {
      flush.run();
      taken += together(1, clock);
    }
    return access == Access.SPARSE_PUT_BEST ? count * longestBest() : taken;
  }

  private long longestBest() {
    long[] longest = {best};
    world.allreduce(Data.of(longest), Op.MAX);
    return longest[0];
  }

  /** Runs exchanges without a pause between them; nanoseconds of them all without what the clock costs. */
  private long together(int count, Clock clock) {
    exchanges += count;
    world.barrier();
    times[0] = System.nanoTime();
    if (takesPart()) {
      batch(count);
    } else if (access.computes()) {
      compute();
    }
    times[1] = System.nanoTime();
    if (access.computes() && rank == 0) {
      tellDone();
    }
    best = Math.min(best, times[1] - times[0] - clock.cost());
    world.barrier(); // in which the others serve those that still access their windows
    if (access.part() != Access.Part.FIRST) {
      world.allreduce(allTimes, Op.MAX);
    }
    return times[1] - times[0] - clock.cost();
  }

  /** Computes until rank 0 has told that it is done, and no longer than a while: it may need this rank. */
  private void compute() {
    // No order: nothing that it computes is another's.
    long end = System.nanoTime() + MOST_COMPUTING_NANOS;
    while (Words.loadRelaxedLong(own, DONE) < exchanges && System.nanoTime() - end < 0) {
      work.run(STEPS);
    }
  }

  private void tellDone() {
    origin.set(LONG, DONE, exchanges);
    window.put(origin, DONE, Long.BYTES, target, DONE);
    window.flush(target);
  }

  /** Ends the epoch, and looks at what all ranks have left in the windows. */
  @Override
  public void verify() {
    if (progress != null) {
      progress.close();
      progress = null;
    }
    if (epoch != null) {
      epoch.close();
      epoch = null;
    }
    if (access.epoch() == Access.When.FENCE || access == Access.FENCE) {
      window.lastFence();
    }
    long[] told = {number, swapped};
    world.allreduce(Data.of(told), Data.of(told), Op.MAX);
    long[] swaps = {swapped};
    world.allreduce(Data.of(swaps), Op.SUM);
    boolean each = access.part() == Access.Part.EACH;
    boolean owns = each || rank == (access.part() == Access.Part.FIRST ? 1 : world.size() - 1);
    long times = access.part() == Access.Part.ALL ? exchanges * world.size() : exchanges;
    require(!owns || !access.adds() || holdsSum(times), "the window does not hold the sum");
    require(!owns || !access.counts() || own.get(LONG, 0) == times, "the window does not hold the count");
    require(!owns || !access.swaps() || own.get(LONG, 0) == swaps[0], "the window does not hold the number of swaps");
    require(!owns || !access.puts() || own.get(LONG, 0) == told[0], "the window does not hold what was put last");
    require(!access.gets() || !takesPart() || sum == exchanges, "what was got is not what the window holds");
    world.barrier();
  }

  private boolean holdsSum(double expected) {
    for (long at = 0; at < bytes; at += Double.BYTES) {
      if (own.get(DOUBLE, at) != expected) {
        return false;
      }
    }
    return true;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException("%s of %d bytes: %s".formatted(access.word(), bytes, otherwise));
    }
  }
}
