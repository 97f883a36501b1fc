package io.adrastea.engine;

import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.WaitPolicy;

/**
 * Settings of an engine.
 *
 * @param waiting how its threads wait
 * @param large how large messages go
 * @param bypass receives look for their message before they are posted (000 section 3.3)
 * @param threads which threads may use it
 */
public record EngineSettings(WaitPolicy waiting, TransferSettings large, boolean bypass, Threads threads) {
  /** Which threads may use an engine. */
  public enum Threads {
    /** The one that makes it. */
    ONE,

    /** Any, one at a time. */
    IN_TURN,

    /** Any, several at a time. */
    MANY
  }

  /** Whether several threads may use it at a time. */
  public boolean many() {
    return threads == Threads.MANY;
  }
}
