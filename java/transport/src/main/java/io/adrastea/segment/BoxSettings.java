package io.adrastea.segment;

import io.adrastea.config.Tunable;

/**
 * Fastboxes of a job. Twin of {@code struct adr_box_settings}.
 *
 * @param slots lines of one ring: 0 (no fastboxes) or a power of two
 * @param limit most bytes of payload of a message in a fastbox; the default lets the sender find out which ones of more
 * than {@link #STREAM_BYTES} go there, any other one holds for all
 * @param threshold messages by queue after which a sender asks for a fastbox
 * @param preallocateRanks the largest job, in ranks, whose fastboxes are all made when its ranks join
 */
public record BoxSettings(int slots, int limit, int threshold, int preallocateRanks) {
  /** Messages of more bytes take the fastbox only while the receiver is likely to wait for them, else cells. */
  public static final int STREAM_BYTES = 1024;

  private static final int LINE = 64;
  private static final int MIN_SLOTS = Tunable.BOX_LINES.least(); // a page
  private static final int MAX_SLOTS = Tunable.BOX_LINES.most();

  /** In force where nothing else is asked for. */
  public static final BoxSettings DEFAULTS =
      new BoxSettings(initial(Tunable.BOX_LINES), initial(Tunable.BOX_MESSAGE_BYTES), initial(Tunable.BOX_THRESHOLD),
          initial(Tunable.BOX_PREALLOCATE_RANKS));

  /** Refuses what is out of range. */
  public BoxSettings {
    if (slots != 0 && (slots < MIN_SLOTS || slots > MAX_SLOTS || Integer.bitCount(slots) != 1)) {
      throw new IllegalArgumentException(
          "lines of a fastbox: %d; allowed are 0 (no fastboxes), 64, 128, 256, 512 and 1024".formatted(slots));
    }
    if (slots != 0 && (limit < 0 || limit > slots * LINE / 2 - 32)) {
      throw new IllegalArgumentException(
          "most bytes in a fastbox of %d lines: %d; allowed is 0 to %d (adrastea.box.lines, adrastea.box.message.bytes)"
              .formatted(slots, limit, slots * LINE / 2 - 32));
    }
    if (slots != 0 && (threshold < 1 || preallocateRanks < 0)) {
      throw new IllegalArgumentException(
          ("threshold of fastboxes and most ranks that have them from the start: %d and %d; allowed is 1 or more "
              + "and 0 or more")
              .formatted(threshold,
                  preallocateRanks));
    }
  }

  private static int initial(Tunable setting) {
    return Integer.parseInt(setting.defaultValue());
  }

  /** Those that are set, or their defaults. */
  public static BoxSettings inForce() {
    return new BoxSettings(
        Tunable.BOX_LINES.intValue(), Tunable.BOX_MESSAGE_BYTES.intValue(), Tunable.BOX_THRESHOLD.intValue(),
        Tunable.BOX_PREALLOCATE_RANKS.intValue());
  }

  /** Bytes of one ring. */
  public int ringBytes() {
    return slots * LINE;
  }
}
