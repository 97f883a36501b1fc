package io.adrastea.cli.info;

import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Drawing;
import io.adrastea.cli.place.Mapping;
import io.adrastea.cli.place.Placement;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** The CPUs of this machine that may be used, and the ranks that {@code run} would bind to them. */
final class CpuMap {
  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      description = "Print only that map, of so many ranks (default: one for each CPU).")
  private Integer ranks;

  @Option(
      names = "--bind",
      paramLabel = Binding.WORDS,
      description = "Print only the map of CPUs and the ranks that `run` binds to them, for this binding "
          + "(default: cpu; `run`"
          + " binds none by default, unless it has --map).")
  private Binding binding;

  @Option(
      names = "--map",
      paramLabel = "ORDER",
      description = "Print only that map, with CPUs dealt in this order, see `run --help` (default: packed).")
  private String map;

  /** The map of the options; without any of them, of one rank for each CPU. */
  static Section section(CpuMap options) {
    return (options == null ? new CpuMap() : options).section(Topology.of(Cpus.ofThread()));
  }

  private Section section(Topology topology) {
    Mapping mapping = map == null ? Mapping.PACKED : Mapping.parse(map);
    Binding chosen = binding == null ? Binding.cpu : binding;
    int size = ranks == null ? mapping.size(topology) : ranks;
    if (size < 1) {
      throw new IllegalArgumentException("-n is %d; allowed is 1 and more".formatted(size));
    }
    Placement placement = placement(topology, mapping, Collections.nCopies(size, chosen));
    return new Section(
        "CPUs, and the ranks that `run -n %d --bind %s --map %s` binds to them".formatted(size, chosen, mapping),
        Drawing.of(topology, placement).stream().map(List::of).toList());
  }

  private Placement placement(Topology topology, Mapping mapping, List<Binding> bindings) {
    try {
      return Placement.of(topology, mapping, bindings);
    } catch (IllegalArgumentException e) {
      String unsaid = ". --bind cpu is the default of this map; `run` without --bind and --map binds no rank";
      throw binding == null ? new IllegalArgumentException(e.getMessage() + unsaid, e) : e;
    }
  }
}
