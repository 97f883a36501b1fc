package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.segment.Geometry;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file system too small for the job: a small tmpfs in a mount namespace of its own, which ends with its processes.
 */
class SmallShmIT {
  private static final String RANK = "io.adrastea.it.JoinRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path mount;

  @BeforeEach
  void requireMounts() throws Exception {
    boolean permitted = onTmpfs("64k", "true").run().code() == 0;
    assumeTrue(
        permitted, "needs the right to mount a tmpfs in a namespace of its own (unshare -m)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void tooLittleRoomForTheJobIsSaidBeforeAnythingIsTouched(String core) throws Exception {
    long needed = new Geometry(2, 64, 8192).reservedBytes(); // the default settings
    onTmpfs("256k", "\"$@\"; code=$?; ls -A $DIR; exit $code")
        .add(
            Launch.javaProgram().toString(),
            "-jar",
            Launch.jar().toString(),
            "run",
            "-n",
            "2",
            "--core",
            core)
        .add("--shm-dir", mount.toString(), "--", "java", RANK)
        .run()
        .exits(1)
        .says("SegmentException",
            "%,d bytes needed, %,d there; enlarge the file system (that of a container: docker run "
                .formatted(needed, 256 << 10) + "--shm-size), name another with adrastea.shm.dir, or ")
        .says("rank 0 exited with code 1")
        .leaves("[0] joining", "[1] joining");
  }

  @Test
  void ranksInCAreToldTheSame() throws Exception {
    onTmpfs("256k", "\"$@\"; code=$?; ls -A $DIR; exit $code")
        .add(CProgram.of("linger"), "0")
        .set("shm.dir", mount)
        .set("job", "00000000000000ab")
        .set("rank", 0)
        .set("size", 2)
        .run()
        .exits(1)
        .says("%d bytes, %s has ".formatted(new Geometry(2, 64, 8192).reservedBytes(), mount))
        .says(" free; make it larger (that of a container: docker run --shm-size), choose another one with "
            + "ADRASTEA_SHM_DIR, or ")
        .leaves();
  }

  /** What docker gives a container unasked. */
  @ParameterizedTest
  @ValueSource(ints = {2, 16})
  void allThatIsTakenAtTheStartFitsInto64Megabytes(int ranks) throws Exception {
    assertTrue(new Geometry(ranks, 64, 8192).reservedBytes() < 64 << 20);
    Outcome outcome = onTmpfs("64m", "exec \"$@\"")
        .add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString(), "run", "-n", Integer.toString(ranks))
        .add("--shm-dir", mount.toString(), "--", CProgram.of("barrier"), mount + "/array", "20")
        .run()
        .exits(0)
        .saysNothing();
    assertEquals(ranks, outcome.lines().size(), outcome::toString);
  }

  @Test
  void threadsAreToldTheSame() throws Exception {
    onTmpfs("256k", "\"$@\"; code=$?; ls -A $DIR; exit $code")
        .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
        .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.it.ThreadsMain")
        .set("shm.dir", mount)
        .run()
        .exits(1)
        .says("SegmentException", "bytes needed, %,d there".formatted(256 << 10))
        .leaves();
  }

  /**
   * The room is there when the job is made and gone when the second rank wants its part: an error, not a SIGBUS.
   */
  @Test
  void roomThatIsTakenAwayWhileJoiningIsSaid() throws Exception {
    Geometry geometry = new Geometry(2, 64, 8192);
    long blocks =
        (geometry.reservedBytes() - geometry.rankAreaBytes()) / 512; // rank 0 has its part, fastboxes too
    String script =
        """
            ADRASTEA_RANK=0 "$@" & first=$!
            while [ $(stat -c %b $DIR/adrastea-* 2>/dev/null || echo 0) -lt $BLOCKS ]; do
              kill -0 $first || exit 99; sleep 0.05
            done
            dd if=/dev/zero of=$DIR/full bs=4k 2>/dev/null
            ADRASTEA_RANK=1 "$@"; code=$?
            wait $first; echo "codes $? $code"
            rm $DIR/full; ls -A $DIR; exit $code
            """;
    Outcome outcome =
        onTmpfs("2000k", script)
            .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
            .add("-cp", Launch.jar() + ":" + Launch.classes(), RANK)
            .variable("BLOCKS", blocks)
            .set("shm.dir", mount)
            .set("job", "00000000000000aa")
            .set("size", 2)
            .run()
            .exits(1)
            .says("bytes needed, 0 there", "rank(s) [1] died or gave up while joining");
    outcome.leaves("joining", "codes 1 1");
  }

  /** Runs a script of sh with DIR mounted; the words added are its arguments. */
  private Launch onTmpfs(String size, String script) {
    String mounting = "mount -t tmpfs -o size=" + size + " tmpfs $DIR || exit 98\n";
    return Launch.command("unshare", "-m", "sh", "-c", mounting + script, "sh")
        .variable("DIR", mount);
  }
}
