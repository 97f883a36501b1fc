package io.adrastea.contextid;

import java.util.function.IntPredicate;

/**
 * What a communicator is made out of, as its members tell each other by messages.
 *
 * @param one id of the communicator
 * @param other id of the one that has the other members of an intercommunicator
 * @param areInOther tells, of a rank of the job, whether it is one of those
 * @param byCollectives the members have told each other by its collectives; else by messages, which go on when those
 * have ended
 */
public record Parents(int one, int other, IntPredicate areInOther, boolean byCollectives) {
  /** The parents of a communicator whose members agree on it: a member that gives up tells it unasked. */
  public static final Parents NONE = of(-1, false);

  /** Makes the parents of what is made out of one communicator alone. */
  public static Parents of(int id, boolean byCollectives) {
    return new Parents(id, id, jobRank -> false, byCollectives);
  }

  /** The one that has a member. */
  public int parentOf(int jobRank) {
    return areInOther.test(jobRank) ? other : one;
  }
}
