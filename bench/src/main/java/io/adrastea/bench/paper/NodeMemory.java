package io.adrastea.bench.paper;

import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.Geometry;

/**
 * Shared memory for messages of all ranks of a node ([MVAPICH 2006, 3.3.3, Fig. 6]), in bytes.
 *
 * @param ranks how many there are
 * @param pairs a buffer for each ordered pair (section 2.3)
 * @param pools a send buffer pool for each rank, a receive buffer for each ordered pair (section 3.1)
 * @param fromStart a job's segment as it begins
 * @param atMost the same once every pair of ranks has its fastboxes
 */
record NodeMemory(int ranks, long pairs, long pools, long fromStart, long atMost) {
  private static final int POOL_CELLS = 128;
  private static final int RECEIVE_BUFFER_BYTES = 32 << 10;

  /** Cells of a rank, in a job of the defaults. */
  static final int CELLS = 64;

  static NodeMemory of(int ranks, PoolSettings settings) {
    Geometry ours = new Geometry(ranks, CELLS, settings.cellBytes(), BoxSettings.DEFAULTS);
    long pairs = (long) ranks * (ranks - 1);
    long later = ours.hasAllBoxes() ? 0 : ranks * (ours.rankAreaBytes() - ours.boxesOffset());
    return new NodeMemory(
        ranks,
        pairs * settings.bufferBytes(),
        (long) ranks * POOL_CELLS * settings.cellBytes() + pairs * RECEIVE_BUFFER_BYTES,
        ours.reservedBytes(),
        ours.reservedBytes() + later);
  }
}
