package io.adrastea.engine;

/** Spent chunks by size: powers of two from 64 bytes to 64 KiB. Keeps at most 1 MiB of each size. */
final class ChunkPool {
  private static final int LEAST_CLASS = 6;
  private static final int MOST_CLASS = 16;
  private static final int KEPT_BYTES = 1 << 20;

  private final Chunk[] idle = new Chunk[MOST_CLASS + 1];
  private final int[] kept = new int[MOST_CLASS + 1];

  Chunk take(int length) {
    int sizeClass = Math.max(LEAST_CLASS, 32 - Integer.numberOfLeadingZeros(Math.max(1, length) - 1));
    Chunk chunk = idle[sizeClass];
    if (chunk == null) {
      chunk = new Chunk(sizeClass);
    } else {
      idle[sizeClass] = chunk.next;
      kept[sizeClass]--;
    }
    chunk.next = null;
    chunk.length = length;
    return chunk;
  }

  void give(Chunk chunk) {
    int sizeClass = chunk.sizeClass;
    if (kept[sizeClass] < KEPT_BYTES >> sizeClass) {
      chunk.next = idle[sizeClass];
      idle[sizeClass] = chunk;
      kept[sizeClass]++;
    }
  }
}
