package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A window that one rank has no room for, in a small tmpfs in a mount namespace of its own: no rank makes it, and
 * nothing is left of it.
 */
class WindowRoomIT {
  @TempDir
  Path mount;

  @BeforeEach
  void requireMounts() throws Exception {
    boolean permitted = onTmpfs("true").run().code() == 0;
    assumeTrue(permitted, "needs the right to mount a tmpfs in a namespace of its own (unshare -m)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void aWindowThatOneRankHasNoRoomForIsMadeByNone(String core) throws Exception {
    onTmpfs("\"$@\"; code=$?; ls -A $DIR; exit $code")
        .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
        .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.it.WindowRoomMain")
        .set("shm.dir", mount)
        .set("core", core)
        .run()
        .exits(0)
        .leaves("made", "made");
  }

  /** Runs a script of sh with DIR mounted; the words added are its arguments. */
  private Launch onTmpfs(String script) {
    String mounting = "mount -t tmpfs -o size=32m tmpfs $DIR || exit 98\n";
    return Launch.command("unshare", "-m", "sh", "-c", mounting + script, "sh").variable("DIR", mount);
  }
}
