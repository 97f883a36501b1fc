package io.adrastea.peers;

import io.adrastea.core.Batch;
import io.adrastea.link.Link;

/**
 * Polls that find many messages in one crossing and leave them where they lie. Whatever else is received by the link
 * ends the batch: it begins behind those that are over, and the one that the program reads is retained.
 */
public interface BatchPoll {
  /**
   * Finds the next piece, as {@link Link#poll}, and the whole messages behind it; the batch is open then.
   *
   * @return how many, 1 or more; {@link Link#AGAIN}: nothing there; {@link Link#CORRUPT}
   */
  int pollBatch(Batch batch);

  /** Ends with the pieces of the open batch that are over; the next poll tells those that are not. 0, or an error. */
  int endBatch();
}
