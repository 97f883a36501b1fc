package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Ranks that have ended while the job goes on: what the others, and the user, are to hear of them. */
final class EndedRanks {
  private static final String EARLY = "rank %d ended before it joined; the others cannot join without it";
  private static final String UNCLOSED =
      "rank %d ended without leaving its job, so for the others it has failed;"
          + " a program closes its job before it ends (Job.close, in C adr_job_leave)";

  private static final String GAVE_UP = "rank %d has failed: %s";

  private final RollCall roll;
  private final EarlyEnds early;
  private final Set<Integer> endedWell = new TreeSet<>(); // it is not known whether they have left the job

  /** Those of a job. */
  EndedRanks(String job, int size, JobProcesses members, JobFile file) {
    roll = new RollCall(job, size);
    early = new EarlyEnds(roll, members, file);
  }

  /** A rank has ended, which the user has been told if it was not well. */
  void add(RankEnds.End end) {
    early.add(end.rank());
    if (end.status().ok()) {
      endedWell.add(end.rank());
    }
  }

  /**
   * Looks why a rank has failed, where others of its job are there that have its memory open.
   *
   * @param ranks processes of the job
   */
  Failure failure(int rank, Collection<Process> ranks) {
    return rank >= 0 && early.haveJoined(ranks) ? new Failure(roll.reason(rank), roll.aborts(rank)) : Failure.UNKNOWN;
  }

  /**
   * What a rank said when it failed.
   *
   * @param reason a line of text; empty: nothing
   * @param aborts whether the whole job is to end
   */
  record Failure(String reason, boolean aborts) {
    static final Failure UNKNOWN = new Failure("", false);
  }

  /** Whether {@link #look} is to be called every so often. */
  boolean isOpen() {
    return early.isOpen() || early.haveJoined() && !endedWell.isEmpty();
  }

  /**
   * Tells the ranks that wait.
   *
   * @param ranks processes of the job
   * @return what the user is to be told
   */
  List<String> look(Collection<Process> ranks) {
    List<String> news = new ArrayList<>();
    if (early.isOpen()) {
      early.look(ranks).forEach(rank -> news.add(EARLY.formatted(rank)));
    }
    if (early.haveJoined()) {
      unclosed().forEach(rank -> news.add(ended(rank)));
    }
    return news;
  }

  /**
   * Ranks whose programs have ended well, in a job that all had joined, and that had not left the job: to the others
   * they have failed, and their exit codes do not say it. Each is told once. As long as another process is that rank
   * (one that a shell left behind), nothing is said of it.
   */
  private List<Integer> unclosed() {
    List<Integer> unclosed = new ArrayList<>();
    for (int rank : Set.copyOf(endedWell)) {
      RollCall.End end = roll.end(rank);
      if (end != RollCall.End.NONE) {
        endedWell.remove(rank);
      }
      if (end == RollCall.End.FAILED) {
        unclosed.add(rank);
      }
    }
    return unclosed;
  }

  /** What is said of a rank whose program has ended well, though it has failed. */
  private String ended(int rank) {
    String reason = roll.reason(rank);
    return reason.isEmpty() ? UNCLOSED.formatted(rank) : GAVE_UP.formatted(rank, reason);
  }

  /** The job is over. */
  void close() {
    roll.close();
  }
}
