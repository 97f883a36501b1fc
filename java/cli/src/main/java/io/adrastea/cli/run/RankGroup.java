package io.adrastea.cli.run;

import io.adrastea.cli.base.CommandFailure;
import io.adrastea.cli.base.ExitStatus;
import io.adrastea.config.Tunable;
import io.adrastea.launch.RollCall;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The processes of a job, from the start of the first to the end of the last. However this process ends, none of them
 * stays: by its shutdown hook, or, when it is killed, by {@link Prefixes#ofDeathSignal}.
 */
final class RankGroup {
  private static final int CANNOT_START = 126;
  private static final int SIGPIPE = 128 + 13;
  private static final int MOST_FAILED = 125; // of an exit code: above it other things are meant
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2); // a signal ends this process, read or not

  private final List<RankPlan> plans;
  private final boolean direct;
  private final boolean keepGoing;
  private final Output output;
  private final String job;
  private final JobProcesses members;
  private final JobFile file;
  private final EndedRanks ended;
  private final List<Process> processes = new ArrayList<>();
  private final RankEnds ends = new RankEnds();
  private boolean over;

  /**
   * A group of processes yet to be started.
   *
   * @param labelled whether lines of output carry their rank
   * @param keepGoing whether a rank that fails leaves the others running
   * @param job its id, 16 hex digits
   */
  RankGroup(List<RankPlan> plans, boolean labelled, boolean keepGoing, String job) {
    this.plans = plans;
    this.keepGoing = keepGoing;
    this.direct = plans.size() == 1 && !labelled;
    this.output = new Output(labelled, () -> ends.add(RankEnds.NOBODY, new ExitStatus(SIGPIPE)));
    this.job = job;
    this.members = new JobProcesses(job);
    this.file = new JobFile(job);
    this.ended = new EndedRanks(job, plans.size(), members, file);
  }

  /**
   * Starts all ranks and waits for them. To be called by a thread that lives as long as this process:
   * {@link Prefixes#ofDeathSignal} follows the thread.
   *
   * @return the exit code of the first rank that failed; how many failed, when the others go on; or 0
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
        output.drain(Long.MAX_VALUE);
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
        plan.rank() == 0 ? Redirect.INHERIT : Redirect.from(new File("/dev/null")));
    if (direct) {
      builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
    }
    try {
      Process process = builder.start();
      processes.add(process);
      if (!direct) {
        output.follow(plan.rank(), process);
      }
      process
          .onExit()
          .thenAccept(p -> ends.add(plan.rank(), new ExitStatus(p.exitValue())));
    } catch (IOException e) {
      throw new CommandFailure(
          CANNOT_START, "rank %d cannot be started: %s".formatted(plan.rank(), e.getMessage()));
    }
  }

  private int waitForAll() throws InterruptedException {
    int failed = 0;
    for (int left = plans.size(); left > 0; left--) {
      RankEnds.End end = ends.next(ended::isOpen, this::look);
      if (end.status().ok()) {
        ended.add(end);
        continue;
      }
      if (!keepGoing || end.rank() == RankEnds.NOBODY || failure(end).aborts()) {
        RankEnds.End cause = reportCause(end);
        stop();
        return cause.status().code();
      }
      report(end, failure(end), true);
      ended.add(end);
      failed++;
    }
    if (failed == 0) {
      finish();
    }
    return Math.min(failed, MOST_FAILED); // the caller ends what they have left
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

  /** Of the hook: when it returns, this process ends, and with it what was not written yet. */
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
   * out: who holds them may be waiting for this object, and a rank that is being ended may write more of them.
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
