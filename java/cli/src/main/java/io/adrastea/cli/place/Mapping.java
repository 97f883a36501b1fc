package io.adrastea.cli.place;

import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * In which order CPUs are dealt to ranks.
 *
 * @param order by what the CPUs hang together, or {@code null} when they are named
 * @param named the CPUs in the order in which they were named; empty for an order
 */
public record Mapping(CpuOrder order, List<Integer> named) {
  /** Neighbouring ranks are near each other. */
  public static final Mapping PACKED = new Mapping(CpuOrder.packed, List.of());

  /**
   * Reads the option.
   *
   * @throws IllegalArgumentException when it is neither the name of an order nor a list
   */
  public static Mapping parse(String option) {
    for (CpuOrder order : CpuOrder.values()) {
      if (order.name().equals(option)) {
        return new Mapping(order, List.of());
      }
    }
    if (!Cpus.isList(option)) {
      throw new IllegalArgumentException(
          "--map is '%s'; allowed are %s, or a list of CPUs as in 0,2-3"
              .formatted(
                  option, Arrays.stream(CpuOrder.values()).map(Enum::name).collect(Collectors.joining(", "))));
    }
    return new Mapping(null, Cpus.inOrder(option));
  }

  /**
   * The CPUs in this order.
   *
   * @throws IllegalArgumentException when one was named that is not allowed
   */
  List<Integer> of(Topology topology) {
    if (order != null) {
      return order.of(topology);
    }
    Cpus allowed = topology.allowed();
    for (int cpu : named) {
      if (!allowed.contains(cpu)) {
        throw new IllegalArgumentException(
            "--map has CPU %d, which does not exist or is not allowed here; allowed are %s".formatted(cpu, allowed));
      }
    }
    return named;
  }

  /** How many CPUs that are. */
  public int size(Topology topology) {
    return of(topology).size();
  }

  @Override
  public String toString() {
    return order != null ? order.name() : named.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
