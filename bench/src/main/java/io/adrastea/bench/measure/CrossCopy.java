package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/**
 * The upper rank writes a shared buffer anew, the lower one copies it to private memory with
 * {@link MemorySegment#copy}; only the copies are timed. It does the same as {@code copy} of adrastea-floor, which uses
 * memcpy. Messages carry the go-ahead and nothing else.
 */
final class CrossCopy extends PairExchange {
  private static final int TAG = 7;

  private final Buffers memory = new Buffers();
  private final SharedBuffer shared;
  private MemorySegment sources;
  private MemorySegment copies;
  private MemorySegment source; // those of the message that is due
  private MemorySegment mine;
  private int bytes;
  private int number;

  CrossCopy(Side side) {
    super(side);
    this.shared = new SharedBuffer(side);
  }

  @Override
  public void prepare(int bytes) {
    this.bytes = bytes;
    int all = Touched.buffers(bytes) * bytes;
    sources = shared.take(all);
    copies = memory.take(all);
    number = 0;
    turn();
  }

  /** Messages take turns in buffers, the same on both sides. */
  private void turn() {
    long at = bytes == 0 ? 0 : (long) number % (sources.byteSize() / bytes) * bytes;
    source = sources.asSlice(at, bytes);
    mine = copies.asSlice(at, bytes);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      number++;
      turn();
      write((byte) number);
    }
  }

  @Override
  public long timed(int count, Clock clock) {
    if (!lower) {
      batch(count);
      return 0;
    }
    long elapsed = 0;
    for (int i = 0; i < count; i++) {
      number++;
      turn();
      elapsed += copy(clock);
    }
    return elapsed;
  }

  private void write(byte value) {
    hear(TAG);
    source.fill(value); // Another content each time, so that no store is silent.
    tell(TAG);
  }

  private long copy(Clock clock) {
    tell(TAG);
    hear(TAG);
    long begin = System.nanoTime();
    MemorySegment.copy(source, 0, mine, 0, mine.byteSize());
    return Math.max(0, clock.since(begin));
  }

  @Override
  public void verify() {
    int seed = nextSeed();
    if (lower) {
      tell(TAG);
      hear(TAG);
      mine.copyFrom(source);
      Buffers.checkPattern(mine, seed);
    } else {
      hear(TAG);
      Buffers.pattern(source, seed);
      tell(TAG);
    }
  }
}
