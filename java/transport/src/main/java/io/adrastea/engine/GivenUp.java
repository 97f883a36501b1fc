package io.adrastea.engine;

import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.receive.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The communicators that a program has given up while something was under way on them. Each ends once its receives and
 * collectives are over, at the next look: whenever another one is made or closed, and about every 100 ms with the check
 * of liveness, so that no message pays for it. Until then this rank has its number, and its contexts take messages as
 * before. What waits there for a rank that is gone fails at that check, since perhaps nobody asks for it any more.
 * Called inside the gate.
 */
final class GivenUp {
  private final Receiver receiver;
  private final List<One> all = new ArrayList<>();

  /** @param ended is told that it has ended; calls nothing of the engine */
  private record One(Collectives collectives, Runnable ended, Context... contexts) {
    boolean isIdle() {
      for (Context context : contexts) {
        if (!context.isIdle()) {
          return false;
        }
      }
      return collectives == null || collectives.isIdle();
    }

    /** Something under way that a rank keeps from its end that is gone; null: nothing. */
    Pending stranded() {
      for (Context context : contexts) {
        Pending receive = context.matching().firstStranded();
        if (receive != null) {
          return receive;
        }
      }
      return collectives == null ? null : collectives.firstStranded();
    }
  }

  GivenUp(Receiver receiver) {
    this.receiver = receiver;
  }

  /** A communicator takes no more calls, and ends with a later {@link #sweep}; arguments as of {@link #end}. */
  void add(Collectives collectives, Runnable ended, Context... contexts) {
    if (collectives != null) {
      collectives.refuseMore();
    }
    all.add(new One(collectives, ended, contexts));
  }

  /** Fails what waits for ranks that are gone, of which {@code drain} takes in what they have sent. */
  void check(IntPredicate drain) {
    for (int i = 0; i < all.size(); i++) {
      boolean fails = true;
      for (Pending one = all.get(i).stranded(); fails && one != null; one = all.get(i).stranded()) {
        int gone = one.missing();
        fails = drain.test(gone) && one.missing() == gone;
        if (fails) {
          one.fail(gone);
        }
      }
    }
  }

  /** Ends those that are idle. */
  void sweep() {
    for (int i = all.size() - 1; i >= 0; i--) {
      One one = all.get(i);
      if (one.isIdle()) {
        empty(one.contexts);
        all.remove(i);
        endEmpty(one.collectives, one.ended, one.contexts);
      }
    }
  }

  /**
   * Ends the contexts of a communicator that is idle, and its collectives: all or, where there is no memory for what
   * its messages take with them, none.
   *
   * @param ended is run once its contexts have ended, whatever its collectives throw
   */
  void end(Collectives collectives, Runnable ended, Context... contexts) {
    empty(contexts);
    endEmpty(collectives, ended, contexts);
  }

  private void empty(Context... contexts) {
    for (Context context : contexts) {
      receiver.empty(context);
    }
  }

  private void endEmpty(Collectives collectives, Runnable ended, Context... contexts) {
    for (Context context : contexts) {
      receiver.close(context);
    }
    try {
      if (collectives != null) {
        collectives.end();
      }
    } finally {
      ended.run();
    }
  }
}
