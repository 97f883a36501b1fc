package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import io.adrastea.launch.LaunchEnvironment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** What a command line says of one part of the job, beside its program. */
final class PartOptions {
  /** The largest number of ranks of a job. */
  static final int MOST_RANKS = 1024;

  /** What comes nearest to the words of mpirun. */
  private static final Map<String, Binding> BIND_TO = bindTo();

  private static Map<String, Binding> bindTo() {
    Map<String, Binding> words = new LinkedHashMap<>(); // in the order in which they are named
    words.put("core", Binding.cpu);
    words.put("hwthread", Binding.cpu);
    words.put("l3cache", Binding.cache);
    words.put("numa", Binding.numa);
    words.put("none", Binding.none);
    return words;
  }

  /** Settings that the launcher has to know too, or that it deals. */
  private static final Map<Tunable, String> OPTIONS =
      Map.of(Tunable.CORE, "--core CORE", Tunable.SHM_DIR, "--shm-dir DIR");

  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      description = {
        "Number of ranks (default: 1; with --hosts and one part as many as they",
        "have room for); 1 to " + MOST_RANKS + " in all parts together."
      })
  private Integer size;

  @Option(
      names = "--core",
      paramLabel = "CORE[,CORE...]",
      description = {
        "How ranks work on shared memory: ffm, jni, jna or java (`adrastea",
        "info` says which work here), or auto; several are dealt to the ranks of",
        "the part in turn (default: those that -D core or ADRASTEA_CORE names, or",
        "auto)."
      })
  private String cores;

  @Option(
      names = "--bind",
      paramLabel = Binding.WORDS,
      description = {
        "cpu: each rank on a CPU of its own; cache, numa: on those that share",
        "a last cache, or a NUMA node; none: where the system puts it (default:",
        "as the first part; for that, none, or cpu with --map)."
      })
  private Binding binding;

  @Option(names = "--bind-to", paramLabel = "WORD", hidden = true, description = "The word of mpirun for --bind.")
  private String bindTo;

  @Option(
      names = "--wdir",
      paramLabel = "DIR",
      description = {
        "Working directory of the ranks, from which a relative name of their",
        "program leads to it (default: the launcher's)."
      })
  private Path directory;

  @Option(
      names = "-x",
      paramLabel = "NAME[=VALUE]",
      description = {
        "A variable of the ranks' environment, or a setting for this part alone,",
        "as ADRASTEA_SPINS=0; may be given several times. All variables of the",
        "launcher are passed on, so NAME alone only checks that it is there; with",
        "--hosts it has this one go along to other hosts."
      })
  private List<String> variables = List.of();

  /** Whether an option of the command line is one of these. */
  static boolean has(OptionSpec option) {
    return RunArguments.declares(PartOptions.class, option);
  }

  /**
   * The part itself.
   *
   * @param words a program and its arguments
   * @param unsaidSize how many ranks it has when nothing is said of that
   * @param otherwise what its ranks are bound to when nothing is said of that
   * @param origin where the command line was given
   * @throws IllegalArgumentException when an option has a value that is not allowed
   * @throws io.adrastea.cli.base.CommandFailure when the program cannot be executed
   */
  Part with(List<String> words, int unsaidSize, Binding otherwise, Origin origin) {
    int ranks = size == null ? unsaidSize : size;
    if (ranks < 1 || ranks > MOST_RANKS) {
      throw new IllegalArgumentException(
          "-n is %d; allowed is 1 to %d".formatted(ranks, MOST_RANKS));
    }
    List<String> dealt = cores(cores);
    Binding chosen = binding();
    return new Part(ranks, dealt, chosen == null ? otherwise : chosen,
        Program.find(words, directory(origin), origin.environment(), variables(origin.environment())));
  }

  /** What the ranks are bound to; {@code null}: nothing was said. */
  private Binding binding() {
    if (bindTo == null) {
      return binding;
    }
    if (binding != null) {
      throw new IllegalArgumentException("--bind and --bind-to say the same; leave one of them out");
    }
    Binding chosen = BIND_TO.get(bindTo);
    if (chosen == null) {
      throw new IllegalArgumentException(
          "--bind-to is '%s'; allowed are %s, or --bind with %s"
              .formatted(bindTo, String.join(", ", BIND_TO.keySet()), Binding.WORDS));
    }
    return chosen;
  }

  private Path directory(Origin origin) {
    if (directory == null && origin.isHere()) {
      return null;
    }
    Path absolute = origin.directory().resolve(directory == null ? Path.of("") : directory).normalize();
    if (!Files.isDirectory(absolute) || !Files.isExecutable(absolute)) {
      throw new IllegalArgumentException(
          "%s is '%s', and %s; make it, or name another".formatted(
              directory == null ? "the launcher's directory" : "--wdir", directory == null ? absolute : directory,
              Files.isDirectory(absolute)
                  ? "you may not enter that directory"
                  : Files.exists(absolute) ? "that is no directory" : "there is no such directory"));
    }
    return absolute;
  }

  /**
   * What {@code -x} gives values to.
   *
   * @throws IllegalArgumentException when a variable has none, is the launcher's to give, or is a setting that a rank
   * would refuse
   */
  private Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String variable : variables) {
      int end = variable.indexOf('=');
      String name = end < 0 ? variable : variable.substring(0, end);
      if (name.isEmpty()) {
        throw new IllegalArgumentException("-x is '%s', without a name; write -x NAME=VALUE".formatted(variable));
      }
      requireOwn(name);
      if (end >= 0) {
        String value = variable.substring(end + 1);
        requireAllowed(name, value);
        given.put(name, value);
      } else if (environment.containsKey(name)) {
        given.put(name, environment.get(name));
      } else {
        throw new IllegalArgumentException(
            "-x names the variable '%s', which is not set here; write -x %s=VALUE to set it".formatted(name, name));
      }
    }
    return given;
  }

  private static void requireOwn(String name) {
    if (LaunchEnvironment.variables().contains(name)) {
      throw new IllegalArgumentException(
          "-x names the variable '%s', which the launcher gives to each rank; leave it out".formatted(name));
    }
    for (Map.Entry<Tunable, String> option : OPTIONS.entrySet()) {
      if (option.getKey().variable().equals(name)) {
        throw new IllegalArgumentException(
            "-x names the variable '%s', for which there is an option; write %s".formatted(name, option.getValue()));
      }
    }
  }

  private static void requireAllowed(String name, String value) {
    Tunable.all().stream().filter(setting -> setting.variable().equals(name)).findFirst()
        .ifPresent(setting -> setting.require(value, "-x"));
  }

  /**
   * The names in {@code option}; for {@code null} those of the setting; none when that is not set.
   *
   * @throws IllegalArgumentException when one is unknown
   */
  private static List<String> cores(String option) {
    if (option == null) {
      return Tunable.CORE.origin().equals("default") ? List.of() : cores(Tunable.CORE.property(), Tunable.CORE.value());
    }
    return cores("--core", option);
  }

  private static List<String> cores(String source, String value) {
    List<String> names = Stream.of(value.split(",", -1)).map(name -> name.trim().toLowerCase(Locale.ROOT)).toList();
    List<String> known = knownCores();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "%s has '%s'; allowed are %s, or several of them with commas%s"
                .formatted(source, name, String.join(", ", known), hint(name)));
      }
    }
    return names;
  }

  private static String hint(String name) {
    return name.equalsIgnoreCase("c")
        ? "; a C rank is a program: name it behind a lone colon, as in : -n 1 ./prog"
        : "";
  }

  private static List<String> knownCores() {
    List<String> names = new ArrayList<>(List.of("auto"));
    Cores.all().stream().map(CoreProvider::name).forEach(names::add);
    return names;
  }
}
