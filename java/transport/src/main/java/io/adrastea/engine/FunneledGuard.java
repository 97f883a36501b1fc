package io.adrastea.engine;

import io.adrastea.error.ConcurrentUseException;
import io.adrastea.wait.Waiter;

/**
 * The thread that made the engine, and no other, also when nobody is inside. A class of its own, so that ranks whose
 * threads take turns do not pay for the question.
 */
final class FunneledGuard extends SingleGuard {
  private final Thread owner = Thread.currentThread();

  FunneledGuard(int rank, Waiter waiter) {
    super(rank, waiter);
  }

  @Override
  public void enter() {
    if (Thread.currentThread() != owner) {
      throw notTheOwner();
    }
    super.enter();
  }

  private ConcurrentUseException notTheOwner() {
    return new ConcurrentUseException(
        "thread '%s' called rank %d, whose calls are thread '%s's, which joined the job with ThreadLevel.SINGLE or FUNNELED; SERIALIZED, the default, allows one thread after the other"
            .formatted(Thread.currentThread().getName(), rank, owner.getName()));
  }
}
