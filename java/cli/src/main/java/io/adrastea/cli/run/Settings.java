package io.adrastea.cli.run;

import io.adrastea.cli.base.Suggestions;
import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.SegmentFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Settings that a command line gives to all ranks, as the variables of their environment. */
final class Settings {
  private static final String PREFIX = "adrastea.";

  private final Map<String, String> variables = new TreeMap<>();

  /**
   * Sets one by its name, with or without {@code adrastea.} in front.
   *
   * @throws IllegalArgumentException when there is none of that name, or the value is not allowed
   */
  void set(String name, String value) {
    String property = name.startsWith(PREFIX) ? name : PREFIX + name;
    set(find(property), value, "-D");
  }

  /** Sets one unless {@code value} is {@code null}; {@code option} is where it comes from. */
  void setIfGiven(Tunable setting, Object value, String option) {
    if (value != null) {
      set(setting, value.toString(), option);
    }
  }

  private void set(Tunable setting, String value, String option) {
    setting.require(value, option);
    if (!value.isBlank()) { // else it is as none
      variables.put(setting.variable(), value);
    }
  }

  /**
   * The variables. They are made this process's own too, which looks after the segment's file, and reads all settings
   * as a rank does before it starts one.
   *
   * @throws IllegalArgumentException when a rank would refuse one, or what the environment gives it
   * @throws io.adrastea.error.AdrasteaException likewise
   */
  Map<String, String> inForce() {
    choices().stream()
        .filter(setting -> variables.containsKey(setting.variable()))
        .forEach(setting -> System.setProperty(setting.property(), variables.get(setting.variable())));
    check();
    return Map.copyOf(variables);
  }

  private static void check() {
    choices().forEach(setting -> setting.require(setting.value(), setting.origin()));
    BoxSettings.inForce(); // some contradict each other
    TransferSettings.inForce();
    if (Tunable.SHM_DIR.isSet()) {
      SegmentFile.requireDirectory();
    }
    Cores.requireLibrary();
  }

  private static Tunable find(String property) {
    return choices().stream()
        .filter(setting -> setting.property().equals(property))
        .findFirst()
        .orElseThrow(() -> unknown(property));
  }

  private static List<Tunable> choices() {
    return Tunable.all().stream().filter(setting -> !LaunchEnvironment.variables().contains(setting.variable()))
        .toList();
  }

  private static IllegalArgumentException unknown(String property) {
    List<String> names = choices().stream().map(Tunable::property).toList();
    List<String> choices = names.stream().map(name -> name.substring(PREFIX.length())).toList();
    String meant = Suggestions.sentence(property.substring(PREFIX.length()), choices);
    return new IllegalArgumentException(
        "no setting '%s' to choose; there are %s%s".formatted(property, String.join(", ", names),
            meant.isEmpty() ? "" : ". " + meant));
  }
}
