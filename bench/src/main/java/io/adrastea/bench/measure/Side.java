package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Job;

/**
 * One rank of a pair.
 *
 * @param peer the other one
 * @param lower whether it is of the lower half of the ranks, which times
 * @param memory where the bytes of messages lie
 */
public record Side(Job job, int peer, boolean lower, Memory memory) {
  /** The rank of the other half at the same place. */
  public static Side of(Job job, Memory memory) {
    int half = job.world().size() / 2;
    int rank = job.world().rank();
    boolean lower = rank < half;
    return new Side(job, lower ? rank + half : rank - half, lower, memory);
  }

  /** All ranks. */
  public Communicator world() {
    return job.world();
  }

  /** New memory of its kind. */
  Storage storage() {
    return Storage.of(memory, job);
  }
}
