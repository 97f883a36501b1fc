package io.adrastea.cli.run;

import io.adrastea.config.Tunable;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Settings that a command line gives to all ranks, as the variables of their environment. */
final class Settings {
  private static final String PREFIX = "adrastea.";

  /** What the launcher itself says to each rank. */
  private static final EnumSet<Tunable> OF_THE_LAUNCHER =
      EnumSet.of(Tunable.JOB, Tunable.RANK, Tunable.SIZE, Tunable.LAUNCHER, Tunable.BIND);

  private final Map<String, String> variables = new TreeMap<>();

  /**
   * Sets one by its name, with or without {@code adrastea.} in front.
   *
   * @throws IllegalArgumentException when there is none of that name
   */
  void set(String name, String value) {
    String property = name.startsWith(PREFIX) ? name : PREFIX + name;
    variables.put(find(property).variable(), value);
  }

  /** Sets one unless {@code value} is {@code null}. */
  void setIfGiven(Tunable setting, Object value) {
    if (value != null) {
      variables.put(setting.variable(), value.toString());
    }
  }

  /**
   * The variables. A file's directory is also made this process's own, which looks after the file.
   */
  Map<String, String> inForce() {
    String directory = variables.get(Tunable.SHM_DIR.variable());
    if (directory != null) {
      System.setProperty(Tunable.SHM_DIR.property(), directory);
    }
    return Map.copyOf(variables);
  }

  private static Tunable find(String property) {
    return choices().stream()
        .filter(setting -> setting.property().equals(property))
        .findFirst()
        .orElseThrow(() -> unknown(property));
  }

  private static List<Tunable> choices() {
    return Tunable.all().stream().filter(setting -> !OF_THE_LAUNCHER.contains(setting)).toList();
  }

  private static IllegalArgumentException unknown(String property) {
    return new IllegalArgumentException(
        "no setting '%s' to choose; there are %s"
            .formatted(
                property,
                choices().stream().map(Tunable::property).collect(Collectors.joining(", "))));
  }
}
