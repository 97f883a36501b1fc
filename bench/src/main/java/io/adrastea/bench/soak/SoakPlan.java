package io.adrastea.bench.soak;

import java.time.Duration;
import java.util.List;

/**
 * What was asked for.
 *
 * @param cores dealt to the ranks in turn
 * @param largest most bytes of a message
 * @param patience how long a rank may do nothing in a round
 */
record SoakPlan(int ranks, List<String> cores, Duration length, int largest, long seed, Duration patience) {
  String core(int rank) {
    return cores.get(rank % cores.size());
  }
}
