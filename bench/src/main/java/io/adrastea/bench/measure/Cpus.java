package io.adrastea.bench.measure;

import java.util.List;

/**
 * The CPUs to pin to.
 *
 * @param used in the order of use: the floor and the first pair of ranks take the first two
 * @param allowed what this process may run on
 */
public record Cpus(List<Integer> used, AllowedCpus allowed) {
  /**
   * Reads the option.
   *
   * @param option a list as in {@code 0,2}, or {@code null} for all allowed ones
   * @throws IllegalArgumentException when a CPU is not allowed or the list is not one
   */
  public static Cpus choose(String option, AllowedCpus allowed) {
    if (option == null) {
      return new Cpus(allowed.list(), allowed);
    }
    List<Integer> used = inOrder(option, allowed);
    if (used.size() < 2 && allowed.count() > 1) {
      throw new IllegalArgumentException(
          "'%s' names one CPU; two are needed, as in 0,1".formatted(option));
    }
    return new Cpus(used, allowed);
  }

  /**
   * Reads a list of CPUs.
   *
   * @throws IllegalArgumentException when a CPU is not allowed or the list is not one
   */
  public static List<Integer> inOrder(String option, AllowedCpus allowed) {
    List<Integer> all = io.adrastea.topology.Cpus.inOrder(option.replace(" ", ""));
    for (int cpu : all) {
      if (!allowed.list().contains(cpu)) {
        throw new IllegalArgumentException(
            "CPU %d does not exist or is not allowed here; allowed are %s".formatted(cpu, allowed));
      }
    }
    return all;
  }

  /**
   * The CPU of a side of a pair of ranks: two different ones for each pair as long as there are enough.
   */
  public int of(int pair, int side) {
    return used.get((2 * pair + side) % used.size());
  }

  /**
   * The CPU of a rank: that of its side where ranks i and i+n/2 form a pair; the next one for the last rank of an odd
   * number.
   */
  public int ofRank(int rank, int ranks) {
    int pairs = ranks / 2;
    return rank < 2 * pairs ? of(rank % pairs, rank / pairs) : of(pairs, 0);
  }

  /** True when both sides of the floor share a CPU. */
  public boolean single() {
    return of(0, 0) == of(0, 1);
  }
}
