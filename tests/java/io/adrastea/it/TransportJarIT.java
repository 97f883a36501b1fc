package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport's jar, and the one that it needs, as a program's only dependencies. */
class TransportJarIT {
  @RegisterExtension final ShmDirectory shm = new ShmDirectory();
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theTransportsJarServesTheClassPath(String core) throws Exception {
    threads(
            "-cp",
            jars() + ":" + Launch.classes(),
            "--enable-native-access=ALL-UNNAMED",
            "io.adrastea.it.ThreadsMain")
        .set("core", core)
        .run()
        .exits(0)
        .prints("rank 1 answered 11", "a job of 1 on " + core + " in module null");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void theTransportsJarServesTheModulePath(String core) throws Exception {
    Outcome outcome =
        threads("--module-path", jars(), "--add-modules", "io.adrastea")
            .add(
                "--enable-native-access=io.adrastea",
                "-cp",
                Launch.classes().toString(),
                "io.adrastea.it.ThreadsMain")
            .set("core", core)
            .run()
            .exits(0)
            .prints("rank 1 answered 11", "a job of 1 on " + core + " in module io.adrastea");
    assertEquals("", outcome.err());
  }

  @Test
  void aModuleThatRequiresItRuns() throws Exception {
    Path source = Files.createDirectories(directory.resolve("source/app"));
    Files.writeString(
        source.resolveSibling("module-info.java"), "module app { requires io.adrastea; }");
    Files.writeString(
        source.resolve("Main.java"),
        """
        package app;
        import io.adrastea.Job;
        import io.adrastea.error.AdrasteaException;
        public class Main {
          public static void main(String[] args) {
            Job.runThreads(2, job -> System.out.println("rank " + job.world().rank()));
            try (Job alone = Job.join()) {
              System.out.println("alone on " + alone.core());
            } catch (AdrasteaException e) {
              System.exit(9);
            }
          }
        }
        """);
    compile(source.resolveSibling("module-info.java"), source.resolve("Main.java"));
    Outcome outcome =
        threads("--module-path", jars() + ":" + directory.resolve("app"))
            .add("--enable-native-access=io.adrastea", "-m", "app/app.Main")
            .run()
            .exits(0);
    assertEquals(
        List.of("alone on ffm", "rank 0", "rank 1"), outcome.lines().stream().sorted().toList());
    assertEquals("", outcome.err());
  }

  private void compile(Path... sources) {
    List<String> words = new ArrayList<>(List.of("-d", directory.resolve("app").toString()));
    words.addAll(List.of("--module-path", jars()));
    Stream.of(sources).map(Path::toString).forEach(words::add);
    int code =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(System.out, System.err, words.toArray(String[]::new));
    assertEquals(0, code, "javac");
  }

  private Launch threads(String... words) {
    return Launch.java(words).variable("CLASSPATH", "").set("shm.dir", shm.path());
  }

  private static String jars() {
    return transport() + ":" + agrona();
  }

  /** From the class path of the tests, where the packed command line has its classes too. */
  private static Path agrona() {
    return Stream.of(System.getProperty("java.class.path").split(":"))
        .map(Path::of)
        .filter(path -> path.getFileName().toString().matches("agrona-[0-9.]+\\.jar"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no jar of Agrona on the class path"));
  }

  private static Path transport() {
    Path jar =
        Launch.root()
            .resolve("java/transport/target")
            .resolve(Launch.jar().getFileName().toString().replace("adrastea-cli-", "adrastea-"));
    assertTrue(Files.exists(jar), () -> jar + " is not there");
    return jar;
  }
}
