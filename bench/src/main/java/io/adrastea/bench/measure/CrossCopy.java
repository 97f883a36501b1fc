package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The upper rank writes a shared buffer anew, the lower one copies it to private memory with
 * {@link MemorySegment#copy}; only the copies are timed. The same as {@code copy} of adrastea-floor, which does so with
 * memcpy. Messages carry the go-ahead and nothing else.
 */
final class CrossCopy implements Exchange {
  private static final int TAG = 7;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Buffers memory = new Buffers();
  private final SharedBuffer shared;
  private MemorySegment source;
  private MemorySegment mine;
  private int number;
  private int seed;

  CrossCopy(Communicator world, int peer, boolean lower) {
    this.world = world;
    this.peer = peer;
    this.lower = lower;
    this.shared = new SharedBuffer(world, peer, lower);
  }

  @Override
  public void prepare(int bytes) {
    source = shared.take(bytes);
    mine = memory.take(bytes);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      write((byte) ++number);
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
      elapsed += copy(clock);
    }
    return elapsed;
  }

  private void write(byte value) {
    world.recv(NOTHING, peer, TAG);
    source.fill(value); // Another content each time, so that no store is silent.
    world.send(NOTHING, peer, TAG);
  }

  private long copy(Clock clock) {
    world.send(NOTHING, peer, TAG);
    world.recv(NOTHING, peer, TAG);
    long begin = System.nanoTime();
    MemorySegment.copy(source, 0, mine, 0, mine.byteSize());
    return Math.max(0, clock.since(begin));
  }

  @Override
  public void verify() {
    seed++; // Another one each time: what an earlier copy left behind must not pass.
    if (!lower) {
      world.recv(NOTHING, peer, TAG);
      Buffers.pattern(source, seed);
      world.send(NOTHING, peer, TAG);
      return;
    }
    world.send(NOTHING, peer, TAG);
    world.recv(NOTHING, peer, TAG);
    mine.copyFrom(source);
    Buffers.checkPattern(mine, seed);
  }
}
