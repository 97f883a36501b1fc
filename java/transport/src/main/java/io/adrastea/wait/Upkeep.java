package io.adrastea.wait;

/** What is done for a rank during every wait, whatever that is for. Called inside the gate. */
public interface Upkeep {
  /** Shows what was held back, so that nobody waits for an answer to what nobody can see. */
  void show();

  /** Moves things on: takes in what has come, sends what is pending; whether anything moved. */
  boolean step();

  /** Whether only messages are to be moved on, so that a condition may poll at a stretch. */
  boolean isIdle();

  /**
   * Checks liveness when it is time, for a program that asks again and again, and has found nothing.
   *
   * @return how often it was checked so far
   */
  int pollInVain();

  /** Has the program told of failures that it has not heard of; whether there were any. */
  boolean tell();

  /**
   * Takes in what a rank that is gone had sent.
   *
   * @return whether that is all: else a living rank is in the middle of something that may stand before the rest
   */
  boolean drain(int gone);

  /** Throws what the program is to be told of, and has nothing to do with any wait. */
  void raise();
}
