package io.adrastea.bench.measure;

import io.adrastea.Job;
import java.util.Set;

/**
 * Brings exchanges from other packages into the {@link Worker}, found by {@link java.util.ServiceLoader}: the lower
 * half of the ranks reports times.
 */
public interface ExchangeFactory {
  /** The commands of {@link Kind}s that it serves. */
  Set<String> commands();

  /** A new exchange, the same on every rank of the job. */
  Exchange make(String command, Job job);
}
