package io.adrastea.error;

/**
 * A collective cannot be completed, since the members of its communicator do not call the same one, or one of them has
 * broken it off: its operator threw, it was interrupted, or it has closed the communicator. That communicator takes no
 * more collectives, and each further one says so; messages go on.
 */
public final class CollectiveException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Rank because of which it cannot, by its number in the communicator. */
  private final int rank;

  /** The number of that rank in the job. */
  private final int jobRank;

  /**
   * Names the rank.
   *
   * @param rank the rank because of which the collective cannot be completed, by its number in the communicator
   * @param jobRank its number in the job
   * @param message which call it was, and what that rank has done
   */
  public CollectiveException(int rank, int jobRank, String message) {
    super(message);
    this.rank = rank;
    this.jobRank = jobRank;
  }

  /** {@return the number of the rank because of which it cannot be completed, in the communicator of the call} */
  public int rank() {
    return rank;
  }

  /** {@return the number of that rank in the job} */
  public int jobRank() {
    return jobRank;
  }
}
