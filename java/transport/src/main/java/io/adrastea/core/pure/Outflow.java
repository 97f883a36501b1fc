package io.adrastea.core.pure;

import io.adrastea.fastbox.Outbox;

/** The way to one destination. Twin of {@code struct adr_outflow}. */
final class Outflow {
  /** A claim is open. */
  static final int BARRED_CLAIM = 1;

  /** The destination has left or failed. */
  static final int BARRED_GONE = 2;

  final Outbox box;
  final long receiveQueue;
  final long doorbell; // offset of the word of its bitmap that this rank's bit is in
  final long ring; // where the ring lies once the destination has made it

  long sequence; // of the next piece
  long lineEnd; // messages of fewer bytes may be put on a line at once; 0: none
  long heard; // pieces that had come from there when a next message was last prepared for
  int full; // tries in a row that found the fastbox full
  int barred; // BARRED_…; 0: messages go
  int burial; // how far this rank is with taking its cells back from a destination that is gone
  boolean burst;
  boolean asked; // for a fastbox
  int byQueue; // messages that could have gone by fastbox, had there been one

  // while a claim is open
  long claimedCell; // 0: the claim is in the fastbox
  int claimedLength;

  Outflow(Outbox box, long receiveQueue, long doorbell, long ring) {
    this.box = box;
    this.receiveQueue = receiveQueue;
    this.doorbell = doorbell;
    this.ring = ring;
  }

  boolean isClaimed() {
    return (barred & BARRED_CLAIM) != 0;
  }

  boolean isGone() {
    return (barred & BARRED_GONE) != 0;
  }

  /** To be called when what it depends on has changed: box made, barred, burst, position, reader behind. */
  void allowLines(int boxLimit) {
    boolean allowed = box.isOpen() && barred == 0 && !burst && !box.isBehind() && box.isAtLine();
    lineEnd = allowed ? Math.min(boxLimit, Outbox.HEAD) + 1 : 0;
  }
}
