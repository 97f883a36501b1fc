package io.adrastea.core.pure;

import io.adrastea.fastbox.Inbox;

/** The way from one source. Twin of {@code struct adr_inflow}. */
final class Inflow {
  final Inbox box;
  final long ring; // where the ring lies once this rank has made it
  long expected; // sequence of the next piece in order
  long early; // cells that came before their turn, by sequence; linked through next

  Inflow(Inbox box, long ring) {
    this.box = box;
    this.ring = ring;
  }
}
