package io.adrastea.cli.place;

import io.adrastea.topology.Cpu;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The CPUs as a tree of packages, NUMA nodes, shared caches and cores, and beside each CPU the ranks that are bound to
 * it.
 */
public final class Drawing {
  private static final String INDENT = "  ";
  private static final int MOST_LEVELS = 4;

  private final Topology topology;
  private final Placement placement;
  private final List<Function<Cpu, Optional<String>>> levels = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final int numberWidth;
  private final int ranksWidth;

  private Drawing(Topology topology, Placement placement) {
    this.topology = topology;
    this.placement = placement;
    this.numberWidth = Integer.toString(topology.cpus().getLast().number()).length();
    this.ranksWidth = topology.cpus().stream().mapToInt(cpu -> ranks(cpu.number()).length()).max().orElse(1);
    levels.add(cpu -> Optional.of("package " + cpu.packageNumber()));
    levels.add(cpu -> topology.nodes().size() == 1 ? Optional.empty() : Optional.of("NUMA node " + cpu.node()));
    for (int level = MOST_LEVELS; level > 0; level--) {
      int which = level;
      levels.add(cpu -> shared(cpu, which));
    }
  }

  /** The lines of the drawing. */
  public static List<String> of(Topology topology, Placement placement) {
    Drawing drawing = new Drawing(topology, placement);
    List<Cpu> byCore =
        topology.cpus().stream().sorted(Comparator.comparingInt(Cpu::core).thenComparingInt(Cpu::number)).toList();
    drawing.draw(byCore, 0, "");
    return drawing.lines;
  }

  /** A cache that several cores share; those of single cores are not drawn. */
  private Optional<String> shared(Cpu cpu, int level) {
    return cpu.caches().stream()
        .filter(cache -> cache.level() == level)
        .filter(cache -> cache.cpus().stream().anyMatch(other -> topology.cpu(other).core() != cpu.core()))
        .map(cache -> cache + " of CPUs " + cache.cpus())
        .findFirst();
  }

  private void draw(List<Cpu> cpus, int level, String indent) {
    if (level == levels.size()) {
      groups(cpus, Cpu::core).values().forEach(core -> lines.add(indent + line(core)));
      return;
    }
    for (List<Cpu> group : groups(cpus, stepOf(levels.get(level))).values()) {
      Optional<String> label = levels.get(level).apply(group.getFirst());
      label.ifPresent(text -> lines.add(indent + text));
      draw(group, level + 1, label.isPresent() ? indent + INDENT : indent);
    }
  }

  /** CPUs without a label stay together as far as they are neighbours, so that the order is kept. */
  private static Function<Cpu, String> stepOf(Function<Cpu, Optional<String>> label) {
    int[] labelled = {0};
    return cpu -> {
      Optional<String> text = label.apply(cpu);
      labelled[0] += text.isPresent() ? 1 : 0;
      return text.orElse("after " + labelled[0]);
    };
  }

  private static <K> Map<K, List<Cpu>> groups(List<Cpu> cpus, Function<Cpu, K> by) {
    Map<K, List<Cpu>> groups = new LinkedHashMap<>();
    cpus.forEach(cpu -> groups.computeIfAbsent(by.apply(cpu), key -> new ArrayList<>()).add(cpu));
    return groups;
  }

  private String line(List<Cpu> core) {
    StringBuilder line = new StringBuilder(core.getFirst().tier() > 0 ? "slower core" : "core");
    String column = "  CPU %" + numberWidth + "d: %-" + ranksWidth + "s";
    core.forEach(cpu -> line.append(column.formatted(cpu.number(), ranks(cpu.number()))));
    return line.toString().stripTrailing();
  }

  private String ranks(int cpu) {
    List<Integer> ranks = placement.boundTo(cpu);
    Cpus numbers = Cpus.of(ranks.stream().mapToInt(Integer::intValue).toArray()); // written as CPUs are: 0-3,8
    return ranks.isEmpty() ? "-" : (ranks.size() == 1 ? "rank " : "ranks ") + numbers;
  }
}
