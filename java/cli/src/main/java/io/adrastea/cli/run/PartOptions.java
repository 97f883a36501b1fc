package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
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
    List<String> dealt = CoreList.parse(cores);
    Binding chosen = binding == null ? otherwise : binding;
    return new Part(size, dealt, chosen, Program.find(words, environment));
  }
}
