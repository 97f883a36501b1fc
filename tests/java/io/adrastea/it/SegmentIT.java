package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.layout.SegmentHeaderDescriptor;
import java.nio.file.Files;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file of a job: gone once all have joined, removed by the next job when one is killed before, refused if foreign.
 */
class SegmentIT {
  private static final String PROGRAM = "io.adrastea.it.JoinRank";
  private static final int NOBODY = 65534;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  private final String otherJob = "0123456789abcdef";

  @ParameterizedTest
  @CsvSource({"1,ffm", "2,java", "3,'ffm,java'"})
  void nothingIsInTheDirectoryOnceAllHaveJoined(int size, String cores) throws Exception {
    Launch.adrastea(
        shm, "run", "-n", "" + size, "--label", "never", "--core", cores, "--", "java", PROGRAM)
        .run()
        .exits(0)
        .prints("all " + size + " joined, files: []");
  }

  @Test
  void nothingIsLeftWhenTheWholeRunningJobIsKilled() throws Exception {
    try (Child run =
        Launch.adrastea(shm, "run", "-n", "3", "--", "java", PROGRAM, "stay").start()) {
      run.awaitOutput("all 3 joined");
      List<Long> everybody = run.living();
      assertTrue(everybody.size() >= 4, everybody::toString);
      for (long pid : everybody) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
      run.awaitNobody();
      assertEquals(List.of(), shm.files());
    }
  }

  @Test
  void aJobKilledWhileJoiningIsCleanedUpByTheNext() throws Exception {
    try (Child first = rank(0, 2).start()) {
      file().awaitAttached(0, first);
      first.signal("KILL");
      first.await().exits(137);
    }
    assertEquals(1, shm.files().size());
    Launch.rank(shm, otherJob, 0, 1, PROGRAM).run().exits(0).prints("files: []");
  }

  /** Where the launcher alone is killed, it is its guard that cleans up. */
  @Test
  void aJobOfWhichEverythingIsKilledWhileItsRanksJoinIsCleanedUpByTheNext() throws Exception {
    String script = "if [ $ADRASTEA_RANK = 1 ]; then exec sleep 1000; fi; exec \"$@\"";
    try (Child run =
        Launch.adrastea(
            shm,
            "run",
            "-n",
            "2",
            "--",
            "sh",
            "-c",
            script,
            "sh",
            Launch.javaProgram().toString())
            .add(
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Launch.jar() + ":" + Launch.classes(),
                PROGRAM)
            .start()) {
      Deadline.await("a file", () -> !shm.files().isEmpty(), run::living);
      run.signal("STOP"); // it is not to see what happens
      for (long process : run.living()) {
        if (process != run.pid()) {
          Processes.signal("KILL", process);
        }
      }
      run.signal("KILL");
      run.awaitNobody();
    }
    assertEquals(1, shm.files().size());
    Launch.adrastea(shm, "run", "-n", "2", "--", "java", PROGRAM)
        .run()
        .exits(0)
        .prints("files: []");
  }

  @Test
  void theFileOfAJobThatIsStillJoiningIsLeftAlone() throws Exception {
    try (Child first = rank(0, 2).start()) {
      file().awaitAttached(0, first);
      Launch.rank(shm, otherJob, 0, 1, PROGRAM).run().exits(0);
      try (Child second = rank(1, 2).start()) {
        second.await().exits(0);
        first.await().exits(0).prints("all 2 joined");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"layout version", "layout CRC", "job", "cell stride"})
  void aSegmentOfAnotherLayoutIsRefusedWithItsName(String field) throws Exception {
    int offset =
        switch (field) {
          case "layout version" -> SegmentHeaderDescriptor.LAYOUT_VERSION_OFFSET;
          case "layout CRC" -> SegmentHeaderDescriptor.LAYOUT_CRC_OFFSET;
          case "job" -> SegmentHeaderDescriptor.JOB_ID_OFFSET;
          default -> SegmentHeaderDescriptor.CELL_STRIDE_OFFSET;
        };
    try (Child first = rank(0, 2).start()) {
      file().awaitAttached(0, first);
      file().patchHeader(offset, file().headerField(offset) + 1);
      rank(1, 2).run().exits(1).says("SegmentException", file().path() + ": " + field + " is 0x");
      first.signal("KILL");
      first.await();
    }
    Files.delete(file().path());
  }

  @Test
  void aSegmentOfAnotherUserIsRefused() throws Exception {
    assumeTrue(
        (int) Files.getAttribute(shm.path(), "unix:uid") == 0,
        "needs root: it gives a file to another user");
    try (Child first = rank(0, 2).start()) {
      file().awaitAttached(0, first);
      Files.setAttribute(file().path(), "unix:uid", NOBODY);
      rank(1, 2)
          .run()
          .exits(1)
          .says("SegmentException", file().path() + " belongs to user " + NOBODY);
      first.signal("KILL");
      first.await();
    }
    Files.delete(file().path());
  }

  @Test
  void aDirectoryThatIsNotThereIsNamed() throws Exception {
    String missing = shm.path() + "/missing";
    Launch.adrastea(shm, "run", "--shm-dir", missing, "--", "java", PROGRAM)
        .run()
        .exits(2)
        .says(missing, "adrastea.shm.dir");
  }

  private JobFile file() {
    return JobFile.of(shm, job);
  }

  private Launch rank(int rank, int size) {
    return Launch.rank(shm, job, rank, size, PROGRAM).set("join.timeout", 600_000);
  }
}
