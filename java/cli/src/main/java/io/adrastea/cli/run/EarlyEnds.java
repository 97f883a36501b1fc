package io.adrastea.cli.run;

import io.adrastea.launch.RollCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Ranks that have ended while the job goes on, and may not have joined. Others that wait for them in joining are told
 * ({@link RollCall}); where nobody joins, as with programs that know nothing of Adrastea, nothing happens.
 *
 * <p>
 * The segment's file has its name until all have joined. When it loses it earlier (rank 0 gave up where it could not
 * see its launcher, or another job took the file for a dead one's), who is still to come is told by what stands in for
 * rank 0, once that has ended.
 */
final class EarlyEnds {
  private final RollCall roll;
  private final JobProcesses members;
  private final String gone; // how the file is called, in another process, once it has no name
  private final Set<Integer> ended = new TreeSet<>(); // of whom the others may not know
  private boolean first; // rank 0 has ended, who makes the segment
  private boolean there; // the file was, at the last look
  private boolean news; // a rank has ended, or the file has gone, since processes were looked at
  private boolean fresh; // a rank has ended since the last look
  private boolean settled; // all had joined, or who waits is told by what stands in for rank 0
  private boolean joined; // all had

  /** Those of a job. */
  EarlyEnds(RollCall roll, JobProcesses members, JobFile file) {
    this.roll = roll;
    this.members = members;
    this.gone = file.nameWhenGone();
  }

  /** A rank has ended. */
  void add(int rank) {
    if (!settled) {
      ended.add(rank);
      first |= rank == 0;
      news = true;
      fresh = true;
    }
  }

  /** Whether somebody may wait for one of them, now or later: {@link #look} is to be called every so often. */
  boolean isOpen() {
    return first || !ended.isEmpty();
  }

  /** The same, after a look at those that are there. */
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
   * @return ranks that others were waiting for in vain
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
    if (news && (!open || ended.contains(0))) { // the second: what there is is not whole
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
    news = first && members.actFor(0);
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
