package io.adrastea.datatype;

import io.adrastea.Data;
import io.adrastea.Datatype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Memory of longs of a kind that is drawn by chance; the longs may lie apart. */
public record DrawnLongs(MemorySegment memory, int stride, Data data) {
  public static final long UNTOUCHED = -77;

  /** @param isReachable it is memory that other ranks can reach */
  public static DrawnLongs of(boolean isReachable, SplittableRandom own, int count) {
    int stride = !isReachable && own.nextInt(4) == 0 ? 2 : 1;
    if (stride == 1 && !isReachable && own.nextBoolean()) {
      long[] array = new long[count];
      return new DrawnLongs(MemorySegment.ofArray(array), 1, Data.of(array));
    }
    return in(Arena.ofAuto(), stride, count);
  }

  public static DrawnLongs in(Arena arena, int stride, int count) {
    long step = stride * (long) Long.BYTES;
    MemorySegment memory = arena.allocate(count * step + 1, Long.BYTES);
    Datatype type = stride == 1 ? Datatype.LONG : Datatype.LONG.resized(0, step);
    return new DrawnLongs(memory, stride, Data.of(memory, 0, count, type));
  }

  /** So many longs that nothing is to be written over. */
  public static long[] untouched(int count) {
    long[] values = new long[count];
    Arrays.fill(values, UNTOUCHED);
    return values;
  }

  /** The longs in parts, one behind the other. */
  public Data inParts(int... counts) {
    int[] displacements = new int[counts.length];
    for (int part = 1; part < counts.length; part++) {
      displacements[part] = displacements[part - 1] + counts[part - 1];
    }
    return Data.parts(data, counts, displacements);
  }

  public void fill(long[] values) {
    for (int i = 0; i < values.length; i++) {
      memory.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * stride, values[i]);
    }
  }

  private long get(int index) {
    return memory.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, (long) index * stride);
  }

  /** Fails unless these are the longs. */
  public void check(Object what, int rank, long[] expected) {
    for (int i = 0; i < expected.length; i++) {
      if (get(i) != expected[i]) {
        throw new IllegalStateException(
            "%s at rank %d: long %d is %d, not %d".formatted(what, rank, i, get(i), expected[i]));
      }
    }
  }
}
