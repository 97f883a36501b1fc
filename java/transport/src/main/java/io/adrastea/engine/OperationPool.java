package io.adrastea.engine;

import java.util.ArrayDeque;

/**
 * Spent operations, used again in the order in which they were given back: a stale handle meets an idle operation
 * rather than a new one for as long as possible.
 */
final class OperationPool {
  private static final int RESERVE = 64;

  private final ArrayDeque<Operation> idle = new ArrayDeque<>(2 * RESERVE);

  OperationPool() {
    for (int i = 0; i < RESERVE; i++) {
      idle.add(new Operation());
    }
  }

  Operation take() {
    return idle.size() < RESERVE / 2 ? new Operation() : idle.poll();
  }

  void give(Operation operation) {
    operation.forget();
    idle.add(operation);
  }
}
