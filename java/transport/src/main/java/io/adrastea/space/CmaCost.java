package io.adrastea.space;

import io.adrastea.core.Spaces;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What copies take within this process, in nanoseconds: by the system (CMA), which has to be asked and looks at each
 * page, and by the core. Twin of {@code space/adr_cma_cost.h}.
 *
 * @param shortByCma of {@link #SHORT} bytes
 * @param longByCma of {@link #LONG} bytes
 * @param shortHere of {@link #SHORT} bytes by the core
 * @param longHere of {@link #LONG} bytes by the core
 */
public record CmaCost(long shortByCma, long longByCma, long shortHere, long longHere) {
  static final int SHORT = 16_384;
  static final int LONG = 131_072;

  /** From so many bytes on one copy is taken whatever it costs. */
  static final int MOST_BY_STAGES = 524_288;

  /** From so many bytes on one copy is taken in a collective in which both of two members copy a half. */
  static final int MOST_OF_HALVES = 131_072;

  private static final int TRIALS = 8; // of each copy, of which the shortest counts: this thread may lose its CPU

  // Copies within a process take about as long as the two through shared memory, whose lines change CPUs.
  private static final int AS_MANY = 3;

  private static final CmaCost UNKNOWN = new CmaCost(0, 0, 0, 0);

  static CmaCost measure(Spaces spaces) {
    int pid = (int) ProcessHandle.current().pid();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(2L * LONG).fill((byte) 1);
      if (spaces.read(pid, memory.address(), memory, LONG, SHORT) < 0) {
        return UNKNOWN;
      }
      return new CmaCost(
          shortest(() -> spaces.read(pid, memory.address(), memory, LONG, SHORT)),
          shortest(() -> spaces.read(pid, memory.address(), memory, LONG, LONG)),
          shortest(() -> spaces.copy(memory, 0, memory, LONG, SHORT)),
          shortest(() -> spaces.copy(memory, 0, memory, LONG, LONG)));
    }
  }

  private static long shortest(Runnable copy) {
    long least = Long.MAX_VALUE;
    for (int trial = 0; trial < TRIALS; trial++) {
      long begin = System.nanoTime();
      copy.run();
      least = Math.min(least, System.nanoTime() - begin);
    }
    return least;
  }

  /**
   * Bytes from which on one copy by CMA takes less than two through shared memory, which two CPUs make at once: as
   * these copies tell, 0 to {@link #MOST_BY_STAGES}.
   */
  long leastBytes() {
    long moreBytes = LONG - SHORT;
    long moreByCma = longByCma - shortByCma;
    long gain = AS_MANY * (longHere - shortHere) - moreByCma;
    long fixed = shortByCma - moreByCma * SHORT / moreBytes;
    if (fixed <= 0) {
      return 0;
    }
    return gain <= 0 || fixed > MOST_BY_STAGES * gain / moreBytes ? MOST_BY_STAGES : fixed * moreBytes / gain;
  }

  /**
   * What {@link #leastBytes} tells is changed by this for a collective.
   *
   * @param halves two ranks copy a half each: where the system copies slowly, they gain by it sooner
   */
  public static long leastOf(long least, boolean halves) {
    return halves ? Math.min(least, MOST_OF_HALVES) : least;
  }
}
