package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import java.time.Duration;
import java.util.Objects;

/**
 * A send or receive that was started and is completed later. Its buffer must not be touched in between, and is kept
 * reachable until then.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "request"}
 *
 * <p>
 * A request is active from its start until its completion has been reported: by {@link #await()}, by {@link #test}
 * returning true, or by one of the calls on many. Then it is inactive, and keeps what was reported: asked again,
 * {@code await} and {@code test} return it at once, or throw the same failure. (MPI's wait on an inactive request
 * returns an empty status.) Of a request that was never started the status is empty.
 *
 * <p>
 * {@link Communicator#isend} and {@link Communicator#irecv} make an object of their own for each operation, unless the
 * caller hands one in, which is then made active again: {@code Request mine = new Request()}, once, and
 * {@code world.irecv(buffer, source, tag, mine)} again and again make no garbage. A persistent request
 * ({@link Communicator#sendInit}, {@link Communicator#recvInit}) is started again and again by {@link #start} with the
 * same buffer and partner.
 *
 * <p>
 * The calls on many set the array's entry to null for each request that they report, as MPI does, so that none is taken
 * for another one later; a persistent request stays in its entry, inactive. Whoever wants the {@link #status} of a
 * request in an array keeps it elsewhere as well. Entries that are null or inactive are passed over.
 *
 * <p>
 * One thread at a time may use a request, at any {@link ThreadLevel}.
 */
public final class Request {
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  private final boolean persistent;
  private Communicator communicator; // null: never used
  private Operation operation; // null: inactive, and not persistent
  private boolean active;
  private Status status = Status.EMPTY;
  private RuntimeException failure; // what was reported last; null: the status was

  /**
   * An inactive request, to be handed to {@code isend} and {@code irecv} of any communicator, one operation after the
   * other.
   */
  public Request() {
    this.persistent = false;
  }

  /** A persistent request, inactive. */
  Request(Communicator communicator, Operation operation) {
    this.persistent = true;
    this.communicator = communicator;
    this.operation = operation;
  }

  /** Refuses a request of the caller's that cannot be used for a new operation. */
  static void requireFree(Request request) {
    Objects.requireNonNull(request, "the request is null");
    if (request.persistent) {
      throw new IllegalArgumentException(
          "a persistent request has its own operation, and cannot be handed in; hand in one of new Request()");
    }
    if (request.active) {
      throw new IllegalStateException("the request is active; await or test it before it is handed in again");
    }
  }

  /** Makes it the request of what was started. */
  Request begin(Communicator communicator, Operation operation) {
    this.communicator = communicator;
    this.operation = operation;
    this.failure = null;
    this.active = true;
    return this;
  }

  /**
   * Starts a persistent request.
   *
   * @return this
   * @throws IllegalStateException when it is not persistent, is active, or the job was left
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   */
  public Request start() {
    if (!persistent) {
      throw new IllegalStateException(
          "only persistent requests (sendInit, recvInit) are started; isend and irecv start at once");
    }
    if (active) {
      throw new IllegalStateException("the request was started already; await or test it first");
    }
    engine().start(operation);
    failure = null;
    active = true;
    return this;
  }

  /**
   * Whether the operation was started and its completion has not been reported. Moves nothing on.
   *
   * @return true from the start until the report
   */
  public boolean isActive() {
    return active;
  }

  /**
   * Waits for completion and reports it. Of an inactive request it returns at once what was reported last.
   *
   * @return what was received; empty after a send
   * @throws TruncationException when the message was longer than the buffer
   * @throws RankFailedException when the peer died or left
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operation goes on, and can be
   * awaited again or cancelled
   * @throws AdrasteaException when the buffer was freed meanwhile
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}; the request
   * stays active
   * @throws IllegalStateException when the job was left
   */
  public Status await() {
    if (active) {
      engine().await(operation, Long.MAX_VALUE);
      return report();
    }
    return reported();
  }

  /**
   * The same with a time limit.
   *
   * @param limit the longest wait; none where it is not above zero
   * @return what was received; empty after a send
   * @throws TimeLimitException when it is not complete then: the operation goes on, and can be awaited again or
   * cancelled
   * @throws InterruptedWaitException likewise, when the thread is interrupted while it waits
   * @throws TruncationException when the message was longer than the buffer
   * @throws RankFailedException when the peer died or left
   * @throws AdrasteaException when the buffer was freed meanwhile
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}; the request
   * stays active
   * @throws IllegalStateException when the job was left
   */
  public Status await(Duration limit) {
    long nanos = nanos(limit);
    if (active) {
      engine().await(operation, nanos);
      return report();
    }
    return reported();
  }

  /** As a number that the engine takes; one that is too long for it is as none. */
  static long nanos(Duration limit) {
    Objects.requireNonNull(limit, "the time limit is null");
    return limit.compareTo(LONGEST) > 0 ? Long.MAX_VALUE : limit.toNanos();
  }

