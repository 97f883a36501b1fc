package io.adrastea.rma;

import io.adrastea.error.RankFailedException;

/**
 * An epoch of accesses to a window, which {@link #close} ends: so it goes into a {@code try} with resources. It belongs
 * to the window of a rank, not to a thread, and the window uses the same object for each epoch to the same target.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "window"}
 */
public final class Epoch implements AutoCloseable {
  private final Runnable end;

  Epoch(Runnable end) {
    this.end = end;
  }

  /**
   * Ends the epoch: all accesses are done at their targets when it returns.
   *
   * @throws IllegalStateException when the epoch has ended
   * @throws RankFailedException when a target died whose accesses go by its handler
   */
  @Override
  public void close() {
    end.run();
  }
}
