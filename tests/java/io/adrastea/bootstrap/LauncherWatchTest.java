package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.JoinException;
import io.adrastea.segment.ProcessIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The watch over a launcher that lives. What happens when it ends is seen from outside. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherWatchTest {
  private static final Set<Thread.State> SETTLED = Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED);

  private static LauncherWatch start(ProcessIdentity launcher) {
    return LauncherWatch.start(launcher, Path.of("no-such-segment"));
  }

  private static List<Thread> watchers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("adrastea-launcher-watch"))
        .toList();
  }

  @Test
  void goesOnWhenItsThreadIsInterrupted() throws InterruptedException {
    LauncherWatch watch = start(ProcessIdentity.self());
    try {
      Thread thread = watchers().getFirst();
      thread.interrupt();
      Thread.State state;
      do { // until it has taken notice, and waits again or has ended
        Thread.sleep(1);
        state = thread.getState();
      } while (thread.isInterrupted() || !SETTLED.contains(state));
      assertEquals(Thread.State.TIMED_WAITING, state);
    } finally {
      watch.close();
    }
  }

  @Test
  void endsWhenItIsClosed() {
    LauncherWatch watch = start(ProcessIdentity.self());
    assertEquals(1, watchers().size());
    watch.close();
    assertEquals(List.of(), watchers());
    watch.close(); // once more does nothing
  }

  @Test
  void closingKeepsAnInterruptOfTheCaller() {
    LauncherWatch watch = start(ProcessIdentity.self());
    Thread.currentThread().interrupt();
    watch.close();
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), watchers());
  }

  @Test
  void refusesALauncherThatIsGone() {
    ProcessIdentity earlier = new ProcessIdentity(ProcessIdentity.self().pid(), 1);
    assertThrows(JoinException.class, () -> start(earlier));
    assertEquals(List.of(), watchers());
  }
}
