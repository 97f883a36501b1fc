package io.adrastea.it;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what must come, on a machine that may be slow. */
final class Deadline {
  /** Far above what anything here takes; reached only when it would never come. */
  static final int SECONDS = 300;

  private static final long LOOK_MILLIS = 10;

  private Deadline() {}

  /** Returns as soon as {@code fact} holds, or at the deadline: whether it came to hold. */
  static boolean met(BooleanSupplier fact) throws InterruptedException {
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (!fact.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
  }

  /** Returns as soon as {@code fact} holds; fails the test at the deadline. */
  static void await(String what, BooleanSupplier fact, Supplier<?> state)
      throws InterruptedException {
    if (!met(fact)) {
      throw new AssertionError("%s: not within %d s; %s".formatted(what, SECONDS, state.get()));
    }
  }
}
