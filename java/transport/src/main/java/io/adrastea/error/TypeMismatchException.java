package io.adrastea.error;

/**
 * The basic types of a message are others than those of the receive that it matched: thrown in a job that checks types
 * ({@code adrastea.check=types}). The message is consumed, nothing of it was written to the buffer, and the next
 * message arrives intact.
 */
public final class TypeMismatchException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Rank that sent the message. */
  private final int rank;

  /** The number of that rank in the job. */
  private final int jobRank;

  /**
   * Names the sender and both signatures.
   *
   * @param rank that sent the message, in the communicator
   * @param jobRank the same rank in the job
   * @param tag the message's tag
   * @param sent basic types of the message
   * @param expected basic types of the receive
   */
  public TypeMismatchException(int rank, int jobRank, int tag, String sent, String expected) {
    super(
        ("message from rank %d%s with tag %d has %s, and its receive is for %s; receive what is sent, in its order, or "
            + "receive into memory without a type (adrastea.check=types)")
            .formatted(rank, rank == jobRank ? "" : " (job rank %d)".formatted(jobRank), tag, sent, expected));
    this.rank = rank;
    this.jobRank = jobRank;
  }

  /** {@return the number in the communicator of the rank that sent the message} */
  public int rank() {
    return rank;
  }

  /** {@return the number in the job of the rank that sent the message} */
  public int jobRank() {
    return jobRank;
  }
}
