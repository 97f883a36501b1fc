package io.adrastea;

import java.lang.foreign.Arena;

/** Closes an arena beside the calls that use its memory. */
public final class Closer {
  private Closer() {}

  /** Closes an arena after some time, as soon as no copy is on its way in it. */
  public static Thread start(Arena arena, long nanos) {
    return Thread.ofPlatform()
        .start(
            () -> {
              long start = System.nanoTime();
              while (System.nanoTime() - start < nanos) {
                Thread.onSpinWait();
              }
              while (arena.scope().isAlive()) {
                try {
                  arena.close();
                } catch (IllegalStateException e) {
                  Thread.onSpinWait(); // a call holds it
                }
              }
            });
  }
}
