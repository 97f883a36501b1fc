package io.adrastea.engine;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pending;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import java.util.function.Function;

/** One of several pending ones is complete, whether well or not. Called inside the gate. */
final class AnyOf<T> implements Condition<T[]> {
  private final Function<T, Pending> pending;

  /** @param pending what an entry is about; null: nothing */
  AnyOf(Function<T, Pending> pending) {
    this.pending = pending;
  }

  @Override
  public boolean isMet(T[] entries, int polls) {
    for (T entry : entries) {
      Pending one = pending.apply(entry);
      if (one != null && one.isComplete()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int missing(T[] entries) {
    for (T entry : entries) {
      Pending one = pending.apply(entry);
      int gone = one == null ? Liveness.NONE : one.missing();
      if (gone != Liveness.NONE) {
        return gone;
      }
    }
    return Liveness.NONE;
  }

  /** The entries that need this rank fail; the others go on. */
  @Override
  public void fail(T[] entries, int gone) {
    for (T entry : entries) {
      Pending one = pending.apply(entry);
      if (one != null && one.missing() == gone) {
        one.fail(gone);
      }
    }
  }

  @Override
  public long moves(T[] entries) {
    long all = 0;
    for (T entry : entries) {
      Pending one = pending.apply(entry);
      all += one == null ? 0 : one.moves();
    }
    return all;
  }

  @Override
  public Waiting waiting(T[] entries) {
    return new Waiting(RankEntryDescriptor.IN_REQUESTS, Operation.ANY, 0);
  }
}
