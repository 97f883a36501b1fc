package io.adrastea.engine;

import io.adrastea.error.ConcurrentUseException;
import io.adrastea.wait.Waiter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One thread at a time: a second one gets an exception. The check is two opaque accesses, cheap enough for every call;
 * it sees a thread that is inside, and can miss two that come in within the same instant.
 */
sealed class SingleGuard implements Guard permits FunneledGuard {
  private static final VarHandle INSIDE;

  static {
    try {
      INSIDE = MethodHandles.lookup().findVarHandle(SingleGuard.class, "inside", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final int rank;
  private final Waiter waiter;

  @SuppressWarnings("unused") // through INSIDE
  private Thread inside;

  SingleGuard(int rank, Waiter waiter) {
    this.rank = rank;
    this.waiter = waiter;
  }

  @Override
  public void enter() {
    Thread other = (Thread) INSIDE.getOpaque(this);
    if (other != null) {
      throw concurrentUse(other);
    }
    INSIDE.setOpaque(this, Thread.currentThread());
  }

  @Override
  public boolean tryEnter() {
    if (INSIDE.getOpaque(this) != null) {
      return false;
    }
    INSIDE.setOpaque(this, Thread.currentThread());
    return true;
  }

  @Override
  public boolean enterIfFree() {
    return tryEnter();
  }

  @Override
  public int entries() {
    return 0;
  }

  @Override
  public boolean isWanted() {
    return false;
  }

  private ConcurrentUseException concurrentUse(Thread other) {
    return new ConcurrentUseException(
        "thread '%s' called rank %d while thread '%s' was in a call; a rank is used by one thread at a time (Job.builder().threads(ThreadLevel.MULTIPLE) allows more)"
            .formatted(Thread.currentThread().getName(), rank, other.getName()));
  }

  @Override
  public void exit() {
    INSIDE.setOpaque(this, null);
  }

  @Override
  public void stepOut() {
    // nobody may come in
  }

  @Override
  public void stepIn() {
    // nobody came in
  }

  @Override
  public void stepInLeisurely() {
    // nobody came in
  }

  @Override
  public boolean isExclusive() {
    return true;
  }

  @Override
  public Waiter waiter() {
    return waiter;
  }
}
