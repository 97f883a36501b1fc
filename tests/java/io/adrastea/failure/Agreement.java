package io.adrastea.failure;

import io.adrastea.Ranks;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** Lets threads find out, without messages, whether all of them have what they want. */
public final class Agreement {
  private final boolean[] content;
  private final CyclicBarrier barrier;

  public Agreement(int threads) {
    this.content = new boolean[threads];
    this.barrier = new CyclicBarrier(threads);
  }

  /** Called by all threads equally often; true for all as soon as all are content. */
  public boolean reached(int thread, boolean isContent) throws Exception {
    content[thread] = isContent;
    barrier.await(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS);
    boolean all = true;
    for (boolean each : content) {
      all &= each;
    }
    barrier.await(Ranks.PATIENCE_SECONDS, TimeUnit.SECONDS); // nobody goes on before all have looked
    return all;
  }
}
