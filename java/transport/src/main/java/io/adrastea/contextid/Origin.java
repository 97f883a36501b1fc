package io.adrastea.contextid;

/**
 * A communicator that another one was made out of, as the members of the new one see it: it tells of a member that has
 * not come in whether it has given up. What it says may be old, and the member may come in all the same: a rank that
 * keeps it out finds that by the CAS. Twin of {@code contextid/adr_origin.h}.
 */
public final class Origin {
  private final CommunicatorSlot parent;
  private final int[] localRanks;
  private final boolean byCollectives;

  /**
   * The parent's part in the making.
   *
   * @param parent its slot
   * @param localRanks of its members, in their order
   * @param byCollectives the members have told each other by its collectives; else by messages, which go on when those
   * have ended
   */
  public Origin(CommunicatorSlot parent, int[] localRanks, boolean byCollectives) {
    this.parent = parent;
    this.localRanks = localRanks.clone();
    this.byCollectives = byCollectives;
  }

  /** Whether a rank is a member, and makes no communicator out of this one any more. */
  boolean hasGivenUp(int localRank) {
    int member = 0;
    while (member < localRanks.length && localRanks[member] != localRank) {
      member++;
    }
    return member < localRanks.length && parent.makesNoMore(member, localRank, byCollectives);
  }
}
