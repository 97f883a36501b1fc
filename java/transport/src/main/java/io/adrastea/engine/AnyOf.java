package io.adrastea.engine;

import io.adrastea.engine.collective.Call;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import java.util.function.Function;

/** One of several operations and collectives is complete, whether well or not. Called inside the gate. */
final class AnyOf<T> implements Condition<T[]> {
  private final Completion completion;
  private final Function<T, Operation> pending;
  private final Function<T, Call> collective;

  /**
   * @param pending the operation of an entry; null: it has none
   * @param collective the collective of an entry, likewise
   */
  AnyOf(Completion completion, Function<T, Operation> pending, Function<T, Call> collective) {
    this.completion = completion;
    this.pending = pending;
    this.collective = collective;
  }

  @Override
  public boolean isMet(T[] entries, int polls) {
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      Call call = collective.apply(entry);
      if (operation != null && operation.isComplete() || call != null && call.isComplete()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int missing(T[] entries) {
    for (T entry : entries) {
      int gone = missing(pending.apply(entry), collective.apply(entry));
      if (gone != Liveness.NONE) {
        return gone;
      }
    }
    return Liveness.NONE;
  }

  private int missing(Operation operation, Call call) {
    if (call != null) {
      return call.owner().missing(call);
    }
    return operation == null ? Liveness.NONE : completion.missing(operation);
  }

  /** The entries that need this rank fail; the others go on. */
  @Override
  public void fail(T[] entries, int gone) {
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      Call call = collective.apply(entry);
      if (missing(operation, call) != gone) {
        continue;
      }
      if (call != null) {
        call.owner().fail(call, gone);
      } else {
        completion.fail(operation, gone);
      }
    }
  }

  @Override
  public long moves(T[] entries) {
    long all = 0;
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      Call call = collective.apply(entry);
      if (call != null) {
        all += call.owner().moves(call);
      } else if (operation != null) {
        all += completion.moves(operation);
      }
    }
    return all;
  }

  @Override
  public Waiting waiting(T[] entries) {
    return new Waiting(RankEntryDescriptor.IN_REQUESTS, Operation.ANY, 0);
  }
}
