package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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

  @RegisterExtension final ShmDirectory shm = new ShmDirectory();
  @TempDir Path directory;

  @Test
  void aLibraryThatIsNotThereIsNamedAndJavaTakesOver() throws Exception {
    Outcome info = missing("info").run().exits(0).prints("adrastea.library: /nonexistent");
    for (String core : List.of("ffm", "jni", "jna")) {
      assertEquals("unusable", info.core(core), info::toString);
    }
    assertEquals("works, chosen by auto", info.core("java"), info::toString);
    missing("run", "-n", "2", "--", "java", EXCHANGE, "blocking", "8")
        .set("library", "/nonexistent")
        .run()
        .exits(0)
        .prints("on java checked 8 bytes");
    missing(
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
        .run()
        .exits(0)
        .prints("java");
  }

  @Test
  void aCoreThatCannotBeHadIsNotReplacedWhenItWasAskedFor() throws Exception {
    missing("run", "--core", "ffm", "--", "java", EXCHANGE, "blocking")
        .set("library", "/nonexistent")
        .run()
        .exits(1)
        .says("ffm", "/nonexistent");
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
