package io.adrastea.lmt;

import io.adrastea.config.Tunable;
import io.adrastea.core.Spaces;
import java.util.Locale;

/**
 * Settings of the transfer of large messages.
 *
 * @param mechanisms set of those that are allowed; the ring always is
 * @param eager longest messages that are sent before their receive is known
 * @param splitBytes from this size on both ends copy; 0: one end only
 * @param ringBytes of a copy ring, a power of two
 * @param ringChunk bytes that are copied before they show, a power of two
 */
public record LmtSettings(int mechanisms, EagerLimits eager, long splitBytes, int ringBytes, int ringChunk) {
  private static final int LEAST_RING = 1 << 12;
  static final int MOST_RING = 1 << 30;

  /** Refuses what is out of range. */
  public LmtSettings {
    requirePower("adrastea.ring.bytes", ringBytes, LEAST_RING, MOST_RING);
    requirePower("adrastea.ring.chunk", ringChunk, 1 << 6, ringBytes);
  }

  /** Those that are set, or their defaults. */
  public static LmtSettings inForce() {
    return new LmtSettings(
        mechanisms(Tunable.LMT.value().trim()),
        EagerLimits.inForce(),
        Tunable.SPLIT_BYTES.intValue(0, Integer.MAX_VALUE),
        Tunable.RING_BYTES.intValue(LEAST_RING, MOST_RING),
        Tunable.RING_CHUNK.intValue(64, MOST_RING));
  }

  /**
   * Refuses a mechanism that was asked for by its name and is not there, rather than to take another one in silence.
   *
   * @param able those of the allowed ones that a rank can copy by
   * @param spaces of that rank: they say why
   */
  public void requireAble(int able, Spaces spaces) {
    int missing = mechanisms & ~able;
    if (mechanisms == Mechanism.all() || missing == 0) {
      return;
    }
    String lacking = Mechanism.of(Integer.numberOfTrailingZeros(missing)).name().toLowerCase(Locale.ROOT);
    throw new IllegalArgumentException(
        "adrastea.lmt is '%s', which this rank does not have (%s); allowed here are auto, shared and ring"
            .formatted(lacking, String.join("; ", spaces.describe())));
  }

  /** Whether anything but the ring is allowed. */
  public boolean reaches() {
    return mechanisms != Mechanism.RING.bit();
  }

  private static void requirePower(String name, int value, int least, int most) {
    if (value < least || value > most || Integer.bitCount(value) != 1) {
      throw new IllegalArgumentException(
          "%s is %d; allowed are powers of two from %d to %d (bytes)".formatted(name, value, least, most));
    }
  }

  /** The mechanisms that a value of {@code adrastea.lmt} allows. */
  public static int mechanisms(String value) {
    if (value.equals("auto")) {
      return Mechanism.all();
    }
    for (Mechanism mechanism : Mechanism.values()) {
      if (mechanism.name().equalsIgnoreCase(value)) {
        return mechanism.bit() | Mechanism.RING.bit();
      }
    }
    throw new IllegalArgumentException("adrastea.lmt is '%s'; allowed are auto, shared, xpmem, cma and ring".formatted(value));
  }
}
