package io.adrastea.error;

/**
 * A call asks something of a rank that this rank cannot do, such as a synchronous send to a C rank. Nothing was begun:
 * the rank says what it can do when it joins, so the call is refused at once.
 */
public final class CapabilityException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Rank that cannot do it, by its number in the communicator. */
  private final int rank;

  /** The number of that rank in the job. */
  private final int jobRank;

  /**
   * Names the rank.
   *
   * @param rank the rank that cannot do it, by its number in the communicator of the call
   * @param jobRank its number in the job
   * @param message what it cannot do, and what it can
   */
  public CapabilityException(int rank, int jobRank, String message) {
    super(message);
    this.rank = rank;
    this.jobRank = jobRank;
  }

  /** {@return the number of the rank that cannot do it, in the communicator of the call} */
  public int rank() {
    return rank;
  }

  /** {@return the number of the rank that cannot do it, in the job} */
  public int jobRank() {
    return jobRank;
  }
}
