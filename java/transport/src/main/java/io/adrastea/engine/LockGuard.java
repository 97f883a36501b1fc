package io.adrastea.engine;

import io.adrastea.wait.Waiter;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Many threads: a lock around each step, never held while waiting (MPI_THREAD_MULTIPLE). */
final class LockGuard implements Guard {
  private final ReentrantLock lock = new ReentrantLock();
  private final ThreadLocal<Waiter> waiters;
  private int entries; // with the lock held

  LockGuard(Supplier<Waiter> waiters) {
    this.waiters = ThreadLocal.withInitial(waiters);
  }

  @Override
  public void enter() {
    lock.lock();
    entries++;
  }

  @Override
  public boolean tryEnter() {
    lock.lock(); // never held for long
    return true;
  }

  @Override
  public boolean enterIfFree() {
    return lock.tryLock();
  }

  /** Without the lock: a number that was true a moment ago will do. */
  @Override
  public int entries() {
    return entries;
  }

  @Override
  public boolean isWanted() {
    return lock.hasQueuedThreads();
  }

  @Override
  public void exit() {
    lock.unlock();
  }

  @Override
  public void stepOut() {
    lock.unlock();
  }

  @Override
  public void stepIn() {
    lock.lock();
    entries++;
  }

  @Override
  public void stepInLeisurely() {
    while (!lock.tryLock()) {
      Thread.yield();
    }
  }

  @Override
  public boolean isExclusive() {
    return false;
  }

  @Override
  public Waiter waiter() {
    return waiters.get();
  }
}
