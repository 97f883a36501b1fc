package io.adrastea.cli.host;

import io.adrastea.ranktable.Cpus;
import java.util.ArrayList;
import java.util.List;

/**
 * The CPUs that this process may run on, as a launcher deals them out.
 *
 * @param list their numbers in ascending order, at least one
 */
public record AllowedCpus(List<Integer> list) {
  /** Of this process. */
  public static AllowedCpus here() {
    return new AllowedCpus(Cpus.ofThread().allowed().stream().boxed().toList());
  }

  /** How many there are. */
  public int count() {
    return list.size();
  }

  /** The CPU of a rank: the ranks are dealt to the CPUs in turn. */
  public int ofRank(int rank) {
    return list.get(rank % list.size());
  }

  /** As the kernel writes lists: {@code 0-3,8}. */
  @Override
  public String toString() {
    List<String> ranges = new ArrayList<>();
    for (int from = 0, to; from < list.size(); from = to + 1) {
      to = from;
      while (to + 1 < list.size() && list.get(to + 1) == list.get(to) + 1) {
        to++;
      }
      ranges.add(from == to ? "" + list.get(from) : list.get(from) + "-" + list.get(to));
    }
    return String.join(",", ranges);
  }
}
