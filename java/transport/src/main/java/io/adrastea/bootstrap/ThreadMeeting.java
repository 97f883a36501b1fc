package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Where ranks that are threads meet once each has joined on its node: nobody goes on before all of the job are there,
 * and each hears the cards of the others.
 */
final class ThreadMeeting {
  private static final long POLL_MILLIS = 1;

  private final Card[] told; // by rank of the job; null: it has not come; guarded by this
  private int absent; // guarded by this

  ThreadMeeting(int size) {
    this.told = new Card[size];
    this.absent = size;
  }

  /**
   * Comes, and waits for all others.
   *
   * @param rank in the job
   * @param own the card of that rank
   * @param late tells when to give up
   * @return the card of each rank of the job
   * @throws JoinException when it was late or interrupted; the message names the ranks that are missing
   */
  synchronized List<Card> meet(int rank, Card own, BooleanSupplier late) {
    told[rank] = own;
    if (--absent == 0) {
      notifyAll();
    }
    while (absent > 0) {
      if (late.getAsBoolean()) {
        throw new JoinException(
            "rank %d has joined on its node, and rank(s) %s of %d have not on theirs".formatted(rank, missing(),
                told.length));
      }
      pause();
    }
    return List.of(told);
  }

  private List<Integer> missing() {
    return IntStream.range(0, told.length).filter(rank -> told[rank] == null).boxed().toList();
  }

  private void pause() {
    try {
      wait(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JoinException("interrupted while joining", e);
    }
  }
}
