package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watch over a launcher that lives. What happens when it ends is seen from outside. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherWatchTest {
  private static List<Thread> watchers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("adrastea-launcher-watch"))
        .toList();
  }

  @Test
  void goesOnWhenItsThreadIsInterrupted() throws InterruptedException {
    LauncherWatch watch = LauncherWatch.start(ProcessIdentity.self());
    try {
      Thread thread = watchers().getFirst();
      thread.interrupt();
      while (thread.isInterrupted()) { // until it has taken notice
        Thread.sleep(1);
      }
      thread.join(20); // an end would be near
      assertTrue(thread.isAlive());
    } finally {
      watch.close();
    }
  }

  @Test
  void endsWhenItIsClosed() {
    LauncherWatch watch = LauncherWatch.start(ProcessIdentity.self());
    assertEquals(1, watchers().size());
    watch.close();
    assertEquals(List.of(), watchers());
    watch.close(); // once more does nothing
  }

  @Test
  void closingKeepsAnInterruptOfTheCaller() {
    LauncherWatch watch = LauncherWatch.start(ProcessIdentity.self());
    Thread.currentThread().interrupt();
    watch.close();
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), watchers());
  }

  @Test
  void refusesALauncherThatIsGone() {
    ProcessIdentity earlier = new ProcessIdentity(ProcessIdentity.self().pid(), 1);
    assertThrows(JoinException.class, () -> LauncherWatch.start(earlier));
    assertEquals(List.of(), watchers());
  }
}
