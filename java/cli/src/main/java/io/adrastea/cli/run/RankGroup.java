package io.adrastea.cli.run;

import io.adrastea.cli.run.EndedRanks.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A job from the start of its first rank to the end of the last: how it goes on and ends, wherever its ranks are.
 * However this process ends, none of them stays: its shutdown hook ends them.
 */
final class RankGroup {
  private static final int MOST_NAMED = 16;

  /** A signal or a time limit ends this process, whether its output is read or not. */
  static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final JobRanks ranks;
  private final int size;
  private final Rules rules;
  private final Output output;
  private final RankEnds ends;

  /**
   * How a job goes on and ends.
   *
   * @param keepGoing whether a rank that fails leaves the others running
   * @param exit what makes the exit code of one that ends by itself
   * @param limit after which it is ended; {@code null}: none
   */
  record Rules(boolean keepGoing, ExitRule exit, TimeLimit limit) {
    /** The ends of the ranks of such a job, yet to come. */
    RankEnds ends() {
      return new RankEnds(limit == null ? Long.MAX_VALUE : limit.duration().toNanos());
    }
  }

  /**
   * A job yet to be started.
   *
   * @param size how many ranks it has
   * @param output theirs
   * @param ends theirs
   */
  RankGroup(JobRanks ranks, int size, Rules rules, Output output, RankEnds ends) {
    this.ranks = ranks;
    this.size = size;
    this.rules = rules;
    this.output = output;
    this.ends = ends;
  }

  /**
   * Starts all ranks and waits for them. To be called by a thread that lives as long as this process.
   *
   * @return the exit code of the rank that ended the job; else what the rule makes of the ends of all
   */
  int run() throws InterruptedException {
    Thread hook = new Thread(this::stopAndDrain, "end of the launcher");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      ranks.start(ends);
      int code = waitForAll();
      if (!output.drain(Math.max(DRAIN_NANOS, ends.leftNanos()))) {
        sayWhileRead("nobody has read the rest of the output in time (--timeout)");
        return RankEnds.TIMED_OUT;
      }
      return code;
    } finally {
      stop();
    }
  }

  private int waitForAll() throws InterruptedException {
    List<RankEnds.End> failed = new ArrayList<>();
    for (int left = size; left > 0; left--) {
      RankEnds.End end = ends.next(ranks::isOpen, ranks::look);
      if (end.status().ok()) {
        ranks.add(end);
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
      ranks.add(end);
      failed.add(end);
    }
    if (failed.isEmpty()) {
      ranks.finish();
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

  /** The ranks that run, and what those wait for that tell. */
  private String ranksThere() throws InterruptedException {
    Map<Integer, String> there = ranks.there();
    String named = there.entrySet().stream().limit(MOST_NAMED)
        .map(rank -> ranks.name(rank.getKey()) + (rank.getValue().isEmpty() ? "" : " (" + rank.getValue() + ")"))
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
      RankEnds.End cause = ends.cause(end, other -> failure(other).aborts() || ranks.isCause(other.rank()));
      report(cause, failure(cause), false);
      return cause;
    } finally {
      output.err.release();
    }
  }

  private Failure failure(RankEnds.End end) {
    return end.rank() < 0 ? Failure.UNKNOWN : ranks.failure(end.rank());
  }

  /** Tells the user something. */
  static void say(String what) {
    System.err.println("adrastea: " + what);
  }

  private void report(RankEnds.End end, Failure failure, boolean goOn) {
    String what = end.rank() == RankEnds.NOBODY
        ? "standard output is closed"
        : ranks.name(end.rank()) + " " + ranks.words(end);
    String why = failure.reason().isEmpty() ? "" : ": " + failure.reason();
    String next = goOn ? "; the other ranks go on" : "; ending the other ranks";
    if (!ranks.isOver()) {
      say(what + why + (ranks.isAnyThere() ? next : ""));
    }
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
    ranks.end();
  }
}
