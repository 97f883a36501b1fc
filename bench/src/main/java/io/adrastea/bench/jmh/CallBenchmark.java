package io.adrastea.bench.jmh;

import io.adrastea.Communicator;
import io.adrastea.Status;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Calls of each core through the API: a look that finds nothing, a message to oneself. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CallBenchmark {
  private static final int TAG = 1;
  private static final int BYTES = 8;

  /** The core. */
  @Param({"ffm", "jni", "jna", "java"})
  public String core;

  private final MemorySegment out = Arena.global().allocate(BYTES, BYTES);
  private final MemorySegment in = Arena.global().allocate(BYTES, BYTES);
  private Self self;
  private Communicator world;

  /** Joins a job of one. */
  @Setup
  public void join() {
    self = new Self(core);
    world = self.world();
  }

  /** Leaves it. */
  @TearDown
  public void leave() {
    self.close();
  }

  /** Progress that finds nothing. */
  @Benchmark
  public Status emptyPoll() {
    return world.iprobe(Communicator.ANY_SOURCE, Communicator.ANY_TAG);
  }

  /** A message of 8 bytes to this rank and its receive. */
  @Benchmark
  public Status sendAndReceiveToSelf() {
    world.send(out, 0, TAG);
    return world.recv(in, 0, TAG);
  }
}
