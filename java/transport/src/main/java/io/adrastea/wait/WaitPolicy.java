package io.adrastea.wait;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * How a rank's threads wait, chosen before it joins.
 *
 * @param spins looks before the first yield
 * @param crowded whether ranks are taken to outnumber CPUs; empty: as it is found
 * @param strategies gives each thread an idle strategy of its own instead; null for none
 */
public record WaitPolicy(int spins, Optional<Boolean> crowded, Supplier<? extends IdleStrategy> strategies) {
  /** With ranks taken to outnumber CPUs where they do. */
  public WaitPolicy(int spins, Supplier<? extends IdleStrategy> strategies) {
    this(spins, Optional.empty(), strategies);
  }

  /**
   * Whether ranks are taken to outnumber CPUs.
   *
   * @param found whether they do
   */
  public boolean isCrowded(boolean found) {
    return crowded.orElse(found);
  }

  /**
   * The waiter of one thread.
   *
   * @param crowded more ranks than CPUs
   */
  public Waiter waiter(boolean crowded) {
    return strategies == null
        ? new Waiter(crowded, spins)
        : new Waiter(Objects.requireNonNull(strategies.get(), "the supplier of idle strategies gave null"));
  }
}
