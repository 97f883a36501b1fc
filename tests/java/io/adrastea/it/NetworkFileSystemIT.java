package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory of segments that several hosts could have mounted. The list of mounts that a rank reads is a made-up one,
 * which calls the directory's file system one of a network.
 */
class NetworkFileSystemIT {
  private static final String JOB = "00000000000000bb";
  private static final String FOUND = " is on nfs4 (server:/home), which several hosts can mount, and ranks share the "
      + "memory of one; choose a directory of this host, best on a memory file system, as /dev/shm ";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @BeforeEach
  void requireMounts() throws Exception {
    assumeTrue(onNetwork(Launch.command("true")).run().code() == 0,
        "needs the right to mount a file in a namespace of its own (unshare -m)");
  }

  /** The shell's process becomes the command's, so that the file it has mounted is that of the command. */
  private Launch onNetwork(Launch launch) throws Exception {
    long device = (Long) Files.getAttribute(shm.path(), "unix:dev");
    Path mounts = Files.writeString(directory.resolve("mountinfo"),
        "30 25 %d:%d / /home rw shared:5 - nfs4 server:/home rw%n".formatted(device >>> 8 & 0xfff, device & 0xff));
    return launch.under("unshare", "-m", "sh", "-c",
        "mount --bind '%s' /proc/$$/mountinfo && exec \"$@\"".formatted(mounts), "sh");
  }

  /** Both say so at once: rank 1 does not wait for a rank 0 that may be elsewhere. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void ranksInJavaRefuseIt(int rank) throws Exception {
    Outcome outcome = onNetwork(Launch.rank(shm, JOB, rank, 2, "io.adrastea.it.JoinRank")).run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    outcome.says(shm.path() + FOUND + "(adrastea.shm.dir)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void ranksInCRefuseIt(int rank) throws Exception {
    Outcome outcome = onNetwork(CProgram.rank(shm, JOB, rank, 2, "linger", "1")).run();
    assertEquals(1, outcome.code(), outcome::toString);
    assertEquals(shm.path() + FOUND + "(ADRASTEA_SHM_DIR)\n", outcome.err(), outcome::toString);
  }

  @Test
  void theLauncherRefusesItBeforeItStartsAnything() throws Exception {
    Outcome outcome = onNetwork(Launch.adrastea(shm, "run", "-n", "2", "--", "touch", directory + "/started")).run();
    assertEquals(2, outcome.code(), outcome::toString);
    outcome.says(shm.path() + FOUND + "(adrastea.shm.dir)");
    assertFalse(Files.exists(directory.resolve("started")), outcome::toString);
  }

  @Test
  void infoTellsIt() throws Exception {
    onNetwork(Launch.adrastea(shm, "info")).run().exits(0).prints("WRONG, ranks refuse it: " + shm.path() + FOUND);
  }
}
