package io.adrastea.shmem;

/** What a put with a signal does to the signal once the data is there. */
public enum SignalOp {
  /** Stores the value. */
  SET,

  /** Adds the value. */
  ADD
}
