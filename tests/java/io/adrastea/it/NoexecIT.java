package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that must not hold programs: tmpfs mounted noexec, in a mount namespace that ends with its processes. */
class NoexecIT {
  @TempDir
  Path mount;
  @TempDir
  Path home;

  @BeforeEach
  void requireMounts() throws Exception {
    assumeTrue(
        noexec("true").run().code() == 0,
        "needs the right to mount a tmpfs in a namespace of its own (unshare -m)");
  }

  @Test
  void theLibraryIsUsedFromTheHomeDirectory() throws Exception {
    Outcome info = info(home).exits(0);
    assertEquals("works, chosen by auto", info.core("ffm"), info::toString);
    try (var left = Files.list(home)) {
      assertEquals(0, left.count());
    }
  }

  @Test
  void javaTakesOverWhenNoDirectoryWillDo() throws Exception {
    Outcome info = info(mount).exits(0).prints(mount + ": Cannot open library");
    assertEquals("unusable", info.core("ffm"), info::toString);
    assertEquals("works, chosen by auto", info.core("java"), info::toString);
  }

  private Outcome info(Path userHome) throws Exception {
    return noexec("cd $DIR && \"$@\"; code=$?; ls -A $DIR >&2; exit $code")
        .add(Launch.javaProgram().toString(), "-Djava.io.tmpdir=" + mount, "-Duser.home=" + userHome)
        .add("-jar", Launch.jar().toString(), "info")
        .run();
  }

  /** Runs a script of sh with DIR mounted noexec; the words added are its arguments. */
  private Launch noexec(String script) {
    String mounting = "mount -t tmpfs -o noexec,size=8m tmpfs $DIR || exit 98\n";
    return Launch.command("unshare", "-m", "sh", "-c", mounting + script, "sh").variable("DIR", mount);
  }
}
