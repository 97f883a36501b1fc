package io.adrastea.cli.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Stack;
import java.util.TreeMap;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What to write for options of mpirun, mpiexec, srun and torchrun that this launcher does not have. */
final class ForeignWords {
  private static final String HOSTS = "write --hosts a:4,b:4, which has the ranks of each host, or --hostfile FILE";
  private static final String BATCH =
      "that is for the batch system: give it to sbatch or salloc, and leave it out here";
  private static final Map<String, String> HINTS = hints();

  private ForeignWords() {}

  private static Map<String, String> hints() {
    Map<String, String> hints = new TreeMap<>();
    same(hints, HOSTS, "hostfile", "machinefile", "host", "hosts", "H", "f", "N", "nodes", "npernode", "ppn", "w",
        "nodelist", "ntasks-per-node", "rankfile", "rf", "nnodes", "node-rank");
    same(hints, "without --hosts all ranks run on this host; leave it out", "standalone");
    same(hints, "Java and Adrastea have to be at the same place on all hosts; leave it out", "prefix");
    same(hints, "write --agent COMMAND", "launch-agent", "launcher", "launcher-exec");
    same(hints, "write -n N", "c", "ntasks", "nperdomain", "num-proc", "npersocket", "nproc-per-node");
    same(hints, "write --wdir DIR", "wdir", "wd", "chdir");
    same(hints, "write --label always", "l", "tag-output", "prepend-rank");
    same(hints, "write --timestamp", "timestamp-output");
    same(hints, "write --output DIR", "output-filename", "o", "outfile-pattern", "errfile-pattern", "e", "error",
        "log-dir", "logs-specs", "local-ranks-filter", "redirects", "tee");
    same(hints, "write --stdin RANK", "i", "input");
    same(hints, "write --timeout TIME", "t", "time", "timeout");
    same(hints, "write --bind cpu, cache, numa or none", "cpu-bind", "bind-to", "bind-to-core", "bind-to-none",
        "use-hwthread-cpus", "hint", "numa-binding");
    same(hints, "write --map packed, spread, cache, numa, socket or a list of CPUs", "map-by", "rank-by", "m",
        "distribution", "bycore", "bynode", "bysocket", "cpu-set", "cpu-list");
    same(hints, "write -x NAME=VALUE; all variables of the launcher are passed on", "env", "genv", "genvlist", "envall",
        "genvall", "export");
    same(hints, "write -D NAME=VALUE; `adrastea info` lists the settings", "mca", "gmca", "tune", "am");
    same(hints, "`adrastea info -n N --bind WORD --map ORDER` draws which rank goes where", "report-bindings",
        "display-map", "display-allocation", "display");
    same(hints, "write --keep-going; without it the first failure ends the job", "K", "kill-on-bad-exit",
        "enable-recovery", "continuous", "no-kill");
    same(hints, "ranks may outnumber CPUs and share them; leave it out", "oversubscribe", "nooversubscribe", "overlap",
        "O", "overcommit", "exclusive", "c-per-task", "cpus-per-task", "cpus-per-proc", "cpus-per-rank");
    same(hints, "there is nothing to allow; leave it out", "allow-run-as-root", "mpi", "u", "unbuffered",
        "personality", "q", "quiet");
    same(hints, "ranks of one host meet in shared memory; with --hosts write --rendezvous HOST:PORT", "rdzv-backend",
        "rdzv-endpoint", "rdzv-id", "rdzv-conf", "master-addr", "master-port", "local-addr");
    same(hints, "a job is not restarted: write --keep-going to go on without ranks that failed, or start it again",
        "max-restarts");
    same(hints, "any program is started as it is; leave it out", "no-python", "run-path", "start-method", "role",
        "monitor-interval");
    same(hints, BATCH, "p", "partition", "A", "account", "J", "job-name", "mem", "mem-per-cpu", "gres", "qos",
        "reservation", "constraint");
    same(hints, "a lone : stands between the programs of one job", "app", "configfile", "multi-prog");
    return hints;
  }

  private static void same(Map<String, String> hints, String hint, String... words) {
    for (String word : words) {
      hints.put(word, hint);
    }
  }

  /** Refuses an option as one that does not exist, where the parser would take its first letter for another. */
  static final class Refusal implements IParameterPreprocessor {
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      String name = ((OptionSpec) option).longestName();
      throw new UnmatchedArgumentException(command.commandLine(), List.of(name));
    }
  }

  /**
   * What to write instead.
   *
   * @param option as it was written, without a value
   */
  static Optional<String> hint(String option) {
    String name = option.replaceFirst("^--?", "").replace('_', '-'); // torchrun takes both
    boolean letter = name.length() == 1;
    boolean known = HINTS.containsKey(name) && letter == option.matches("-.");
    return known
        ? Optional.of("'%s' is a word of other launchers: %s.".formatted(option, HINTS.get(name)))
        : Optional.empty();
  }
}
