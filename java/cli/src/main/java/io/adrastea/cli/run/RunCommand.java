package io.adrastea.cli.run;

import io.adrastea.cli.host.AllowedCpus;
import io.adrastea.launch.LaunchEnvironment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      "libadrastea reads it by itself. `env ADRASTEA_SPINS=0 ./prog` gives a part a setting of its own.",
      "Rank 0 reads standard input, the others read nothing.",
      "",
      "A rank that fails ends the job: the others get SIGTERM, after 2 s SIGKILL. The exit code is",
      "the failed rank's: 128 + n for signal n; 127 when the program does not exist. The end of this",
      "command, however it comes, ends all ranks.",
      "",
      "Examples:",
      "  adrastea run -n 2 --core ffm,java --bind cpu -- java -Xmx1g Prog.java 10",
      "  adrastea run -n 2 --label always java Prog.java 10 : -n 1 ./prog 10",
      "    ranks 0 and 1 are Prog.java, rank 2 is ./prog"
    })
public final class RunCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Mixin private RunArguments arguments;

  @Spec
  void spec(CommandSpec given) {
    spec = given;
    spec.usageMessage()
        .sectionMap()
        .put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, new OptionSections());
  }

  @Override
  public Integer call() throws InterruptedException {
    Map<String, String> common = checked(() -> arguments.job().settings());
    List<Part> parts = checked(() -> Parts.of(arguments, System.getenv()));
    int size = Parts.size(parts);
    LaunchEnvironment job = LaunchEnvironment.create(size);
    AllowedCpus cpus = AllowedCpus.here();
    warnOfSharedCpus(parts, cpus);
    List<RankPlan> plans = RankPlan.ofAll(parts, job, common, cpus);
    return new RankGroup(plans, arguments.job().label().of(size), job.job()).run();
  }

  private void warnOfSharedCpus(List<Part> parts, AllowedCpus cpus) {
    int bound = parts.stream().mapToInt(Part::boundRanks).sum();
    if (bound > cpus.count()) {
      spec.commandLine()
          .getErr()
          .printf(
              "adrastea: %d ranks share %d CPUs (%s), so waiting ranks give way to each other%n",
              bound, cpus.count(), cpus);
    }
  }

  private <T> T checked(Supplier<T> words) {
    try {
      return words.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
