package io.adrastea.engine.active;

import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;

/**
 * Takes in the active messages of one type at their receiver [von Eicken 1992]. Called inside a step of progress: it
 * may send active messages ({@link ActiveMessages#post}), and waits for nothing. From one source one message is under
 * way at a time, in the order in which they were sent.
 */
public interface ActiveHandler {
  /** Memory for a message without payload. */
  Payload NO_MEMORY = new Contiguous();

  /**
   * Takes memory for what the end of a message brings about, its answers too ({@link ActiveMessages#reserve}). Called
   * before the last piece is taken: where there is no memory the piece stays, and is found again.
   */
  default void reserve() {}

  /**
   * A message begins. When this throws, nothing has changed, and it is asked again at the next step.
   *
   * @param source rank of the job
   * @param header words of the message, and 0 behind them; to be read only until this returns
   * @param length bytes of the payload
   * @return where the payload goes, at least so many bytes, which nobody else writes until the message has ended; null:
   *   the message is dropped, and nothing more is told of it
   */
  Payload begin(int source, long[] header, long length);

  /**
   * All of a message is there.
   *
   * @param header as of {@link #begin}
   * @param memory that was named for the payload
   */
  void finished(int source, long[] header, Payload memory);

  /**
   * The rest of a message does not come, or has no place: its sender is gone, or memory of one of its ends was closed.
   *
   * @param memory that was named for the payload, with some of it
   * @param cause says why
   */
  void failed(int source, long[] header, Payload memory, RuntimeException cause);
}
