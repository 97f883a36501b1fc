package io.adrastea.bootstrap;

import java.util.Optional;

/**
 * What a start-up service lets the ranks of a job put under keys, and read from each other, as those of PMI and PMIx
 * do. A call fails for good with a {@link io.adrastea.error.JoinException} when the service is gone or late.
 */
interface KeySpace extends AutoCloseable {
  /** Puts a value of this rank, printable ASCII without blanks, under a key that nobody else uses. */
  void put(String key, String value);

  /** Waits until all ranks of the job have called this as often; they can read then what the others had put. */
  void fence();

  /** What a rank has put under a key; empty: nothing. */
  Optional<String> get(int rank, String key);

  /** Ends the conversation as it should end: a rank that ends without a word is no failure to the service then. */
  void finish();

  /** Gives up what it holds; without {@link #finish} before, the service may end all ranks. */
  @Override
  void close();
}
