package io.adrastea.engine;

import java.util.List;

/**
 * Which message is for which receive: (context, source, tag) with wildcards, in MPI's order. Keeps the receives that
 * wait for their message, and the messages that came before their receive.
 */
final class Matching {
  private final OperationList<Receive> posted = new OperationList<>();
  private final UnexpectedList unexpected = new UnexpectedList();
  private Receive looking; // takes a message only if all of it is there; null: none does

  /**
   * Whether a receive may look for its message itself, without being posted (000 section 3.3): no receive posted
   * earlier could match the same message, and none that has come already fits.
   */
  boolean isClear(int source, long match, long mask) {
    return (posted.isEmpty() || !overlapsPosted(source, match, mask))
        && (unexpected.isEmpty() || unexpected.find(source, match, mask) == null);
  }

  /** Whether a posted receive is the first in turn for whatever comes. */
  boolean isFirst(Receive operation) {
    return posted.first() == operation;
  }

  void post(Receive operation) {
    posted.add(operation);
  }

  /** Takes a posted receive off its list. */
  void unpost(Receive operation) {
    posted.remove(operation);
  }

  /** Takes out the posted receive that a message is for; null: nobody has asked for it. */
  Receive takePosted(int source, long match) {
    for (Receive receive = posted.first(); receive != null; receive = posted.next(receive)) {
      if (receive.fits(source, match)) {
        posted.remove(receive);
        return receive;
      }
    }
    return null;
  }

  private boolean overlapsPosted(int source, long match, long mask) {
    for (Receive receive = posted.first(); receive != null; receive = posted.next(receive)) {
      if (receive.overlaps(source, match, mask)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Lets a receive have the next message that fits, if all of it is there at once and no posted receive takes it.
   *
   * @param operation not posted; null: the look is over
   */
  void look(Receive operation) {
    looking = operation != null && find(operation) != null ? null : operation;
  }

  /**
   * Ends the look if a message fits, since none behind it may overtake it, and tells who looked; null: it does not fit.
   */
  Receive takeLooking(int source, long match) {
    Receive operation = looking;
    if (operation == null || !operation.fits(source, match)) {
      return null;
    }
    looking = null;
    return operation;
  }

  /** The first unexpected message that fits a receive; null if there is none. */
  UnexpectedMessage find(Receive operation) {
    return unexpected.find(operation.peer(), operation.match(), operation.mask());
  }

  /** The same for whoever has not made an operation of it. */
  UnexpectedMessage find(int source, long match, long mask) {
    return unexpected.find(source, match, mask);
  }

  /** The first unexpected message of all, which leads to the next; null: there is none. */
  UnexpectedMessage firstUnexpected() {
    return unexpected.first();
  }

  /** Sees to it that the next {@link #add} takes no memory. */
  void reserve() {
    unexpected.reserve();
  }

  /** A message has come for which nobody has asked. */
  UnexpectedMessage add(int source, long match, long messageLength) {
    return unexpected.add(source, match, messageLength);
  }

  /** It goes to its receive. */
  void remove(UnexpectedMessage message) {
    unexpected.remove(message);
  }

  /** Adds a description of each posted receive to {@code words}. */
  void describe(List<String> words) {
    posted.describe(words);
  }
}
