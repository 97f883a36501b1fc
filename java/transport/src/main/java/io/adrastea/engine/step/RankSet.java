package io.adrastea.engine.step;

/**
 * Some ranks of a job for which something waits: it is gone through without a look at all the others, of which there
 * may be many. All its memory is taken when it is made, since what waits in it could find none in the middle. Called
 * inside the gate.
 */
public final class RankSet {
  private final int[] members;
  private final int[] places; // by rank: where it stands among the members, plus 1; 0: it is not among them
  private int count;

  /** Makes an empty set of ranks of a job with so many. */
  public RankSet(int ranks) {
    this.members = new int[ranks];
    this.places = new int[ranks];
  }

  /** Adds a rank; does nothing when it is a member. */
  public void add(int rank) {
    if (places[rank] == 0) {
      members[count++] = rank;
      places[rank] = count;
    }
  }

  /** Removes a rank, whose place the last member takes; does nothing when it is not a member. */
  public void remove(int rank) {
    int place = places[rank];
    if (place != 0) {
      int last = members[--count];
      members[place - 1] = last;
      places[last] = place;
      places[rank] = 0;
    }
  }

  /** How many members there are. */
  public int count() {
    return count;
  }

  /**
   * The member at a place from 0 to {@link #count}, exclusively. Code that goes through all begins with the last, so
   * that it may remove each on its way, and others: a place behind the last one tells a rank that was a member.
   */
  public int at(int place) {
    return members[place];
  }
}
