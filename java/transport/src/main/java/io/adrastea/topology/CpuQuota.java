package io.adrastea.topology;

import java.nio.file.Path;

/**
 * How much of the CPUs a process may use, by its control groups: each of them, up to the root of its hierarchy, may set a quota of CPU
 * time for a period, and the least counts. Version 1 and 2 of control groups are understood, and both at once. Twin of {@code
 * affinity/adr_cpu_quota.h}.
 *
 * @param hundredths of a CPU, rounded up; 0: no limit
 */
public record CpuQuota(int hundredths) {
  /** Of this process. */
  public static CpuQuota here() {
    return read(Path.of("/"));
  }

  /**
   * Of a process.
   *
   * @param root what its absolute paths are below: {@code proc} and all that is mounted
   */
  public static CpuQuota read(Path root) {
    return ControlGroup.all(root).stream().map(ControlGroup::quota).reduce(new CpuQuota(0), CpuQuota::lesser);
  }

  /** The one that leaves less. */
  public CpuQuota lesser(CpuQuota other) {
    return hundredths == 0 || (other.hundredths != 0 && other.hundredths < hundredths) ? other : this;
  }

  /** How many CPUs that keeps busy at most, of so many that may be used: rounded up, at least 1. */
  public int limit(int cpus) {
    return hundredths == 0 ? cpus : Math.max(1, Math.min(cpus, Math.ceilDiv(hundredths, 100)));
  }
}
