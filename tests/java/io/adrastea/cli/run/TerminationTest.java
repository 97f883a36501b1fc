package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the processes of a job are found and ended; shells and sleepers stand for ranks. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminationTest {
  private static final int TERMINATED = 128 + 15;

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  /** A shell that says that it runs. */
  private Process shell(String script) throws IOException {
    Process shell = new ProcessBuilder("sh", "-c", script).start();
    started.add(shell);
    assertEquals("ready", shell.inputReader().readLine());
    return shell;
  }

  private static List<ProcessHandle> handles(Process... processes) {
    return Stream.of(processes).map(Process::toHandle).toList();
  }

  private static List<ProcessHandle> running(Process... processes) {
    return handles(processes).stream().filter(JobProcesses::runs).toList();
  }

  private static boolean ends(Process process) {
    try {
      return process.waitFor(200, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theKnownAreAskedToEndBeforeOthersAreLookedFor() throws Exception {
    Process rank = shell("echo ready; exec sleep 1000");
    List<Boolean> ended = new ArrayList<>();
    JobProcesses.end(
        handles(rank),
        () -> {
          ended.add(ends(rank));
          return running(rank);
        });
    assertTrue(ended.getFirst());
    assertEquals(TERMINATED, rank.exitValue());
  }

  @Test
  void thoseFoundLaterAreAskedToo() throws Exception {
    Process left = shell("trap 'exit 7' TERM; echo ready; while :; do sleep 0.1; done");
    JobProcesses.end(List.of(), () -> running(left));
    assertEquals(7, left.waitFor());
  }

  @Test
  void thoseThatDoNotEndWhenAskedAreKilled() throws Exception {
    Process deaf = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done");
    JobProcesses.end(handles(deaf), () -> running(deaf));
    assertEquals(128 + 9, deaf.waitFor());
  }

  /** A program may have cleared the environment that would mark it as one of the job. */
  @Test
  void theTreeHoldsWhatARankStartedAndNoOtherChildOfTheLauncher() throws Exception {
    Process rank = shell("env -i sh -c 'sleep 1000 & echo ready; wait'; exit 0");
    Process other = shell("sleep 1000 & echo ready; wait");
    List<ProcessHandle> tree = JobProcesses.tree(List.of(rank));
    assertEquals(rank.toHandle(), tree.getFirst());
    assertEquals(rank.descendants().toList().size() + 1, tree.size());
    assertTrue(tree.containsAll(rank.descendants().toList()));
    assertFalse(tree.contains(other.toHandle()));
  }

  @Test
  void theTreeOfARankThatHasEndedIsEmpty() throws Exception {
    Process rank = shell("echo ready");
    rank.waitFor();
    assertEquals(List.of(), JobProcesses.tree(List.of(rank)));
  }
}
