package io.adrastea.window;

import java.lang.foreign.MemorySegment;

/**
 * The block of a member of a window in its shared memory: how many bytes it has, and where its words lie. It is all
 * zeros at the start, at a multiple of 128, and all of its words have 64 bits. Twin of
 * {@code window/adr_window_block.h}.
 *
 * <pre>
 * line of the lock of this member's memory    exclusive, -, then (shares, waiters) for each 64 members
 * line of the whole window, member 0's alone  -, -, then (all, waiters) for each 64 members, then the wanted
 * posts                                       one for each member: how often this one has posted to it
 * completes                                   one for each member: how often this one has completed towards it
 * stripes                                     64, for elements that no single instruction can change
 * </pre>
 *
 * <p>
 * Each of the five begins at a multiple of 128. {@code exclusive} and a stripe hold the member that has them, plus 1,
 * in their lower half, and in their upper half a generation, which each release raises. Of the words with a bit for
 * each member, word i is about the members from 64 i on. Posts and completes are written by the member itself alone.
 */
public final class WindowBlock {
  /** The block begins at a multiple of so many bytes. */
  public static final int ALIGNMENT = 128;

  public static final int STRIPES = 64;

  /** So many bytes beside each other share a stripe. */
  public static final int STRIPE_BYTES = 64;

  /**
   * All memory of the process, in which words are found by their address: a segment of its own is checked anew behind
   * each access that orders, which costs more than the access.
   */
  static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private WindowBlock() {}

  private static long align(long bytes) {
    return bytes + ALIGNMENT - 1 & -ALIGNMENT;
  }

  /** Words of a set with a bit for each member. */
  static int words(int members) {
    return (members + Long.SIZE - 1) / Long.SIZE;
  }

  /** The offset of word i of shares or all, in its line. */
  static long holders(int word) {
    return 16 + 16L * word;
  }

  /** The offset of word i of the waiters, in their line. */
  static long waiters(int word) {
    return 24 + 16L * word;
  }

  /** The offset of the line of the whole window. */
  static long whole(int members) {
    return align(holders(words(members)));
  }

  static long wanted(int members, int word) {
    return whole(members) + holders(words(members)) + (long) Long.BYTES * word;
  }

  /** The offset of how often the member has posted to another one. */
  static long posts(int members, int to) {
    return align(wanted(members, words(members))) + (long) Long.BYTES * to;
  }

  /** The offset of how often the member has completed towards another one. */
  static long completes(int members, int target) {
    return align(posts(members, members)) + (long) Long.BYTES * target;
  }

  static long stripe(int members, int stripe) {
    return align(completes(members, members)) + (long) Long.BYTES * stripe;
  }

  /** How many bytes a block has in a window of so many members. */
  public static long bytes(int members) {
    return stripe(members, STRIPES);
  }

  /** The stripe of an element, by its displacement in bytes from the beginning of the member's memory. */
  public static int stripeOf(long displacement) {
    return (int) (displacement / STRIPE_BYTES % STRIPES);
  }

  /** The member that has an {@code exclusive} or a stripe, plus 1; 0: nobody. */
  static int owner(long word) {
    return (int) word;
  }

  /** The word with an owner. */
  static long owned(long word, int member) {
    return word | member + 1;
  }

  /** The word without its owner, of the next generation. */
  static long freed(long word) {
    return (word >>> Integer.SIZE) + 1 << Integer.SIZE;
  }

  /**
   * The address of a member's block, for {@link #MEMORY}; the caller keeps the block reachable.
   *
   * @throws IllegalArgumentException when the block is heap memory, or shorter, or not aligned
   */
  static long address(MemorySegment block, int member, int members) {
    boolean fits = block.isNative() && block.byteSize() >= bytes(members);
    if (!fits || block.address() % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          "the block of member %d is %s; allowed is native memory of %d bytes at a multiple of %d"
              .formatted(member, block, bytes(members), ALIGNMENT));
    }
    return block.address();
  }
}
