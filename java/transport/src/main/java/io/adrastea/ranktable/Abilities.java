package io.adrastea.ranktable;

/**
 * What a rank can do, as it tells when it joins: the ranks of its node in its entry of the rank table, those of other
 * nodes by what is exchanged then.
 *
 * @param bits {@link Capability#bits}
 * @param isOfC whether it is a program in C, without an engine
 */
public record Abilities(int bits, boolean isOfC) {
  /** Whether the rank can do what is asked. */
  public boolean has(Capability capability) {
    return (bits & capability.bit()) != 0;
  }

  /**
   * Why something is not to be asked of the rank, and what is: the words behind its name.
   *
   * @param capability what it lacks
   */
  public String lack(Capability capability) {
    StringBuilder has = new StringBuilder("messages by send and receive, the barrier and shared memory");
    for (Capability other : Capability.values()) {
      has.append(has(other) ? ", " + other.words() : "");
    }
    return "is %s, which has no %s; allowed with it are %s"
        .formatted(isOfC ? "a C rank of job.h" : "a Java rank", capability.words(), has);
  }
}
