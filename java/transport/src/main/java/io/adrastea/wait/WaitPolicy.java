package io.adrastea.wait;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * How a rank's threads wait, chosen before it joins.
 *
 * @param spins polls before the first yield
 * @param oversubscribed whether ranks are taken to outnumber CPUs; empty: as it is found
 * @param waiters gives each thread a waiter of the program's instead; null for none
 * @param hangNanos after which a wait is told of; 0: none is
 */
public record WaitPolicy(int spins, Optional<Boolean> oversubscribed, Supplier<Waiter> waiters, long hangNanos) {
  /** Whether ranks are taken to outnumber CPUs, which they were found to do or not. */
  public boolean isOversubscribed(boolean found) {
    return oversubscribed.orElse(found);
  }

  /** The waiter of one thread. */
  public Waiter waiter(boolean oversubscribed) {
    return waiters == null ? new Waiter(oversubscribed, this.oversubscribed.isEmpty(), spins) : waiters.get();
  }
}
