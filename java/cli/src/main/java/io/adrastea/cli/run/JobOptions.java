package io.adrastea.cli.run;

import io.adrastea.cli.base.Suggestions;
import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Mapping;
import io.adrastea.cli.place.Placement;
import io.adrastea.config.Tunable;
import io.adrastea.core.Cores;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.segment.BoxSettings;
import io.adrastea.segment.SegmentFile;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import io.adrastea.transfer.TransferSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** The options that hold for all ranks of a job. */
final class JobOptions {
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
        "failed, at most 125, unless --exit says otherwise."
      })
  boolean keepGoing;

  @Option(
      names = "--exit",
      paramLabel = "first|rank0|failures",
      description = {
        "The exit code. first: that of the rank that fails first; with",
        "--keep-going also rank0: that of rank 0, whatever becomes of the others,",
        "and failures: how many failed, at most 125 (default: first, with",
        "--keep-going failures)."
      })
  private ExitRule exit;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = {
        "Ends the job when it has not ended within so many seconds, or as in 90s,",
        "5m, 1h; says which ranks were there, and what they waited for as far as",
        "they tell. The exit code is 124, as of timeout(1)."
      })
  private String timeout;

  @Option(
      names = "--oversubscribe",
      hidden = true,
      description = "The word of mpirun for more ranks than CPUs, which are always allowed.")
  private boolean oversubscribed;

  @Option(
      names = "--join-timeout",
      paramLabel = "MS",
      description = "Milliseconds that a joining rank waits for the others (default: 60000).")
  private Integer joinTimeout;

  @Option(
      names = "--hang",
      paramLabel = "SECONDS",
      description = {
        "After how long a rank that waits, while nothing moves, says once whom",
        "it waits for, and ranks that wait for each other are named; 0: never",
        "(default: 30)."
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

  /**
   * What makes the exit code.
   *
   * @throws IllegalArgumentException when it counts what there cannot be: ranks that end after one has failed
   */
  ExitRule exitRule() {
    if (exit == null) {
      return keepGoing ? ExitRule.failures : ExitRule.first;
    }
    if (exit != ExitRule.first && !keepGoing) {
      throw new IllegalArgumentException(
          ("--exit %s is for ranks that go on after another has failed, and here the first failure ends them; "
              + "add --keep-going").formatted(exit));
    }
    return exit;
  }

  /**
   * How long the job may take.
   *
   * @return {@code null}: as long as it takes
   * @throws IllegalArgumentException when it is no time
   */
  TimeLimit timeLimit() {
    return timeout == null ? null : TimeLimit.parse(timeout);
  }

  /**
   * Which CPUs ranks with these bindings get, on this host.
   *
   * @throws IllegalArgumentException when CPUs do not suffice, or are named for nothing
   */
  Placement place(List<Binding> bindings) {
    if (bindings.stream().allMatch(binding -> binding == Binding.none)) {
      if (isMapped()) {
        throw new IllegalArgumentException(
            "--map tells which CPUs ranks are bound to, and --bind none binds none; choose one of cpu, cache and numa");
      }
      return Placement.unbound(Cpus.ofThread(), bindings.size()); // a large machine's topology takes a while to read
    }
    return Placement.of(Topology.of(Cpus.ofThread()), mapping(), bindings);
  }

  /**
   * The settings of all ranks, as variables of their environment.
   *
   * @param directory from which relative names lead
   * @throws IllegalArgumentException when there is no setting of a name, or a rank would refuse a value
   * @throws io.adrastea.error.AdrasteaException likewise
   */
  Map<String, String> settings(Path directory) {
    Settings chosen = new Settings(directory);
    settings.forEach(chosen::set);
    chosen.setIfGiven(Tunable.JOIN_TIMEOUT, joinTimeout, "--join-timeout");
    chosen.setIfGiven(Tunable.HANG_REPORT, hang, "--hang");
    if (timeout != null && !chosen.has(Tunable.HANG_REPORT)) {
      chosen.set(Tunable.HANG_REPORT, hangReportWithin(timeLimit()), "--timeout");
    }
    chosen.setIfGiven(Tunable.SHM_DIR, shmDir, "--shm-dir");
    return chosen.inForce();
  }

  /** Ranks are to tell what they wait for before the job is ended for it. */
  private static String hangReportWithin(TimeLimit limit) {
    long half = Math.max(1, limit.duration().toSeconds() / 2);
    return Long.toString(Math.min(half, Tunable.HANG_REPORT.intValue()));
  }

  /** Settings that a command line gives to all ranks, as the variables of their environment. */
  private static final class Settings {
    private static final String PREFIX = "adrastea.";

    /** A relative one leads from the launcher's working directory, whichever a rank has. */
    private static final List<Tunable> PATHS = List.of(Tunable.SHM_DIR, Tunable.LIBRARY);

    private final Map<String, String> variables = new TreeMap<>();
    private final Path directory;

    Settings(Path directory) {
      this.directory = directory;
    }

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

    /** Whether somebody has asked for a value, here or in the environment. */
    boolean has(Tunable setting) {
      return variables.containsKey(setting.variable()) || !setting.isDefault();
    }

    void set(Tunable setting, String value, String option) {
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
      PATHS.stream().filter(Tunable::isSet).forEach(
          setting -> variables.put(setting.variable(), directory.resolve(setting.value()).toString()));
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
          "no setting '%s' to choose.%s There are %s".formatted(property, meant.isEmpty() ? "" : " " + meant,
              String.join(", ", names)));
    }
  }
}
