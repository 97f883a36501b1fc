package io.adrastea.bench.measure;

import io.adrastea.config.Tunable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Where figures come from: what was measured when, by which program, on which machine, with which settings. */
final class Origin {
  private static final String UNKNOWN = "unknown";
  private static final String COMMIT_FILE = "commit";

  private final Map<String, String> facts = new LinkedHashMap<>();
  private final Map<String, String> settings = new LinkedHashMap<>();

  private Origin() {}

  /** Makes the origin of the figures of a command which has been read, taken on a machine. */
  static Origin of(CommandLine command, Machine machine) {
    Origin origin = new Origin();
    origin.facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    origin.facts.put("commit", commit());
    origin.facts.put("machine", machine.cpu());
    origin.facts.put("cpus", "allowed " + AllowedCpus.here());
    origin.facts.put("caches", machine.caches());
    origin.facts.put("governor", machine.governor());
    origin.facts.put("kernel", machine.kernel());
    origin.facts.put("jvm", "%s, Java %s, %s".formatted(machine.jvm(), System.getProperty("java.version"),
        System.getProperty("java.vendor")));
    origin.facts.put("command", command.getCommandSpec().qualifiedName());
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.stringValues().isEmpty()) {
        origin.settings.put(option.longestName(), String.join(",", option.stringValues()));
      }
    }
    Tunable.all().stream().filter(tunable -> !tunable.isDefault())
        .forEach(tunable -> origin.settings.put(tunable.property(), tunable.value()));
    return origin;
  }

  private static String commit() {
    try (InputStream file = Origin.class.getResourceAsStream(COMMIT_FILE)) {
      return file == null ? UNKNOWN : commit(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  /** Reads what the build wrote down: a commit, and {@code -dirty} behind it if files had been changed since. */
  static String commit(String written) {
    String word = written.strip();
    return word.matches("[0-9a-f]{7,64}(-dirty)?") ? word : UNKNOWN;
  }

  /** Lines for above a CSV. */
  List<String> comments() {
    List<String> lines = new ArrayList<>();
    facts.forEach((name, value) -> lines.add(comment(name, value)));
    settings.forEach((name, value) -> lines.add(comment("setting", name + " " + value)));
    return lines;
  }

  private static String comment(String name, String value) {
    return "%s %s: %s".formatted(Csv.COMMENT, name, value.replaceAll("\\s+", " "));
  }

  /**
   * Returns the origin and the figures as one JSON object.
   *
   * @param csv the figures, their head first
   */
  List<String> json(List<String> csv) {
    List<String> lines = new ArrayList<>(List.of("{"));
    facts.forEach((name, value) -> lines.add("  %s: %s,".formatted(Json.text(name), Json.text(value))));
    lines.add("  \"settings\": {");
    lines.addAll(Json.parted("    ", settings.entrySet().stream()
        .map(one -> Json.text(one.getKey()) + ": " + Json.text(one.getValue())).toList()));
    lines.add("  },");
    lines.add("  \"figures\": [");
    List<String> names = List.of(csv.get(0).split(","));
    lines.addAll(
        Json.parted("    ", csv.stream().skip(1).map(line -> Json.object(names, line.split(",", -1))).toList()));
    lines.add("  ]");
    lines.add("}");
    return lines;
  }
}
