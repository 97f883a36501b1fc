package io.adrastea.engine.collective;

/**
 * Which members of a communicator are the two groups of an intercommunicator, as one of them sees it: those of a group
 * have numbers that follow each other.
 *
 * @param first member of this rank's group
 * @param size members of this rank's group
 * @param remoteFirst member of the other group
 * @param remoteSize members of the other group
 */
public record Groups(int first, int size, int remoteFirst, int remoteSize) {
  /** In place of the number of a root in the other group: this rank is the root. */
  public static final int ROOT = -1;

  /** Likewise: this rank is in the group of the root, and neither gives nor gets. */
  public static final int NOBODY = -2;

  /** Members of the group whose numbers come first. */
  public int firstSize() {
    return first == 0 ? size : remoteSize;
  }
}
