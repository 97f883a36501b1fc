package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What a call that is refused throws, and says. */
public final class Refusals {
  private Refusals() {}

  public static void refuses(Class<? extends Exception> type, String said, Runnable action) {
    String message = assertThrows(type, action::run).getMessage();
    assertTrue(message != null && message.contains(said), () -> "not '" + said + "' but: " + message);
  }

  /** Runs an action in a thread of its own, and throws what it throws. */
  public static void inAnotherThread(Runnable action) throws InterruptedException {
    Throwable[] thrown = new Throwable[1];
    Thread other = new Thread(action, "other");
    other.setUncaughtExceptionHandler((thread, e) -> thrown[0] = e);
    other.start();
    other.join();
    if (thrown[0] instanceof RuntimeException e) {
      throw e;
    }
    if (thrown[0] instanceof Error e) {
      throw e;
    }
  }

  /** Checks that another thread is refused. */
  public static void refusesAnotherThread(String said, Runnable action) throws InterruptedException {
    WrongThreadException e =
        assertThrows(WrongThreadException.class, () -> inAnotherThread(action));
    assertTrue(e.getMessage().contains(said) && e.getMessage().contains("'other'"), e.getMessage());
  }
}
