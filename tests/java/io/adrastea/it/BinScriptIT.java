package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/adrastea}: that it passes all words on, and when it builds. */
class BinScriptIT {
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;
  private SourceTree tree;

  @BeforeEach
  void makeTree() throws IOException {
    tree = new SourceTree(directory);
  }

  @Test
  void runsFromAnotherDirectoryAndThroughALinkAndKeepsEachWord() throws Exception {
    tree.built();
    Path elsewhere = Files.createDirectories(directory.resolve("else where"));
    Files.createSymbolicLink(elsewhere.resolve("link"), tree.script());
    Outcome outcome =
        Launch.command(
            "./link", "run", "--", "env", "printf", "%s|", "two  words", "", "*", "$HOME", "-n")
            .set("shm.dir", shm.path())
            .variable("JAVA_HOME", JDK)
            .in(elsewhere)
            .run()
            .exits(0);
    assertEquals("two  words||*|$HOME|-n|", outcome.out(), outcome::toString);
    outcome.saysNothing();
  }

  @Test
  void runsAJobAndGivesItsExitCode() throws Exception {
    tree.built();
    script(
        "run",
        "-n",
        "2",
        "--core",
        "ffm,java",
        "--",
        "java",
        "io.adrastea.it.ExchangeRank",
        "nonblocking",
        "8")
        .variable("JAVA_HOME", JDK)
        .run()
        .exits(0)
        .prints("on ffm checked 8 bytes", "on java checked 8 bytes");
    script("run", "-n", "2", "--", "sh", "-c", "exit 9").variable("JAVA_HOME", JDK).run().exits(9);
  }

  @Test
  void buildsWhatIsMissingAndSaysSo() throws Exception {
    tree.buildTools(
        "echo noise; echo more >&2; mkdir -p java/cli/target; cp \"$JAR\" java/cli/target/; echo x"
            + " >>builds");
    Outcome first =
        script("--version").variable("JAVA_HOME", JDK).run().exits(0).prints("adrastea ");
    assertEquals(2, first.err().lines().count(), first::toString);
    first.says("adrastea: building", "adrastea: built in ");
    assertEquals(
        "",
        script("--version").variable("JAVA_HOME", JDK).run().exits(0).err(),
        "nothing to build");
    tree.edit("native/source.c");
    script("--version").variable("JAVA_HOME", JDK).run().exits(0).says("adrastea: building");
  }

  @Test
  void showsWhatMavenSaidWhenTheBuildFailsAndTriesAgain() throws Exception {
    tree.buildTools(
        "mkdir -p java/cli/target; cp \"$JAR\" java/cli/target/; echo no compiler today; exit 1");
    for (int attempt = 0; attempt < 2; attempt++) { // the half-made jar is not taken for a good one
      Outcome outcome = script("--version").variable("JAVA_HOME", JDK).run().exits(1);
      outcome.says("no compiler today", "the build failed");
      assertEquals("", outcome.out());
    }
  }

  @Test
  void namesTheToolThatTheBuildNeeds() throws Exception {
    script("--version")
        .variable("JAVA_HOME", JDK)
        .run()
        .exits(1)
        .says("mvn is needed", "apt-get install");
    assertFalse(Files.exists(tree.jar()));
  }

  private Launch script(String... words) {
    return Launch.command(tree.script().toString())
        .add(words)
        .set("shm.dir", shm.path())
        .set("jvm.dir", directory.resolve("none"))
        .variable("JAVA_HOME", "")
        .variable("JAR", Launch.jar())
        .variable("SDKMAN_DIR", "")
        .variable("HOME", directory)
        .variable("PATH", tree.tools());
  }
}
