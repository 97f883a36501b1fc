package io.adrastea.cli.run;

import io.adrastea.cli.place.Mapping;
import io.adrastea.config.Tunable;
import java.util.Map;
import picocli.CommandLine.Option;

/** What a command line says of all ranks of a job. */
final class JobOptions {
  @Option(
      names = "--label",
      paramLabel = "auto|always|never",
      description = "[rank] before each line of output (default: auto, with two ranks or more).")
  private Label label = Label.auto;

  @Option(
      names = "--map",
      paramLabel = "ORDER",
      description = {
        "Which of the CPUs allowed here are dealt to the ranks that are bound:",
        "packed: neighbouring ranks share caches; spread: as little as can be;",
        "cache, numa, socket: one CPU of each in turn; always one of each core",
        "before SMT siblings, and faster cores first; or a list of CPUs, as",
        "0,2-3, each as often as named (default: packed)."
      })
  private String map;

  @Option(
      names = "--keep-going",
      description = {
        "A rank that fails leaves the others running; the exit code is how many",
        "failed, at most 125."
      })
  private boolean keepGoing;

  @Option(
      names = "--join-timeout",
      paramLabel = "MS",
      description = "Milliseconds that a joining rank waits for the others (default: 60000).")
  private Integer joinTimeout;

  @Option(
      names = "--hang",
      paramLabel = "SECONDS",
      description = {
        "After how long a rank that waits says, once, whom it waits for, and",
        "ranks that wait for each other are named; 0: never (default: 30)."
      })
  private Integer hang;

  @Option(
      names = "--shm-dir",
      paramLabel = "DIR",
      description = "Directory of the segment's file (default: /dev/shm).")
  private String shmDir;

  @Option(
      names = {"-D", "--set"},
      paramLabel = "NAME=VALUE",
      description = "A setting of all ranks, as cells=128; `adrastea info` lists them.")
  private Map<String, String> settings = Map.of();

  /** Whether lines of output carry their rank. */
  Label label() {
    return label;
  }

  /** Whether an order of CPUs was chosen. */
  boolean isMapped() {
    return map != null;
  }

  /**
   * In which order CPUs are dealt to the ranks that are bound.
   *
   * @throws IllegalArgumentException when there is no such order
   */
  Mapping mapping() {
    return map == null ? Mapping.PACKED : Mapping.parse(map);
  }

  /** Whether a rank that fails leaves the others running. */
  boolean keepGoing() {
    return keepGoing;
  }

  /**
   * The settings of all ranks, as variables of their environment.
   *
   * @throws IllegalArgumentException when there is no setting of a name, or a rank would refuse a value
   * @throws io.adrastea.error.AdrasteaException likewise
   */
  Map<String, String> settings() {
    Settings chosen = new Settings();
    settings.forEach(chosen::set);
    chosen.setIfGiven(Tunable.JOIN_TIMEOUT, joinTimeout, "--join-timeout");
    chosen.setIfGiven(Tunable.HANG_REPORT, hang, "--hang");
    chosen.setIfGiven(Tunable.SHM_DIR, shmDir, "--shm-dir");
    return chosen.inForce();
  }
}
