package io.adrastea.engine.operation;

import io.adrastea.engine.group.Members;

/** A send, or a claim: room in the receiver's queue that the caller fills in. */
public final class Send extends Operation {
  private boolean synchronous;

  @Override
  public void ask(Members members, int destination, long match, long mask) {
    super.ask(members, destination, match, mask);
    synchronous = false;
  }

  /** Sets whether it is complete only when a receive has matched it. */
  void synchronous(boolean synchronous) {
    this.synchronous = synchronous;
  }

  public boolean isSynchronous() {
    return synchronous;
  }

  @Override
  public String toString() {
    return "%s to rank %s tag %d, %s".formatted(noun(), members().name(peer()), (int) match(), size());
  }

  private String noun() {
    return isInPlace() ? "claim" : synchronous ? "synchronous send" : "send";
  }

  private String size() {
    if (!isInPlace()) {
      return extent();
    }
    return "%d bytes%s".formatted(cursor().length(), isWithoutMemory() ? "" : ", not committed");
  }
}
