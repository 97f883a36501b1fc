package io.adrastea.error;

/**
 * An operation depends on a rank that is gone: it has died, given up or, where this is a {@link RankLeftException},
 * left the job in order. Thrown within about a second of that, once all that the rank had sent is in. Operations with
 * other ranks go on, and so does the job. A wildcard receive fails when any rank of its communicator has failed, until
 * {@link io.adrastea.Communicator#acknowledgeFailedRanks} is called, and a barrier when any cannot come.
 * {@link io.adrastea.Communicator#failedRanks} lists the ranks that have failed, and
 * {@link io.adrastea.Communicator#leftRanks} those that have left.
 */
public sealed class RankFailedException extends AdrasteaException permits RankLeftException {
  private static final long serialVersionUID = 1L;

  /** Rank that is gone, by its number in the communicator. */
  private final int rank;

  /** The number of that rank in the job. */
  private final int jobRank;

  /**
   * Names the rank.
   *
   * @param rank the rank that is gone, by its number in the communicator of the operation
   * @param jobRank its number in the job
   * @param message how it went, and which operation needed it
   */
  public RankFailedException(int rank, int jobRank, String message) {
    super(message);
    this.rank = rank;
    this.jobRank = jobRank;
  }

  /** {@return the number of the rank that is gone, in the communicator of the operation} */
  public int rank() {
    return rank;
  }

  /** {@return the number of the rank that is gone, in the job} */
  public int jobRank() {
    return jobRank;
  }
}
