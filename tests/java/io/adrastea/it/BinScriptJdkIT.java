package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/adrastea}: which JDK it takes, and what it says when there is none. */
class BinScriptJdkIT {
  private static final Path JDK = Path.of(System.getProperty("java.home"));

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;
  private SourceTree tree;

  @BeforeEach
  void makeTree() throws IOException {
    tree = new SourceTree(directory).built();
  }

  @Test
  void takesTheJdkOfJavaHome() throws Exception {
    assertRunsOnJdk(script("info").variable("JAVA_HOME", JDK));
  }

  @Test
  void takesTheJdkOnPath() throws Exception {
    assertRunsOnJdk(script("info").variable("PATH", JDK.resolve("bin") + ":" + tree.tools()));
  }

  @Test
  void takesTheNewestJdkOfTheSystem() throws Exception {
    Path jvms = Files.createDirectories(directory.resolve("jvms"));
    jdk(jvms.resolve("jdk-17"), "17.0.9");
    jdk(jvms.resolve("jdk-22"), "22.0.1");
    thisJdk(jvms.resolve("this"));
    if (Runtime.version().feature() > 22) {
      assertRunsOnJdk(script("info").variable("ADRASTEA_JVM_DIR", jvms));
    }
    script("info")
        .variable("ADRASTEA_JVM_DIR", jvmsWith("22.0.1"))
        .run()
        .exits(0)
        .prints("I am Java 22.0.1");
  }

  @Test
  void takesTheJdkOfSdkman() throws Exception {
    Path candidates = Files.createDirectories(directory.resolve("sdk/candidates/java"));
    thisJdk(candidates.resolve("25-tem"));
    assertRunsOnJdk(script("info").variable("SDKMAN_DIR", directory.resolve("sdk")));
    Files.move(directory.resolve("sdk"), directory.resolve(".sdkman"));
    assertRunsOnJdk(script("info"));
  }

  @Test
  void passesOverAnOldJavaHome() throws Exception {
    Path old = jdk(directory.resolve("old"), "17.0.9");
    Path jvms = Files.createDirectories(directory.resolve("jvms"));
    thisJdk(jvms.resolve("this"));
    assertRunsOnJdk(script("info").variable("JAVA_HOME", old).variable("ADRASTEA_JVM_DIR", jvms));
  }

  @Test
  void saysWhereItLookedWhenThereIsNoJdk() throws Exception {
    Path old = jdk(directory.resolve("old"), "17.0.9");
    Path jre = jdk(directory.resolve("jvms/jre"), "25");
    Files.delete(jre.resolve("bin/javac"));
    Outcome outcome =
        script("info")
            .variable("JAVA_HOME", old)
            .variable("ADRASTEA_JVM_DIR", jre.getParent())
            .run()
            .exits(1);
    outcome.says("needs a JDK 22 or newer and found none", "JAVA_HOME", "Java 17.0.9 in " + old);
    outcome.says(
        "java on PATH: none",
        "Java 25 without a compiler in " + jre,
        directory + "/.sdkman/candidates/java: none");
    assertEquals("", outcome.out());
  }

  @Test
  void saysWhereItLookedWithoutAnyEnvironment() throws Exception {
    Launch.command(tree.script().toString(), "info")
        .bare()
        .variable("PATH", tree.tools())
        .variable("ADRASTEA_JVM_DIR", directory.resolve("none"))
        .run()
        .exits(1)
        .says("JAVA_HOME: none", "java on PATH: none", directory.resolve("none") + ": none");
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

  private static void assertRunsOnJdk(Launch info) throws Exception {
    Outcome outcome = info.run().exits(0);
    assertTrue(outcome.out().contains(" in " + JDK), outcome::toString);
    outcome.saysNothing();
  }

  private Path jvmsWith(String version) throws IOException {
    Path jvms = Files.createDirectories(directory.resolve("jvms " + version));
    jdk(jvms.resolve("jdk"), version);
    jdk(jvms.resolve("older"), "17");
    return jvms;
  }

  /** The JDK of this test in another place. */
  private static void thisJdk(Path home) throws IOException {
    SourceTree.program(home.resolve("bin/java"), "exec " + JDK + "/bin/java \"$@\"");
    SourceTree.program(home.resolve("bin/javac"), "exit 1");
    Files.copy(JDK.resolve("release"), home.resolve("release"));
  }

  /** Something that looks like a JDK of this version and says so. */
  private static Path jdk(Path home, String version) throws IOException {
    SourceTree.program(home.resolve("bin/java"), "echo I am Java " + version);
    SourceTree.program(home.resolve("bin/javac"), "exit 1");
    Files.writeString(
        home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }
}
