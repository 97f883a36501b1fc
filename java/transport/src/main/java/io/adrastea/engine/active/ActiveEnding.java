package io.adrastea.engine.active;

/** Hears of the end of a message that was posted: its memory can be used again. Called inside the gate. */
public interface ActiveEnding {
  /**
   * All of the message was given to the link, or it has failed. Called inside of {@link ActiveMessages#post} where that
   * is so at once. It may post messages.
   *
   * @param failure why not all of it went out; null: all did
   */
  void ended(RuntimeException failure);
}
