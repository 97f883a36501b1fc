package io.adrastea.engine.group;

import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The ranks of one communicator, and those among them of which its program has acknowledged that they have failed or
 * left: what waits for any of them goes on without those. Acknowledged by one communicator is not acknowledged by
 * another [ULFM].
 */
public final class Members {
  private final Numbering numbering;
  private volatile String label;
  private BooleanSupplier revoked = () -> false;
  private Runnable settler = () -> {};
  private IntConsumer asker = jobRank -> {};
  private volatile boolean[] acknowledged; // by number in the group; another array takes its place, none is changed

  /**
   * Makes the members of a communicator.
   *
   * @param label what exceptions call the communicator
   */
  public Members(Numbering numbering, String label) {
    this.numbering = numbering;
    this.label = label;
    this.acknowledged = new boolean[numbering.size()];
  }

  /** Names what tells whether the communicator was revoked; else it never is. */
  public void revokedBy(BooleanSupplier teller) {
    revoked = teller;
  }

  /** Whether a rank has revoked the communicator [ULFM]. */
  public boolean isRevoked() {
    return revoked.getAsBoolean();
  }

  /** Names what keeps members out that have given up the communicator while it was made. */
  public void settledBy(Runnable keepsOut) {
    settler = keepsOut;
  }

  /** Keeps such members out: from then on they are as members that have closed it. A wait sees to that at times. */
  public void settle() {
    settler.run();
  }

  /**
   * Names what asks a member, by its number in the job, whether it is still in the communicator or comes to it, where
   * no memory tells.
   */
  public void askedBy(IntConsumer asks) {
    asker = asks;
  }

  /** Asks a member that has kept this rank waiting for a while. The answer, if it is out, comes later. */
  public void ask(int jobRank) {
    asker.accept(jobRank);
  }

  /** What exceptions call the communicator. */
  public String label() {
    return label;
  }

  public void label(String name) {
    label = name;
  }

  public Numbering numbering() {
    return numbering;
  }

  /** Any thread may call. */
  public synchronized void acknowledge(Collection<Integer> goneJobRanks) {
    boolean[] all = acknowledged.clone();
    goneJobRanks.forEach(jobRank -> all[numbering.rankOf(jobRank)] = true);
    acknowledged = all;
  }

  public boolean hasAcknowledged(int jobRank) {
    return acknowledged[numbering.rankOf(jobRank)];
  }

  /** A rank of the job in words, see {@link Numbering#name}. */
  public String name(int jobRank) {
    return numbering.name(jobRank);
  }
}
