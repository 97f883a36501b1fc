package io.adrastea.bench.shmem;

import io.adrastea.Job;
import io.adrastea.shmem.Shmem;
import io.adrastea.shmem.Symmetric;

/**
 * A symmetric heap with what the calls access.
 *
 * @param memory {@link Call#MOST_BYTES} that other PEs access
 * @param source as much, of what a collective is given
 * @param result what it gives
 * @param table words of random updates
 * @param words one of each PE
 * @param line where tokens go, and a signal
 * @param lock of all PEs
 */
record Heap(Shmem shmem, Symmetric memory, Symmetric source, Symmetric result, Symmetric table, Symmetric words,
    Symmetric line, Symmetric lock) {
  /** Bytes of a PE's table. */
  static final int TABLE_BYTES = 16 << 20;

  private static final long ROOM = 1 << 20; // for the small objects, and the one that comes and goes
  private static final int PAGE = 4096;
  private static final int LINE_PAIR = 128;

  /** All PEs make one at the same time. */
  static Heap of(Job job) {
    long results = Math.max(Call.MOST_BYTES, (long) Call.SMALL_BYTES * job.world().size());
    Shmem shmem = Shmem.of(job, 2L * Call.MOST_BYTES + results + TABLE_BYTES + ROOM);
    return new Heap(shmem, shmem.allocate(Call.MOST_BYTES, PAGE), shmem.allocate(Call.MOST_BYTES, PAGE),
        shmem.allocate(results, PAGE), shmem.allocate(TABLE_BYTES, PAGE),
        shmem.allocate((long) job.world().size() * Long.BYTES, PAGE), shmem.allocate(LINE_PAIR, LINE_PAIR),
        shmem.allocate(Long.BYTES, LINE_PAIR));
  }
}
