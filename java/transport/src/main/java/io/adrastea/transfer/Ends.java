package io.adrastea.transfer;

/**
 * How far both ends of a transfer are, as one of them knows: the {@link Phase} of its own, and what the other end has
 * said. {@link Handshake} takes the steps; a {@link Mover} says when its end has copied all.
 */
final class Ends {
  private Phase phase = Phase.OFFERED;
  private boolean peerDone; // the other end copies no more
  private boolean senderTells; // the sender has a part of the copy: it says when it is done, and the receiver waits

  void clear() {
    phase = Phase.OFFERED;
    peerDone = false;
    senderTells = false;
  }

  Phase phase() {
    return phase;
  }

  private void become(Phase next) {
    assert phase.mayBecome(next) : "%s is followed by %s".formatted(phase, next);
    phase = next;
  }

  /** Whether each end knows by which number the other one knows it: the message is matched, and was asked for. */
  boolean isAgreed() {
    return phase != Phase.OFFERED && phase != Phase.WITHDRAWING;
  }

  /** Whether this end has bytes to copy, or to go through. */
  boolean isMoving() {
    return phase == Phase.COPYING || phase == Phase.SKIPPING;
  }

  /** Whether this end copies no more. */
  boolean isCopied() {
    return phase.compareTo(Phase.COPIED) >= 0;
  }

  /** Whether the other end was told that this one copies no more, or has failed. */
  boolean isTold() {
    return phase == Phase.TOLD || phase == Phase.SKIPPING;
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
    boolean can = phase == Phase.OFFERED && !peerDone;
    if (can) {
      become(Phase.WITHDRAWING);
    }
    return can;
  }

  /** Both ends know the way of the bytes, or another way for the rest of them. */
  void agree() {
    become(Phase.COPYING);
    peerDone = false;
    senderTells = false;
  }

  /** This end copies no more. */
  void copied() {
    if (!isCopied()) {
      become(phase == Phase.SKIPPING ? Phase.TOLD : Phase.COPIED);
    }
  }

  /** Sender: waits for one step more; false: it has done so. */
  boolean linger() {
    boolean lingers = phase == Phase.COPIED;
    if (lingers) {
      become(Phase.LINGERING);
    }
    return lingers;
  }

  /** The other end knows that this one copies no more, or that it has failed in the middle. */
  void told() {
    if (!isTold()) {
      become(phase == Phase.COPYING ? Phase.SKIPPING : Phase.TOLD);
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
