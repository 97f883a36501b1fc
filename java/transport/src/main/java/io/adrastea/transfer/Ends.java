package io.adrastea.transfer;

/**
 * How far both ends of a transfer are, as one of them knows: the {@link Stage} of its own, and what the other end has
 * said. {@link Handshake} takes the steps; a {@link Mechanism} says when its end has copied all.
 */
final class Ends {
  private Stage stage = Stage.OFFERED;
  private boolean peerDone; // the other end copies no more
  private boolean senderTells; // the sender has a part of the copy: it says when it is done, and the receiver waits

  void clear() {
    stage = Stage.OFFERED;
    peerDone = false;
    senderTells = false;
  }

  Stage stage() {
    return stage;
  }

  private void become(Stage next) {
    assert stage.mayBecome(next) : "%s is followed by %s".formatted(stage, next);
    stage = next;
  }

  /** Whether this end has bytes to copy, or to go through. */
  boolean isMoving() {
    return stage == Stage.COPYING || stage == Stage.SKIPPING;
  }

  /** Whether this end copies no more. */
  boolean isCopied() {
    return stage.compareTo(Stage.COPIED) >= 0;
  }

  /** Whether the other end was told that this one copies no more, or has failed. */
  boolean isTold() {
    return stage == Stage.TOLD || stage == Stage.SKIPPING;
  }

  boolean isPeerDone() {
    return peerDone;
  }

  /** Whether the transfer is not over before the sender has said that it is done. */
  boolean doesSenderTell() {
    return senderTells;
  }

  /** Sender: asks for its offer back; false: it is too late, or was done. */
  boolean withdraw() {
    boolean can = stage == Stage.OFFERED && !peerDone;
    if (can) {
      become(Stage.WITHDRAWING);
    }
    return can;
  }

  /** Both ends know the way of the bytes, or another way for the rest of them. */
  void agree() {
    become(Stage.COPYING);
    peerDone = false;
    senderTells = false;
  }

  /** This end copies no more. */
  void copied() {
    if (!isCopied()) {
      become(stage == Stage.SKIPPING ? Stage.TOLD : Stage.COPIED);
    }
  }

  /** Sender: waits for one step more; false: it has done so. */
  boolean linger() {
    boolean lingers = stage == Stage.COPIED;
    if (lingers) {
      become(Stage.LINGERING);
    }
    return lingers;
  }

  /** The other end knows that this one copies no more, or that it has failed in the middle. */
  void told() {
    if (!isTold()) {
      become(stage == Stage.COPYING ? Stage.SKIPPING : Stage.TOLD);
    }
  }

  /** The other end has said that it copies no more. */
  void peerDone() {
    peerDone = true;
  }

  /** The sender has a part of the copy, or is to check whether its memory is there. */
  void letSenderTell() {
    senderTells = true;
  }
}
