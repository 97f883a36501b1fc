package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.ExitStatus;
import io.adrastea.config.Tunable;
import io.adrastea.launch.RollCall;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The processes of a job, from the start of the first to the end of the last. However this process ends, none of them
 * stays: by its shutdown hook, or, when it is killed, by {@link Prefixes#ofDeathSignal}.
 */
final class RankGroup {
  private static final int CANNOT_START = 126;
  private static final int SIGPIPE = 128 + 13;
  private static final int MOST_NAMED = 16;

  /** A signal or a time limit ends this process, whether its output is read or not. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<RankPlan> plans;
  private final Rules rules;
  private final Output output;
  private final String job;
  private final JobProcesses members;
  private final JobFile file;
  private final EndedRanks ended;
  private final List<Process> processes = new ArrayList<>();
  private final RankEnds ends;
  private boolean over;

  /**
   * How a job goes on and ends.
   *
   * @param keepGoing whether a rank that fails leaves the others running
   * @param exit what makes the exit code of one that ends by itself
   * @param limit after which it is ended; {@code null}: none
   * @param reader the rank that reads standard input; -1: none does
   */
  record Rules(boolean keepGoing, ExitRule exit, TimeLimit limit, int reader) {}

  /**
   * A group of processes yet to be started.
   *
   * @param labelled whether lines of output carry their rank
   * @param stamped whether they carry the time
   * @param files for the output of the ranks; {@code null}: they share that of this process
   * @param job its id, 16 hex digits
   */
  RankGroup(List<RankPlan> plans, Rules rules, boolean labelled, boolean stamped, RankFiles files, String job) {
    this.plans = plans;
    this.rules = rules;
    this.ends = new RankEnds(rules.limit == null ? Long.MAX_VALUE : rules.limit.duration().toNanos());
    this.output =
        new Output(plans.size(), labelled, stamped, files,
            () -> ends.add(RankEnds.NOBODY, new ExitStatus(SIGPIPE)));
    this.job = job;
    this.members = new JobProcesses(job);
    this.file = new JobFile(job);
    this.ended = new EndedRanks(job, plans.size(), members, file);
  }

  /**
   * Starts all ranks and waits for them. To be called by a thread that lives as long as this process:
   * {@link Prefixes#ofDeathSignal} follows the thread.
   *
   * @return the exit code of the rank that ended the job; else what the rule makes of the ends of all
   */
  int run() throws InterruptedException {
    Thread hook = new Thread(this::stopAndDrain, "end of the launcher");
    file.guard();
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      startAll();
      HangWatch watch = watch();
      try {
        int code = waitForAll();
        if (!output.drain(Math.max(DRAIN_NANOS, ends.leftNanos()))) {
          sayWhileRead("nobody has read the rest of the output in time (--timeout)");
          return RankEnds.TIMED_OUT;
        }
        return code;
      } finally {
        watch.end();
      }
    } finally {
      stop();
    }
  }

  private synchronized HangWatch watch() {
    RollCall roll = new RollCall(job, plans.size());
    return HangWatch.start(roll, file, List.copyOf(processes), Tunable.HANG_REPORT.intValue(), RankGroup::say);
  }

  private void startAll() {
    List<String> prefix = Prefixes.ofDeathSignal();
    for (RankPlan plan : plans) {
      start(plan, prefix);
    }
  }

  private synchronized void start(RankPlan plan, List<String> prefix) {
    if (over) {
      return;
    }
    ProcessBuilder builder = plan.process(prefix);
    builder.redirectInput(
        plan.rank() == rules.reader ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
    try {
      Process process = output.start(plan.rank(), builder);
      processes.add(process);
      process
          .onExit()
          .thenAccept(p -> ends.add(plan.rank(), new ExitStatus(p.exitValue())));
    } catch (IOException e) {
      throw new CommandFailure(
          CANNOT_START, "rank %d cannot be started: %s".formatted(plan.rank(), e.getMessage()));
    }
  }

  private int waitForAll() throws InterruptedException {
    List<RankEnds.End> failed = new ArrayList<>();
    for (int left = plans.size(); left > 0; left--) {
      RankEnds.End end = ends.next(ended::isOpen, this::look);
      if (end.status().ok()) {
        ended.add(end);
        continue;
      }
      if (end.rank() == RankEnds.LATE) {
        reportLate();
        stop();
        return end.status().code();
      }
      if (!rules.keepGoing || end.rank() == RankEnds.NOBODY || failure(end).aborts()) {
        RankEnds.End cause = reportCause(end);
        stop();
        return cause.status().code();
      }
      report(end, failure(end), true);
      ended.add(end);
      failed.add(end);
    }
    if (failed.isEmpty()) {
      finish();
    }
    return rules.exit.code(failed); // the caller ends what they have left
  }

  /** Reports that the time limit has passed, before anything that ranks say of being ended. */
  private void reportLate() throws InterruptedException {
    output.err.hold();
    try {
      sayWhileRead("the job has not ended within the time of --timeout %s; ending %s".formatted(rules.limit.text(),
          ranksThere()));
    } finally {
      output.err.release();
    }
  }

  /** The ranks whose processes run, and what those wait for that tell. */
  private synchronized String ranksThere() {
    Map<Integer, String> waits = over ? Map.of() : ended.waits(processes);
    List<Integer> there = IntStream.range(0, processes.size()).filter(rank -> processes.get(rank).isAlive()).boxed()
        .toList();
    String named = there.stream().limit(MOST_NAMED)
        .map(rank -> "rank " + rank + (waits.containsKey(rank) ? " (" + waits.get(rank) + ")" : ""))
        .collect(Collectors.joining(", "));
    return there.isEmpty() ? "it" : there.size() > MOST_NAMED
        ? "%s and %d more".formatted(named, there.size() - MOST_NAMED)
        : named;
  }

  /** Says something, unless the reader of standard error does not read, which may be why time has run out. */
  private static void sayWhileRead(String what) throws InterruptedException {
    Thread.ofPlatform().daemon().start(() -> say(what)).join(Duration.ofNanos(DRAIN_NANOS));
  }

  /** Reports the failure before anything that other ranks say of it. */
  private RankEnds.End reportCause(RankEnds.End end) throws InterruptedException {
    output.err.hold();
    try {
      RankEnds.End cause = ends.cause(end, other -> failure(other).aborts());
      report(cause, failure(cause), false);
      return cause;
    } finally {
      output.err.release();
    }
  }

  private synchronized EndedRanks.Failure failure(RankEnds.End end) {
    return over ? EndedRanks.Failure.UNKNOWN : ended.failure(end.rank(), processes);
  }

  private synchronized void look() {
    if (!over) { // what was made now would stay
      ended.look(processes).forEach(RankGroup::say);
    }
  }

  private static void say(String what) {
    System.err.println("adrastea: " + what);
  }

  private synchronized void report(RankEnds.End end, EndedRanks.Failure failure, boolean goOn) {
    if (over) {
      return; // ended by us
    }
    String what =
        end.rank() == RankEnds.NOBODY
            ? "standard output is closed"
            : "rank " + end.rank() + " " + end.status();
    long others = processes.stream().filter(Process::isAlive).count();
    String why = failure.reason().isEmpty() ? "" : ": " + failure.reason();
    String next = goOn ? "; the other ranks go on" : "; ending the other ranks";
    say(what + why + (others == 0 ? "" : next));
  }

  /** Does the work of the shutdown hook: when it returns, this process ends, and what was not written yet is lost. */
  private void stopAndDrain() {
    stop();
    try {
      output.drain(DRAIN_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then without the rest
    }
  }

  /**
   * Ends what still runs and removes what the job may have left; the first call does it. Before that, errors are let
   * out: a thread that holds them may be waiting for this object, and a rank that is being ended may write more of
   * them.
   */
  private void stop() {
    output.err.holdNoMore();
    end();
  }

  private synchronized void end() {
    if (over) {
      return;
    }
    over = true;
    JobProcesses.end(JobProcesses.tree(processes), () -> members.find(processes));
    clean();
  }

  /** Cleans up after all ranks have ended by themselves, and well. */
  private synchronized void finish() {
    over = true;
    clean();
  }

  private void clean() {
    ended.close();
    file.remove();
  }
}
