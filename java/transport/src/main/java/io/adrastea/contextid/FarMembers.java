package io.adrastea.contextid;

/** What the numbers of communicators need to know of members on other nodes, and ask them. Any thread may call. */
public interface FarMembers {
  /** Whether a rank of the job has failed or left. */
  boolean isGone(int jobRank);

  /**
   * Asks a member whether it still comes to a communicator that it has not said to be out of. The answer, if it is out,
   * comes later, and is told to {@link SlotPool#farIsOut}.
   *
   * @param parent what it was made out of
   * @param byCollectives see {@link Parents}
   */
  void ask(int id, int parent, boolean byCollectives, int jobRank);
}
