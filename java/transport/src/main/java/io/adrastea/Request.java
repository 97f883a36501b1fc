package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.Operation;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import java.time.Duration;
import java.util.Objects;

/**
 * A send or receive that was started and is completed later. Its buffer must not be touched in between, and is kept reachable
 * until then.
 *
 * <p>A request is spent once its completion has been reported ({@link #await}, {@link #test} returning true, or one of the calls
 * on many): it goes back to a pool and must not be used again. A persistent request ({@link Communicator#sendInit},
 * {@link Communicator#recvInit}) is idle then, and can be started again.
 */
public final class Request {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private final Engine engine;
  private final LatestStatus latest; // of its communicator
  private final Operation operation;
  private Status status = Status.EMPTY;
  private final boolean persistent;
  private boolean live;

  Request(Engine engine, LatestStatus latest, Operation operation, boolean persistent) {
    this.engine = engine;
    this.latest = latest;
    this.operation = operation;
    this.persistent = persistent;
  }

  /** The request that belongs to an operation of the pool, live again. */
  static Request pooled(Engine engine, LatestStatus latest, Operation operation) {
    if (operation.handle == null) {
      operation.handle = new Request(engine, latest, operation, false);
    }
    Request request = (Request) operation.handle;
    request.live = true;
    return request;
  }

  /** A live request of one thread's own. */
  static Request own(Engine engine, LatestStatus latest, Operation operation) {
    Request request = new Request(engine, latest, operation, false);
    request.live = true;
    return request;
  }

  /**
   * Starts a persistent request.
   *
   * @return this
   * @throws IllegalStateException when it is not persistent, or has been started and not completed
   */
  public Request start() {
    if (!persistent) {
      throw new IllegalStateException("only persistent requests (sendInit, recvInit) are started; isend and irecv start at once");
    }
    if (live) {
      throw new IllegalStateException("the request was started already; await or test it first");
    }
    engine.start(operation);
    live = true;
    return this;
  }

  /**
   * Waits for completion and reports it.
   *
   * @return what was received
   * @throws io.adrastea.error.TruncationException when the message was longer than the buffer
   * @throws io.adrastea.error.RankFailedException when the peer died or left
   * @throws io.adrastea.error.InterruptedWaitException when the thread is interrupted while it waits: the operation goes on, and can be awaited again
   *     or cancelled
   * @throws IllegalStateException when the request is spent or idle
   */
  public Status await() {
    requireLive();
    engine.await(operation);
    return report();
  }

  /**
   * The same with a time limit.
   *
   * @param limit the longest wait; none where it is not above zero
   * @return what was received
   * @throws io.adrastea.error.TimeLimitException when it is not complete then: the operation goes on, and can be awaited again or cancelled
   * @throws io.adrastea.error.InterruptedWaitException likewise, when the thread is interrupted while it waits
   * @throws io.adrastea.error.TruncationException when the message was longer than the buffer
   * @throws io.adrastea.error.RankFailedException when the peer died or left
   * @throws IllegalStateException when the request is spent or idle
   */
  public Status await(Duration limit) {
    requireLive();
    engine.await(operation, nanos(limit));
    return report();
  }

  /** As a number that the engine takes; one that is too long for it is as none. */
  static long nanos(Duration limit) {
    Objects.requireNonNull(limit, "the time limit is null");
    return limit.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : limit.toNanos();
  }

  /** Awaits a receive to its end. */
  Status complete() {
    return complete(Long.MAX_VALUE);
  }

  /**
   * Awaits a receive, for a call that leaves nothing behind: an interrupt, or the limit, takes it back, unless its message has begun to come; then it is
   * received.
   */
  Status complete(long nanos) {
    requireLive();
    try {
      engine.completeReceive(operation, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      report();
      throw e;
    }
    return report();
  }

  /**
   * Moves things on and reports completion, if it has come.
   *
   * @return whether the operation is complete; then {@link #status} tells what was received
   * @throws io.adrastea.error.TruncationException when the message was longer than the buffer
   * @throws io.adrastea.error.RankFailedException when the peer died or left; calls in vain look for that about every 100 ms, each of them where they are far apart
   * @throws IllegalStateException when the request is spent or idle
   */
  public boolean test() {
    requireLive();
    if (!engine.test(operation)) {
      return false;
    }
    report();
    return true;
  }

  /**
   * What was received, after completion was reported.
   *
   * @return the status
   */
  public Status status() {
    return status;
  }

  /**
   * Takes the operation back, if no message has matched it and nothing of it was sent. Its completion is still to be reported, by
   * {@link #await} or {@link #test}, and {@link Status#isCancelled} tells then.
   *
   * @return whether it was taken back
   * @throws IllegalStateException when the request is spent or idle
   */
  public boolean cancel() {
    requireLive();
    return engine.cancel(operation);
  }

  private void requireLive() {
    if (!live) {
      throw new IllegalStateException(
          persistent
              ? "the persistent request is idle; start it first"
              : "the request is spent: its completion was reported already");
    }
  }

  private Status report() {
    if (operation.isCancelled()) {
      status = Status.CANCELLED;
    } else if (operation.isReceive()) {
      status = latest.of(operation.source(), operation.tag(), operation.messageLength());
    } else {
      status = Status.EMPTY;
    }
    live = false;
    engine.report(operation, persistent);
    return status;
  }

  /**
   * Waits until all are complete, and reports them all.
   *
   * @param requests live requests; null entries and idle persistent ones are passed over
   * @throws RuntimeException the first failure, after all have completed
   */
  public static void waitAll(Request... requests) {
    RuntimeException failure = null;
    for (Request request : requests) {
      try {
        if (isWaiting(request)) {
          request.await();
        }
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Waits until one is complete, and reports it alone.
   *
   * @param requests live requests; null, spent and idle ones are passed over
   * @return the index of the one that completed; -1 when there is none to wait for
   */
  public static int waitAny(Request... requests) {
    Request first = firstWaiting(requests);
    if (first == null) {
      return -1;
    }
    first.engine.beginWait();
    while (true) {
      for (int i = 0; i < requests.length; i++) {
        if (isWaiting(requests[i]) && requests[i].test()) {
          first.engine.endWait();
          return i;
        }
      }
      if (first.engine.pauseWait()) {
        checkAll(requests);
      }
    }
  }

  private static Request firstWaiting(Request[] requests) {
    for (Request request : requests) {
      if (isWaiting(request)) {
        return request;
      }
    }
    return null;
  }

  private static void checkAll(Request[] requests) {
    for (Request request : requests) {
      if (isWaiting(request)) {
        request.engine.check(request.operation);
      }
    }
  }

  /**
   * Moves things on and, if all are complete, reports them all.
   *
   * @param requests live requests; null, spent and idle ones are passed over
   * @return whether all are complete; if not, none is reported
   */
  public static boolean testAll(Request... requests) {
    for (Request request : requests) {
      if (isWaiting(request) && !request.engine.test(request.operation)) {
        return false;
      }
    }
    waitAll(requests);
    return true;
  }

  private static boolean isWaiting(Request request) {
    return request != null && request.live;
  }
}
