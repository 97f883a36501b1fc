package io.adrastea.topology;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** A {@code /sys} of another machine, as far as topology goes, in the words of the kernel. */
public final class FakeMachine {
  private final Path sys;

  private FakeMachine(Path sys) {
    this.sys = sys;
  }

  /** Nothing is told yet. */
  public static FakeMachine blank(Path sys) {
    return new FakeMachine(sys);
  }

  /**
   * A laptop of two kinds of cores: 0-7 are four fast ones with SMT, siblings beside each other; 8-15 are eight slower
   * ones in clusters of four that share an L2; all these share the L3. 16-17 are slower still away from it.
   */
  public static FakeMachine laptop(Path sys) {
    FakeMachine machine = new FakeMachine(sys);
    for (int cpu = 0; cpu < 8; cpu++) {
      String core = (cpu & ~1) + "-" + (cpu | 1);
      machine.cpu(cpu, 0, cpu / 2 * 4, core).caches(cpu, "48K", core, "2048K", core).cache(cpu, 3, 3, "Unified",
          "24576K", "0-15");
    }
    for (int cpu = 8; cpu < 16; cpu++) {
      String cluster = cpu < 12 ? "8-11" : "12-15";
      machine.cpu(cpu, 0, 8 + cpu, "" + cpu).caches(cpu, "32K", "" + cpu, "4096K", cluster).cache(cpu, 3, 3, "Unified",
          "24576K", "0-15");
    }
    for (int cpu = 16; cpu < 18; cpu++) {
      machine.cpu(cpu, 0, 8 + cpu, "" + cpu).caches(cpu, "32K", "" + cpu, "2048K", "16-17");
    }
    return machine.node(0, "0-17").file("devices/cpu_core/cpus", "0-7").file("devices/cpu_atom/cpus", "8-15").file(
        "devices/cpu_lowpower/cpus", "16-17");
  }

  /**
   * Two packages of eight cores, each with an L3 and two NUMA nodes of four cores: 0-15 are the first CPUs of the
   * cores, 16-31 their SMT siblings.
   */
  public static FakeMachine server(Path sys) {
    FakeMachine machine = new FakeMachine(sys);
    for (int cpu = 0; cpu < 32; cpu++) {
      int core = cpu % 16;
      String siblings = core + "," + (core + 16);
      machine
          .cpu(cpu, core / 8, core % 8, siblings)
          .caches(cpu, "48K", siblings, "1280K", siblings)
          .cache(cpu, 3, 3, "Unified", "49152K", core < 8 ? "0-7,16-23" : "8-15,24-31");
    }
    return machine.node(0, "0-3,16-19").node(1, "4-7,20-23").node(2, "8-11,24-27").node(3, "12-15,28-31");
  }

  /**
   * One package and one NUMA node of four chiplets, each with an L3 and four cores: 0-15, and their SMT siblings 16-31.
   */
  public static FakeMachine chiplets(Path sys) {
    FakeMachine machine = new FakeMachine(sys);
    for (int cpu = 0; cpu < 32; cpu++) {
      int core = cpu % 16;
      int first = core & ~3;
      String siblings = core + "," + (core + 16);
      machine
          .cpu(cpu, 0, core, siblings)
          .caches(cpu, "32K", siblings, "1024K", siblings)
          .cache(cpu, 3, 3, "Unified", "32768K", "%d-%d,%d-%d".formatted(first, first + 3, first + 16, first + 19));
    }
    return machine.node(0, "0-31");
  }

  /** The topology of the CPUs in a list. */
  public Topology topology(String allowed) {
    return Topology.read(sys, Cpus.parse(allowed));
  }

  /** What the kernel says of a CPU. */
  public FakeMachine cpu(int cpu, int socket, int core, String siblings) {
    return file(of(cpu) + "topology/physical_package_id", "" + socket)
        .file(of(cpu) + "topology/core_id", "" + core)
        .file(of(cpu) + "topology/thread_siblings_list", siblings);
  }

  /** Two L1s and an L2. */
  private FakeMachine caches(int cpu, String first, String firstSharers, String second, String secondSharers) {
    return cache(cpu, 0, 1, "Data", first, firstSharers)
        .cache(cpu, 1, 1, "Instruction", "32K", firstSharers)
        .cache(cpu, 2, 2, "Unified", second, secondSharers);
  }

  /** What the kernel says of a cache of a CPU. */
  public FakeMachine cache(int cpu, int index, int level, String type, String size, String sharers) {
    String cache = of(cpu) + "cache/index" + index + "/";
    return file(cache + "level", "" + level)
        .file(cache + "type", type)
        .file(cache + "size", size)
        .file(cache + "shared_cpu_list", sharers);
  }

  /** A NUMA node. */
  public FakeMachine node(int node, String cpus) {
    return file("devices/system/node/node" + node + "/cpulist", cpus);
  }

  /** Capacities as Arm's kernels tell them, from CPU 0 on. */
  public FakeMachine capacities(int... capacities) {
    IntStream.range(0, capacities.length).forEach(cpu -> file(of(cpu) + "cpu_capacity", "" + capacities[cpu]));
    return this;
  }

  /** Any file. */
  public FakeMachine file(String name, String text) {
    try {
      Path file = sys.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String of(int cpu) {
    return "devices/system/cpu/cpu" + cpu + "/";
  }
}
