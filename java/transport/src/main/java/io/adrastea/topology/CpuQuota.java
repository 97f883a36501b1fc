package io.adrastea.topology;

import java.nio.file.Path;

/**
 * How much of the CPUs a process may use, by its control groups: each of them, up to the root of its hierarchy, may set
 * a quota of CPU time for a period, and the least counts. Version 1 and 2 of control groups are understood, and both at
 * once. Twin of {@code
 * affinity/adr_cpu_quota.h}.
 *
 * @param hundredths of a CPU, rounded up; 0: no limit
 */
public record CpuQuota(int hundredths) {
  /**
   * Of this process.
   *
   * @return its quota
   */
  public static CpuQuota here() {
    return read(Path.of("/"));
  }

  /**
   * Of a process.
   *
   * @param root what its absolute paths are below: {@code proc} and all that is mounted
   * @return its quota
   */
  public static CpuQuota read(Path root) {
    return ControlGroup.all(root).stream().map(ControlGroup::quota).reduce(new CpuQuota(0), CpuQuota::lesser);
  }

  /**
   * The one that leaves less.
   *
   * @param other another quota
   * @return this or that one
   */
  public CpuQuota lesser(CpuQuota other) {
    return hundredths == 0 || (other.hundredths != 0 && other.hundredths < hundredths) ? other : this;
  }

  /**
   * How many CPUs that keeps busy at most, of so many that may be used: rounded up, at least 1.
   *
   * @param cpus how many may be used
   * @return from 1 to {@code cpus}
   */
  public int limit(int cpus) {
    return hundredths == 0 ? cpus : Math.max(1, Math.min(cpus, Math.ceilDiv(hundredths, 100)));
  }
}
