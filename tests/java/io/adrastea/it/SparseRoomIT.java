package io.adrastea.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sparse region on a small tmpfs in a mount namespace of its own: parts are refused when it is full, with an
 * exception and no signal, and lie on huge pages where it offers them.
 */
class SparseRoomIT {
  @TempDir
  Path mount;

  @ParameterizedTest
  @CsvSource({"ffm, ''", "java, ''", "jni, ''", "jna, ''", "java, -Xint", "java, -Xcomp"})
  void aPartThatThereIsNoRoomForIsRefusedAndAllOthersStay(String core, String option) throws Exception {
    assumeTrue(onTmpfs("64k", "true").run().code() == 0, "needs the right to mount a tmpfs (unshare -m)");
    rank("4m", core, "full", option).run().exits(0).prints("refused and kept");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "jni", "jna"})
  void aPartLiesOnTheHugePagesThatItCovers(String core) throws Exception {
    String size = "64m,huge=advise";
    assumeTrue(
        onTmpfs(size, "grep -q 2097152 /sys/kernel/mm/transparent_hugepage/hpage_pmd_size").run().code() == 0,
        "needs the right to mount a tmpfs (unshare -m), and huge pages of 2 MiB");
    rank(size, core, "huge", "").run().exits(0).prints("on huge pages");
  }

  private Launch rank(String size, String core, String task, String option) {
    return onTmpfs(size, "exec \"$@\"")
        .add(Launch.javaProgram().toString(), "--enable-native-access=ALL-UNNAMED")
        .add(option.isEmpty() ? "-Xshare:auto" : option)
        .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.segment.SparseRoomMain")
        .add(mount.toString(), task)
        .variable("CORE", core);
  }

  /** Runs a script of sh with DIR mounted; the words added are its arguments. */
  private Launch onTmpfs(String size, String script) {
    String mounting = "mount -t tmpfs -o size=" + size + " tmpfs $DIR || exit 98\n";
    return Launch.command("unshare", "-m", "sh", "-c", mounting + script, "sh").variable("DIR", mount);
  }
}
