package io.adrastea.engine.group;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Ranks in an order: the number of each here, and its number in the job. Does not change. The engine works with job
 * ranks everywhere; what a caller says, and what a caller is told, is translated here alone. Numbers below zero stand
 * for no single rank and stay as they are.
 */
public final class Numbering {
  /** No rank of the group. */
  public static final int NONE = -1;

  private final int size;
  private final int[] jobRanks; // null: both numbers of every rank are the same
  private final int[] ranks; // by job rank; NONE: it is not in the group

  private Numbering(int size, int[] jobRanks, int[] ranks) {
    this.size = size;
    this.jobRanks = jobRanks;
    this.ranks = ranks;
  }

  /** All ranks of a job, each by its own number. */
  public static Numbering world(int jobSize) {
    return new Numbering(jobSize, null, null);
  }

  /**
   * Some ranks of a job, in that order.
   *
   * @throws IllegalArgumentException when there are none, when the job has no such rank, or when one comes twice
   */
  public static Numbering of(int jobSize, int... jobRanks) {
    int[] ranks = new int[jobSize];
    Arrays.fill(ranks, NONE);
    if (jobRanks.length == 0) {
      throw new ArgumentException(Reason.GROUP, "a group of no ranks; name at least one");
    }
    for (int rank = 0; rank < jobRanks.length; rank++) {
      int jobRank = jobRanks[rank];
      if (jobRank < 0 || jobRank >= jobSize) {
        throw new ArgumentException(Reason.RANK,
            "rank %d in a group; this job has ranks 0 to %d".formatted(jobRank, jobSize - 1));
      }
      if (ranks[jobRank] != NONE) {
        throw new ArgumentException(Reason.RANK,
            "rank %d comes twice in a group; each rank is in it at most once".formatted(jobRank));
      }
      ranks[jobRank] = rank;
    }
    return new Numbering(jobRanks.length, jobRanks.clone(), ranks);
  }

  /** How many ranks the job has. */
  public int jobSize() {
    return ranks == null ? size : ranks.length;
  }

  public int size() {
    return size;
  }

  /** The number in the job of rank {@code rank} of the group. */
  public int jobRank(int rank) {
    return jobRanks == null ? rank : listed(rank);
  }

  private int listed(int rank) {
    return rank < 0 ? rank : jobRanks[rank];
  }

  /** The number here of a rank of the job; {@link #NONE}: it is not in the group. */
  public int rankOf(int jobRank) {
    return jobRanks == null ? jobRank : found(jobRank);
  }

  private int found(int jobRank) {
    return jobRank < 0 ? jobRank : ranks[jobRank];
  }

  public boolean contains(int jobRank) {
    return rankOf(jobRank) >= 0;
  }

  /** The job ranks of all, in the order of the group. */
  public IntStream jobRanks() {
    return IntStream.range(0, size).map(this::jobRank);
  }

  /** A rank of the job in words: by its number here, and by that in the job where it is another one. */
  public String name(int jobRank) {
    int rank = rankOf(jobRank);
    return rank == jobRank ? Integer.toString(rank) : "%d (job rank %d)".formatted(rank, jobRank);
  }

  @Override
  public String toString() {
    return jobRanks == null ? "all %d ranks".formatted(size) : "job ranks " + Arrays.toString(jobRanks);
  }
}
