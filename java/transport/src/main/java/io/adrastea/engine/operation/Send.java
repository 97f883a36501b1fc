package io.adrastea.engine.operation;

/** A send, or a claim: room in the receiver's queue that the caller fills in. */
public final class Send extends Operation {
  @Override
  public String toString() {
    return "%s to rank %d tag %d, %s".formatted(isInPlace() ? "claim" : "send", peer(), (int) match(), size());
  }

  private String size() {
    if (!isInPlace()) {
      return extent();
    }
    return "%d bytes%s".formatted(cursor().length(), isWithoutMemory() ? "" : ", not committed");
  }
}
