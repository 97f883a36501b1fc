package io.adrastea.bench.measure;

import java.util.Set;

/**
 * Brings exchanges from other packages into the {@link Worker}, found by {@link java.util.ServiceLoader}: the lower
 * half of the ranks reports times.
 */
public interface ExchangeFactory {
  /** The commands of {@link Kind}s that it serves. */
  Set<String> commands();

  /** A new exchange of this rank; every rank of the job makes the same. */
  Exchange make(String command, Side side);
}
