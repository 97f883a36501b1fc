package io.adrastea.bench.collectives;

import io.adrastea.Data;
import io.adrastea.Datatype;
import io.adrastea.Job;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Doubles of a rank, in buffers that calls take in turns. The room grows when asked for more and is kept. */
final class Rows {
  private static final int PAGE = 4096;
  private static final int LINE = 64;

  private final Memory kind;
  private final Job job;
  private final Buffers buffers = new Buffers();
  private double[] array = {};
  private MemorySegment all;

  Rows(Memory kind, Job job) {
    this.kind = kind;
    this.job = job;
  }

  /** One buffer: as memory, and as what calls are given. */
  record Row(MemorySegment memory, Data data) {}

  /** Makes some that share no cache line; what an earlier call returned may overlap. */
  Row[] take(int count, long bytes) {
    long stride = (Math.max(bytes, 1) + LINE - 1) / LINE * LINE;
    reserve(count * stride);
    Row[] rows = new Row[count];
    for (int i = 0; i < count; i++) {
      rows[i] = row(i * stride, bytes);
    }
    return rows;
  }

  private Row row(long at, long bytes) {
    MemorySegment memory = all.asSlice(at, bytes);
    int doubles = (int) (bytes / Double.BYTES);
    return kind == Memory.ARRAY
        ? new Row(memory, Data.of(array, (int) (at / Double.BYTES), doubles))
        : new Row(memory, Data.of(memory, 0, doubles, Datatype.DOUBLE));
  }

  private void reserve(long bytes) {
    switch (kind) {
      case NATIVE -> all = buffers.take(bytes);
      case ARRAY -> reserveArray(bytes);
      case SHARED -> reserveShared(bytes);
    }
  }

  private void reserveArray(long bytes) {
    if (array.length * (long) Double.BYTES < bytes) {
      array = new double[Math.toIntExact(bytes / Double.BYTES)];
    }
    all = MemorySegment.ofArray(array);
  }

  /** The old one goes first: nobody uses it any more, and /dev/shm may be small. */
  private void reserveShared(long bytes) {
    if (all != null && all.byteSize() >= bytes) {
      return;
    }
    if (all != null) {
      job.free(all);
      all = null; // stays so when there is no room
    }
    all = job.allocate(bytes, PAGE).fill((byte) 1);
  }

  /** Writes a row: {@code first}, and up to 63 more. */
  static void write(MemorySegment row, double first) {
    int last = (int) row.byteSize() - Double.BYTES;
    for (int at = 0; at <= last; at += Double.BYTES) {
      row.set(ValueLayout.JAVA_DOUBLE, at, first + (at / Double.BYTES & 63));
    }
  }

  /**
   * Whether every {@code step}-th element is what so many ranks' rows add up to.
   *
   * @param part of a row
   * @param at element of the row that it begins with
   * @param first of the row
   */
  static boolean holds(MemorySegment part, long at, double first, int ranks, int step) {
    long count = part.byteSize() / Double.BYTES;
    for (long i = 0; i < count; i += step) {
      if (part.get(ValueLayout.JAVA_DOUBLE, i * Double.BYTES) != first + ranks * (double) (at + i & 63)) {
        return false;
      }
    }
    return true;
  }
}
