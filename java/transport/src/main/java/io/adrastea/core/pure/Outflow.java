package io.adrastea.core.pure;

import io.adrastea.fastbox.Outbox;

/** The way to one destination. Twin of {@code struct adr_outflow}. */
final class Outflow {
  final Outbox box;
  final long receiveQueue;
  final long doorbell; // offset of the word of its bitmap that this rank's bit is in
  final long ring; // where the ring lies once the destination has made it

  long sequence; // of the next piece
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
}
