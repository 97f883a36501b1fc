package io.adrastea.ranktable;

import io.adrastea.layout.RankEntryDescriptor;

/**
 * What a rank can do beyond plain messages, the barrier and shared memory, which every rank has. It tells so in its
 * entry of the rank table when it joins.
 */
public enum Capability {
  /** It takes messages by context, source and tag in any order. */
  MATCHING(RankEntryDescriptor.CAN_MATCH, "matching by source and tag"),
  /** It answers offers of large messages and of shared buffers. */
  RENDEZVOUS(RankEntryDescriptor.CAN_RENDEZVOUS, "rendezvous of large messages"),
  /** It tells the sender when a message is received. */
  SYNCHRONOUS(RankEntryDescriptor.CAN_SYNCHRONOUS, "synchronous sends"),
  /** It takes part in collectives. */
  COLLECTIVES(RankEntryDescriptor.CAN_COLLECTIVES, "collective operations"),
  /** It takes part in windows. */
  WINDOWS(RankEntryDescriptor.CAN_WINDOWS, "windows"),
  /** It has a symmetric heap. */
  SHMEM(RankEntryDescriptor.CAN_SHMEM, "OpenSHMEM"),
  /** It takes in the types of messages, where the job checks them. */
  CHECK_TYPES(RankEntryDescriptor.CAN_CHECK_TYPES, "the check of types"),
  /** It takes in active messages. */
  ACTIVE(RankEntryDescriptor.CAN_ACTIVE, "active messages");

  private final int bit;
  private final String words;

  Capability(int bit, String words) {
    this.bit = bit;
    this.words = words;
  }

  /** Its bit of {@code capabilities} in the rank table. */
  int bit() {
    return bit;
  }

  /** What it is called in messages to users. */
  public String words() {
    return words;
  }

  /** Several together, as a rank enters them. */
  public static int bits(Capability... capabilities) {
    int bits = 0;
    for (Capability capability : capabilities) {
      bits |= capability.bit;
    }
    return bits;
  }
}
