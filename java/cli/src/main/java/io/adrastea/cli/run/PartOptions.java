package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.config.Tunable;
import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.lang.reflect.Field;
import java.util.ArrayList;
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

  @Option(
      names = {"-n", "-np"},
      paramLabel = "N",
      description = "Number of ranks (default: 1); 1 to " + MOST_RANKS + " in all parts together.")
  private int size = 1;

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

  /** Whether an option of the command line is one of these. */
  static boolean has(OptionSpec option) {
    return option.userObject() instanceof Field field
        && field.getDeclaringClass() == PartOptions.class;
  }

  /**
   * The part itself.
   *
   * @param words a program and its arguments
   * @param otherwise what its ranks are bound to when nothing is said of that
   * @param environment where PATH and CLASSPATH are
   * @throws IllegalArgumentException when an option has a value that is not allowed
   * @throws io.adrastea.cli.base.CommandFailure when the program cannot be executed
   */
  Part with(List<String> words, Binding otherwise, Map<String, String> environment) {
    if (size < 1 || size > MOST_RANKS) {
      throw new IllegalArgumentException(
          "-n is %d; allowed is 1 to %d".formatted(size, MOST_RANKS));
    }
    List<String> dealt = cores(cores);
    Binding chosen = binding == null ? otherwise : binding;
    return new Part(size, dealt, chosen, Program.find(words, environment));
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
