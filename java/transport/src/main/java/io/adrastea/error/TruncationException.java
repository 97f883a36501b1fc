package io.adrastea.error;

/**
 * A message was longer than the buffer of the receive that it matched. The message is consumed: the buffer holds its
 * beginning, the rest is dropped, and the next message arrives intact.
 */
public final class TruncationException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Rank that sent the message. */
  private final int rank;

  /** The number of that rank in the job. */
  private final int jobRank;

  /** Length of the message. */
  private final long messageBytes;

  /** Length of the receive buffer. */
  private final long bufferBytes;

  /**
   * Names the sender and both lengths.
   *
   * @param rank that sent the message, in the communicator
   * @param jobRank the same rank in the job
   * @param tag the message's tag
   * @param messageBytes length of the message
   * @param bufferBytes length of the receive buffer
   */
  public TruncationException(int rank, int jobRank, int tag, long messageBytes, long bufferBytes) {
    super(
        ("message of %d bytes from rank %d%s with tag %d is longer than the receive buffer of %d bytes; probe "
            + "tells the length beforehand")
            .formatted(messageBytes, rank, rank == jobRank ? "" : " (job rank %d)".formatted(jobRank), tag,
                bufferBytes));
    this.rank = rank;
    this.jobRank = jobRank;
    this.messageBytes = messageBytes;
    this.bufferBytes = bufferBytes;
  }

  /** {@return the number in the communicator of the rank that sent the message} */
  public int rank() {
    return rank;
  }

  /** {@return the number in the job of the rank that sent the message} */
  public int jobRank() {
    return jobRank;
  }

  /** {@return the length of the message in bytes} */
  public long messageBytes() {
    return messageBytes;
  }

  /** {@return the length of the receive buffer in bytes} */
  public long bufferBytes() {
    return bufferBytes;
  }
}
