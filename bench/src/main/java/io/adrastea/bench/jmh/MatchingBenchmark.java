package io.adrastea.bench.jmh;

import io.adrastea.Communicator;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Messages to oneself that have to get past others: receives posted, or messages unexpected. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchingBenchmark {
  private static final int WANTED = 1;
  private static final int OTHER = 2;
  private static final int BYTES = 8;

  /** A job of one rank with entries in one of its queues. */
  @State(Scope.Thread)
  public static class Queued {
    /** How many stand before the one that is wanted. */
    @Param({"0", "1", "10", "100", "1000", "10000"})
    public int entries;

    final MemorySegment out = Arena.global().allocate(BYTES, BYTES);
    final MemorySegment in = Arena.global().allocate(BYTES, BYTES);
    Self self;
    Communicator world;

    void join() {
      self = new Self("java");
      world = self.world();
    }

    Status message() {
      world.send(out, 0, WANTED);
      return world.recv(in, 0, WANTED);
    }
  }

  /** Receives that wait for something else. */
  public static class Posted extends Queued {
    private Request[] others;

    /** Posts them. */
    @Setup
    public void post() {
      join();
      others = new Request[entries];
      for (int i = 0; i < entries; i++) {
        others[i] = world.irecv(Arena.global().allocate(BYTES), 0, OTHER);
      }
    }

    /** Takes them back. */
    @TearDown
    public void leave() {
      for (Request other : others) {
        other.cancel();
      }
      self.close();
    }
  }

  /** Messages that nobody has asked for. */
  public static class Unexpected extends Queued {
    /** Sends them. */
    @Setup
    public void send() {
      join();
      for (int i = 0; i < entries; i++) {
        world.send(out, 0, OTHER);
        world.iprobe(0, WANTED); // takes it out of its cell
      }
    }

    /** Receives them. */
    @TearDown
    public void leave() {
      for (int i = 0; i < entries; i++) {
        world.recv(in, 0, OTHER);
      }
      self.close();
    }
  }

  /** The state of as many messages of different tags, in one order or the reverse. */
  @State(Scope.Thread)
  public static class Reversed {
    @Param({"100", "1000", "30000"})
    public int messages;

    private final MemorySegment out = Arena.global().allocate(BYTES, BYTES);
    private final MemorySegment in = Arena.global().allocate(BYTES, BYTES);
    private Self self;
    private Communicator world;
    private Request[] receives;

    @Setup
    public void join() {
      self = new Self("java");
      world = self.world();
      receives = Stream.generate(Request::new).limit(messages).toArray(Request[]::new);
    }

    @TearDown
    public void leave() {
      self.close();
    }
  }

  /** Past posted receives. */
  @Benchmark
  public Status pastPosted(Posted queued) {
    return queued.message();
  }

  /** Past unexpected messages. */
  @Benchmark
  public Status pastUnexpected(Unexpected queued) {
    return queued.message();
  }

  /** All receives are posted before the messages come, in the reverse order; the time is that of all. */
  @Benchmark
  public void reversedPosted(Reversed state) {
    for (int tag = 0; tag < state.messages; tag++) {
      state.world.irecv(state.in, 0, tag, state.receives[tag]);
    }
    for (int tag = state.messages - 1; tag >= 0; tag--) {
      state.world.send(state.out, 0, tag);
      state.receives[tag].await();
    }
  }

  /** All messages come before they are received, in the reverse order; the time is that of all. */
  @Benchmark
  public void reversedUnexpected(Reversed state) {
    for (int tag = 0; tag < state.messages; tag++) {
      state.world.send(state.out, 0, tag);
      state.world.iprobe(0, tag); // takes it out of its cell
    }
    for (int tag = state.messages - 1; tag >= 0; tag--) {
      state.world.recv(state.in, 0, tag);
    }
  }
}
