package io.adrastea.bench.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rounds that met the same placement of the two CPUs, told by the floor found in them: a hypervisor moves virtual CPUs
 * between core complexes, and what two of them pay for a cache line jumps.
 *
 * @param rounds the numbers of the rounds of each group, the group with the least floor first; one group, or two
 */
public record Groups(List<List<Integer>> rounds) {
  /** A jump from one round's floor to the next higher one that noise does not make. */
  static final double JUMP = 1.4;

  private static final String[] NAMES = {"near", "far"};

  /**
   * Divides the rounds at the largest jump, if there is one.
   *
   * @param floors for each size, the floor's median in each round
   */
  public static Groups of(List<List<Double>> floors) {
    if (floors.isEmpty()) {
      return new Groups(List.of());
    }
    double[] heights = heights(floors);
    List<Integer> order =
        IntStream.range(0, heights.length)
            .boxed()
            .sorted(Comparator.comparingDouble(round -> heights[round]))
            .toList();
    int cut = order.size();
    double largest = JUMP;
    for (int i = 1; i < order.size(); i++) {
      double jump = heights[order.get(i)] / heights[order.get(i - 1)];
      if (jump > largest) {
        largest = jump;
        cut = i;
      }
    }
    List<List<Integer>> groups = new ArrayList<>();
    groups.add(order.subList(0, cut).stream().sorted().toList());
    if (cut < order.size()) {
      groups.add(order.subList(cut, order.size()).stream().sorted().toList());
    }
    return new Groups(groups);
  }

  /** How high the floor stood in each round: the geometric mean over the sizes. */
  private static double[] heights(List<List<Double>> floors) {
    double[] heights = new double[floors.get(0).size()];
    for (int round = 0; round < heights.length; round++) {
      double logs = 0;
      for (List<Double> floor : floors) {
        logs += Math.log(floor.get(round));
      }
      heights[round] = Math.exp(logs / floors.size());
    }
    return heights;
  }

  /** True when there were two placements. */
  public boolean two() {
    return rounds.size() == 2;
  }

  /** {@code near} or {@code far}. */
  public static String name(int group) {
    return NAMES[group];
  }
}
