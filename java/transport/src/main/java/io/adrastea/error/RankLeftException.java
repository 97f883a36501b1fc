package io.adrastea.error;

/**
 * An operation depends on a rank that has left the job in order. A wildcard receive fails so when no other rank of its
 * communicator is there any more: for a server that is the end of its work
 * ({@link io.adrastea.Communicator#acknowledgeLeftRanks}). A program that makes no difference between ranks that left
 * and ranks that failed catches {@link RankFailedException}, which this extends.
 */
public final class RankLeftException extends RankFailedException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the rank.
   *
   * @param rank the rank that has left, by its number in the communicator of the operation
   * @param jobRank its number in the job
   * @param message which operation needed it
   */
  public RankLeftException(int rank, int jobRank, String message) {
    super(rank, jobRank, message);
  }
}
