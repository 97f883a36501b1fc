package io.adrastea.bench.measure;

import java.util.List;
import java.util.function.Consumer;

/**
 * Brings other ways of moving messages into a run, found by {@link java.util.ServiceLoader}: the module {@code bench}
 * has them, the command line alone has none.
 */
public interface PeerSource {
  /**
   * Starts, on the first two CPUs, those of the peers named that are installed.
   *
   * @param names as {@code bench compare --peers} has them; others are passed over
   * @param notes where it says which are missing, and why
   */
  List<Variant> start(List<String> names, Cpus cpus, Consumer<String> notes)
      throws InterruptedException;
}
