package io.adrastea.engine;

import java.util.List;

/**
 * Failed ranks that the program goes on without: ULFM's acknowledged failures. None is taken back. Any thread may ask
 * and add.
 */
final class AcknowledgedRanks {
  private volatile boolean[] acknowledged; // of each rank; another array takes its place, none is changed

  AcknowledgedRanks(int ranks) {
    this.acknowledged = new boolean[ranks];
  }

  synchronized void add(List<Integer> failed) {
    boolean[] all = acknowledged.clone();
    failed.forEach(rank -> all[rank] = true);
    acknowledged = all;
  }

  boolean has(int rank) {
    return acknowledged[rank];
  }
}
