package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.wait.Condition;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.SegmentException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.error.TruncationException;
import io.adrastea.error.TypeMismatchException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

/**
 * A send, a receive or a collective that was started and is completed later. Its buffers must not be touched in
 * between, and are kept reachable until then.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "request"}
 *
 * <p>
 * A request is active from its start until its completion has been reported: by {@link #await()}, by {@link #test}
 * returning true, or by one of the calls on many; or until it is given up ({@link #release}). Then it is inactive, and
 * keeps what was reported: asked again, {@code await} and {@code test} return it at once, or throw the same failure.
 * (MPI's wait on an inactive request returns an empty status.) The status of a request that was never started is empty.
 *
 * <p>
 * {@link Communicator#isend} and {@link Communicator#irecv} make an object of their own for each operation, unless the
 * caller hands one in, which is then made active again: {@code Request mine = new Request()}, once, and
 * {@code world.irecv(buffer, source, tag, mine)} again and again make no garbage. A persistent request
 * ({@link Communicator#sendInit}, {@link Communicator#ssendInit}, {@link Communicator#recvInit},
 * {@link Communicator#barrierInit} …) is started again and again by {@link #start} with the same buffers and partners.
 *
 * <p>
 * The calls on many set the array's entry to null for each request that they report, as MPI does, so that none is taken
 * for another one later; a persistent request stays in its entry, inactive. A program that wants the {@link #status} of
 * a request in an array keeps it elsewhere as well, or hands in an array for the statuses: its entry {@code i} is that
 * of request {@code i}, in all of these calls. Entries that are null or inactive are passed over. All requests of one
 * call are of one job, since a wait moves on what belongs to its job.
 *
 * <p>
 * Each request has its own failure: a call on many throws the first of those that it reports, by their index, and the
 * statuses tell all of them ({@link Status#failure}), as the requests do themselves.
 *
 * <p>
 * One thread at a time may use a request, at any {@link ThreadLevel}.
 */
public final class Request {
  /** What {@link #waitAny}, {@link #testAny} and the like return when no request is active. */
  public static final int NONE = -1;

  /** What {@link #testAny} returns when no request is complete yet. */
  public static final int PENDING = -2;

  private static final int KEPT_CALLS = 8;
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
  private static final Status[] NO_STATUSES = {}; // by its identity: nobody wants them

  private final boolean persistent;
  private Communicator communicator; // null: never used
  private Pending pending; // null: released; or not persistent, and inactive or complete from its start
  private boolean active;
  private CollectiveRequests[] handed; // what started(this) returned, the last ones first; null: nothing yet
  private Status found; // what is to be reported, once it is complete and its operation is over; else null
  private Status status = Status.EMPTY; // what was reported last, also a failure
  private Object attachment; // of the program; null: none

  /**
   * An inactive request, to be handed to {@code isend} and {@code irecv} of any communicator, one operation after the
   * other.
   */
  public Request() {
    this.persistent = false;
  }

  /** A persistent request, inactive. */
  Request(Communicator communicator, Pending pending) {
    this.persistent = true;
    this.communicator = communicator;
    this.pending = pending;
  }

  /** Refuses a request of the caller's that cannot be used for a new operation. */
  static void requireFree(Request request) {
    requireNonNull(request);
    if (request.persistent) {
      throw new ArgumentException(Reason.REQUEST,
          "a persistent request has its own operation, and cannot be handed in; hand in one of new Request()");
    }
    if (request.active) {
      throw new IllegalStateException("the request is active; await or test it before it is handed in again");
    }
  }

  /** Makes it the request of what was started, for which null stands once it has gone out, or has ended. */
  Request begin(Communicator communicator, Pending pending) {
    if (pending == null) {
      return beginComplete(communicator, Status.EMPTY);
    }
    this.communicator = communicator;
    this.pending = pending;
    this.active = true;
    return this;
  }

  /** Makes it the request of something that is complete already, and needs no operation. */
  Request beginComplete(Communicator communicator, Status found) {
    this.communicator = communicator;
    this.found = found;
    this.active = true;
    return this;
  }

