package io.adrastea.cli.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.segment.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which processes belong to a job, though its rank's launcher has not started them: sleepers stand for such processes.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobProcessesTest {
  private static final String NOBODY = "65534";

  @TempDir
  Path directory;

  private final String job = "%016x".formatted(ProcessHandle.current().pid());
  private final JobProcesses members = new JobProcesses("ADRASTEA_JOB=" + job);
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void endAll() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  /** A process whose environment says that it is this rank of the job. */
  private Process marked(int rank, String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(Map.of("ADRASTEA_JOB", job, "ADRASTEA_RANK", "" + rank));
    Process process = builder.start();
    started.add(process);
    assertEquals("ready", process.inputReader().readLine());
    return process;
  }

  @Test
  void aProcessWithTheJobsIdInItsEnvironmentIsOne() throws Exception {
    Process left = marked(1, "sh", "-c", "echo ready; exec sleep 1000");
    assertEquals(List.of(left.toHandle()), members.find(List.of()));
    assertTrue(members.actFor(1));
    assertFalse(members.actFor(0));
  }

  @Test
  void aProcessOfAnotherUserIsNoneWhateverItsEnvironmentSays() throws Exception {
    assumeTrue(SegmentFile.uid() == 0, "only root can start a process of another user");
    marked(1, "setpriv", "--reuid", NOBODY, "--clear-groups", "sh", "-c", "echo ready; exec sleep 1000");
    assertEquals(List.of(), members.find(List.of()));
    assertFalse(members.actFor(1));
  }

  @Test
  void aFileIsToldByItsWholeName() throws Exception {
    Path file = directory.resolve("name");
    Path other = directory.resolve("another-name");
    Process holder = marked(0, "sh", "-c", "exec 3<>\"$0\" 4<>\"$1\"; echo ready; exec sleep 1000", file.toString(),
        other.toString());
    Path descriptor = Path.of("/proc/" + holder.pid() + "/fd/3");
    assertEquals(List.of(descriptor), JobProcesses.open(holder.toHandle(), "name").toList());
  }
}
