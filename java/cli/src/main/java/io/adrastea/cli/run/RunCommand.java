package io.adrastea.cli.run;

import io.adrastea.cli.base.HelpOption;
import io.adrastea.cli.host.AllowedCpus;
import io.adrastea.config.Tunable;
import io.adrastea.launch.LaunchEnvironment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code adrastea run}: starts the ranks of a job on this node and stays until all have ended. */
@Command(
    name = "run",
    usageHelpWidth = 100,
    description = "Starts a program N times, as the ranks of one job.",
    synopsisHeading = "Usage: ",
    customSynopsis = "adrastea run [-n N] [OPTIONS] -- PROGRAM [ARGUMENTS...]",
    footer = {
      "",
      "A program named exactly `java` is the Java that runs this command, with",
      "--enable-native-access=ALL-UNNAMED, and CLASSPATH names Adrastea's jar (before what"
          + " CLASSPATH",
      "held), so `-- java Prog.java` works. An own -cp hides CLASSPATH: name the jar there too.",
      "Rank 0 reads standard input, the others read nothing.",
      "",
      "A rank that fails ends the job: the others get SIGTERM, after 2 s SIGKILL. The exit code is",
      "the failed rank's: 128 + n for signal n; 127 when the program does not exist. The end of"
          + " this",
      "command, however it comes, ends all ranks.",
      "",
      "Example:  adrastea run -n 2 --core ffm,java --bind cpu -- java -Xmx1g Prog.java 10"
    })
public final class RunCommand implements Callable<Integer> {
  private static final int MOST_RANKS = 1024;

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of ranks, 1 to 1024 (default: ${DEFAULT-VALUE}).")
  private int size;

  @Option(
      names = "--core",
      paramLabel = "CORE[,CORE...]",
      description = {
        "How ranks work on shared memory: ffm, java or auto;",
        "several are dealt to the ranks in turn (default: auto, or what",
        "ADRASTEA_CORE names)."
      })
  private String cores;

  @Option(
      names = "--bind",
      paramLabel = "cpu|none",
      defaultValue = "none",
      description = {
        "cpu: rank i runs on the i-th CPU allowed here (in turn when there",
        "are fewer), from joining on; none: where the system puts it",
        "(default: ${DEFAULT-VALUE})."
      })
  private Binding binding;

  @Option(
      names = "--label",
      paramLabel = "auto|always|never",
      defaultValue = "auto",
      description = "[rank] before each line of output; auto: with two ranks or more.")
  private Label label;

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

  @Parameters(
      arity = "0..*",
      paramLabel = "PROGRAM",
      hideParamSyntax = true,
      description = "The program of each rank, and its arguments.")
  private List<String> words = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Map<String, String> common = commonSettings();
    List<String> dealt = checked(() -> CoreList.parse(cores));
    LaunchEnvironment job = LaunchEnvironment.create(checkedSize());
    Program program = Program.find(checkedWords(), System.getenv());
    return new RankGroup(plan(program, job, dealt, common), label.of(size), job.job()).run();
  }

  private int checkedSize() {
    if (size < 1 || size > MOST_RANKS) {
      throw usage("-n is %d; allowed is 1 to %d".formatted(size, MOST_RANKS));
    }
    return size;
  }

  private List<String> checkedWords() {
    if (words.isEmpty()) {
      throw usage(
          "no program given; it stands behind --, as in: adrastea run -n 2 -- java Prog.java");
    }
    return words;
  }

  private Map<String, String> commonSettings() {
    Settings chosen = new Settings();
    checked(
        () -> {
          settings.forEach(chosen::set);
          chosen.setIfGiven(Tunable.JOIN_TIMEOUT, joinTimeout);
          chosen.setIfGiven(Tunable.SHM_DIR, shmDir);
          return null;
        });
    return chosen.inForce();
  }

  private List<RankPlan> plan(
      Program program, LaunchEnvironment job, List<String> dealt, Map<String, String> common) {
    AllowedCpus cpus = AllowedCpus.here();
    warnOfSharedCpus(cpus);
    List<RankPlan> plans = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      String core = dealt.isEmpty() ? null : dealt.get(rank % dealt.size());
      int cpu = binding == Binding.cpu ? cpus.ofRank(rank) : -1;
      plans.add(new RankPlan(rank, program, common, job.forRank(rank, core, cpu)));
    }
    return plans;
  }

  private void warnOfSharedCpus(AllowedCpus cpus) {
    if (binding == Binding.cpu && size > cpus.count()) {
      spec.commandLine()
          .getErr()
          .printf(
              "adrastea: %d ranks share %d CPUs (%s), so waiting ranks give way to each other%n",
              size, cpus.count(), cpus);
    }
  }

  private <T> T checked(Callable<T> argument) {
    try {
      return argument.call();
    } catch (RuntimeException e) {
      throw usage(e.getMessage());
    } catch (Exception e) {
      throw new IllegalStateException(e); // none of them reads or waits
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
