package io.adrastea.error;

/**
 * A message was longer than the buffer of the receive that it matched. The message is consumed: the buffer holds its
 * beginning, the rest is dropped, and the next message arrives intact.
 */
public final class TruncationException extends AdrasteaException {
  private static final long serialVersionUID = 1L;

  /** Length of the message. */
  private final long messageBytes;

  /** Length of the receive buffer. */
  private final long bufferBytes;

  /**
   * Names both lengths.
   *
   * @param source rank that sent the message
   * @param tag the message's tag
   * @param messageBytes length of the message
   * @param bufferBytes length of the receive buffer
   */
  public TruncationException(int source, int tag, long messageBytes, long bufferBytes) {
    super(
        ("message of %d bytes from rank %d with tag %d is longer than the receive buffer of %d bytes; probe "
            + "tells the length beforehand")
            .formatted(messageBytes, source, tag, bufferBytes));
    this.messageBytes = messageBytes;
    this.bufferBytes = bufferBytes;
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
