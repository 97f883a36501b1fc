package io.adrastea.segment;

import io.adrastea.config.Tunable;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;

/**
 * Fastboxes of a job. Twin of {@code struct adr_box_settings}.
 *
 * @param slots lines of one ring: 0 (no fastboxes) or a power of two
 * @param limit most bytes of payload of a message in a fastbox
 * @param threshold messages by queue after which a sender asks for a fastbox
 * @param preallocateRanks the largest job, in ranks, whose fastboxes are all made when its ranks join
 * @param learns whether senders find out which messages of more than {@link #STREAM_BYTES}, up to the limit, go there;
 * else all do
 */
public record BoxSettings(int slots, int limit, int threshold, int preallocateRanks, boolean learns) {
  /** The limit up to which senders find out, or what a shorter ring allows. */
  static final int BOX_BYTES = 16_384;

  /** Messages of more bytes take the fastbox only while the receiver is likely to wait for them, else cells. */
  public static final int STREAM_BYTES = 1024;

  private static final int LINE = 64;
  private static final int MIN_SLOTS = Tunable.BOX_LINES.least(); // a page
  private static final int MAX_SLOTS = Tunable.BOX_LINES.most();

  /** In force where nothing else is asked for. */
  public static final BoxSettings DEFAULTS =
      new BoxSettings(initial(Tunable.BOX_LINES), BOX_BYTES, initial(Tunable.BOX_THRESHOLD),
          initial(Tunable.BOX_PREALLOCATE_RANKS), true);

  /** With a limit that holds for all messages. */
  public BoxSettings(int slots, int limit, int threshold, int preallocateRanks) {
    this(slots, limit, threshold, preallocateRanks, false);
  }

  /** Refuses what is out of range. */
  public BoxSettings {
    if (slots != 0 && (slots < MIN_SLOTS || slots > MAX_SLOTS || Integer.bitCount(slots) != 1)) {
      throw new ArgumentException(Reason.SETTING,
          "lines of a fastbox: %d; allowed are 0 (no fastboxes), 64, 128, 256, 512 and 1024".formatted(slots));
    }
    if (slots != 0 && (limit < 0 || limit > most(slots))) {
      throw new ArgumentException(Reason.SETTING,
          "most bytes in a fastbox of %d lines: %d; allowed is 0 to %d (adrastea.box.lines, adrastea.box.message.bytes)"
              .formatted(slots, limit, most(slots)));
    }
    if (slots != 0 && (threshold < 1 || preallocateRanks < 0)) {
      throw new ArgumentException(Reason.SETTING,
          ("threshold of fastboxes and most ranks that have them from the start: %d and %d; allowed is 1 or more "
              + "and 0 or more")
              .formatted(threshold,
                  preallocateRanks));
    }
  }

  /** Most bytes that a message in a ring of so many lines may have. */
  private static int most(int slots) {
    return slots * LINE / 2 - 32;
  }

  private static int initial(Tunable setting) {
    return Integer.parseInt(setting.defaultValue());
  }

  /** The values that are set, or their defaults. */
  public static BoxSettings inForce() {
    int slots = Tunable.BOX_LINES.intValue();
    boolean learns = Tunable.BOX_MESSAGE_BYTES.word().equals("auto");
    int limit = !learns ? Tunable.BOX_MESSAGE_BYTES.intValue()
        : slots == 0 ? BOX_BYTES : Math.min(BOX_BYTES, most(slots));
    return new BoxSettings(slots, limit, Tunable.BOX_THRESHOLD.intValue(), Tunable.BOX_PREALLOCATE_RANKS.intValue(),
        learns);
  }

  /** Bytes of one ring. */
  public int ringBytes() {
    return slots * LINE;
  }
}
