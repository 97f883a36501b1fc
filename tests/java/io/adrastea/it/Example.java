package io.adrastea.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * An example in Java. Users start it from its source; a JVM that does so compiles it first, which takes five times as
 * long as the rest: so most tests of what it does start classes that are compiled once.
 */
final class Example {
  private final String type;
  private final Path source;
  private final Path classes;

  private Example(String type, Path source, Path classes) {
    this.type = type;
    this.source = source;
    this.classes = classes;
  }

  /** Compiles the example whose main class is of this name, and whose folder is named as that, into a folder. */
  static Example compiled(String type, Path classes) throws IOException {
    Path folder = Launch.root().resolve("examples").resolve(type.toLowerCase(Locale.ROOT));
    List<String> words;
    try (Stream<Path> files = Files.list(folder)) {
      Stream<String> sources = files.map(Path::toString).filter(file -> file.endsWith(".java"));
      words = Stream.concat(Stream.of("-cp", Launch.jar().toString(), "-d", classes.toString()), sources).toList();
    }
    int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(String[]::new));
    if (code != 0) {
      throw new AssertionError(folder + " does not compile");
    }
    return new Example(type, folder.resolve(type + ".java"), classes);
  }

  /** Ranks that run it from its source. */
  Launch fromSource(ShmDirectory shm, int ranks, String cores) {
    return run(shm, ranks, cores).add(source.toString());
  }

  /** Ranks that run its classes. */
  Launch fromClasses(ShmDirectory shm, int ranks, String cores) {
    return run(shm, ranks, cores).add(type).variable("CLASSPATH", classes);
  }

  private static Launch run(ShmDirectory shm, int ranks, String cores) {
    return Launch.adrastea(shm, "run", "-n", "" + ranks, "--label", "never", "--core", cores, "--")
        .add("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  }
}