  /**
   * Awaits a receive that was started, for a call that leaves nothing behind: an interrupt, or the limit, takes it
   * back, unless its message has begun to come; then it is received.
   *
   * @param nanos {@link Long#MAX_VALUE}: there is no limit
   */
  Status complete(long nanos) {
    try {
      engine().completeReceive(operation, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      report();
      throw e;
    }
    return report();
  }

  /**
   * Moves things on and reports completion, if it has come.
   *
   * @return whether the operation is complete; then {@link #status} tells what was received. True at once for an
   *   inactive request
   * @throws TruncationException when the message was longer than the buffer
   * @throws RankFailedException when the peer died or left; calls in vain look for that about every 100 ms, each of
   * them where they are far apart
   * @throws AdrasteaException when the buffer was freed meanwhile
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}; the request
   * stays active
   * @throws IllegalStateException when the job was left
   */
  public boolean test() {
    if (!active) {
      reported();
      return true;
    }
    if (!engine().test(operation)) {
      return false;
    }
    report();
    return true;
  }

  /**
   * What was received, once completion was reported.
   *
   * @return the status that was reported last; empty before, and after a failure
   */
  public Status status() {
    return status;
  }

  /**
   * Takes the operation back, if no message has matched it and nothing of it was sent. Its completion is still to be
   * reported, by {@link #await()} or {@link #test}, and {@link Status#isCancelled} tells then.
   *
   * @return whether it was taken back; false for an inactive request
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   * @throws IllegalStateException when the job was left
   */
  public boolean cancel() {
    return active && engine().cancel(operation);
  }

  private Engine engine() {
    return communicator.engine();
  }

  private Status reported() {
    if (failure != null) {
      throw failure;
    }
    return status;
  }

  /** Makes a request inactive whose operation is complete. */
  private Status report() {
    Operation done = operation;
    Status found = statusOf(done);
    active = false;
    operation = persistent ? done : null; // it goes back to the engine, for another request
    try {
      engine().report(done, persistent);
    } catch (ConcurrentUseException e) { // nothing was done
      operation = done;
      active = true;
      throw e;
    } catch (RuntimeException e) {
      status = Status.EMPTY;
      failure = e;
      throw e;
    }
    status = found;
    return found;
  }

  private Status statusOf(Operation done) {
    if (done.isCancelled()) {
      return Status.CANCELLED;
    }
    if (!(done instanceof Receive receive)) {
      return Status.EMPTY;
    }
    // its own last one first: requests that take turns need not make one each time
    return status.isOf(receive.source(), receive.tag(), receive.messageLength())
        ? status
        : communicator.statusOf(receive.source(), receive.tag(), receive.messageLength());
  }

  /**
   * Waits until all are complete, and reports them all: their entries are null afterwards, those of persistent requests
   * excepted.
   *
   * @param requests entries that are null or inactive are passed over
   * @throws RuntimeException the first failure, after all have completed, whether well or not; as {@link #await()}.
   * When a wait itself fails, because of an interrupt, because the job was left, or because another thread is in a
   * call, at once: requests that are active still stay in their entries
   */
  public static void waitAll(Request... requests) {
    RuntimeException failure = null;
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      if (isActive(request)) {
        try {
          request.await();
        } catch (RuntimeException e) {
          if (request.active) {
            throw e;
          }
          failure = failure == null ? e : failure;
        }
        leave(requests, i);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** A request that was reported is not to be found again under its index, unless it is to be started again. */
  private static void leave(Request[] requests, int index) {
    if (!requests[index].persistent) {
      requests[index] = null;
    }
  }

  /**
   * Waits until one is complete, and reports it alone: its entry is null afterwards, unless the request is persistent.
   *
   * @param requests entries that are null or inactive are passed over
   * @return the index of the one that completed; -1 when there is none to wait for
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operations go on
   * @throws RuntimeException the failure of one of them, which is reported by that; as {@link #await()}
   */
  public static int waitAny(Request... requests) {
    Request first = firstActive(requests);
    if (first == null) {
      return -1;
    }
    Engine engine = first.engine();
    engine.beginWait();
    try {
      return waitAny(engine, requests);
    } finally {
      engine.endWait();
    }
  }

  private static int waitAny(Engine engine, Request[] requests) {
    while (true) {
      for (int i = 0; i < requests.length; i++) {
        if (isActive(requests[i]) && isReported(requests, i)) {
          return i;
        }
      }
      if (engine.pauseWait()) {
        checkAll(requests);
      }
    }
  }

  /** Tests one; when it is reported, well or not, it leaves the array. */
  private static boolean isReported(Request[] requests, int index) {
    Request request = requests[index];
    try {
      return request.test();
    } finally {
      if (!request.active) {
        leave(requests, index);
      }
    }
  }

  private static Request firstActive(Request[] requests) {
    for (Request request : requests) {
      if (isActive(request)) {
        return request;
      }
    }
    return null;
  }

  private static void checkAll(Request[] requests) {
    for (Request request : requests) {
      if (isActive(request)) {
        request.engine().check(request.operation);
      }
    }
  }

  /**
   * Moves things on and, if all are complete, reports them all: their entries are null then, those of persistent
   * requests excepted.
   *
   * @param requests entries that are null or inactive are passed over
   * @return whether all are complete; if not, none is reported, and the array is as it was
   * @throws RuntimeException the first failure, once all have completed, whether well or not; as {@link #test}
   */
  public static boolean testAll(Request... requests) {
    for (Request request : requests) {
      if (isActive(request) && !request.engine().test(request.operation)) {
        return false;
      }
    }
    waitAll(requests);
    return true;
  }

  private static boolean isActive(Request request) {
    return request != null && request.active;
  }
}
