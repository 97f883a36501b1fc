package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar of the command line by itself: it needs nothing but a Java, and leaves nothing. */
class JarIT {
  private static final String EXCHANGE = "io.adrastea.it.ExchangeRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;
  private Path tmp;
  private Path empty;

  @BeforeEach
  void makeDirectories() throws IOException {
    tmp = Files.createDirectory(directory.resolve("tmp"));
    empty = Files.createDirectory(directory.resolve("empty"));
  }

  @Test
  void infoNamesTheLibraryAndTheCores() throws Exception {
    Outcome outcome = jar("info").run().exits(0);
    assertTrue(
        outcome.out().matches("(?s).*jar: /native/\\S+/libadrastea\\.so: loaded.*"),
        outcome::toString);
    assertEquals("works, chosen by auto", outcome.core("ffm"), outcome::toString);
    assertEquals("works", outcome.core("java"), outcome::toString);
    outcome.prints("adrastea.cell.bytes", "8192", shm.path().toString());
    outcome.saysNothing();
    assertNothingLeft();
  }

  @Test
  void aJobRunsFromAnEmptyDirectoryAndLeavesNothing() throws Exception {
    jar("run", "-n", "2", "--core", "ffm", "--")
        .add("java", "-Djava.io.tmpdir=" + tmp, EXCHANGE, "blocking", "8", "100000")
        .run()
        .exits(0)
        .prints("on ffm checked 100008 bytes");
    assertNothingLeft();
  }

  @Test
  void aProgramInOneFileRunsWithTheJarAlone() throws Exception {
    Path program =
        Files.writeString(
            directory.resolve("Hello.java"),
            """
                import io.adrastea.Job;

                public class Hello {
                  public static void main(String[] args) {
                    try (Job job = Job.join()) {
                      job.world().barrier();
                      System.out.println("hello from rank " + job.world().rank());
                    }
                  }
                }
                """);
    Outcome outcome = jar("run", "-n", "2", "--", "java", program.toString()).run().exits(0);
    outcome.prints("hello from rank 0", "hello from rank 1");
    assertEquals(List.of(), files(empty));
  }

  @Test
  void anOldJavaIsToldWhichOneIsNeeded() throws Exception {
    Path old = oldJava();
    for (Path jar : List.of(Launch.jar(), Launch.benchJar())) {
      Outcome outcome = Launch.command(old.toString(), "-jar", jar.toString(), "info").run().exits(1);
      outcome.says("Adrastea needs Java 22 or newer, this is Java 17");
      assertFalse(outcome.err().contains("\tat "), outcome::toString);
      assertEquals("", outcome.out());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bench", "bench latency --sizes 8", "bench --help"})
  void whereBenchIsIsSaid(String words) throws Exception {
    Outcome outcome = jar(words.split(" ")).run().exits(2);
    outcome.says("'bench' is not in this jar but in " + Launch.benchJar().getFileName(), "bin/adrastea");
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().count(), outcome::toString);
  }

  private Launch jar(String... words) {
    return Launch.java("-Djava.io.tmpdir=" + tmp, "-jar", Launch.jar().toString())
        .add(words)
        .set("shm.dir", shm.path())
        .in(empty);
  }

  private void assertNothingLeft() throws IOException {
    assertEquals(
        List.of(), files(tmp).stream().filter(name -> !name.startsWith("hsperfdata")).toList());
    assertEquals(List.of(), files(empty));
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static Path oldJava() throws IOException {
    Path jvms = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(jvms)) {
      try (DirectoryStream<Path> homes = Files.newDirectoryStream(jvms, "java-17*")) {
        for (Path home : homes) {
          if (Files.isExecutable(home.resolve("bin/java"))) {
            return home.resolve("bin/java");
          }
        }
      }
    }
    assumeTrue(false, "Java 17 is missing in " + jvms + "; apt-get install openjdk-17-jre-headless");
    return null;
  }
}
