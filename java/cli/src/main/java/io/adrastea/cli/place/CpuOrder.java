package io.adrastea.cli.place;

import io.adrastea.topology.Cpu;
import io.adrastea.topology.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Orders of all CPUs; the names are words of the option. In each of them faster cores come before slower ones, and the
 * first CPU of every core before a second one of any (its SMT sibling).
 */
enum CpuOrder {
  /**
   * Neighbours share as much as there is to share: a core's cache, then the last cache, then the NUMA node, then the
   * package.
   */
  packed,
  /** Neighbours share as little as possible. */
  spread,
  /** One CPU of each last cache in turn. */
  cache,
  /** One CPU of each NUMA node in turn. */
  numa,
  /** One CPU of each package in turn. */
  socket;

  private static final int MOST_LEVELS = 4;

  /** What a CPU is in, from the widest to the narrowest, as numbers that are equal for those who share it. */
  private static List<Integer> path(Cpu cpu) {
    List<Integer> path = new ArrayList<>(List.of(cpu.packageNumber(), cpu.node()));
    IntStream.rangeClosed(1, MOST_LEVELS).map(level -> MOST_LEVELS + 1 - level)
        .forEach(level -> path.add(cacheOf(cpu, level)));
    path.add(cpu.core());
    return path;
  }

  private static int cacheOf(Cpu cpu, int level) {
    return cpu.caches().stream()
        .filter(cache -> cache.level() == level)
        .mapToInt(cache -> cache.cpus().first())
        .findFirst()
        .orElse(-1);
  }

  List<Integer> of(Topology topology) {
    List<Integer> order = new ArrayList<>();
    groups(sorted(topology), cpu -> List.of(cpu.thread(), cpu.tier()))
        .forEach(alike -> inTurn(alike).forEach(cpu -> order.add(cpu.number())));
    return order;
  }

  private static List<Cpu> sorted(Topology topology) {
    Comparator<Cpu> order = Comparator.comparingInt(Cpu::thread).thenComparingInt(Cpu::tier);
    for (int step = 0; step < MOST_LEVELS + 3; step++) {
      int at = step;
      order = order.thenComparingInt(cpu -> path(cpu).get(at));
    }
    return topology.cpus().stream().sorted(order).toList();
  }

  private List<Cpu> inTurn(List<Cpu> packed) {
    return switch (this) {
      case packed -> packed;
      case spread -> spread(packed, 0);
      case cache -> deal(groups(packed, cpu -> cpu.caches().isEmpty() ? cpu.node() : cpu.caches().getLast()));
      case numa -> deal(groups(packed, Cpu::node));
      case socket -> deal(groups(packed, Cpu::packageNumber));
    };
  }

  /**
   * Deals out in turn what is different at this step of the paths, each of that in the order that this gives for the
   * next step.
   */
  private static List<Cpu> spread(List<Cpu> cpus, int step) {
    return step == MOST_LEVELS + 3 || cpus.size() == 1
        ? cpus
        : deal(groups(cpus, cpu -> path(cpu).get(step)).stream().map(group -> spread(group, step + 1)).toList());
  }

  private static Collection<List<Cpu>> groups(List<Cpu> cpus, Function<Cpu, Object> by) {
    return cpus.stream().collect(Collectors.groupingBy(by, LinkedHashMap::new, Collectors.toList())).values();
  }

  /** The first of each, then the second of each, and so on. */
  private static List<Cpu> deal(Collection<List<Cpu>> groups) {
    int longest = groups.stream().mapToInt(List::size).max().orElse(0);
    return IntStream.range(0, longest)
        .boxed()
        .flatMap(turn -> groups.stream().filter(group -> turn < group.size()).map(group -> group.get(turn)))
        .toList();
  }
}
