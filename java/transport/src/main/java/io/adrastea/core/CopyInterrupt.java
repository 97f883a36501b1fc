package io.adrastea.core;

/**
 * The interrupt that HotSpot leaves at a thread in whose copy an arena was closed: it interrupts the thread so that it would leave a
 * wait, and then throws in the copy. Nobody has interrupted the program, so its next wait is not to end for it.
 */
public final class CopyInterrupt {
  private CopyInterrupt() {}

  /** Whether the thread was interrupted before it copied; to be asked before, and handed to {@link #forget}. */
  public static boolean isPending() {
    return Thread.currentThread().isInterrupted();
  }

  /** To be called when a copy has failed since its arena is closed: takes the interrupt away that came with it. */
  public static void forget(boolean pendingBefore) {
    if (!pendingBefore) {
      Thread.interrupted();
    }
  }
}
