package io.adrastea.engine;

import java.util.List;

/**
 * Operations in the order in which they were started. Links lie in the operations, so that no entry is made per
 * message.
 */
final class OperationList {
  private Operation first;
  private Operation last;

  Operation first() {
    return first;
  }

  boolean isEmpty() {
    return first == null;
  }

  void add(Operation operation) {
    operation.previous = last;
    operation.next = null;
    if (last == null) {
      first = operation;
    } else {
      last.next = operation;
    }
    last = operation;
  }

  void remove(Operation operation) {
    if (operation.previous == null) {
      first = operation.next;
    } else {
      operation.previous.next = operation.next;
    }
    if (operation.next == null) {
      last = operation.previous;
    } else {
      operation.next.previous = operation.previous;
    }
    operation.previous = null;
    operation.next = null;
  }

  /** Adds a description of each to {@code words}. */
  void describe(List<String> words) {
    for (Operation operation = first; operation != null; operation = operation.next) {
      words.add(operation.toString());
    }
  }

  /**
   * Whether one of these receives could match a message that a receive of this source, match word and mask could match.
   */
  boolean overlaps(int source, long match, long mask) {
    for (Operation posted = first; posted != null; posted = posted.next) {
      boolean sources = posted.peer == Operation.ANY || source == Operation.ANY || posted.peer == source;
      if (sources && ((posted.match ^ match) & posted.mask & mask) == 0) {
        return true;
      }
    }
    return false;
  }

  /** Takes out the first receive that a message of this source and match word fits; null if there is none. */
  Operation takeMatching(int source, long match) {
    for (Operation posted = first; posted != null; posted = posted.next) {
      if (posted.fits(source, match)) {
        remove(posted);
        return posted;
      }
    }
    return null;
  }
}
