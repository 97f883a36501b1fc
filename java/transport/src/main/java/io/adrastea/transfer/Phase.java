package io.adrastea.transfer;

/**
 * How far one end of a transfer is. {@link Handshake} takes the steps, and {@link #mayBecome} has all that are legal:
 *
 * <pre>
 *               the sender asks for its offer back
 *   OFFERED ────────────────────────────────────► WITHDRAWING
 *      │                                             │     │
 *      │ CTS, which one end sends                    │ CTS │ DONE: the receiver has let go of it
 *      ▼                                             ▼     ▼
 *   COPYING ◄────────────────────────────────────────┘    TOLD
 *      │  │
 *      │  └─ failed in the ring: DONE ─► SKIPPING ── end of its part of the stream ──► TOLD
 *      ▼
 *   COPIED ── sender, by the ring ─► LINGERING ── failed after all: DONE ────────────► TOLD
 *      │
 *      └─ DONE ──────────────────────────────────────────────────────────────────────► TOLD
 *
 *   COPIED, TOLD ── COOKIE: the rest goes through the ring ─► COPYING
 *   OFFERED ─────── nothing to copy at this end ────────────► COPIED or TOLD
 * </pre>
 */
enum Phase {
  /** The RTS is out, or has come: the message is to be matched, and its way to be told. */
  OFFERED,
  /** The sender has asked the receiver to let go of its offer, and has not heard what becomes of that. */
  WITHDRAWING,
  /** Both ends know what they need, and this one copies, or waits to. */
  COPYING,
  /** This end has failed and has said so, and goes through its part of a ring's stream without a copy. */
  SKIPPING,
  /** This end copies no more, and has not said so. */
  COPIED,
  /** A sender whose last bytes are in the ring waits for a step in which its receiver may tell of a failure. */
  LINGERING,
  /** The other end knows that this one copies no more, or knows nothing of the transfer any more. */
  TOLD;

  /** Whether this phase may be followed by {@code next}. */
  boolean mayBecome(Phase next) {
    return switch (this) {
      case OFFERED -> next == WITHDRAWING || next == COPYING || next == COPIED || next == TOLD;
      case WITHDRAWING -> next == COPYING || next == COPIED || next == TOLD;
      case COPYING -> next == COPYING || next == SKIPPING || next == COPIED; // a broken peer may ask twice
      case SKIPPING -> next == COPYING || next == TOLD;
      case COPIED -> next == COPYING || next == LINGERING || next == TOLD;
      case LINGERING -> next == COPYING || next == TOLD;
      case TOLD -> next == COPYING;
    };
  }
}
