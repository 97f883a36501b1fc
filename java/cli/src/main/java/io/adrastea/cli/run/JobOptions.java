package io.adrastea.cli.run;

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
      names = "--join-timeout",
      paramLabel = "MS",
      description = "Milliseconds that a joining rank waits for the others (default: 60000).")
  private Integer joinTimeout;

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

  /**
   * The settings of all ranks, as variables of their environment.
   *
   * @throws IllegalArgumentException when there is no setting of a name
   */
  Map<String, String> settings() {
    Settings chosen = new Settings();
    settings.forEach(chosen::set);
    chosen.setIfGiven(Tunable.JOIN_TIMEOUT, joinTimeout);
    chosen.setIfGiven(Tunable.SHM_DIR, shmDir);
    return chosen.inForce();
  }
}
