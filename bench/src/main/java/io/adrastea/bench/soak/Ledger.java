package io.adrastea.bench.soak;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Which messages of one source have been received in a round. */
final class Ledger {
  private final Traffic traffic;
  private final int source;
  private final int rank;
  private final Map<Integer, BitSet> steps = new HashMap<>();
  private int complete; // every step before this one

  Ledger(Traffic traffic, int source, int rank) {
    this.traffic = traffic;
    this.source = source;
    this.rank = rank;
  }

  private int count(int step) {
    return traffic.count(step, source, rank);
  }

  private BitSet of(int step) {
    return steps.computeIfAbsent(step, key -> new BitSet());
  }

  /** How many messages of a step are still to be received. */
  int missing(int step) {
    return step < complete ? 0 : count(step) - of(step).cardinality();
  }

  /** Tag of the first message that has not been received: what a receive of any tag gets. */
  int next() {
    for (int step = complete;; step++) {
      if (missing(step) > 0) {
        return Traffic.tag(step, of(step).nextClearBit(0));
      }
    }
  }

  /** Tag of the message of a step that is the {@code which}-th of the missing ones. */
  int missing(int step, int which) {
    int number = of(step).nextClearBit(0);
    for (int i = 0; i < which; i++) {
      number = of(step).nextClearBit(number + 1);
    }
    return Traffic.tag(step, number);
  }

  boolean has(int tag) {
    return Traffic.step(tag) < complete || of(Traffic.step(tag)).get(Traffic.number(tag));
  }

  /** A message has come; false: it was not due, or has come before. */
  boolean take(int tag) {
    int step = Traffic.step(tag);
    if (has(tag) || Traffic.number(tag) >= count(step)) {
      return false;
    }
    of(step).set(Traffic.number(tag));
    while (missing(complete) == 0 && complete < Traffic.step(tag) + 1) {
      steps.remove(complete++);
    }
    return true;
  }
}
