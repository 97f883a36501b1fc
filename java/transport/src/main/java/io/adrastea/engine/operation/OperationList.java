package io.adrastea.engine.operation;

import java.util.List;

/**
 * Operations of one kind in the order in which they were started. Links lie in the operations, so that no entry is made
 * per message.
 */
public final class OperationList<T extends Operation> {
  private T first;
  private T last;

  public T first() {
    return first;
  }

  public boolean isEmpty() {
    return first == null;
  }

  /** The one behind {@code operation}; null: it is the last. */
  @SuppressWarnings("unchecked") // a list holds one kind
  public T next(T operation) {
    return (T) operation.next;
  }

  public void add(T operation) {
    operation.previous = last;
    operation.next = null;
    if (last == null) {
      first = operation;
    } else {
      last.next = operation;
    }
    last = operation;
  }

  @SuppressWarnings("unchecked") // a list holds one kind
  public void remove(T operation) {
    if (operation.previous == null) {
      first = (T) operation.next;
    } else {
      operation.previous.next = operation.next;
    }
    if (operation.next == null) {
      last = (T) operation.previous;
    } else {
      operation.next.previous = operation.previous;
    }
    operation.previous = null;
    operation.next = null;
  }

  /** Adds a description of each to {@code words}. */
  public void describe(List<String> words) {
    for (Operation operation = first; operation != null; operation = operation.next) {
      words.add(operation.toString());
    }
  }
}
