package io.adrastea.core.pure;

import io.adrastea.fastbox.Outbox;

/** The way to one destination. Twin of {@code struct adr_outflow}. */
final class Outflow {
  final Outbox box;
  final long receiveQueue;
  final long doorbell; // offset of the word of its bitmap that this rank's bit is in
  final long ring; // where the ring lies once the destination has made it

  long sequence; // of the next piece
  long lineEnd; // messages of fewer bytes may be put on a line at once; 0: none
  long heard; // pieces that had come from there when a next message was last prepared for
  int full; // tries in a row that found the fastbox full
  boolean claimed;
  boolean burst;
  boolean asked; // for a fastbox
  int byQueue; // messages that could have gone by fastbox, had there been one

  // while claimed
  long claimedCell; // 0: the claim is in the fastbox
  int claimedLength;

  Outflow(Outbox box, long receiveQueue, long doorbell, long ring) {
    this.box = box;
    this.receiveQueue = receiveQueue;
    this.doorbell = doorbell;
    this.ring = ring;
  }

  /** To be called when what it depends on has changed: box made, claim, burst, position, reader behind. */
  void allowLines(int boxLimit) {
    boolean allowed = box.isOpen() && !claimed && !burst && !box.isBehind() && box.isAtLine();
    lineEnd = allowed ? Math.min(boxLimit, Outbox.HEAD) + 1 : 0;
  }
}
