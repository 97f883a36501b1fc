package io.adrastea.cli.place;

import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which CPUs each rank gets.
 *
 * @param places of the ranks, in their order
 */
public record Placement(List<Place> places) {
  /**
   * What a rank gets.
   *
   * @param binding what it is bound to
   * @param cpus on which it may run
   */
  public record Place(Binding binding, Cpus cpus) {}

  /**
   * Deals the CPUs in the order of the mapping to all ranks that are bound.
   *
   * @param topology of the CPUs that may be used
   * @param bindings of the ranks, in their order
   * @throws IllegalArgumentException when the mapping names CPUs that may not be used, or there are too few for
   * {@link Binding#cpu}
   */
  public static Placement of(Topology topology, Mapping mapping, List<Binding> bindings) {
    List<Integer> order = mapping.of(topology);
    int bound = (int) bindings.stream().filter(binding -> binding != Binding.none).count();
    if (bound > order.size() && bindings.contains(Binding.cpu)) {
      throw new IllegalArgumentException(tooFew(topology, mapping, order.size(), bound));
    }
    List<Place> places = new ArrayList<>();
    int dealt = 0;
    for (Binding binding : bindings) {
      int cpu = order.get(dealt % order.size());
      places.add(new Place(binding, binding.around(cpu, topology)));
      dealt += binding == Binding.none ? 0 : 1;
    }
    return new Placement(places);
  }

  /** Places ranks none of which is bound. */
  public static Placement unbound(Cpus allowed, int ranks) {
    return new Placement(Collections.nCopies(ranks, new Place(Binding.none, allowed)));
  }

  private static String tooFew(Topology topology, Mapping mapping, int cpus, int ranks) {
    String there =
        mapping.order() == null
            ? "--map names %d %s".formatted(cpus, cpus == 1 ? "CPU" : "CPUs")
            : "%d %s allowed here (%s)".formatted(cpus, cpus == 1 ? "CPU is" : "CPUs are", topology.allowed());
    return ("--bind cpu gives each rank a CPU of its own: %d ranks are to be bound, and %s. Start at most %d, "
        + "choose --bind cache,"
        + " numa or none, or let ranks share CPUs by naming these several times, as in --map %s")
        .formatted(ranks, there, cpus, mapping.of(topology).getFirst() + "," + mapping.of(topology).getFirst());
  }

  /** The ranks that may run on a CPU and are bound. */
  List<Integer> boundTo(int cpu) {
    List<Integer> ranks = new ArrayList<>();
    for (int rank = 0; rank < places.size(); rank++) {
      if (places.get(rank).binding() != Binding.none && places.get(rank).cpus().contains(cpu)) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /** How many ranks have one CPU alone and share it with another such rank. */
  public int sharing() {
    List<Cpus> single =
        places.stream().filter(place -> place.binding() == Binding.cpu).map(Place::cpus).toList();
    return (int) single.stream().filter(cpus -> single.indexOf(cpus) != single.lastIndexOf(cpus)).count();
  }
}
