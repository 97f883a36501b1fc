package io.adrastea.bench.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Copies as the Java core makes them, between native memory and the heap, in this CPU's caches. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CopyBenchmark {
  private static final int LINE = 64;

  /** Length in bytes. */
  @Param({"8", "64", "1024", "8192", "65536", "1048576"})
  public int bytes;

  private MemorySegment from;
  private MemorySegment to;
  private byte[] array;

  /** Makes the buffers. */
  @Setup
  public void allocate() {
    from = Arena.global().allocate(bytes, LINE).fill((byte) 1);
    to = Arena.global().allocate(bytes, LINE).fill((byte) 2);
    array = new byte[bytes];
  }

  /** Native memory to native memory. */
  @Benchmark
  public MemorySegment nativeToNative() {
    MemorySegment.copy(from, 0, to, 0, bytes);
    return to;
  }

  /** Native memory to an array. */
  @Benchmark
  public byte[] nativeToHeap() {
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, array, 0, bytes);
    return array;
  }

  /** An array to native memory. */
  @Benchmark
  public MemorySegment heapToNative() {
    MemorySegment.copy(array, 0, to, ValueLayout.JAVA_BYTE, 0, bytes);
    return to;
  }
}
