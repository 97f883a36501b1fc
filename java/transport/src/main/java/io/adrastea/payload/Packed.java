package io.adrastea.payload;

import io.adrastea.core.Spaces;

/** A payload that a core packs, or that nobody packs yet. */
public sealed interface Packed extends Payload permits Typed, Joined {
  /** Returns the same bytes, to be packed by the core of those spaces. */
  Packed by(Spaces spaces);

  /** Whether it is packed by the core of those spaces. */
  boolean isBy(Spaces spaces);
}
