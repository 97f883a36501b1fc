package io.adrastea.engine;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import java.util.function.Function;

/** One of several operations is complete, whether well or not. Called inside the gate. */
final class AnyOf<T> implements Condition<T[]> {
  private final Completion completion;
  private final Function<T, Operation> pending;

  /** @param pending the operation of an entry; null: the entry is passed over */
  AnyOf(Completion completion, Function<T, Operation> pending) {
    this.completion = completion;
    this.pending = pending;
  }

  @Override
  public boolean isMet(T[] entries, int polls) {
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      if (operation != null && operation.isComplete()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int missing(T[] entries) {
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      int gone = operation == null ? Liveness.NONE : completion.missing(operation);
      if (gone != Liveness.NONE) {
        return gone;
      }
    }
    return Liveness.NONE;
  }

  /** Those fail that need this rank; the others go on. */
  @Override
  public void fail(T[] entries, int gone) {
    for (T entry : entries) {
      Operation operation = pending.apply(entry);
      if (operation != null && completion.missing(operation) == gone) {
        completion.fail(operation, gone);
      }
    }
  }

  @Override
  public Waiting waiting(T[] entries) {
    return new Waiting(RankEntryDescriptor.IN_REQUESTS, Operation.ANY, 0);
  }
}
