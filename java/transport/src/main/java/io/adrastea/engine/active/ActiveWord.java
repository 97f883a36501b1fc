package io.adrastea.engine.active;

import io.adrastea.engine.control.ControlMessages;
import io.adrastea.layout.ControlType;

/**
 * The match word of an active message, the same in each of its pieces: that of a control message, with the type of the
 * active message in bits 15–8, which is not 0, and in bits 23–16 how many words head it. So no receive, and no wait for
 * an ordinary control message, matches it.
 */
public final class ActiveWord {
  /** Types are from 1 to here. */
  public static final int MOST_TYPE = 255;

  /** The most words of a header. */
  public static final int MOST_WORDS = 16;

  private static final int TYPE_SHIFT = 8;
  private static final int WORDS_SHIFT = 16;
  private static final int MASK = 0xFF;

  private ActiveWord() {}

  static long of(int type, int words) {
    return ControlMessages.MATCH | ControlType.ACTIVE.number() | type << TYPE_SHIFT | words << WORDS_SHIFT;
  }

  /** Whether the match word of a control message is that of an active one. */
  public static boolean isActive(long match) {
    return ((int) match & MASK) == ControlType.ACTIVE.number() && type(match) != 0;
  }

  static int type(long match) {
    return (int) match >>> TYPE_SHIFT & MASK;
  }

  static int words(long match) {
    return (int) match >>> WORDS_SHIFT & MASK;
  }
}
