package io.adrastea.bootstrap;

import java.util.List;

/**
 * Where the ranks of a job on several nodes tell each other what each is to know of all others, once it has joined on
 * its node. What a start-up service, or rank 0, brings from one to the next; a rank that gives up before closes it.
 */
interface CardExchange extends AutoCloseable {
  /** Most bytes of a card, which go into one value of PMI-1. */
  int MOST_BYTES = 1000;

  /**
   * Gives the card of this rank, and waits for those of all others. Called once.
   *
   * @param card printable ASCII without blanks, at most {@link #MOST_BYTES}
   * @return the card of each rank, by its number in the job
   * @throws io.adrastea.error.JoinException when a rank has given up or is late; the message names it where it is known
   */
  List<String> exchange(String card);

  /** Ends it: ranks that still wait for a card of this one learn that there will be none. May be called again. */
  @Override
  void close();
}
