package io.adrastea;

import io.adrastea.engine.collective.Call;
import io.adrastea.engine.operation.Pending;
import io.adrastea.error.AdrasteaException;
import io.adrastea.wait.Condition;
import java.util.function.Supplier;

/**
 * A communicator that is being made while its ranks do something else, see {@link AnyCommunicator#idup}. Its
 * {@link #request} is completed like any other, alone or among several; once it has reported, {@link #communicator} is
 * there.
 *
 * {@snippet class = "io.adrastea.example.Examples" region = "idup"}
 *
 * <p>
 * Each rank completes its request, and does so before it closes or releases the communicator that this is a duplicate
 * of: a rank that does not is kept out of the duplicate, which takes no collectives then. A rank that releases the
 * request instead, while it stays in the job, never comes to the new communicator, where the others wait for it.
 *
 * <p>
 * One thread at a time may use it, at any {@link ThreadLevel}.
 *
 * @param <T> {@link Communicator} or {@link Intercommunicator}
 */
public final class StartedDup<T extends AutoCloseable> {
  private final String parent; // its name
  private final Supplier<T> maker;
  private final Runnable giver;
  private final Request request = new Request();
  private Call call; // by which rank 0 tells all of it; null: it has ended
  private T communicator; // null: not made
  private RuntimeException failure; // why it is not made; null: nothing is known against it

  /**
   * One that the others are told of by a collective.
   *
   * @param call of that; null: it has ended
   * @param maker makes it, once that has ended
   * @param giver gives the making up
   */
  StartedDup(String parent, Call call, Supplier<T> maker, Runnable giver) {
    this.parent = parent;
    this.call = call;
    this.maker = maker;
    this.giver = giver;
  }

  /** What its request is to ask. */
  Pending progress() {
    return new Progress();
  }

  /**
   * The request, which is complete once rank 0 has told this rank of the communicator. It reports what
   * {@link AnyCommunicator#dup} throws, and cannot be cancelled.
   *
   * @return always the same
   */
  public Request request() {
    return request;
  }

  /**
   * The communicator, once the request has reported that it was made.
   *
   * @return always the same, to be closed
   * @throws IllegalStateException when the request has not reported that yet, or has reported a failure
   */
  public T communicator() {
    if (communicator == null) {
      throw new IllegalStateException(
          "a duplicate of %s %s".formatted(parent, failure == null
              ? "is being made; await or test its request first"
              : "was not made: " + failure.getMessage()));
    }
    return communicator;
  }

  /**
   * The communicator in words.
   *
   * @return for example {@code "started duplicate of world: request, active: …"}, or what the communicator says of
   *   itself
   */
  @Override
  public String toString() {
    return communicator == null ? "started duplicate of %s: %s".formatted(parent, request)
        : communicator.toString();
  }

  /** The call has ended, and is free for another one. */
  private static void note(StartedDup<?> dup, Pending ended) {
    dup.failure = ended.failure();
    dup.call = null;
  }

  /** Makes it of what rank 0 has told, outside the gate. */
  private void open() {
    try {
      if (failure == null) {
        communicator = maker.get();
      }
    } catch (RuntimeException e) {
      failure = e;
    } catch (Error e) { // it is made once: a request that asks again is told
      failure = new AdrasteaException("the duplicate of %s could not be made: %s".formatted(parent, e), e);
      throw e;
    } finally {
      if (communicator == null) {
        giver.run();
      }
    }
  }

  /** What its request asks: the call first; when that has ended, the communicator is made before it is told. */
  private final class Progress implements Pending {
    @Override
    public <U> void start(Outcome<U> outcome, U subject) {
      throw new IllegalStateException("a duplicate is made once");
    }

    @Override
    public boolean isComplete() {
      return call == null || call.isComplete();
    }

    @Override
    public <U> boolean poll(Outcome<U> outcome, U subject) {
      boolean ended = call == null || call.poll(StartedDup::note, StartedDup.this);
      if (ended) {
        open();
        outcome.keep(subject, this);
      }
      return ended;
    }

    @Override
    public <U> void finish(long nanos, Outcome<U> outcome, U subject) {
      if (call != null) {
        call.finish(nanos, StartedDup::note, StartedDup.this);
      }
      open();
      outcome.keep(subject, this);
    }

    @Override
    public <U> void finishOrWithdraw(long nanos, Outcome<U> outcome, U subject) {
      finish(nanos, outcome, subject);
    }

    @Override
    public boolean withdraw() {
      return call != null && call.withdraw();
    }

    @Override
    public RuntimeException failure() {
      return failure;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public int missing() {
      return call == null ? Condition.NONE : call.missing();
    }

    @Override
    public void fail(int gone) {
      if (call != null) {
        call.fail(gone);
      }
    }

    @Override
    public long moves() {
      return call == null ? 0 : call.moves();
    }

    @Override
    public String toString() {
      return call == null ? "the making of a duplicate" : call.toString();
    }
  }
}
