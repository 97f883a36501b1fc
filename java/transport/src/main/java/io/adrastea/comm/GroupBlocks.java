package io.adrastea.comm;

import io.adrastea.engine.collective.Blocks;

/**
 * One side of an exchange between the groups of an intercommunicator: what goes to ranks of the remote group, or comes
 * from them. Mutable and reused, by one call at a time.
 */
final class GroupBlocks implements Blocks {
  private int first; // number of the first of these ranks in the communicator of both groups
  private int count; // of these ranks; the others have no block
  private long bytes; // of each block
  private long stride; // from one block to the next
  private Parts parts; // blocks of any length in place of equal ones; null: equal ones

  /** No rank has a block. */
  void clear() {
    set(0, 0, 0, 0);
  }

  /** Ranks that follow each other have equal blocks. */
  void set(int first, int count, long bytes, long stride) {
    this.first = first;
    this.count = count;
    this.bytes = bytes;
    this.stride = stride;
    this.parts = null;
  }

  /** Each of the ranks that follow each other has its part. */
  void set(int first, Parts parts) {
    set(first, parts.count(), 0, 0);
    this.parts = parts;
  }

  @Override
  public long bytes(int member) {
    return !has(member) ? 0 : parts == null ? bytes : parts.bytes(member - first);
  }

  @Override
  public long at(int member) {
    return !has(member) ? 0 : parts == null ? (member - first) * stride : parts.at(member - first);
  }

  private boolean has(int member) {
    return member >= first && member < first + count;
  }
}
