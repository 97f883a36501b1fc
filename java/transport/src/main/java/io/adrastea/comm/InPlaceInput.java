package io.adrastea.comm;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;

/** What {@code Data.IN_PLACE} is to the calls that do not know it: data that nothing can be done with. */
final class InPlaceInput implements NoData {
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public IllegalArgumentException refusal() {
    return new ArgumentException(Reason.BUFFER,
        "Data.IN_PLACE is no memory: it stands for what a rank gives and takes in one place; only collectives of which "
            + "this can be said take it, a rooted one at its root");
  }

  @Override
  public String toString() {
    return "Data.IN_PLACE";
  }
}
