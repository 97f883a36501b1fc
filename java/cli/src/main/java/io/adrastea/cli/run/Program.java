package io.adrastea.cli.run;

import io.adrastea.Job;
import io.adrastea.cli.base.CommandFailure;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a rank executes.
 *
 * @param command the file and its arguments
 * @param directory its working directory, absolute; {@code null}: this process's own
 * @param environment variables beside those of this process
 */
record Program(List<String> command, Path directory, Map<String, String> environment) {
  private static final int NOT_EXECUTABLE = 126;
  private static final int NOT_FOUND = 127;

  /**
   * Finds the program as a shell would; {@code java} is the one that runs this JVM, told where Adrastea is.
   *
   * @param words a program and its arguments
   * @param directory its working directory, absolute, from which a relative name leads to it; {@code null}: this
   * process's own
   * @param environment of this process, where PATH and CLASSPATH are
   * @param variables that the program gets beside it or in place of it
   * @throws CommandFailure with exit code 127 when there is none, 126 when it cannot be executed
   */
  static Program find(List<String> words, Path directory, Map<String, String> environment,
      Map<String, String> variables) {
    List<String> command = new ArrayList<>(words);
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    Map<String, String> own = new HashMap<>(variables);
    if (directory != null) {
      own.put("PWD", directory.toString());
    }
    if (words.get(0).equals("java")) {
      command.set(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add(1, "--enable-native-access=ALL-UNNAMED");
      own.put("CLASSPATH", classPath(all.get("CLASSPATH")));
    } else {
      command.set(0, locate(words.get(0), directory, all.getOrDefault("PATH", "")).toString());
    }
    return new Program(command, directory, Map.copyOf(own));
  }

  /** Whether it is a JVM, whose threads of its own are not to share the CPU of a rank. */
  boolean isJava() {
    return Path.of(command.get(0)).endsWith("java");
  }

  private static Path locate(String name, Path from, String path) {
    if (name.isEmpty()) {
      throw new CommandFailure(NOT_FOUND, "the program's name is empty");
    }
    if (name.contains("/")) {
      return executable(from == null ? Path.of(name) : from.resolve(name));
    }
    for (String directory : path.split(File.pathSeparator)) {
      Path file = Path.of(directory, name).toAbsolutePath();
      if (Files.isRegularFile(file) && Files.isExecutable(file)) {
        return file;
      }
    }
    throw new CommandFailure(
        NOT_FOUND,
        "there is no program '%s' on PATH; name its file as ./%s if it is here"
            .formatted(name, name));
  }

  private static Path executable(Path file) {
    if (!Files.exists(file)) {
      throw new CommandFailure(NOT_FOUND, "there is no program '%s'".formatted(file));
    }
    if (Files.isDirectory(file)) {
      throw new CommandFailure(NOT_EXECUTABLE, "'%s' is a directory; name a program in it".formatted(file));
    }
    if (!Files.isRegularFile(file) || !Files.isExecutable(file)) {
      throw new CommandFailure(
          NOT_EXECUTABLE,
          "'%s' cannot be executed; chmod +x makes a file executable".formatted(file));
    }
    return file.toAbsolutePath();
  }

  private static String classPath(String before) {
    String jar = adrastea().toString();
    return before == null || before.isEmpty() ? jar : jar + File.pathSeparator + before;
  }

  private static Path adrastea() {
    try {
      return Path.of(Job.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
