package io.adrastea.cli.run;

import io.adrastea.cli.place.Binding;
import io.adrastea.cli.place.Placement;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.error.AdrasteaException;
import io.adrastea.launch.LaunchEnvironment;
import io.adrastea.topology.Cpus;
import io.adrastea.topology.Topology;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code adrastea run}: starts the ranks of a job on this node and stays until all have ended. */
@Command(
    name = "run",
    usageHelpWidth = 100,
    description = "Starts a program N times, as the ranks of one job; or several programs.",
    synopsisHeading = "Usage: ",
    customSynopsis = {
      "adrastea run [-n N] [OPTIONS] [--] PROGRAM [ARGUMENTS...]",
      "                    [: [-n N] [OPTIONS] [--] PROGRAM [ARGUMENTS...]]..."
    },
    footer = {
      "",
      "A lone : ends the words of a program and begins the next part: its options, if any, and its",
      "program. All parts are one job, whose ranks are numbered through in the order of the parts. An",
      "argument that is itself a lone : goes inside a word: sh -c './prog :'.",
      "",
      "A program named exactly `java` is the Java that runs this command, with",
      "--enable-native-access=ALL-UNNAMED, and CLASSPATH names Adrastea's jar (before what CLASSPATH",
      "held), so `-- java Prog.java` works. An own -cp hides CLASSPATH: name the jar there too.",
      "Any other program finds in its environment what makes it a rank (ADRASTEA_JOB, _RANK, _SIZE,",
      "_LAUNCHER, and what was chosen of _CORE, _BIND and the settings); one in C that uses",
      "libadrastea reads it by itself.",
      "",
      "--bind cpu binds the thread of a JVM that joins, and those that it starts later: what compiles",
      "and collects garbage stays free. That holds for a program named `java`, by whatever path; any",
      "other is bound as a whole, and so is a JVM with cache and numa. A rank's memory is reserved",
      "after it was bound, so it lies near. `adrastea info` with -n, --bind and --map draws all that.",
      "",
      "A rank that fails ends the job: the others get SIGTERM, after 2 s SIGKILL. The exit code is the",
      "failed rank's: 128 + n for signal n; 127 when the program does not exist. With --keep-going the",
      "others stay, and hear of it (RankFailedException, job.onRankFailure), and --exit rank0 lets a job",
      "succeed whose rank 0 does without those that failed. A rank that ends, with or without an error,",
      "before it has joined keeps the others from joining: they hear of it at once (JoinException). One",
      "that ends well without leaving its job (Job.close, adr_job_leave) has failed for the others, and",
      "is named. The end of this command, however it comes, ends all ranks that have not left the job,",
      "and leaves no file.",
      "What counts is the end of the process that was started: with sh -c './prog; echo done' that is",
      "the shell's, which hides how ./prog ended. exec ./prog, or sh -e, lets it be known.",
      "",
      "Examples:",
      "  adrastea run -n 2 --core ffm,java --bind cpu -- java -Xmx1g Prog.java 10",
      "  adrastea run -n 8 --bind cache --map spread java Prog.java",
      "  adrastea run -n 8 --timeout 10m --output results --timestamp java Prog.java",
      "  adrastea run -n 8 --keep-going --exit rank0 java Farm.java",
      "  adrastea run -n 2 --label always java Prog.java 10 : -n 1 ./prog 10",
      "    ranks 0 and 1 are Prog.java, rank 2 is ./prog"
    })
public final class RunCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Mixin
  private RunArguments arguments;

  @Spec
  void spec(CommandSpec given) {
    spec = given;
    spec.usageMessage()
        .sectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, RunCommand::options);
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> common = checked(() -> arguments.job.settings());
    List<Part> parts = checked(() -> Parts.of(arguments, System.getenv()));
    int size = Parts.size(parts);
    JobOptions options = arguments.job;
    StreamOptions streams = arguments.streams;
    RankGroup.Rules rules =
        checked(() -> new RankGroup.Rules(options.keepGoing, options.exitRule(), options.timeLimit(),
            streams.reader(size)));
    LaunchEnvironment job = LaunchEnvironment.create(size);
    Placement placement = checked(() -> place(parts));
    warnOfSharedCpus(placement);
    List<RankPlan> plans = RankPlan.ofAll(parts, job, common, placement);
    RankFiles files = streams.files(size);
    return new RankGroup(plans, rules, streams.labelled(size), streams.stamped(), files, job.job()).run();
  }

  private Placement place(List<Part> parts) {
    List<Binding> bindings = Parts.bindings(parts);
    if (bindings.stream().allMatch(binding -> binding == Binding.none)) {
      if (arguments.job.isMapped()) {
        throw new IllegalArgumentException(
            "--map tells which CPUs ranks are bound to, and --bind none binds none; choose one of cpu, cache and numa");
      }
      return Placement.unbound(Cpus.ofThread(), bindings.size()); // a large machine's topology takes a while to read
    }
    return Placement.of(Topology.of(Cpus.ofThread()), arguments.job.mapping(), bindings);
  }

  private void warnOfSharedCpus(Placement placement) {
    if (placement.sharing() > 0) {
      spec.commandLine()
          .getErr()
          .printf(
              "adrastea: %d ranks share their CPUs with other ranks, so waiting ranks give way to each other%n",
              placement.sharing());
    }
  }

  private <T> T checked(Supplier<T> words) {
    try {
      return words.get();
    } catch (IllegalArgumentException | AdrasteaException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * What to write for an option of another launcher.
   *
   * @param line where it was written; another command's has no such words
   * @param option as it was written, without a value
   */
  public static Optional<String> hint(CommandLine line, String option) {
    boolean ours = line.getCommand() instanceof RunCommand || line.getCommand() instanceof RunArguments;
    return ours ? ForeignWords.hint(option) : Optional.empty();
  }

  /**
   * The options under their headings: those of a part, then those of the job.
   *
   * @param spec of this command
   */
  public static Map<String, List<OptionSpec>> sections(CommandSpec spec) {
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    sections.put("Options of each part, before its program", options(spec, PartOptions::has));
    Predicate<OptionSpec> ofStreams = option -> RunArguments.declares(StreamOptions.class, option);
    sections.put("Options of the whole job, before the first program",
        options(spec, Predicate.not(ofStreams).and(option -> !PartOptions.has(option))));
    sections.put("Input and output of the whole job, before the first program", options(spec, ofStreams));
    return sections;
  }

  private static List<OptionSpec> options(CommandSpec spec, Predicate<OptionSpec> chosen) {
    return spec.options().stream().filter(option -> !option.hidden()).filter(chosen).toList();
  }

  private static String options(Help help) {
    return sections(help.commandSpec()).entrySet().stream()
        .map(section -> "%n%s:%n%s".formatted(section.getKey(), help.optionListExcludingGroups(section.getValue())))
        .collect(Collectors.joining());
  }
}
