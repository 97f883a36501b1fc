package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Where the native library comes from, and what works without it. */
class LibraryIT {
  private static final String EXCHANGE = "io.adrastea.it.ExchangeRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @Test
  void aLibraryThatWasAskedForAndIsNotThereIsAnError() throws Exception {
    Outcome info = missing("info").run().exits(0).prints("adrastea.library: /nonexistent");
    for (String core : List.of("ffm", "jni", "jna")) {
      assertEquals("unusable", info.core(core), info::toString);
    }
    assertEquals("works", info.core("java"), info::toString);
    for (String core : List.of("auto", "ffm", "java")) {
      Outcome run = missing("run", "--core", core, "--", "java", EXCHANGE, "blocking").set("library", "/nonexistent")
          .run().exits(2);
      run.says("adrastea.library is '/nonexistent', which no core can use");
      Outcome rank =
          Launch.rank(shm, "00000000000000fe", 0, 1, EXCHANGE, "blocking").set("core", core)
              .set("library", "/nonexistent").run().exits(1);
      rank.says("JoinException: adrastea.library is '/nonexistent', which no core can use");
    }
    Launch.java("-Dadrastea.library=/nonexistent").add(
        "-jar",
        Launch.benchJar().toString(),
        "bench",
        "latency",
        "--sizes",
        "8",
        "--rounds",
        "1",
        "--warmup",
        "0.1",
        "--seconds",
        "0.02")
        .set("shm.dir", shm.path())
        .run()
        .exits(1)
        .says("adrastea.library is '/nonexistent', which no core can use (there is no such file)");
  }

  @Test
  void aLibraryThatWasAskedForAndIsNoneIsAnErrorInOneLine() throws Exception {
    Path text = Files.writeString(directory.resolve("text.so"), "text");
    Outcome run = launch().add("run", "-D", "library=" + text, "true").run().exits(2);
    String said = run.err().lines().filter(line -> line.startsWith("adrastea: ")).findFirst().orElse("");
    assertTrue(said.contains("adrastea.library is '" + text + "', which no core can use (adrastea.library: " + text),
        run::toString);
    assertTrue(said.endsWith("; name a library that loads, or leave the setting out for the one in the jar"),
        run::toString);
  }

  /** No directory can be written to, so that in the jar is of no use. */
  @Test
  void javaTakesOverWhereTheLibraryInTheJarCannotBeUsed() throws Exception {
    Path proc = Path.of("/proc");
    Outcome info = launch("-Djava.io.tmpdir=/proc", "-Duser.home=/proc").add("info").in(proc).run().exits(0);
    assertEquals("works, chosen by auto", info.core("java"), info::toString);
    Launch.java("-Djava.io.tmpdir=/proc", "-Duser.home=/proc", "--enable-native-access=ALL-UNNAMED")
        .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.it.JoinRank")
        .set("shm.dir", shm.path())
        .in(proc)
        .run()
        .exits(0)
        .prints("all 1 joined")
        .says("core 'ffm' cannot be used", "so this rank takes core 'java'");
  }

  /** Access is denied as JVMs will do by themselves. */
  @Test
  void aRankThatMayNotCallNativeFunctionsSaysWhichFlagMendsThat() throws Exception {
    Outcome denied = join("--illegal-native-access=deny").exits(0).prints("all 1 joined");
    assertEquals(1, count(denied, "cannot be used"), denied::toString);
    denied.says("core 'ffm' cannot be used (this JVM may not call native functions)");
    denied.says("this rank takes core 'java', which is slower");
    denied.says("start this JVM with --enable-native-access=ALL-UNNAMED");
    Outcome mended = join("--illegal-native-access=deny", "--enable-native-access=ALL-UNNAMED").exits(0);
    assertEquals(0, count(mended, "cannot be used"), mended::toString);
  }

  @Test
  void whoChoosesTheSlowerCoreIsNotWarned() throws Exception {
    Outcome chosen = join("--illegal-native-access=deny", "-Dadrastea.core=java").exits(0).prints("all 1 joined");
    assertEquals(0, count(chosen, "cannot be used"), chosen::toString);
  }

  private Outcome join(String... options) throws Exception {
    assumeTrue(Runtime.version().feature() >= 24, "--illegal-native-access came with Java 24");
    return Launch.java(options)
        .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.it.JoinRank")
        .set("shm.dir", shm.path())
        .run();
  }

  private static long count(Outcome outcome, String words) {
    return outcome.err().lines().filter(line -> line.contains(words)).count();
  }

  @Test
  void aLibraryNamedByItsPathIsTheOneLoaded() throws Exception {
    Path library = directory.resolve("other.so");
    extractLibrary(library);
    Outcome outcome = launch().add("info").set("library", library).run().exits(0);
    outcome.prints("adrastea.library: " + library + ": loaded");
    assertEquals("works, chosen by auto", outcome.core("ffm"), outcome::toString);
  }

  @Test
  void aLibraryWithoutTheFunctionsOfJniServesTheOtherCores() throws Exception {
    Path library = directory.resolve("without-jni.so");
    extractLibrary(library);
    String with = Files.readString(library, StandardCharsets.ISO_8859_1);
    String without = with.replace("Java_io_adrastea_", "None_io_adrastea_"); // other names in its symbol table
    assertNotEquals(with, without);
    Files.writeString(library, without, StandardCharsets.ISO_8859_1);
    Outcome info = launch().add("info").set("library", library).run().exits(0).prints("no jni.h was found");
    assertEquals("unusable", info.core("jni"), info::toString);
    assertEquals("works, chosen by auto", info.core("ffm"), info::toString);
    assertEquals("works", info.core("jna"), info::toString);
  }

  @Test
  void aTemporaryDirectoryThatCannotBeUsedIsPassedOver() throws Exception {
    Path home = Files.createDirectory(directory.resolve("home"));
    Outcome outcome =
        launch("-Djava.io.tmpdir=/nonexistent", "-Duser.home=" + home)
            .add("info")
            .in(directory)
            .run()
            .exits(0);
    assertEquals("works, chosen by auto", outcome.core("ffm"), outcome::toString);
    assertEquals(List.of(), files(home));
  }

  private Launch missing(String... words) {
    return launch("-Dadrastea.library=/nonexistent").add(words);
  }

  private Launch launch(String... jvmOptions) {
    return Launch.java(jvmOptions).add("-jar", Launch.jar().toString()).set("shm.dir", shm.path());
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static void extractLibrary(Path to) throws IOException {
    String name = io.adrastea.library.Extracted.resource("libadrastea.so");
    try (var in = io.adrastea.Job.class.getResourceAsStream(name)) {
      Files.copy(in, to);
    }
  }
}
