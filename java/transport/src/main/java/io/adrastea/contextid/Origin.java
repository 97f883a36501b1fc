package io.adrastea.contextid;

/**
 * A communicator that another one was made out of, as the members of the new one see it: it tells of a member that has
 * not come in whether it has given up. What it says may be old, and the member may come in all the same: a rank that
 * keeps it out finds that by the CAS. Twin of {@code contextid/adr_origin.h}.
 */
public final class Origin {
  private static final int FEW = 64; // communicators that were made one out of the other

  private final CommunicatorSlot parent;
  private final int[] localRanks;
  private final boolean byCollectives;
  private int depth; // so many were made one out of the other, as far as they are remembered
  private int mostDepth = FEW; // from which on those are looked for that nothing is to be remembered of

  /** Forgets what the farthest one was made out of that all have come in to. */
  private void forgetOld() {
    Origin farther = this;
    int steps = 0;
    while (farther.parent.origin() != null && !farther.parent.haveAllCome()) {
      farther = farther.parent.origin(); // the other group of an intercommunicator was made out of nothing known here
      steps++;
    }
    farther.parent.forgetOrigins();
    depth = steps;
    mostDepth = Math.max(2 * steps, FEW);
  }

  /**
   * The parent's part in the making. What the parent was made out of is forgotten once that tells nothing any more,
   * since each member has come in. Where one of them is late, that is looked for farther up from time to time: so a
   * chain of communicators whose parents are closed takes no more memory than ranks are behind each other.
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
    Origin before = parent.origin();
    if (before == null) {
      return;
    }
    depth = before.depth + 1;
    mostDepth = before.mostDepth;
    if (parent.isSettled() || parent.haveAllCome()) {
      parent.forgetOrigins();
      depth = 0;
    } else if (depth >= mostDepth) {
      forgetOld();
    }
  }

  /** The number of a rank among the members, by its local rank; their count where it is not among them. */
  private int memberOf(int localRank) {
    int member = 0;
    while (member < localRanks.length && localRanks[member] != localRank) {
      member++;
    }
    return member;
  }

  boolean hasMember(int localRank) {
    return memberOf(localRank) < localRanks.length;
  }

  private boolean hasNotCome(int localRank) {
    int member = memberOf(localRank);
    return member < localRanks.length && parent.hasNotCome(member);
  }

  private boolean makesNoMore(int localRank) {
    int member = memberOf(localRank);
    return member < localRanks.length && parent.makesNoMore(member, byCollectives);
  }

  /**
   * Whether a member that has not come in never does, as what the communicator was made out of tells. It may have given
   * up one of those without having come in to those made out of that.
   */
  boolean hasGivenUp(int localRank) {
    Origin below = null;
    Origin origin = this;
    while (origin != null) {
      if (origin.makesNoMore(localRank)) {
        // It may have come in below, in the meantime, before it has given up here.
        return below == null || below.hasNotCome(localRank);
      }
      below = origin;
      origin = origin.hasNotCome(localRank) ? origin.parent.originOf(localRank) : null;
    }
    return false;
  }
}
