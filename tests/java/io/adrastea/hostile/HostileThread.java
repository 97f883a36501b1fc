package io.adrastea.hostile;

import io.adrastea.atomic.Words;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A thread that spoils shared words while a rank works with them (others are spoiled between its calls, by
 * {@link HostilePeer}): what is read twice, once for the check and once for the use, is another word the second time.
 * The twin of {@code tests/fuzz/fuzz_beside.c}.
 */
public final class HostileThread {
  private static final int CHANGES = 48;
  private static final int LEFT_SPOILED = 8;
  private static final int GRAIN = 128; // of allocations: heads of copy rings and split words lie at multiples of it
  private static final int FIRST_GRAINS = 1024;

  private final SplittableRandom random;
  private HostilePeer peer; // guarded by this, as what follows; null: nothing is exposed
  private Segment segment;
  private List<MemorySegment> regions = List.of();
  private volatile boolean wanted; // by a thread that changes what is exposed: this thread lets go

  private HostileThread(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** One that lives as long as the process. */
  public static HostileThread started(long seed) {
    HostileThread hostile = new HostileThread(seed);
    Thread.ofPlatform().daemon().name("hostile").start(hostile::run);
    return hostile;
  }

  /** From now on the words of a segment are spoiled, and of regions as they are mapped here. */
  public void expose(Segment segment, List<MemorySegment> regions) {
    change(segment, regions);
  }

  /** Nothing is spoiled until something is exposed again; no store is on its way when this returns. */
  public void hide() {
    change(null, List.of());
  }

  private void change(Segment exposed, List<MemorySegment> more) {
    wanted = true;
    synchronized (this) {
      segment = exposed;
      regions = more;
      peer = exposed == null ? null : new HostilePeer(exposed, random);
      wanted = false;
    }
  }

  private void run() {
    while (true) {
      while (wanted) {
        Thread.onSpinWait();
      }
      synchronized (this) {
        if (peer != null) {
          spoil();
        }
      }
    }
  }

  private void spoil() {
    if (regions.isEmpty() || random.nextInt(4) != 0) {
      spoil(segment.memory(), peer.place());
    } else {
      MemorySegment region = regions.get(random.nextInt(regions.size()));
      int grains = (int) (region.byteSize() / GRAIN);
      spoil(region, (long) GRAIN * random.nextInt(random.nextBoolean() ? Math.min(grains, FIRST_GRAINS) : grains));
    }
  }

  /**
   * One word, to and fro between what it was and something else: one passes the checks, and the other is there at the
   * use.
   */
  private void spoil(MemorySegment memory, long at) {
    long before = Words.loadRelaxedLong(memory, at);
    long other = random.nextBoolean() ? before ^ random.nextInt(1 << 16) : peer.value(before);
    for (int change = 0; change < CHANGES && !wanted; change++) {
      Words.storeRelaxedLong(memory, at, other);
      Thread.onSpinWait();
      Words.storeRelaxedLong(memory, at, before);
      Thread.onSpinWait();
    }
    if (random.nextInt(LEFT_SPOILED) == 0) {
      Words.storeRelaxedLong(memory, at, other);
    }
  }
}
