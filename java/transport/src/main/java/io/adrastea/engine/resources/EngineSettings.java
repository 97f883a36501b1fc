package io.adrastea.engine.resources;

import io.adrastea.link.LinkFactory;
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
    LinkFactory links) {
  /** Whether several threads may use it at a time. */
  public boolean isMultithreaded() {
    return threads == Gate.Threads.MANY;
  }
}
