package io.adrastea.bench.measure;

import io.adrastea.topology.Cpus;
import java.util.List;

/**
 * The CPUs that this process may run on, as a launcher deals them out.
 *
 * @param list their numbers in ascending order, at least one
 */
public record AllowedCpus(List<Integer> list) {
  /** Returns the CPUs that this process may use. */
  public static AllowedCpus here() {
    return new AllowedCpus(Cpus.ofThread().stream().boxed().toList());
  }

  /** How many there are. */
  public int count() {
    return list.size();
  }

  /** Writes the CPUs as the kernel writes lists: {@code 0-3,8}. */
  @Override
  public String toString() {
    return Cpus.of(list.stream().mapToInt(Integer::intValue).toArray()).toString();
  }
}
