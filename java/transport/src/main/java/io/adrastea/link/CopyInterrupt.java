package io.adrastea.link;

import java.lang.foreign.MemorySegment;

/**
 * The interrupt that HotSpot leaves at a thread in whose copy an arena was closed: it interrupts the thread so that it
 * would leave a wait, and then throws in the copy. Nobody has interrupted the program, so its next wait is not to end
 * for it. An interrupt of the program's own that comes during that same copy cannot be told from it, and is lost with
 * it.
 */
public final class CopyInterrupt {
  private CopyInterrupt() {}

  /**
   * Copies between memory of the program, which another thread may close meanwhile, and memory of ours.
   *
   * @param from memory to copy from
   * @param source offset in it
   * @param to memory to copy to
   * @param target offset in it
   * @param bytes how many
   * @throws IllegalStateException when memory was closed; the interrupt that came with it is taken away
   * @throws WrongThreadException when memory is another thread's
   */
  public static void copy(MemorySegment from, long source, MemorySegment to, long target, long bytes) {
    boolean interrupted = isPending();
    try {
      MemorySegment.copy(from, source, to, target, bytes);
    } catch (IllegalStateException e) {
      forget(interrupted, e);
      throw e;
    }
  }

  /**
   * Whether the thread was interrupted before it copied; to be asked before, and handed to {@link #forget}.
   *
   * @return true: its interrupt is the program's own
   */
  public static boolean isPending() {
    return Thread.currentThread().isInterrupted();
  }

  /**
   * To be called when a copy has failed: takes the interrupt away that came with it, if its arena was closed.
   *
   * @param pendingBefore whether one was pending before the copy
   * @param failure what the copy has thrown; memory of another thread's arena is refused without an interrupt
   */
  public static void forget(boolean pendingBefore, RuntimeException failure) {
    if (!pendingBefore && failure instanceof IllegalStateException) {
      Thread.interrupted();
    }
  }
}
