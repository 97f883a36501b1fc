package io.adrastea.transfer;

/** How transfers reach the rest of the engine. */
public interface Wire {
  /** Sends a message of a transfer, now or as soon as there is room; they keep their order. */
  void send(int peer, int type, Cookie cookie);

  /** Bytes of a transfer moved, by words in shared memory alone: its peer may wait for that, asleep. */
  void moved(int peer);

  /**
   * Whether the process of a rank runs, as far as can be told now: at the price of a few system calls, and not without
   * garbage.
   */
  boolean isThere(int peer);

  /** Whether a rank takes part no more, as far as can be told now: at the same price. */
  boolean isGone(int peer);

  /**
   * Whether the process of a rank is about to end: it has been killed, or has given its memory back. At the same price.
   * False when nothing can be learned.
   */
  boolean isEnding(int peer);

  /** A transfer is over: {@link Transfer#status} tells how. It is spent when this returns. */
  void finished(Transfer transfer);

  /**
   * The sender {@code peer} does not stand to the offer that it knows by this number any more: takes it from those that
   * wait to be matched; null: it is none of them.
   */
  Transfer withdrawn(int peer, int number);

  /** A way that was in use failed and is not tried again. */
  void refused(int peer, Path path, int errno);

  /** This process has lost XPMEM, with all peers and for good. */
  void lostXpmem();
}
