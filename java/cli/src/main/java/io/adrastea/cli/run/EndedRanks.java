package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds out what the others, and the user, have to hear of ranks that have ended while the job goes on. */
final class EndedRanks {
  private static final String EARLY = "rank %d ended before it joined; the others cannot join without it";
  private static final String UNCLOSED =
      "rank %d ended without leaving its job, so for the others it has failed;"
          + " a program closes its job before it ends (Job.close, in C adr_job_leave)";

  private static final String GAVE_UP = "rank %d has failed: %s";

  private final RollCall roll;
  private final EarlyEnds early;
  private final Set<Integer> endedWell = new TreeSet<>(); // it is not known whether they have left the job

  /**
   * Looks after the ranks of one host.
   *
   * @param roll theirs, which this closes
   * @param lowest the lowest of them, which makes the segment
   */
  EndedRanks(RollCall roll, int lowest, JobProcesses members, JobFile file) {
    this.roll = roll;
    early = new EarlyEnds(roll, lowest, members, file);
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
   * What ranks wait for that have waited for long, where others of their job are there that have its memory open.
   *
   * @param ranks processes of the job
   */
  Map<Integer, String> waits(Collection<Process> ranks) {
    return early.haveJoined(ranks) ? roll.waits() : Map.of();
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

  /** Lets go of the segment, at the end of the job. */
  void close() {
    roll.close();
  }

  /**
   * Ranks that have ended while the job goes on, and may not have joined. Others that wait for them in joining are told
   * ({@link RollCall}); where nobody joins, as with programs that know nothing of Adrastea, nothing happens.
   *
   * <p>
   * The segment's file has its name until all have joined. When it loses it earlier (its maker gave up where it could
   * not see its launcher, or another job took the file for a dead one's), the ranks that are still to come are told by
   * what stands in for the maker, the lowest rank, once that has ended.
   */
  private static final class EarlyEnds {
    private final RollCall roll;
    private final int lowest;
    private final JobProcesses members;
    private final String gone; // how the file is called, in another process, once it has no name
    private final Set<Integer> ended = new TreeSet<>(); // the others may not know of these
    private boolean first; // the lowest rank, which makes the segment, has ended
    private boolean there; // the file was, at the last look
    private boolean news; // a rank has ended, or the file has gone, since processes were looked at
    private boolean fresh; // a rank has ended since the last look
    private boolean settled; // all had joined, or those that wait are told by what stands in for the lowest
    private boolean joined; // all had

    EarlyEnds(RollCall roll, int lowest, JobProcesses members, JobFile file) {
      this.roll = roll;
      this.lowest = lowest;
      this.members = members;
      this.gone = file.nameWhenGone();
    }

    /** Takes note that a rank has ended. */
    void add(int rank) {
      if (!settled) {
        ended.add(rank);
        first |= rank == lowest;
        news = true;
        fresh = true;
      }
    }

    /** Whether somebody may wait for one of them, now or later: {@link #look} is to be called every so often. */
    boolean isOpen() {
      return first || !ended.isEmpty();
    }

    /** Whether all ranks have joined, after a look into the files that these have open. */
    boolean haveJoined(Collection<Process> ranks) {
      if (!joined && !roll.isOpen()) {
        findComplete(ranks.stream().filter(Process::isAlive).map(Process::toHandle));
      }
      return joined;
    }

    /** Whether all ranks have been found to have joined. */
    boolean haveJoined() {
      return joined;
    }

    /**
     * Tells those that wait; not in the first look after an end, since all may be about to end. But whether they had
     * joined is best learned at once, as long as they are there.
     *
     * @param ranks processes of the job
     * @return ranks that others were waiting for, and that will not come
     */
    List<Integer> look(Collection<Process> ranks) {
      boolean open = roll.isOpen();
      news |= there && !open;
      there = open;
      if (fresh) {
        fresh = false;
        findComplete(open ? Stream.of() : ranks.stream().filter(Process::isAlive).map(Process::toHandle));
        return List.of();
      }
      List<Integer> missed = open ? tell() : List.of();
      if (news && (!open || ended.contains(lowest))) { // the second: what there is is not whole
        lookCloser(ranks);
      }
      return missed;
    }

    private List<Integer> tell() {
      List<Integer> missed = new ArrayList<>();
      for (Iterator<Integer> each = ended.iterator(); each.hasNext();) {
        int rank = each.next();
        if (members.actFor(rank)) {
          continue;
        }
        RollCall.Answer answer = roll.ended(rank);
        if (answer != RollCall.Answer.UNKNOWN) {
          each.remove();
        }
        if (answer == RollCall.Answer.MISSED) {
          missed.add(rank);
        }
      }
      return missed;
    }

    /** There is no file that is any good: either it is not there yet, or not any more. */
    private void lookCloser(Collection<Process> ranks) {
      findComplete(members.find(ranks).stream());
      news = first && members.actFor(lowest);
      if (first && !news) { // nobody else will make it
        roll.standIn();
        settle();
      }
    }

    private void findComplete(Stream<ProcessHandle> processes) {
      joined = processes.flatMap(process -> JobProcesses.open(process, gone)).anyMatch(roll::isComplete);
      if (joined) {
        settle();
      }
    }

    private void settle() {
      settled = true;
      ended.clear();
      first = false;
    }
  }
}
