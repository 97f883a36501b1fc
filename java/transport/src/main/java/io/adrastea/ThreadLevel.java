package io.adrastea;

/** How threads may use a rank, in MPI's terms. */
public enum ThreadLevel {
  /** One thread, which joined the job, makes all calls. */
  SINGLE,

  /** One thread, which joined the job, makes all calls; there are others. */
  FUNNELED,

  /** Several threads, one at a time; the default. A second thread in a call gets an exception. */
  SERIALIZED,

  /** Several threads at a time: a lock is taken around each step of progress, never while waiting. */
  MULTIPLE
}
