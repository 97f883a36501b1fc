package io.adrastea.bench.measure;

import io.adrastea.cli.Main;
import io.adrastea.launch.LaunchEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a worker's JVM is started: this JVM's own java and class path, and the tunables given to it.
 */
public final class WorkerCommand {
  private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC");

  /** The options with which bin/adrastea starts it. */
  private static final List<String> LAUNCHER_OPTIONS = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final String PREFIX = "adrastea.";

  /** A property wins over the environment, so those that say which rank a process is must not be passed on. */
  private static final Set<String> RANK_PROPERTIES =
      Set.of(
          "adrastea.job",
          "adrastea.rank",
          "adrastea.size",
          "adrastea.launcher",
          "adrastea.core",
          "adrastea.bind");

  private WorkerCommand() {}

  /** The process of a rank whose program is {@code main}. */
  public static ProcessBuilder builder(Class<?> main, Map<String, String> environment) {
    return builder(main, environment, Map.of());
  }

  /**
   * The process of a rank with system properties of its own, which win over those given to this JVM.
   *
   * @param environment says which rank it is
   */
  static ProcessBuilder builder(
      Class<?> main, Map<String, String> environment, Map<String, String> properties) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(options());
    properties.forEach((name, value) -> command.add("-D" + name + "=" + value));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(LaunchEnvironment.variables());
    builder.environment().putAll(environment);
    return builder;
  }

  /**
   * {@code adrastea run} with the program {@code main}, as a user starts it: what decides where ranks run is the
   * command, and their JVMs have no flags but those which it gives them.
   *
   * @param prefix a program that executes the rest, with its words; may be empty
   * @param options of the command
   * @param words that the program gets
   */
  public static ProcessBuilder launcher(List<String> prefix, List<String> options, Class<?> main, String... words) {
    String classPath = System.getProperty("java.class.path");
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LAUNCHER_OPTIONS);
    command.addAll(List.of("-cp", classPath, Main.class.getName(), "run"));
    command.addAll(options);
    command.addAll(List.of("--", "java"));
    command.addAll(tunables());
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(LaunchEnvironment.variables());
    return builder;
  }

  /** What the workers' JVMs get: flags, and the tunables that this one was given. */
  static List<String> options() {
    List<String> options = new ArrayList<>(JVM_OPTIONS);
    options.addAll(tunables());
    return options;
  }

  private static List<String> tunables() {
    return System.getProperties().stringPropertyNames().stream()
        .filter(name -> name.startsWith(PREFIX) && !RANK_PROPERTIES.contains(name))
        .map(name -> "-D" + name + "=" + System.getProperty(name))
        .sorted()
        .toList();
  }
}