  /**
   * Starts a persistent request. Memory that was closed since it was prepared fails the operation, as memory that is
   * closed in the middle of one does: see {@link #await()}.
   *
   * @return this
   * @throws IllegalStateException when it is not persistent, is active, was released, or the job was left
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   */
  public Request start() {
    requireStartable();
    pending.start(Request::note, this);
    active = true;
    return this;
  }

  private void requireStartable() {
    if (persistent && pending == null) {
      throw new IllegalStateException("the request was released; prepare another one, and start that");
    }
    if (!persistent) {
      throw new IllegalStateException(
          "only persistent requests (sendInit, recvInit, bcastInit …) are started;"
              + " isend, irecv, ibcast … start at once");
    }
    if (active) {
      throw new IllegalStateException("the request was started already; await or test it first");
    }
    communicator.requireOpen("a persistent operation");
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
   * Waits for completion and reports it. For an inactive request it returns at once what was reported last.
   *
   * @return what was received; empty after a send
   * @throws TruncationException when the message was longer than the buffer
   * @throws TypeMismatchException when the basic types of the message were others, and the job checks types
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
      finish(Long.MAX_VALUE);
      return report();
    }
    return reported();
  }

  /** Waits until it is complete and its operation is over. */
  private void finish(long nanos) {
    if (found == null) {
      pending.finish(nanos, Request::note, this);
    } else {
      engine().requireOpen();
    }
  }

  /**
   * Waits for completion with a time limit, and reports it like {@link #await()}.
   *
   * @param limit the longest wait; none where it is not above zero
   * @return what was received; empty after a send
   * @throws TimeLimitException when it is not complete then: the operation goes on, and can be awaited again or
   * cancelled
   * @throws InterruptedWaitException likewise, when the thread is interrupted while it waits
   * @throws TruncationException when the message was longer than the buffer
   * @throws TypeMismatchException when the basic types of the message were others, and the job checks types
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
      finish(nanos);
      return report();
    }
    return reported();
  }

  /** The limit as a number that the engine takes; one that is too long for that counts as no limit. */
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
    if (found == null) {
      completeReceive(nanos);
    }
    return report();
  }

  private void completeReceive(long nanos) {
    try {
      pending.finishOrWithdraw(nanos, Request::note, this);
    } catch (InterruptedWaitException | TimeLimitException e) {
      report();
      throw e;
    }
  }

  /**
   * Moves things on and reports completion, if it has come.
   *
   * @return whether the operation is complete; then {@link #status} tells what was received. True at once for an
   *   inactive request
   * @throws TruncationException when the message was longer than the buffer
   * @throws TypeMismatchException when the basic types of the message were others, and the job checks types
   * @throws RankFailedException when the peer died or left; calls that find nothing look for that about every 100 ms,
   * each of them where they are far apart
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
    if (!isFinished()) {
      return false;
    }
    report();
    return true;
  }

  /**
   * Moves things on, and tells whether the operation is complete, well or not. Unlike {@link #test} it reports nothing:
   * the request stays active, and {@link #await()} or {@code test} then report at once, or throw what it failed with.
   *
   * @return whether it is complete; true for an inactive request
   * @throws SegmentException when the shared memory is corrupt
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   * @throws IllegalStateException when the job was left
   */
  public boolean isComplete() {
    return !active || isFinished();
  }

  /** Moves things on; whether it is complete and its operation is over. */
  private boolean isFinished() {
    if (found == null) {
      return pending.poll(Request::note, this);
    }
    engine().requireOpen();
    return true;
  }

  /**
   * What was received, once completion was reported.
   *
   * @return the status that was reported last; empty before; after a failure one that tells it, see
   *   {@link Status#failure}
   */
  public Status status() {
    return status;
  }

  /**
   * Takes the operation back, if no message has matched it and nothing of it was sent. Its completion is still to be
   * reported, by {@link #await()} or {@link #test}, and {@link Status#isCancelled} tells then.
   *
   * @return whether it was taken back; false for an inactive request
   * @throws UnsupportedOperationException for an active collective, which the other ranks count on, and for an active
   * access to a window
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}
   * @throws IllegalStateException when the job was left
   */
  public boolean cancel() {
    if (active && found == null) {
      return pending.withdraw();
    }
    if (active) { // too late for one that is complete, but not for one whose job was left
      engine().requireOpen();
    }
    return false;
  }

  /**
   * Gives an active request up, which is inactive then: what it has started goes on, moved on by later calls, and
   * nobody is told how it ends. So its memory must not be touched until the program knows in another way that it is
   * over, from an answer for example. A persistent request is given up for good, active or not. For any other inactive
   * request this does nothing.
   *
   * <p>
   * What does not end shows where a communicator or the job is closed, as all that is outstanding does: take a receive
   * back ({@link #cancel}) rather than release it when perhaps no message comes.
   */
  public void release() {
    if (active) {
      status = Status.EMPTY;
    }
    if (active || persistent) {
      active = false;
      found = null;
      pending = null;
    }
  }

  /**
   * Keeps an object of the program with the request, in the place of the one before, for as long as the request is
   * kept. Nothing else is done with it.
   *
   * @param attachment any object; null: none
   */
  public void attach(Object attachment) {
    this.attachment = attachment;
  }

  /**
   * Returns the object of the program that is kept with the request.
   *
   * @return what was attached last; null when nothing was
   */
  public Object attachment() {
    return attachment;
  }

  private Engine engine() {
    return communicator.engine();
  }

  /** Whether what an active one has started can still go on. */
  boolean isOfOpenJob() {
    return engine().isOpen();
  }

  private Status reported() {
    if (status.failure() != null) {
      throw status.failure();
    }
    return status;
  }

  /** Makes a request inactive that is complete and whose operation is over. */
  private Status report() {
    Status now = found;
    active = false;
    found = null;
    status = now;
    if (now.failure() != null) {
      throw now.failure();
    }
    return now;
  }

  /** Keeps what is to be reported of what is complete: it goes back to the engine after this. */
  private static void note(Request request, Pending done) {
    request.found = request.statusOf(done);
    if (!request.persistent) {
      request.pending = null;
    }
  }

  private Status statusOf(Pending done) {
    RuntimeException failure = done.failure();
    if (failure != null) {
      return Status.failed(failure);
    }
    if (done.isCancelled()) {
      return Status.CANCELLED;
    }
    if (!(done instanceof Receive receive)) {
      return Status.EMPTY;
    }
    // its own last one first: requests that take turns need not make one each time
    return communicator.statusOf(receive, status);
  }

  /**
   * Starts persistent requests, all or, when one of them is refused, none.
   *
   * @param requests each persistent and inactive
   * @throws NullPointerException when one is null
   * @throws IllegalStateException when one is not persistent, or is active, or the job was left
   * @throws ConcurrentUseException when another thread is in a call, below {@link ThreadLevel#MULTIPLE}: those before
   * the one that could not be started are active
   */
  public static void startAll(Request... requests) {
    for (int i = 0; i < requests.length; i++) {
      if (requests[i] == null) {
        throw new NullPointerException("request %d is null; startAll takes persistent requests".formatted(i));
      }
      requests[i].requireStartable();
    }
    for (Request request : requests) {
      request.start();
    }
  }

  /**
   * Waits until all are complete, and reports them all: their entries are null afterwards, those of persistent requests
   * excepted.
   *
   * @param requests entries that are null or inactive are passed over
   * @throws IllegalArgumentException when they are of two jobs
   * @throws RuntimeException the first failure, after all have completed, whether well or not; as {@link #await()}.
   * When a wait itself fails, because of an interrupt, because the job was left, or because another thread is in a
   * call, at once: requests that are active still stay in their entries
   */
  public static void waitAll(Request... requests) {
    waitAll(requests, NO_STATUSES);
  }

  /**
   * Waits until all are complete and reports them, like {@link #waitAll(Request...)}, and tells what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param statuses at least as long; entry {@code i} becomes the status of request {@code i}, empty for one that was
   * passed over
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for statuses than requests, or they are of two jobs
   * @throws RuntimeException the first failure, after all have completed; the statuses tell every one. As
   * {@link #waitAll(Request...)}
   */
  public static void waitAll(Request[] requests, Status[] statuses) {
    requirePlaces(requests, statuses);
    engineOf(requests);
    RuntimeException failure = null;
    for (int i = 0; i < requests.length; i++) {
      Request request = requests[i];
      if (!isActive(request)) {
        tell(statuses, i, Status.EMPTY);
        continue;
      }
      try {
        request.await();
      } catch (RuntimeException e) {
        if (request.active) {
          throw e;
        }
        failure = failure == null ? e : failure;
      }
      leave(requests, statuses, i);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * Moves things on and, if all are complete, reports them all: their entries are null then, those of persistent
   * requests excepted.
   *
   * @param requests entries that are null or inactive are passed over
   * @return whether all are complete; if not, none is reported, and the array is as it was
   * @throws IllegalArgumentException when they are of two jobs
   * @throws RuntimeException the first failure, once all have completed, whether well or not; as {@link #test}
   */
  public static boolean testAll(Request... requests) {
    return testAll(requests, NO_STATUSES);
  }

  /**
   * Reports all if they are complete, like {@link #testAll(Request...)}, and tells what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param statuses filled as by {@link #waitAll(Request[], Status[])} when all are complete, else left as they are
   * @return whether all are complete; if not, none is reported, and the array is as it was
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for statuses than requests, or they are of two jobs
   * @throws RuntimeException the first failure, once all have completed; the statuses tell every one
   */
  public static boolean testAll(Request[] requests, Status[] statuses) {
    requirePlaces(requests, statuses);
    engineOf(requests);
    for (Request request : requests) {
      if (isActive(request) && !request.isFinished()) {
        return false;
      }
    }
    waitAll(requests, statuses);
    return true;
  }

  /**
   * Waits until one is complete, and reports it alone: its entry is null afterwards, unless the request is persistent.
   *
   * @param requests entries that are null or inactive are passed over
   * @return the index of the one that completed; {@link #NONE} when there is none to wait for
   * @throws IllegalArgumentException when they are of two jobs
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operations go on
   * @throws RuntimeException the failure of one of them, which is reported by that; as {@link #await()}
   */
  public static int waitAny(Request... requests) {
    return waitAny(requests, NO_STATUSES);
  }

  /**
   * Waits until one is complete and reports it, like {@link #waitAny(Request...)}, and tells what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param statuses at least as long; the entry of the one that completed becomes its status
   * @return the index of the one that completed; {@link #NONE} when there is none to wait for
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for statuses than requests, or they are of two jobs
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operations go on
   * @throws RuntimeException the failure of one of them, which is reported by that; as {@link #await()}
   */
  public static int waitAny(Request[] requests, Status[] statuses) {
    requirePlaces(requests, statuses);
    Engine engine = engineOf(requests);
    if (engine == null) {
      return NONE;
    }
    int index = findAny(requests, statuses);
    while (index == PENDING) {
      awaitAny(engine, requests);
      index = findAny(requests, statuses);
    }
    return index;
  }

  /**
   * Moves things on and reports one that is complete, if there is one, as {@link #waitAny} does.
   *
   * @param requests entries that are null or inactive are passed over
   * @return the index of one that is complete; {@link #PENDING} when none is yet; {@link #NONE} when none is active
   * @throws IllegalArgumentException when they are of two jobs
   * @throws RuntimeException the failure of one of them, which is reported by that; as {@link #test}
   */
  public static int testAny(Request... requests) {
    return testAny(requests, NO_STATUSES);
  }

  /**
   * Reports one that is complete, like {@link #testAny(Request...)}, and tells what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param statuses at least as long; the entry of the one that is complete becomes its status
   * @return the index of one that is complete; {@link #PENDING} when none is yet; {@link #NONE} when none is active
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for statuses than requests, or they are of two jobs
   * @throws RuntimeException the failure of one of them, which is reported by that; as {@link #test}
   */
  public static int testAny(Request[] requests, Status[] statuses) {
    requirePlaces(requests, statuses);
    return engineOf(requests) == null ? NONE : findAny(requests, statuses);
  }

  /**
   * Waits until at least one is complete, and reports all that are: their entries are null afterwards, those of
   * persistent requests excepted.
   *
   * @param requests entries that are null or inactive are passed over
   * @param indices at least as long; its first entries become the indices of those that are complete, ascending, all
   * behind them {@link #NONE}
   * @return how many are complete; {@link #NONE} when there is none to wait for
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for indices than requests, or they are of two jobs
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operations go on
   * @throws RuntimeException the first failure of those that are complete, which are reported all the same
   */
  public static int waitSome(Request[] requests, int[] indices) {
    return waitSome(requests, indices, NO_STATUSES);
  }

  /**
   * Waits until at least one is complete and reports all that are, like {@link #waitSome(Request[], int[])}, and tells
   * what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param indices at least as long; its first entries become the indices of those that are complete, ascending, all
   * behind them {@link #NONE}
   * @param statuses at least as long as the requests; the entries of those that are complete become their statuses
   * @return how many are complete; {@link #NONE} when there is none to wait for
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for indices or statuses than requests, or they are of
   * two jobs
   * @throws InterruptedWaitException when the thread is interrupted while it waits: the operations go on
   * @throws RuntimeException the first failure of those that are complete, which are reported all the same; the
   * statuses tell every one
   */
  public static int waitSome(Request[] requests, int[] indices, Status[] statuses) {
    requirePlaces(requests, statuses);
    requirePlaces(requests, indices);
    Engine engine = engineOf(requests);
    if (engine == null) {
      return NONE;
    }
    int count = findSome(requests, indices, statuses);
    while (count == 0) {
      awaitAny(engine, requests);
      count = findSome(requests, indices, statuses);
    }
    return count;
  }

  /**
   * Moves things on and reports all that are complete, as {@link #waitSome} does.
   *
   * @param requests entries that are null or inactive are passed over
   * @param indices as for {@link #waitSome(Request[], int[])}
   * @return how many are complete, 0 or more; {@link #NONE} when none is active
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for indices than requests, or they are of two jobs
   * @throws RuntimeException the first failure of those that are complete, which are reported all the same
   */
  public static int testSome(Request[] requests, int[] indices) {
    return testSome(requests, indices, NO_STATUSES);
  }

  /**
   * Reports all that are complete, like {@link #testSome(Request[], int[])}, and tells what was received.
   *
   * @param requests entries that are null or inactive are passed over
   * @param indices as for {@link #waitSome(Request[], int[])}
   * @param statuses at least as long as the requests; the entries of those that are complete become their statuses
   * @return how many are complete, 0 or more; {@link #NONE} when none is active
   * @throws NullPointerException when an array is null
   * @throws IllegalArgumentException when there are fewer places for indices or statuses than requests, or they are of
   * two jobs
   * @throws RuntimeException the first failure of those that are complete, which are reported all the same; the
   * statuses tell every one
   */
  public static int testSome(Request[] requests, int[] indices, Status[] statuses) {
    requirePlaces(requests, statuses);
    requirePlaces(requests, indices);
    return engineOf(requests) == null ? NONE : findSome(requests, indices, statuses);
  }

  private static int findAny(Request[] requests, Status[] statuses) {
    for (int i = 0; i < requests.length; i++) {
      if (isActive(requests[i])) {
        RuntimeException failure = report(requests, statuses, i);
        if (failure != null) {
          throw failure;
        }
        if (!isActive(requests[i])) {
          return i;
        }
      }
    }
    return PENDING;
  }

  private static int findSome(Request[] requests, int[] indices, Status[] statuses) {
    Arrays.fill(indices, NONE);
    RuntimeException first = null;
    int count = 0;
    for (int i = 0; i < requests.length; i++) {
      if (isActive(requests[i])) {
        RuntimeException failure = report(requests, statuses, i);
        first = first == null ? failure : first;
        if (!isActive(requests[i])) {
          indices[count++] = i;
        }
      }
    }
    if (first != null) {
      throw first;
    }
    return count;
  }

  /**
   * Tests an active request, and reports it if it is complete; then it leaves the array. Returns its failure; null:
   * none, or it is not complete.
   */
  private static RuntimeException report(Request[] requests, Status[] statuses, int index) {
    Request request = requests[index];
    RuntimeException failure = null;
    try {
      request.test();
    } catch (RuntimeException e) {
      if (request.active) {
        throw e;
      }
      failure = e;
    }
    if (!request.active) {
      leave(requests, statuses, index);
    }
    return failure;
  }

  /** A request that was reported is not to be found again under its index, unless it is to be started again. */
  private static void leave(Request[] requests, Status[] statuses, int index) {
    tell(statuses, index, requests[index].status);
    if (!requests[index].persistent) {
      requests[index] = null;
    }
  }

  private static void tell(Status[] statuses, int index, Status status) {
    if (statuses != NO_STATUSES) {
      statuses[index] = status;
    }
  }

  private static void awaitAny(Engine engine, Request[] requests) {
    engine.await(anyOf(requests), requests);
  }

  /** The condition is the same for all requests of a job. */
  private static Condition<Request[]> anyOf(Request[] requests) {
    for (Request request : requests) {
      if (isActive(request)) {
        return request.communicator.anyRequest();
      }
    }
    throw new IllegalStateException("no request is active");
  }

  /**
   * The request in words; nothing is moved on.
   *
   * @return for example {@code "request, active: receive from rank 1 with tag 7, 0 of 800 bytes"},
   *   {@code "request, active: complete, not reported"}, {@code "request, inactive: 800 bytes from rank 1 with tag 7"}
   *   or {@code "request, never used"}; a persistent one says so, and what it does, or that it was released
   */
  @Override
  public String toString() {
    String kind = persistent ? "persistent request" : "request";
    if (communicator == null) {
      return kind + ", never used";
    }
    if (persistent && pending == null) {
      return kind + ", released";
    }
    if (!active) {
      return "%s, inactive: %s".formatted(kind, persistent ? pending : status);
    }
    return "%s, active: %s".formatted(kind, found == null ? pending : "complete, not reported");
  }

  /** What is not complete, as far as is known; null: nothing. */
  static Pending pending(Request request) {
    return isActive(request) && request.found == null ? request.pending : null;
  }

  /** Explicit, since an implicit null check of compiled code may throw without a message. */
  static Request requireNonNull(Request request) {
    return Objects.requireNonNull(request, "the request is null");
  }

  /** The calls that it was handed in for before, of a communicator or topology; null: not lately. */
  CollectiveRequests callsOf(Object communicator) {
    if (handed != null) {
      for (CollectiveRequests calls : handed) {
        if (calls != null && calls.of() == communicator) {
          return calls;
        }
      }
    }
    return null;
  }

  /**
   * Keeps the calls that it is handed in for, so that a request that goes to a few communicators in turn makes none.
   */
  <T extends CollectiveRequests> T keep(T calls) {
    if (handed == null) {
      handed = new CollectiveRequests[KEPT_CALLS];
    }
    System.arraycopy(handed, 0, handed, 1, KEPT_CALLS - 1);
    handed[0] = calls;
    return calls;
  }

  private static boolean isActive(Request request) {
    return request != null && request.active;
  }

  /** The engine of the active requests; null: there is none. */
  private static Engine engineOf(Request[] requests) {
    Engine engine = null;
    for (Request request : requests) {
      if (isActive(request)) {
        if (engine != null && engine != request.engine()) {
          throw new ArgumentException(Reason.REQUEST,
              "requests of two jobs; one call waits for, or tests, those of one job: give each job a call of its own");
        }
        engine = request.engine();
      }
    }
    return engine;
  }

  private static void requirePlaces(Request[] requests, Status[] statuses) {
    Objects.requireNonNull(requests, "the array of requests is null");
    Objects.requireNonNull(statuses, "the array of statuses is null; leave it out where they are not wanted");
    if (statuses.length < requests.length && statuses != NO_STATUSES) {
      throw new ArgumentException(Reason.COUNT,
          "%d places for the statuses of %d requests; one for each is needed"
              .formatted(statuses.length, requests.length));
    }
  }

  private static void requirePlaces(Request[] requests, int[] indices) {
    if (Objects.requireNonNull(indices, "the array of indices is null").length < requests.length) {
      throw new ArgumentException(Reason.COUNT,
          "%d places for the indices of %d requests; one for each is needed"
              .formatted(indices.length, requests.length));
    }
  }
}
