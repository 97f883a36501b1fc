package io.adrastea.peers;

import io.adrastea.ranktable.Abilities;
import io.adrastea.ranktable.Capability;
import java.util.Collections;

/** What the ranks of a test can do. */
public final class GivenAbilities {
  private GivenAbilities() {}

  /** So many Java ranks, which can do all. */
  public static Abilities[] all(int ranks) {
    return Collections.nCopies(ranks, new Abilities(Capability.bits(Capability.values()), false))
        .toArray(Abilities[]::new);
  }
}
