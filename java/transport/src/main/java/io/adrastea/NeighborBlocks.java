package io.adrastea;

import io.adrastea.engine.collective.Blocks;
import java.util.Arrays;

/**
 * What one side of a neighbour collective is for the engine: for each rank of the communicator one block, in which the
 * parts of all edges to that rank lie one behind the other. Mutable and reused.
 */
final class NeighborBlocks implements Blocks {
  private final long[] bytes;
  private final long[] at;

  NeighborBlocks(int size) {
    this.bytes = new long[size];
    this.at = new long[size];
  }

  void clear() {
    Arrays.fill(bytes, 0);
  }

  /** Adds the part of an edge to the block of its rank; whether it lies behind those of the edges before it. */
  boolean add(int rank, long length, long start) {
    if (length == 0) {
      return true;
    }
    if (bytes[rank] == 0) {
      at[rank] = start;
    }
    boolean behind = at[rank] + bytes[rank] == start;
    bytes[rank] += length;
    return behind;
  }

  long total() {
    long sum = 0;
    for (long length : bytes) {
      sum += length;
    }
    return sum;
  }

  @Override
  public long bytes(int member) {
    return bytes[member];
  }

  @Override
  public long at(int member) {
    return bytes[member] == 0 ? 0 : at[member];
  }
}
