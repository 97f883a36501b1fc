package io.adrastea.lmt;

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
   * @param usable mechanisms that both settings allow, and that work for the receiver
   */
  static Mechanism reading(int offers, int usable) {
    return reaching(offers, usable);
  }

  /**
   * What the sender copies through; null: it cannot. Memory that could be freed meanwhile is never written from
   * outside.
   *
   * @param own how the receiver's buffer can be reached
   * @param usable mechanisms that both settings allow, and that work for the sender
   */
  static Mechanism writing(int own, int usable) {
    return (own & Exposure.LASTING) == 0 ? null : reaching(own, usable);
  }

  /**
   * Who copies: the receiver if it can ({@link Cookies#GET}), else the sender if it can ({@link Cookies#PUT}), else
   * both through a ring.
   */
  static int way(Mechanism reading, Mechanism writing) {
    return reading != null ? Cookies.GET : writing != null ? Cookies.PUT : Cookies.RING;
  }

  /**
   * Whether the sender is asked to copy a part of what the receiver could copy alone.
   *
   * @param writing what it copies through; null: it cannot
   * @param splitBytes least length for that; 0: never
   */
  static boolean isSplit(Mechanism writing, long bytes, long splitBytes) {
    return writing != null && splitBytes != 0 && bytes >= splitBytes && bytes <= Split.MOST_BYTES;
  }

  private static Mechanism reaching(int exposure, int usable) {
    if ((exposure & Exposure.SHARED) != 0 && Mechanism.SHARED.isIn(usable)) {
      return Mechanism.SHARED;
    }
    if ((exposure & Exposure.ADDRESS) == 0) {
      return null;
    }
    return Mechanism.XPMEM.isIn(usable) ? Mechanism.XPMEM : Mechanism.CMA.isIn(usable) ? Mechanism.CMA : null;
  }
}
