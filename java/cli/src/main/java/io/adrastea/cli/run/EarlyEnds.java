package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Ranks that have ended while the job goes on, and may not have joined. Others that wait for them in joining are told ({@link RollCall}); where
 * nobody joins, as with programs that know nothing of Adrastea, nothing happens.
 */
final class EarlyEnds {
  private final RollCall roll;
  private final JobProcesses members;
  private final String gone; // how the file is named, in the maps of a process, once all have joined
  private final Set<Integer> ended = new TreeSet<>();
  private boolean news; // a rank has ended since the maps were looked at
  private boolean settled; // all had joined, or who waits is told by what stands in for rank 0

  /** Those of a job. */
  EarlyEnds(String job, int size, JobProcesses members, SegmentCleanup segment) {
    this.roll = new RollCall(job, size);
    this.members = members;
    this.gone = segment.name() + " (deleted)";
  }

  /** A rank has ended. */
  void add(int rank) {
    news |= !settled;
    if (!settled) {
      ended.add(rank);
    }
  }

  /** Whether somebody may wait for one of them, now or later: {@link #look} is to be called every so often. */
  boolean isOpen() {
    return !ended.isEmpty();
  }

  /**
   * Tells those that wait.
   *
   * @param ranks processes of the job
   * @return ranks that others were waiting for in vain
   */
  List<Integer> look(Collection<Process> ranks) {
    List<Integer> missed = new ArrayList<>();
    for (Iterator<Integer> each = ended.iterator(); each.hasNext(); ) {
      int rank = each.next();
      if (!roll.isOpen() || members.actFor(rank)) { // the second is dear: it looks at all processes
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
    if (news && !ended.isEmpty()) {
      news = members.actFor(0);
      lookCloser(ranks);
    }
    return missed;
  }

  /** There is no file: either it is not there yet, or not any more. */
  private void lookCloser(Collection<Process> ranks) {
    if (members.map(ranks, gone)) {
      settle();
    } else if (ended.contains(0) && !news) { // who would have made it
      roll.standIn();
      settle();
    }
  }

  private void settle() {
    settled = true;
    ended.clear();
  }

  /** The job is over. */
  void close() {
    settle();
    roll.close();
  }
}
