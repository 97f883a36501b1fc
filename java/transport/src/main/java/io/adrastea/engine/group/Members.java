package io.adrastea.engine.group;

import java.util.Collection;

/**
 * The ranks of one communicator, and the failures among them that its program has acknowledged: what waits for any of
 * them goes on without those. Acknowledged by one communicator is not acknowledged by another [ULFM].
 */
public final class Members {
  private final Group group;
  private volatile boolean[] acknowledged; // by number in the group; another array takes its place, none is changed

  public Members(Group group) {
    this.group = group;
    this.acknowledged = new boolean[group.size()];
  }

  public Group group() {
    return group;
  }

  /** Any thread may call. */
  public synchronized void acknowledge(Collection<Integer> failedJobRanks) {
    boolean[] all = acknowledged.clone();
    failedJobRanks.forEach(jobRank -> all[group.rankOf(jobRank)] = true);
    acknowledged = all;
  }

  public boolean hasAcknowledged(int jobRank) {
    return acknowledged[group.rankOf(jobRank)];
  }

  /** A rank of the job in words, see {@link Group#name}. */
  public String name(int jobRank) {
    return group.name(jobRank);
  }
}
