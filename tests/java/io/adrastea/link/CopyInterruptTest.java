package io.adrastea.link;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which interrupts a failed copy takes away. */
class CopyInterruptTest {
  private static boolean stays(boolean pendingBefore, RuntimeException failure) {
    Thread.currentThread().interrupt();
    CopyInterrupt.forget(pendingBefore, failure);
    return Thread.interrupted();
  }

  @Test
  void onlyThatOfAnArenaThatWasClosedIsForgotten() {
    assertFalse(stays(false, new IllegalStateException("Already closed")));
    assertTrue(stays(true, new IllegalStateException("Already closed")), "it is the program's");
    assertTrue(stays(false, new WrongThreadException()), "nobody closed an arena");
  }
}
