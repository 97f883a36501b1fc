package io.adrastea.engine.operation;

import io.adrastea.engine.group.Members;

/** A send, or a claim: room in the receiver's queue that the caller fills in. */
public final class Send extends Operation {
  private boolean synchronous;
  private boolean announced; // the signature of its message is out, and nothing of the message itself

  /** Makes a send that no request tells of. */
  public Send() {
    this(null);
  }

  Send(Owner<Operation> owner) {
    super(owner);
  }

  @Override
  public void ask(Members members, int destination, long match, long mask) {
    super.ask(members, destination, match, mask);
    synchronous = false;
  }

  @Override
  public void activate() {
    super.activate();
    announced = false;
  }

  /** The receiver was told the signature of the message: it is the next one that goes there. */
  public void announce() {
    begin();
    announced = true;
  }

  /** Whether the receiver expects this message next, and nothing of it is out. */
  public boolean isAnnounced() {
    return announced;
  }

  /** A piece of the message is out, or the offer of a large one. */
  public void sent() {
    begin();
    announced = false;
  }

  /** Whether nothing of the message itself is out. */
  public boolean isUnsent() {
    return announced || !isBegun();
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
    return "%s to rank %s with tag %d, %s".formatted(noun(), members().name(peer()), (int) match(), size());
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
