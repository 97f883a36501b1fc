package io.adrastea.bench.paper;

/**
 * What adrastea-pool is told at its start.
 *
 * @param cellBytes payload of a cell
 * @param bufferBytes of a buffer for an ordered pair
 */
record PoolSettings(int cellBytes, int bufferBytes) {
  static final int LINE = 64;

  /** Refuses what is out of range. */
  PoolSettings {
    if (cellBytes < LINE || cellBytes > 32 << 10) {
      throw new IllegalArgumentException("--cell must be one size from 64 to 32K, not " + cellBytes);
    }
    if (bufferBytes < 4 << 10 || bufferBytes > 64 << 20 || Integer.bitCount(bufferBytes) != 1) {
      throw new IllegalArgumentException(
          "--pair-buffer must be a power of two from 4K to 64M, not " + bufferBytes);
    }
  }

  boolean measures(PoolWay way, int bytes) {
    return way == PoolWay.PAIR
        ? bytes <= bufferBytes - LINE
        : way.differsAt(bytes, cellBytes);
  }
}
