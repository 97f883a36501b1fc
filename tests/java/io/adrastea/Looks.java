package io.adrastea;

import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/**
 * Tells when what waits has been checked in a look and gone on: a handler of rank failures that is named anew is told
 * of each failed rank once more in the next look, before what waits is checked.
 */
public final class Looks implements IntConsumer {
  private final Job job;
  private final CountDownLatch enough;
  private int left = 2; // the second look follows the first check

  private Looks(Job job, CountDownLatch enough) {
    this.job = job;
    this.enough = enough;
  }

  /** Counts from now on; takes the place of another handler. */
  public static void count(Job job, CountDownLatch enough) {
    job.onRankFailure(new Looks(job, enough));
  }

  @Override
  public void accept(int rank) {
    if (--left == 0) {
      job.onRankFailure(null);
      enough.countDown();
    } else {
      job.onRankFailure(this);
    }
  }
}
