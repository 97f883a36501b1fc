package io.adrastea.engine.resources;

import io.adrastea.peers.Links;
import io.adrastea.wait.Gate;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.wait.WaitPolicy;

/**
 * Settings of an engine.
 *
 * @param bypass receives look for their message before they are posted [MPICH2 2007, 3.3]
 * @param links how the ranks are reached
 */
public record EngineSettings(WaitPolicy waiting, TransferSettings large, boolean bypass, Gate.Threads threads,
    Links links) {
  /** Whether several threads may use it at a time. */
  public boolean isMultithreaded() {
    return threads == Gate.Threads.MANY;
  }
}
