package io.adrastea.transfer;

import io.adrastea.layout.ControlType;
import io.adrastea.link.Inbound;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;

/** What transfers need of the engine. */
public interface Wire {
  /** Sends a control message, now or as soon as there is room; those to a rank keep their order. */
  void send(int peer, ControlType type, Cookie cookie);

  /**
   * Sends one piece of a message to a rank that no memory is shared with: as many of the next {@code most} bytes of the
   * payload as fit one, from the cursor on, which goes on.
   *
   * @param number by which the receiver knows the piece, see {@link Transfers#piece}
   * @return how many; 0: there is no room now
   * @throws IllegalStateException when memory of the payload was closed; nothing is sent
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  int sendPiece(int peer, int number, Payload payload, Cursor cursor, long most);

  /**
   * Takes the piece at hand to where the cursor stands, which goes on.
   *
   * @throws IllegalStateException when memory of the payload was closed; the piece is still at hand
   * @throws WrongThreadException when memory of the payload is another thread's; likewise
   */
  void takePiece(Payload payload, Cursor cursor, Inbound piece);

  /** Ends with the piece at hand. */
  void dropPiece();

  /** There is a transfer to be moved on from now on, where there may have been none. */
  void begun();

  /** Wakes a rank that may sleep until bytes of a transfer have moved: words in shared memory alone tell it so. */
  void moved(int peer);

  /**
   * Whether a rank takes part no more, as far as can be told now: at the price of a few system calls, and not without
   * garbage.
   */
  boolean isGone(int peer);

  /**
   * Whether the process of a rank is about to end: it has been killed, or has given its memory back. At the same price.
   * False when nothing can be learned.
   */
  boolean isEnding(int peer);

  /**
   * The sender {@code peer} does not stand to the offer that it knows by this number any more: takes it from those that
   * wait to be matched; null: it is not among them.
   */
  Transfer withdrawn(int peer, int number);
}
