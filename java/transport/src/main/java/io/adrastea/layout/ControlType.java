package io.adrastea.layout;

/**
 * What a control message says. The number of its type stands in bits 7–0 of its match word. Twin of {@code enum
 * adr_control_type}. Types that are not named here are free.
 */
public enum ControlType {
  /** Receiver of a large message to its sender: do this. */
  CTS(1),
  /** An end of a transfer to the other end: this one has copied all that it copies, or gives up. */
  DONE(2),
  /** Receiver of a large message to its sender: the rest goes another way; filled as a CTS. */
  COOKIE(3),
  /**
   * Sender of a large message to its receiver: the offer does not stand any more. A receiver that has not matched it
   * answers with a DONE, any other goes on.
   */
  WITHDRAW(4),
  /** Sender to receiver, where the job checks types: the types of the next message. No words take them back. */
  SIGNATURE(5),
  /**
   * An active message, in one piece or several: its own type stands in bits 15–8 of the match word, and how many words
   * head it in bits 23–16. The words come first, then the payload.
   */
  ACTIVE(6),
  /**
   * Between ranks that share no slot, of a communicator's context id: the receiver is asked whether it still comes to
   * it, or is told that the sender does not, or has closed it.
   */
  MEMBER(7),
  /**
   * Bytes of a large message to a rank that no memory is shared with. In bits 30–8 of the match word stands the number
   * that its receiver gave the transfer, without the upper bits of that.
   */
  PIECE(8);

  /** How many types there can be: a type has 8 bits. */
  public static final int COUNT = 256;

  private static final ControlType[] BY_NUMBER = new ControlType[COUNT];

  static {
    for (ControlType type : values()) {
      BY_NUMBER[type.number] = type;
    }
  }

  private final int number;

  ControlType(int number) {
    this.number = number;
  }

  /** The number that stands in the match word. */
  public int number() {
    return number;
  }

  /** Finds the type of a number from 0 to 255; null: the number is free. */
  public static ControlType of(int number) {
    return BY_NUMBER[number];
  }
}
