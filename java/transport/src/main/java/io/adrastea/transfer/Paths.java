package io.adrastea.transfer;

/**
 * Which way a large message goes: chosen by its receiver from what both buffers allow and both ranks can. The same at
 * both ends, since one decides. {@link Outlook} asks the same without a message.
 */
final class Paths {
  private Paths() {}

  /**
   * What the receiver copies through; null: it cannot.
   *
   * @param offers how the sender's buffer can be reached: {@link Exposure}
   * @param usable paths that both settings allow, and that work for the receiver
   */
  static Path reading(int offers, int usable) {
    return reaching(offers, usable);
  }

  /**
   * What the sender copies through; null: it cannot. Memory that could be freed meanwhile is never written from
   * outside.
   *
   * @param own how the receiver's buffer can be reached
   * @param usable paths that both settings allow, and that work for the sender
   */
  static Path writing(int own, int usable) {
    return (own & Exposure.LASTING) == 0 ? null : reaching(own, usable);
  }

  /**
   * Who copies: the receiver if it can ({@link Cookie#GET}), else the sender if it can ({@link Cookie#PUT}), else both
   * through a ring.
   */
  static int way(Path reading, Path writing) {
    return reading != null ? Cookie.GET : writing != null ? Cookie.PUT : Cookie.RING;
  }

  /**
   * Whether the sender is asked to copy a part of what the receiver could copy alone.
   *
   * @param writing what it copies through; null: it cannot
   * @param splitBytes least length for that; 0: never
   */
  static boolean isSplit(Path writing, long bytes, long splitBytes) {
    return writing != null && splitBytes != 0 && bytes >= splitBytes && bytes <= Split.MOST_BYTES;
  }

  private static Path reaching(int exposure, int usable) {
    if ((exposure & Exposure.SHARED) != 0 && Path.SHARED.isIn(usable)) {
      return Path.SHARED;
    }
    if ((exposure & Exposure.ADDRESS) == 0) {
      return null;
    }
    return Path.XPMEM.isIn(usable) ? Path.XPMEM : Path.CMA.isIn(usable) ? Path.CMA : null;
  }
}
