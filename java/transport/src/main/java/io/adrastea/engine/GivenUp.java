package io.adrastea.engine;

import io.adrastea.engine.collective.Collectives;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.receive.Receiver;
import java.util.ArrayList;
import java.util.List;

/**
 * The communicators that a program has given up while something was under way on them. Each ends once its receives and
 * collectives are over, at the next look: whenever another one is made or closed, and about every 100 ms with the check
 * of liveness, so that no message pays for it. Until then this rank has its number, and its contexts take messages as
 * before. Called inside the gate.
 */
final class GivenUp {
  private final Receiver receiver;
  private final List<One> all = new ArrayList<>();

  /** @param ended is told that it has ended; calls nothing of the engine */
  private record One(Collectives collectives, Runnable ended, Context... contexts) {
    boolean isIdle() {
      for (Context context : contexts) {
        if (context.matching().firstPosted() != null) {
          return false;
        }
      }
      return collectives == null || collectives.isIdle();
    }
  }

  GivenUp(Receiver receiver) {
    this.receiver = receiver;
  }

  /** A communicator takes no more calls, and ends now or later; arguments as of {@link Engine#release}. */
  void add(Collectives collectives, Runnable ended, Context... contexts) {
    if (collectives != null) {
      collectives.refuseMore();
    }
    all.add(new One(collectives, ended, contexts));
    sweep();
  }

  /** Ends those that are idle. */
  void sweep() {
    for (int i = all.size() - 1; i >= 0; i--) {
      One one = all.get(i);
      if (one.isIdle()) {
        all.remove(i);
        end(one.collectives, one.contexts);
        one.ended.run();
      }
    }
  }

  /** Ends the contexts of a communicator that is idle, and its collectives. */
  void end(Collectives collectives, Context... contexts) {
    for (Context context : contexts) {
      receiver.close(context);
    }
    if (collectives != null) {
      collectives.end();
    }
  }
}
