package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shared memory between processes. */
class SharedIT {
  private static final String RANK = "io.adrastea.it.SharedRank";

  /** Both sides of 8 rounds of all sizes. */
  private static final long CHECKED = 2 * 8 * (1L + 8 + 127 + 4096 + 10_001 + 300_000 + (1 << 20) + 5_000_000);

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path mount;

  @ParameterizedTest
  @CsvSource({"ffm,ffm", "ffm,java", "java,java", "jni,jna"})
  void whatOneProcessWritesTheOtherReads(String first, String second) throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--core", first + "," + second, "--", "java", RANK, "exchange")
            .run()
            .exits(0);
    String said = "[%d] %s checked %d bytes";
    assertEquals(
        List.of(said.formatted(0, first, CHECKED), said.formatted(1, second, CHECKED)),
        outcome.lines().stream().sorted().toList(),
        outcome::toString);
  }

  @ParameterizedTest
  @CsvSource({"ffm,ffm", "ffm,java", "jni,jna"})
  void allocationsLieOnHugePagesInEveryProcessWhereTheyAreOffered(String first, String second) throws Exception {
    String size = "64m,huge=advise";
    assumeTrue(
        onTmpfs(size, "grep -q 2097152 /sys/kernel/mm/transparent_hugepage/hpage_pmd_size").run().code() == 0,
        "needs the right to mount a tmpfs (unshare -m), and huge pages of 2 MiB");
    Outcome outcome =
        onTmpfs(size, "exec \"$@\"")
            .add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString())
            .add("run", "-n", "2", "--core", first + "," + second, "--shm-dir", mount.toString(), "--", "java", RANK,
                "huge")
            .run()
            .exits(0);
    String all = Integer.toString(4 << 20);
    outcome.prints("[0] %s maps %s of its own and %s of its peer's".formatted(first, all, all));
    String own = second.equals("java") ? "[0-9]+" : all; // huge once the peer has asked for it, at its first use
    Pattern other = Pattern.compile("\\[1] %s maps %s of its own and %s of its peer's".formatted(second, own, all));
    assertTrue(other.matcher(outcome.out()).find(), outcome::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void allocatingInAFullFileSystemIsAnErrorAndTheRestGoesOn(String core) throws Exception {
    assumeTrue(onTmpfs("64k", "true").run().code() == 0, "needs the right to mount a tmpfs (unshare -m)");
    Outcome outcome =
        onTmpfs("16m", "exec \"$@\"")
            .add(Launch.javaProgram().toString(), "-jar", Launch.jar().toString())
            .add("run", "-n", "2", "--core", core, "--shm-dir", mount.toString(), "--", "java", RANK, "full")
            .run()
            .exits(0)
            .prints("[0] " + core + " checked ", "[1] " + core + " checked ");
    Matcher found =
        Pattern.compile("([0-9]+) MiB, then: .* ([0-9,]+) bytes needed, ([0-9,]+) there").matcher(outcome.out());
    assertTrue(found.find(), outcome::toString);
    assertTrue(Integer.parseInt(found.group(1)) >= 8, outcome::toString);
    assertEquals("1,048,576", found.group(2));
    long there = Long.parseLong(found.group(3).replace(",", ""));
    assertTrue(there < 1 << 20, "all but the last piece was used: " + outcome);
  }

  /** Runs a script of sh with DIR mounted; the words added are its arguments. */
  private Launch onTmpfs(String size, String script) {
    String mounting = "mount -t tmpfs -o size=" + size + " tmpfs $DIR || exit 98\n";
    return Launch.command("unshare", "-m", "sh", "-c", mounting + script, "sh").variable("DIR", mount);
  }
}
