package io.adrastea.ranktable;

import static io.adrastea.layout.RankEntryDescriptor.*;

/**
 * What a rank waits for that has waited for long, as it tells in its entry of the rank table.
 *
 * @param call {@code RankEntryDescriptor.IN_…}
 * @param peer the rank that it waits for; -1: any or, at the barrier, all
 * @param tag of the message; -1: any
 * @param name of the rank that it waits for, as the program knows it; it does not stand in the entry; null: its number
 */
public record Waiting(int call, int peer, int tag, String name) {
  private static final int CALL_SHIFT = 56;
  private static final int TELLING_SHIFT = 48;
  private static final int TELLING_MASK = 0xFF;
  private static final int PEER_SHIFT = 32;
  private static final int PEER_MASK = 0xFFFF;

  /** What waits for a rank that has no other name than its number. */
  public Waiting(int call, int peer, int tag) {
    this(call, peer, tag, null);
  }

  /** Makes the one word by which the entry tells it. */
  public long word() {
    return (long) call << CALL_SHIFT | (long) (peer + 1) << PEER_SHIFT | Integer.toUnsignedLong(tag);
  }

  /**
   * Makes that word with how often its rank has told of a wait: a rank that reads two equal words, one after the other,
   * knows that nothing was moved in between that the wait depends on.
   */
  public long word(int telling) {
    return word() | (long) (telling & TELLING_MASK) << TELLING_SHIFT;
  }

  /** This wait, where the peer has this number on its node. */
  public Waiting withPeer(int other) {
    return new Waiting(call, other, tag, name);
  }

  /** What such a word says; whatever it is, {@link #toString} has words for it. */
  public static Waiting of(long word) {
    return new Waiting((int) (word >>> CALL_SHIFT), (int) (word >>> PEER_SHIFT) & PEER_MASK, (int) word).withRank();
  }

  private Waiting withRank() {
    return new Waiting(call, peer - 1, tag);
  }

  /** "in a receive from rank 1 with tag 7". */
  @Override
  public String toString() {
    return switch (call) {
      case IN_RECEIVE -> "in a receive from %s with %s".formatted(rank(), tagInWords());
      case IN_SEND -> "in a send to %s with %s".formatted(rank(), tagInWords());
      case IN_CLAIM -> "for room for a message to %s with %s".formatted(rank(), tagInWords());
      case IN_PROBE -> "in a probe of %s with %s".formatted(rank(), tagInWords());
      case IN_MEMORY -> "for what %s writes to shared memory".formatted(rank());
      case IN_BARRIER -> "at the barrier, for all other ranks";
      case IN_COLLECTIVE -> "in a collective, for %s".formatted(rank());
      case IN_WINDOW -> "in an epoch of a window, for %s".formatted(rank());
      default -> "for one of several requests";
    };
  }

  private String rank() {
    return peer < 0 ? "any rank" : "rank " + (name == null ? peer : name);
  }

  private String tagInWords() {
    return tag < 0 ? "any tag" : "tag " + tag;
  }
}
