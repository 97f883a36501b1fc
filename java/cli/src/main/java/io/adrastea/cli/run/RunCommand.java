package io.adrastea.cli.run;

import io.adrastea.cli.place.Placement;
import io.adrastea.cli.run.Parts.Part;
import io.adrastea.error.AdrasteaException;
import io.adrastea.launch.LaunchEnvironment;
import java.lang.ProcessBuilder.Redirect;
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

/** {@code adrastea run}: starts the ranks of a job, here or on several hosts, and stays until all have ended. */
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
      "",
      "With --hosts the agent (ssh) starts one process on each host, which starts the ranks there. Java,",
      "Adrastea's jar, the program and the working directory have to be at the same place on all hosts.",
      "Settings, PATH, CLASSPATH, LD_LIBRARY_PATH, flags of JVMs and variables that -x names go along.",
      "",
      "What counts is the end of the process that was started: with sh -c './prog; echo done' that is",
      "the shell's, which hides how ./prog ended. exec ./prog, or sh -e, lets it be known.",
      "",
      "Examples:",
      "  adrastea run -n 2 --core ffm,java --bind cpu -- java -Xmx1g Prog.java 10",
      "  adrastea run -n 8 --bind cache --map spread java Prog.java",
      "  adrastea run -n 8 --timeout 10m --output results --timestamp java Prog.java",
      "  adrastea run -n 8 --keep-going --exit rank0 java Farm.java",
      "  adrastea run -n 2 --label always java Prog.java 10 : -n 1 ./prog 10",
      "    ranks 0 and 1 are Prog.java, rank 2 is ./prog",
      "  adrastea run --hosts a:4,b:4 java Prog.java"
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
    if (arguments.ofHost) {
      return new HostLauncher().run();
    }
    Origin here = Origin.here();
    Optional<HostList> hosts = checked(() -> arguments.hosts.hosts());
    Map<String, String> common = checked(() -> arguments.job.settings(here.directory()));
    List<Part> parts = checked(() -> Parts.of(arguments, here, hosts.map(HostList::size).orElse(1)));
    JobOptions options = arguments.job;
    RankGroup.Rules rules =
        checked(() -> new RankGroup.Rules(options.keepGoing, options.exitRule(), options.timeLimit()));
    return hosts.isPresent() ? runOn(hosts.get(), here, parts, rules) : runHere(parts, rules, common);
  }

  private int runHere(List<Part> parts, RankGroup.Rules rules, Map<String, String> common)
      throws InterruptedException {
    int size = Parts.size(parts);
    StreamOptions streams = arguments.streams;
    int reader = checked(() -> streams.reader(size));
    LaunchEnvironment job = LaunchEnvironment.create(size);
    Placement placement = checked(() -> arguments.job.place(Parts.bindings(parts)));
    sharing(placement).ifPresent(words -> spec.commandLine().getErr().println("adrastea: " + words));
    List<RankPlan> plans = RankPlan.ofAll(parts, job, common, 0, placement);
    RankEnds ends = rules.ends();
    Output output =
        new Output(size > 1, streams.labelled(size), streams.stamped(), streams.files(size), ends::addNobody);
    JobRanks ranks = new LocalRanks(plans, job, 0, reader, Redirect.INHERIT, output, RankGroup::say);
    return new RankGroup(ranks, size, rules, output, ends).run();
  }

  private int runOn(HostList hosts, Origin here, List<Part> parts, RankGroup.Rules rules)
      throws InterruptedException {
    int size = Parts.size(parts);
    List<HostList.Block> blocks = checked(() -> hosts.deal(size));
    StreamOptions streams = arguments.streams;
    int reader = checked(() -> streams.reader(size));
    List<String> agent = checked(() -> arguments.hosts.agent());
    streams.requireUnused();
    Origin along = new Origin(here.directory(), here.goingAlong(Parts.variables(parts)), false);
    String job = LaunchEnvironment.drawJob();
    String main = spec.root().userObject().getClass().getName();
    RankEnds ends = rules.ends();
    Output output = new Output(true, false, false, null, ends::addNobody);
    JobRanks ranks = new AgentHosts(reader, changed -> blocks.stream()
        .map(block -> new HostJob(block.host(), along, words(), job, size, blocks.indexOf(block), block.first(),
            block.count(), arguments.hosts.rendezvous(), hosts.isNear()))
        .map(one -> new AgentHost(one, agent, main, output, ends, changed)).toList());
    return new RankGroup(ranks, size, rules, output, ends).run();
  }

  /** All words of this command, as they were given. */
  private List<String> words() {
    List<String> all = spec.commandLine().getParseResult().originalArgs();
    return all.subList(all.indexOf(spec.name()) + 1, all.size());
  }

  /** What is to be said where ranks that are bound share CPUs. */
  static Optional<String> sharing(Placement placement) {
    return Optional.of(placement.sharing()).filter(ranks -> ranks > 0)
        .map("%d ranks share their CPUs with other ranks, so waiting ranks give way to each other"::formatted);
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
    Predicate<OptionSpec> ofHosts = option -> RunArguments.declares(HostOptions.class, option);
    sections.put("Options of the whole job, before the first program",
        options(spec, Predicate.not(ofStreams.or(ofHosts)).and(option -> !PartOptions.has(option))));
    sections.put("Other hosts, before the first program", options(spec, ofHosts));
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
