package io.adrastea.topology;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * How CPUs of this node hang together: packages, NUMA nodes, caches and SMT siblings. Of each it names only the CPUs
 * that it was made for, which are those that may be used. Where the kernel does not tell, all are one package and one
 * node, each is a core, and there are no caches.
 */
public final class Topology {
  private final List<Cpu> cpus;
  private final Map<Integer, Cpu> byNumber;
  private final List<Cache> caches;

  Topology(List<Cpu> cpus) {
    this.cpus = List.copyOf(cpus);
    this.byNumber = cpus.stream().collect(Collectors.toMap(Cpu::number, cpu -> cpu));
    this.caches =
        cpus.stream()
            .flatMap(cpu -> cpu.caches().stream())
            .distinct()
            .sorted(Comparator.comparingInt(Cache::level).thenComparingInt(cache -> cache.cpus().first()))
            .toList();
  }

  /**
   * {@return the topology of these CPUs of this node, as it is now}
   *
   * @param allowed the CPUs
   */
  public static Topology of(Cpus allowed) {
    return read(Path.of("/sys"), allowed);
  }

  /**
   * {@return the topology of these CPUs of a node, as it is now}
   *
   * @param sys the root of its {@code /sys}
   * @param allowed which are to be looked at
   */
  public static Topology read(Path sys, Cpus allowed) {
    return new SysfsTopology(sys, allowed).topology();
  }

  /** {@return all CPUs, by number, in a list that does not change} */
  public List<Cpu> cpus() {
    return cpus;
  }

  /**
   * {@return one of the CPUs}
   *
   * @param number as the kernel gives them
   * @throws IllegalArgumentException when it is not one of them
   */
  public Cpu cpu(int number) {
    Cpu cpu = byNumber.get(number);
    if (cpu == null) {
      throw new ArgumentException(Reason.OTHER, "CPU %d is not one of %s".formatted(number, allowed()));
    }
    return cpu;
  }

  /** {@return the numbers of all CPUs} */
  public Cpus allowed() {
    return Cpus.of(cpus.stream().mapToInt(Cpu::number).toArray());
  }

  /** {@return the CPUs of each package (socket), by number} */
  public List<CpuGroup> packages() {
    return groups(Cpu::packageNumber);
  }

  /** {@return the CPUs of each NUMA node, by number} */
  public List<CpuGroup> nodes() {
    return groups(Cpu::node);
  }

  /** {@return the CPUs of each core, which are SMT siblings, by the first of them} */
  public List<CpuGroup> cores() {
    return groups(Cpu::core);
  }

  /** {@return the caches for data, the nearest level first, in a list that does not change} */
  public List<Cache> caches() {
    return caches;
  }

  /**
   * {@return the last cache before memory that a CPU looks into; empty when none is known}
   *
   * @param cpu number of one of the CPUs
   */
  public Optional<Cache> lastCache(int cpu) {
    List<Cache> all = cpu(cpu).caches();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /**
   * {@return the nearest cache that all these CPUs share; empty when there is none}
   *
   * @param together some of the CPUs
   */
  public Optional<Cache> sharedCache(Cpus together) {
    return caches.stream().filter(cache -> cache.cpus().and(together).equals(together)).findFirst();
  }

  private List<CpuGroup> groups(ToIntFunction<Cpu> by) {
    Map<Integer, List<Cpu>> members =
        cpus.stream().collect(Collectors.groupingBy(by::applyAsInt, TreeMap::new, Collectors.toList()));
    List<CpuGroup> groups = new ArrayList<>();
    members.forEach(
        (number, of) -> groups.add(new CpuGroup(number, Cpus.of(of.stream().mapToInt(Cpu::number).toArray()))));
    return groups;
  }
}
