package io.adrastea.bench.jmh;

import io.adrastea.queue.Intent;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.segment.View;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The receive queue of the Java core: a cell in and out, alone and in bunches. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class QueueBenchmark {
  private static final int CELLS = 64;
  private static final int PAYLOAD = 64;

  private Segment segment;
  private View view;
  private long queue;
  private long self;
  private final long[] cells = new long[CELLS];

  /** Makes a segment of one rank, whose cells are in no queue. */
  @Setup
  public void create() {
    long job = ThreadLocalRandom.current().nextLong();
    segment =
        Segment.create(
            SegmentFile.path(SegmentFile.directory(), job, 0), new Geometry(1, CELLS, PAYLOAD), job);
    segment.unlink();
    segment.reserveArea(0);
    view = new View(segment);
    queue = segment.geometry().receiveQueueOffset(0);
    self = Intent.of(segment.geometry(), 0);
    for (int cell = 0; cell < CELLS; cell++) {
      cells[cell] = segment.geometry().cellOffset(0, cell);
    }
  }

  /** Gives it back. */
  @TearDown
  public void close() {
    segment.close();
  }

  /** One cell in, one out: the queue becomes empty each time. */
  @Benchmark
  public long enqueueDequeue() {
    MpscQueue.enqueue(view, queue, self, cells[0]);
    return MpscQueue.dequeue(view, queue);
  }

  /** All cells in, all out: per cell. */
  @Benchmark
  @OperationsPerInvocation(CELLS)
  public long enqueueAllDequeueAll() {
    for (long cell : cells) {
      MpscQueue.enqueue(view, queue, self, cell);
    }
    long last = 0;
    for (int cell = 0; cell < CELLS; cell++) {
      last = MpscQueue.dequeue(view, queue);
    }
    return last;
  }
}
