package io.adrastea.error;

/**
 * An operation depends on a rank that has died, given up, or left the job. Thrown within about a second of that, once
 * all that the rank had sent is in. Operations with other ranks go on, and so does the job; a wildcard receive fails
 * when any rank has failed, until {@link io.adrastea.Job#acknowledgeFailedRanks} is called, and the barrier when any
 * cannot come. {@link io.adrastea.Job#failedRanks} lists who has failed.
 */
public final class RankFailedException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Rank that is gone. */
  private final int rank;

  /**
   * Names the rank.
   *
   * @param rank the rank that is gone
   * @param message how it went, and which operation needed it
   */
  public RankFailedException(int rank, String message) {
    super(message);
    this.rank = rank;
  }

  /** {@return the number of the rank that is gone} */
  public int rank() {
    return rank;
  }
}
