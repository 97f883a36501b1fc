package io.adrastea.topology;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Reads a {@link Topology} from {@code /sys/devices}. */
final class SysfsTopology {
  private static final int FASTEST_CAPACITY = 1024;
  private static final int KILO = 10;

  private final Path devices;
  private final Path directories;
  private final Cpus allowed;
  private final Map<Integer, Integer> nodes = new HashMap<>();
  private final Map<Integer, Integer> speeds = new HashMap<>();

  SysfsTopology(Path sys, Cpus allowed) {
    this.devices = sys.resolve("devices");
    this.directories = devices.resolve("system/cpu");
    this.allowed = allowed;
  }

  Topology topology() {
    readNodes();
    readSpeeds();
    List<Integer> tiers = new ArrayList<>(new TreeSet<>(speeds.values()).descendingSet());
    return new Topology(allowed.stream().mapToObj(cpu -> cpu(cpu, tiers.indexOf(speeds.get(cpu)))).toList());
  }

  private Cpu cpu(int number, int tier) {
    Cpus core = core(number);
    int before = (int) core.and(allowed).stream().filter(sibling -> sibling < number).count();
    return new Cpu(
        number, packageOf(number), nodes.getOrDefault(number, 0), core.first(), before, tier, caches(number));
  }

  private void readNodes() {
    Path all = devices.resolve("system/node");
    Sysfs.numbered(all, "node")
        .forEach(
            node -> Sysfs.cpus(all.resolve("node" + node + "/cpulist")).stream().forEach(cpu -> nodes.put(cpu, node)));
  }

  /** Arm's kernels tell each CPU's capacity, Intel's which CPUs are of the slower kinds. */
  private void readSpeeds() {
    Cpus efficient = Sysfs.cpus(devices.resolve("cpu_atom/cpus"));
    Cpus frugal = Sysfs.cpus(devices.resolve("cpu_lowpower/cpus"));
    allowed.stream()
        .forEach(
            cpu -> {
              int capacity = Sysfs.number(directory(cpu).resolve("cpu_capacity"));
              int kind = frugal.contains(cpu) ? -2 : efficient.contains(cpu) ? -1 : FASTEST_CAPACITY;
              speeds.put(cpu, capacity >= 0 ? capacity : kind);
            });
  }

  private int packageOf(int cpu) {
    return Math.max(0, Sysfs.number(directory(cpu).resolve("topology/physical_package_id")));
  }

  /**
   * All CPUs of its core, this one at least. Old kernels tell numbers of cores only, which are those within a package.
   */
  private Cpus core(int cpu) {
    Cpus siblings = Sysfs.cpus(directory(cpu).resolve("topology/thread_siblings_list"));
    if (siblings.contains(cpu)) {
      return siblings;
    }
    int core = Sysfs.number(directory(cpu).resolve("topology/core_id"));
    return core < 0
        ? Cpus.of(cpu)
        : Cpus.of(
            allowed.stream()
                .filter(other -> packageOf(other) == packageOf(cpu))
                .filter(other -> Sysfs.number(directory(other).resolve("topology/core_id")) == core)
                .toArray());
  }

  private List<Cache> caches(int cpu) {
    Path all = directory(cpu).resolve("cache");
    return Sysfs.numbered(all, "index")
        .mapToObj(index -> all.resolve("index" + index))
        .filter(cache -> Sysfs.number(cache.resolve("level")) > 0)
        .filter(cache -> !Sysfs.line(cache.resolve("type")).equals("Instruction"))
        .map(cache -> cache(cache, cpu))
        .sorted(Comparator.comparingInt(Cache::level))
        .toList();
  }

  private Cache cache(Path cache, int cpu) {
    Cpus sharers = Sysfs.cpus(cache.resolve("shared_cpu_list")).and(allowed);
    return new Cache(
        Sysfs.number(cache.resolve("level")),
        bytes(Sysfs.line(cache.resolve("size"))),
        sharers.contains(cpu) ? sharers : Cpus.of(cpu));
  }

  /** {@code 48K}, {@code 2M} or a number of bytes; 0 when it is something else. */
  private static long bytes(String size) {
    if (!size.matches("[0-9]{1,12}[KMG]?")) {
      return 0;
    }
    int unit = "KMG".indexOf(size.charAt(size.length() - 1)) + 1;
    return Long.parseLong(unit == 0 ? size : size.substring(0, size.length() - 1)) << (KILO * unit);
  }

  private Path directory(int cpu) {
    return directories.resolve("cpu" + cpu);
  }
}
