package io.adrastea.engine.send;

import io.adrastea.engine.control.ControlMessages;
import io.adrastea.layout.ControlType;

/**
 * The match word of a piece of a large message that goes over a link: that of a control message, with the number of the
 * transfer, as the receiver knows it, in bits 30–8. Each piece is a message of its own.
 */
public final class PieceWord {
  private static final int NUMBER_SHIFT = 8;
  private static final int TYPE_MASK = 0xFF;
  private static final int NUMBER_MASK = (1 << 23) - 1;

  private PieceWord() {}

  static long of(int number) {
    return ControlMessages.MATCH | ControlType.PIECE.number() | (long) number << NUMBER_SHIFT;
  }

  /** Whether the match word of a control message is that of a piece. */
  public static boolean isPiece(long match) {
    return ((int) match & TYPE_MASK) == ControlType.PIECE.number();
  }

  static int number(long match) {
    return (int) match >>> NUMBER_SHIFT & NUMBER_MASK;
  }
}
