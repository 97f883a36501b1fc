package io.adrastea;

import io.adrastea.error.ConcurrentUseException;

/** How threads may use a rank, in MPI's terms. */
public enum ThreadLevel {
  /**
   * One thread, which joined the job, makes all calls, and the program has no other threads. Checked is the first, as
   * with {@link #FUNNELED}; the second is not, since a JVM always has more threads.
   */
  SINGLE,

  /**
   * One thread, which joined the job, makes all calls; there are others. A call by one of those gets
   * {@link ConcurrentUseException}, which names both. Excepted are calls of which is said that any thread may make
   * them.
   */
  FUNNELED,

  /**
   * Several threads, one at a time; the default. A second thread in a call gets {@link ConcurrentUseException}.
   */
  SERIALIZED,

  /** Several threads at a time: a lock is taken around each step of progress, never while waiting. */
  MULTIPLE
}
