package io.adrastea;

import io.adrastea.engine.group.Numbering;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Ranks of a job in an order, each at most once: those of a communicator ({@link Communicator#group}), or what was made
 * of such groups. A group is a list and no more: to make one involves no other rank. It does not change, and any thread
 * may use it, also after its communicator or job was closed.
 *
 * <p>
 * A rank of the group is its place there, from 0. Groups of different jobs have nothing to do with each other and are
 * refused together.
 */
public final class Group {
  private static final int NO_PLACE = -1;
  private static final int NO_RANK_OF_JOB = -1;
  private static final Group EMPTY = new Group(null, 0, NO_RANK_OF_JOB, new int[0]);

  /** How two groups relate, see {@link #compare}. */
  public enum Comparison {
    /** They have the same ranks in the same order. */
    IDENTICAL,

    /** They have the same ranks in another order. */
    SIMILAR,

    /** One has a rank that the other has not. */
    UNEQUAL
  }

  private final Object job; // what groups of one job share; compared by identity; null: of any, without ranks
  private final int self; // job rank of the member that the group was made by
  private final int[] jobRanks;
  private final int[] places; // by job rank; NO_PLACE: it is not here

  private Group(Object job, int jobSize, int self, int[] jobRanks) {
    this.job = job;
    this.self = self;
    this.jobRanks = jobRanks;
    this.places = new int[jobSize];
    Arrays.fill(places, NO_PLACE);
    for (int place = 0; place < jobRanks.length; place++) {
      places[jobRanks[place]] = place;
    }
  }

  /**
   * The group without ranks (MPI_GROUP_EMPTY), which needs no job and goes with groups of each.
   *
   * @return always the same group; one without ranks that was made of others equals it
   */
  public static Group empty() {
    return EMPTY;
  }

  /** Makes the group of a communicator of a job. */
  static Group of(Object job, int self, Numbering numbering) {
    return new Group(job, numbering.jobSize(), self, numbering.jobRanks().toArray());
  }

  private Group with(int[] ranksOfTheJob) {
    return new Group(job, places.length, self, ranksOfTheJob);
  }

  /**
   * Number of ranks.
   *
   * @return zero or more
   */
  public int size() {
    return jobRanks.length;
  }

  /**
   * Place of the calling rank.
   *
   * @return from 0, or {@link Communicator#UNDEFINED}: it is not here
   */
  public int rank() {
    return rankOf(self);
  }

  /**
   * Number in the job of a rank.
   *
   * @param rank its place here
   * @return from 0
   * @throws IllegalArgumentException when the group has no such rank
   */
  public int jobRank(int rank) {
    requireRank(rank);
    return jobRanks[rank];
  }

  /**
   * The numbers in the job of all ranks.
   *
   * @return in the order of the group; an array of the caller's own
   */
  public int[] jobRanks() {
    return jobRanks.clone();
  }

  /**
   * Place of a rank of the job.
   *
   * @param jobRank its number in the job
   * @return from 0, or {@link Communicator#UNDEFINED}: it is not here
   */
  public int rankOf(int jobRank) {
    return isHere(jobRank) ? places[jobRank] : Communicator.UNDEFINED;
  }

  private boolean isHere(int jobRank) {
    return jobRank >= 0 && jobRank < places.length && places[jobRank] != NO_PLACE;
  }

  /**
   * Places in another group of ranks of this one.
   *
   * @param other group of the same job
   * @param ranks places here; {@link Communicator#NO_RANK} is translated to itself
   * @return places there, in the same order; {@link Communicator#UNDEFINED} where it does not have the rank
   * @throws IllegalArgumentException when this group has no such rank, or the other is of another job
   */
  public int[] translate(Group other, int... ranks) {
    requireSameJob(other);
    return IntStream.of(Objects.requireNonNull(ranks, "the ranks are null"))
        .map(rank -> rank == Communicator.NO_RANK ? rank : other.rankOf(jobRank(rank)))
        .toArray();
  }

  /**
   * All ranks that are in this group or in the other: those of this one in their order, then the rest in the order of
   * the other.
   *
   * @param other group of the same job
   * @return the union
   * @throws IllegalArgumentException when the other is of another job
   */
  public Group union(Group other) {
    requireSameJob(other);
    if (job == null) {
      return other;
    }
    return with(
        IntStream.concat(IntStream.of(jobRanks), IntStream.of(other.jobRanks).filter(rank -> !isHere(rank)))
            .toArray());
  }

  /**
   * The ranks that are in both groups, in the order of this one.
   *
   * @param other group of the same job
   * @return the intersection, which may have no rank
   * @throws IllegalArgumentException when the other is of another job
   */
  public Group intersection(Group other) {
    requireSameJob(other);
    return filtered(other::isHere);
  }

  /**
   * The ranks of this group that are not in the other, in the order of this one.
   *
   * @param other group of the same job
   * @return the difference, which may have no rank
   * @throws IllegalArgumentException when the other is of another job
   */
  public Group difference(Group other) {
    requireSameJob(other);
    return filtered(rank -> !other.isHere(rank));
  }

  private Group filtered(IntPredicate which) {
    return with(IntStream.of(jobRanks).filter(which).toArray());
  }

  /**
   * Some ranks of this group.
   *
   * @param ranks places here, each at most once
   * @return a group of these, in the order in which they are named
   * @throws IllegalArgumentException when this group has no such rank, or one is named twice
   */
  public Group incl(int... ranks) {
    requireEachOnce(ranks);
    return with(IntStream.of(ranks).map(this::jobRank).toArray());
  }

  /**
   * All ranks of this group but some.
   *
   * @param ranks places here, each at most once
   * @return a group of the others, in the order of this one
   * @throws IllegalArgumentException when this group has no such rank, or one is named twice
   */
  public Group excl(int... ranks) {
    boolean[] left = requireEachOnce(ranks);
    return with(IntStream.range(0, size()).filter(rank -> !left[rank]).map(this::jobRank).toArray());
  }

  /**
   * Some ranks of this group, by ranges.
   *
   * @param ranges each of three numbers: the first place, the last one, which the range ends with or before, and the
   * distance from one to the next, which is below zero for a range that goes down
   * @return a group of the ranks of the first range, then those of the next, and so on
   * @throws IllegalArgumentException when a range has other than three numbers, its distance is zero, this group has no
   * such rank, or a rank is in two ranges
   */
  public Group inclRanges(int[]... ranges) {
    return incl(ranksOf(ranges));
  }

  /**
   * All ranks of this group but those in ranges.
   *
   * @param ranges as of {@link #inclRanges}
   * @return a group of the others, in the order of this one
   * @throws IllegalArgumentException as {@link #inclRanges}
   */
  public Group exclRanges(int[]... ranges) {
    return excl(ranksOf(ranges));
  }

  private int[] ranksOf(int[]... ranges) {
    return Arrays.stream(Objects.requireNonNull(ranges, "the ranges are null")).flatMapToInt(this::ranksOf).toArray();
  }

  private IntStream ranksOf(int[] range) {
    if (Objects.requireNonNull(range, "a range is null").length != 3 || range[2] == 0) {
      throw new ArgumentException(Reason.GROUP,
          "the range %s; a range is its first rank, its last rank and a distance that is not 0"
              .formatted(Arrays.toString(range)));
    }
    requireRank(range[0]);
    requireRank(range[1]);
    int last = Math.floorDiv(range[1] - range[0], range[2]); // below zero: the range goes the other way, and is empty
    return IntStream.rangeClosed(0, last).map(index -> range[0] + index * range[2]);
  }

  /**
   * Compares this group with another one. ({@link #equals} is true for identical ones.)
   *
   * @param other group of the same job
   * @return how they relate
   * @throws IllegalArgumentException when the other is of another job
   */
  public Comparison compare(Group other) {
    requireSameJob(other);
    if (Arrays.equals(jobRanks, other.jobRanks)) {
      return Comparison.IDENTICAL;
    }
    return size() == other.size() && IntStream.of(jobRanks).allMatch(other::isHere)
        ? Comparison.SIMILAR
        : Comparison.UNEQUAL;
  }

  private void requireSameJob(Group other) {
    if (Objects.requireNonNull(other, "the other group is null").job != job && job != null && other.job != null) {
      throw new ArgumentException(Reason.GROUP,
          "a group of another job; allowed are groups of the communicators of one membership in a job");
    }
  }

  private void requireRank(int rank) {
    if (rank < 0 || rank >= size()) {
      throw new ArgumentException(Reason.RANK, size() == 0
          ? "rank %d of a group that has no ranks".formatted(rank)
          : "rank %d of a group; this one has ranks 0 to %d".formatted(rank, size() - 1));
    }
  }

  /** By place, whether it is named. */
  private boolean[] requireEachOnce(int... ranks) {
    boolean[] named = new boolean[size()];
    for (int rank : Objects.requireNonNull(ranks, "the ranks are null")) {
      requireRank(rank);
      if (named[rank]) {
        throw new ArgumentException(Reason.RANK,
            "rank %d is named twice; a group has each at most once".formatted(rank));
      }
      named[rank] = true;
    }
    return named;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Group group && Arrays.equals(jobRanks, group.jobRanks)
        && (group.job == job || jobRanks.length == 0);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(jobRanks);
  }

  @Override
  public String toString() {
    return "job ranks " + Arrays.toString(jobRanks);
  }
}
