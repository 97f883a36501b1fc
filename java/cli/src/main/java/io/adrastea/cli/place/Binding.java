package io.adrastea.cli.place;

import io.adrastea.topology.Cache;
import io.adrastea.topology.CpuGroup;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;

/** What a rank is bound to; the names are the words of the option. */
public enum Binding {
  /** One CPU. */
  cpu,
  /** All CPUs that share a CPU's last cache; where none is known, those of its NUMA node. */
  cache,
  /** All CPUs of a NUMA node. */
  numa,
  /** Nothing: it runs where the system puts it. */
  none;

  /** The words, as a usage line shows them. */
  public static final String WORDS = "cpu|cache|numa|none";

  /** The CPUs of a rank that was dealt this one. */
  Cpus around(int number, Topology topology) {
    return switch (this) {
      case cpu -> Cpus.of(number);
      case cache -> topology.lastCache(number).map(Cache::cpus).orElseGet(() -> node(number, topology));
      case numa -> node(number, topology);
      case none -> topology.allowed();
    };
  }

  private static Cpus node(int number, Topology topology) {
    return topology.nodes().stream()
        .map(CpuGroup::cpus)
        .filter(cpus -> cpus.contains(number))
        .findFirst()
        .orElseThrow();
  }
}
