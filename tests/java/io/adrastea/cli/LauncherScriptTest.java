package io.adrastea.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/adrastea in a tree of its own, with JDKs and a Maven that only say that they were called. */
class LauncherScriptTest {
  private static final String JAR = "java/cli/target/adrastea-cli-0.1.0.jar";

  @TempDir
  Path tree;

  @BeforeEach
  void makeTree() throws IOException {
    Files.createDirectories(tree.resolve("bin"));
    Files.copy(CommandLineRun.ROOT.resolve("bin/adrastea"), tree.resolve("bin/adrastea"));
    for (String folder : List.of(
        "jvm", "tools", "cmake", "include", "native", "java/transport", "java/cli/target")) {
      Files.createDirectories(tree.resolve(folder));
    }
    Files.createFile(tree.resolve("pom.xml"));
    for (String tool : List.of("cmake", "make", "cc")) {
      script(tree.resolve("tools").resolve(tool), "true");
    }
    script(
        tree.resolve("tools/mvn"),
        """
            echo mvn "$@" >>mvn.log
            echo '[INFO] Scanning for projects...'
            echo '[INFO] Building Adrastea 0.1.0                              [1/3]'
            echo '[INFO] Building Adrastea: C core 0.1.0                      [2/3]'
            echo '[INFO] [ 11%] Building C object adr_job.c.o'
            echo '[INFO] Building Adrastea: command line 0.1.0                [3/3]'
            : >"""
            + JAR);
  }

  @Test
  void shouldSayWhatItLookedForWhenThereIsNoJdk() throws Exception {
    jdk("jdk-17", "17.0.15", true);
    jdk("jre-25", "25.0.3", false);
    CommandLineRun run = run();
    assertEquals(1, run.exitCode());
    assertTrue(run.err().contains("needs a JDK 22 or newer and found none"), run.err());
    assertTrue(run.err().contains("Java 17.0.15 in " + tree.resolve("jvm/jdk-17")), run.err());
    assertTrue(
        run.err().contains("Java 25.0.3 without a compiler in " + tree.resolve("jvm/jre-25")),
        run.err());
    assertTrue(run.err().contains("JAVA_HOME: none"), run.err());
    assertTrue(run.err().contains("sdk/candidates/java: none"), run.err());
  }

  @Test
  void shouldTakeTheNewestOfAPlace() throws Exception {
    jdk("jdk-22", "22.0.1", true);
    jdk("jdk-25", "25-ea", true);
    jdk("jdk-8", "1.8.0_402", true);
    assertTrue(run("info").out().startsWith("jdk-25 "), run("info").err());
  }

  @Test
  void shouldBuildWhatIsMissingOnce() throws Exception {
    jdk("jdk-25", "25.0.3", true);
    CommandLineRun first = run("run", "a b");
    assertTrue(first.err().contains("building"), first.err());
    assertTrue(first.out().endsWith("adrastea-cli-0.1.0.jar run a b\n"), first.out());
    assertEquals("", run().err());
    assertEquals(1, Files.readAllLines(tree.resolve("mvn.log")).size());
  }

  @Test
  void shouldSayWhatItBuildsAndHowLongThatTook() throws Exception {
    jdk("jdk-25", "25.0.3", true);
    List<String> lines = run("info").err().lines().toList();
    assertEquals(4, lines.size(), lines::toString);
    assertTrue(
        lines.get(0).startsWith("adrastea: building the command line, which takes about a minute the first time"),
        lines::toString);
    assertEquals(List.of("adrastea:   C core ...", "adrastea:   command line ..."), lines.subList(1, 3));
    assertTrue(lines.get(3).matches("adrastea: built in [0-9]+ s"), lines::toString);
    assertTrue(run("bench").err().startsWith("adrastea: building the benches, which takes about two minutes"));
  }

  @Test
  void shouldBuildAgainWhenASourceIsNewer() throws Exception {
    jdk("jdk-25", "25.0.3", true);
    run();
    Path source = Files.createFile(tree.resolve("native/new.c"));
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
    assertTrue(run().err().contains("building"));
  }

  @Test
  void shouldShowWhatMavenSaidWhenTheBuildFails() throws Exception {
    jdk("jdk-25", "25.0.3", true);
    script(tree.resolve("tools/mvn"), "echo '[INFO] all is well'; echo '[ERROR] no such thing' >&2; exit 1");
    CommandLineRun run = run();
    assertEquals(1, run.exitCode());
    assertTrue(run.err().contains("no such thing"), run.err());
    assertFalse(run.err().contains("all is well"), run.err());
    Path log = tree.resolve("java/cli/target/build.log");
    assertTrue(run.err().contains("the build failed"), run.err());
    assertTrue(run.err().contains("all that Maven said is in " + log), run.err());
    assertEquals("[INFO] all is well\n[ERROR] no such thing\n", Files.readString(log));
  }

  @Test
  void shouldTakeTheJarOfTheBenchesForThemAlone() throws Exception {
    jdk("jdk-25", "25.0.3", true);
    Files.createDirectories(tree.resolve("bench/target"));
    script(
        tree.resolve("tools/mvn"),
        "echo mvn \"$@\" >>mvn.log; : >bench/target/adrastea-bench-0.1.0.jar");
    CommandLineRun run = run("bench", "compare", "--rounds", "1");
    String expected = "bench/target/adrastea-bench-0.1.0.jar bench compare --rounds 1\n";
    assertTrue(run.out().endsWith(expected), run.out() + run.err());
    assertTrue(Files.readString(tree.resolve("mvn.log")).contains("-pl bench -am package"));
    for (String words : List.of("bench", "bench latency", "help bench")) {
      assertTrue(run(words.split(" ")).out().endsWith("bench/target/adrastea-bench-0.1.0.jar " + words + "\n"), words);
    }
    script(tree.resolve("tools/mvn"), ": >" + JAR);
    for (String words : List.of("info", "help", "run -- bench")) {
      assertTrue(run(words.split(" ")).out().endsWith(JAR + " " + words + "\n"), words);
    }
  }

  private CommandLineRun run(String... words) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", tree.resolve("bin/adrastea").toString());
    builder.command().addAll(List.of(words));
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("ADRASTEA_JVM_DIR", tree.resolve("jvm").toString());
    builder.environment().put("SDKMAN_DIR", tree.resolve("sdk").toString());
    builder.environment().put("PATH", tree.resolve("tools") + ":" + toolsOfTheSystem());
    return CommandLineRun.of(builder);
  }

  /** The system's commands without its Java. */
  private Path toolsOfTheSystem() throws IOException {
    Path folder = Files.createDirectories(tree.resolve("system"));
    for (String tool : List.of(
        "sh", "sed", "readlink", "dirname", "find", "head", "mkdir", "touch", "rm", "flock", "date")) {
      for (Path file : List.of(Path.of("/usr/bin", tool), Path.of("/bin", tool))) {
        if (Files.exists(file) && !Files.exists(folder.resolve(tool))) {
          Files.createSymbolicLink(folder.resolve(tool), file);
        }
      }
    }
    return folder;
  }

  private void jdk(String name, String version, boolean compiler) throws IOException {
    Path home = Files.createDirectories(tree.resolve("jvm").resolve(name));
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    script(home.resolve("bin/java"), "echo " + name + " \"$@\"");
    if (compiler) {
      script(home.resolve("bin/javac"), "true");
    }
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
