package io.adrastea.wait;

import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.SegmentException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The way in and out of the engine of one rank: which threads may come in, whether the engine is open, and when a
 * thread that comes in has to check liveness first.
 *
 * <p>
 * Where threads take turns, the thread that came in last comes in again by three comparisons and a store, as long as it
 * has {@link #passes} left. Everything else takes {@link #slowEnter}. The check for a second thread is cheap enough for
 * every call: it sees a thread that is inside, and can miss two that come in within the same instant. With many threads
 * there are no passes, and a lock is held around each step, never while waiting (MPI_THREAD_MULTIPLE).
 *
 * <p>
 * Closing takes the user away, so that the next call goes the slow way and is refused. A thread that comes in marks
 * that it is inside before it checks that it is still the user; a thread that closes takes the user away before it
 * checks whether a thread is inside. The mark has no fence, which would cost each call: a rank that fails waits a while
 * between the two, after which the mark shows.
 */
public final class Gate {
  /** Which threads may come in. */
  public enum Threads {
    /** The one that makes the gate. */
    ONE,

    /** Any, one at a time. */
    IN_TURN,

    /** Any, several at a time. */
    MANY
  }

  private static final VarHandle PASSES;

  static {
    try {
      PASSES = MethodHandles.lookup().findVarHandle(Gate.class, "passes", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int rank;
  private final boolean multithreaded;
  private final Thread owner; // the only thread that may come in; null: any may
  private final Waiter waiter; // null: each thread has its own
  private final ThreadLocal<Waiter> waiters;
  private final ReentrantLock lock = new ReentrantLock(); // of many threads
  private final Pace pace = new Pace();
  private Runnable poll = () -> {}; // checks liveness

  /** Calls that come in before the clock is read again; below zero, their complement: a thread is inside. */
  private int passes; // through PASSES; 0 with many threads

  private volatile Thread user; // came in last, and may come in again; null: the engine is closed
  private int entries; // of many threads; with the lock held
  private volatile boolean closed; // perhaps by another thread, while one waits
  private boolean ended; // the core is closed, or about to be: nobody is to call it; inside
  private Throwable progressFailure; // what ended the progress thread, written before `closed`; null: nothing did

  /** The gate of a rank, which is open. With one thread it is the calling one. */
  public Gate(int rank, Threads threads, Supplier<Waiter> waiters) {
    this.rank = rank;
    this.multithreaded = threads == Threads.MANY;
    this.owner = threads == Threads.ONE ? Thread.currentThread() : null;
    this.waiter = multithreaded ? null : waiters.get();
    this.waiters = multithreaded ? ThreadLocal.withInitial(waiters) : null;
  }

  /** Names what checks liveness when a call comes in and it is time. */
  public void serve(Runnable poll) {
    this.poll = poll;
  }

  /**
   * Comes in. Every call of the engine begins with it.
   *
   * @throws ConcurrentUseException when a thread is inside, also the calling one, or that may not come in at all
   * @throws IllegalStateException when the engine is closed
   */
  public void enter() {
    int left = (int) PASSES.getOpaque(this);
    if (left > 0 && user == Thread.currentThread()) {
      PASSES.setOpaque(this, ~left);
      if (user != null) { // nobody has closed the engine meanwhile
        return;
      }
    }
    slowEnter(left);
  }

  private void slowEnter(int left) {
    comeIn(left);
    try {
      if (!multithreaded) {
        user = Thread.currentThread(); // before `closed` is read: a thread that closes writes that first
      }
      requireOpen();
      if (multithreaded ? pace.isDueAtWork() : left == 0 && isTime()) {
        poll.run();
      }
    } catch (RuntimeException | Error e) {
      if (closed) {
        user = null;
      }
      exit();
      throw e;
    }
  }

  private boolean isTime() {
    boolean time = pace.isTimeAtWork();
    PASSES.setOpaque(this, ~pace.callsAtWork());
    return time;
  }

  private void comeIn(int left) {
    if (multithreaded) {
      if (lock.isHeldByCurrentThread()) {
        throw nestedUse();
      }
      lock.lock();
      entries++;
      return;
    }
    if (owner != null && Thread.currentThread() != owner) {
      throw notTheOwner();
    }
    if (left < 0) {
      throw concurrentUse();
    }
    PASSES.setOpaque(this, ~Math.max(left, 1)); // the call takes a pass with it
  }

  public void exit() {
    int inside = (int) PASSES.getOpaque(this);
    if (inside < 0) {
      PASSES.setOpaque(this, ~inside - 1);
    } else {
      stepOut();
    }
  }

  private ConcurrentUseException notTheOwner() {
    return new ConcurrentUseException(
        ("thread '%s' called rank %d, whose calls are thread '%s's, which joined the job with ThreadLevel.SINGLE "
            + "or FUNNELED; SERIALIZED, the default, allows one thread after the other")
            .formatted(Thread.currentThread().getName(), rank, owner.getName()));
  }

  private RuntimeException concurrentUse() {
    Thread other = user;
    if (closed) {
      return ended();
    }
    if (other == Thread.currentThread()) {
      return nestedUse();
    }
    String name = other == null ? "unknown" : other.getName(); // unknown as long as it is in its first call
    return new ConcurrentUseException(
        ("thread '%s' called rank %d while thread '%s' was in a call; a rank is used by one thread at a time "
            + "(Job.builder().threads(ThreadLevel.MULTIPLE) allows more)")
            .formatted(Thread.currentThread().getName(), rank, name));
  }

  private ConcurrentUseException nestedUse() {
    return new ConcurrentUseException(
        ("thread '%s' called rank %d in the middle of a call of its own; what a call runs, as an operator that "
            + "combines elements, computes alone: it sends, receives and waits for nothing")
            .formatted(Thread.currentThread().getName(), rank));
  }

  /** Checks liveness, inside. */
  void poll() {
    poll.run();
  }

  /** Whether it is time to check liveness; to be asked inside, by a call that has found nothing. */
  public boolean isTimeInVain() {
    return pace.isDue();
  }

  /** Comes in whether the engine is open or not. */
  public void enterUnchecked() {
    comeIn((int) PASSES.getOpaque(this));
  }

  /** Comes in whether the engine is open or not, unless another thread is inside that does not go out soon. */
  public boolean tryEnterUnchecked() {
    if (multithreaded) {
      lock.lock(); // never held for long
      return true;
    }
    int left = (int) PASSES.getOpaque(this);
    if (left >= 0) {
      PASSES.setOpaque(this, ~Math.max(left, 1));
    }
    return left >= 0;
  }

  /** With many threads: how often one has come in to work; to be asked inside. */
  int entries() {
    return entries;
  }

  /** Whether a thread that is not inside waits to come in. */
  boolean isWanted() {
    return lock.hasQueuedThreads();
  }

  /** Lets others in during one step of a wait. */
  public void stepOut() {
    if (multithreaded) {
      lock.unlock();
    }
  }

  /** Comes back from {@link #stepOut}. */
  public void stepIn() {
    if (multithreaded) {
      lock.lock();
      entries++;
    }
  }

  /**
   * Comes in, or back, for a thread that has time: it does not queue, which makes garbage, but comes when it finds
   * nobody inside.
   */
  void stepInLeisurely() {
    while (multithreaded && !lock.tryLock()) {
      Thread.yield();
    }
  }

  /** Whether nobody else can come in during a call. */
  public boolean isExclusive() {
    return !multithreaded;
  }

  /** The waiting policy of the calling thread. */
  public Waiter waiter() {
    return multithreaded ? waiters.get() : waiter;
  }

  /** Closes the engine: nothing moves any more, and waits end with an exception. */
  public void close() {
    fail(null);
  }

  /** Closes the engine after a failure of the progress thread, which every call throws until the job is closed. */
  void fail(Throwable cause) {
    progressFailure = cause;
    closed = true;
    user = null; // after `closed`, and before it is asked whether a thread is inside
  }

  /** The core is closed, or belongs to the thread alone that ends it. To be called inside, after {@link #close}. */
  public void end() {
    ended = true;
  }

  public boolean isOpen() {
    return !closed;
  }

  /** Whether the core is gone. To be called inside. */
  public boolean isEnded() {
    return ended;
  }

  public void requireOpen() {
    if (closed) {
      throw ended();
    }
  }

  /** Refuses to close the engine a second time. */
  public void requireNotClosed() {
    if (progressFailure == null) {
      requireOpen();
    }
  }

  private RuntimeException ended() {
    Throwable failure = progressFailure;
    if (failure == null) {
      return new IllegalStateException("rank %d has closed its job".formatted(rank));
    }
    String what = "the progress thread of rank %d failed: %s".formatted(rank, failure.getMessage());
    return failure instanceof SegmentException ? new SegmentException(what, failure)
        : new AdrasteaException(what, failure);
  }
}
