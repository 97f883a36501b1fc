package io.adrastea.bootstrap;

import io.adrastea.error.JoinException;
import java.util.HashSet;
import java.util.Set;

/**
 * The one membership of this process: a process is one rank at a time, since its pid, the lock of its place and its
 * launcher are those of one rank. (Ranks that are threads have a segment of their own, and are not asked.) A job of
 * several ranks is joined once: the others have been told that this one left.
 */
final class ProcessSeat {
  private static Membership current; // null: none
  private static final Set<Long> LEFT = new HashSet<>();

  private ProcessSeat() {}

  /**
   * Refuses a process that is a rank.
   *
   * @throws JoinException when it is one
   */
  static synchronized void requireVacant() {
    if (current != null) {
      throw new JoinException(
          ("this process has joined job %016x as rank %d, and a process joins once at a time; use that Job, or "
              + "close it first (Job.runThreads runs several ranks in one process)")
              .formatted(current.job(), current.rank()));
    }
  }

  /**
   * Takes it.
   *
   * @throws JoinException when the process is a rank already, or was one of that job
   */
  static synchronized void take(Membership wanted) {
    requireVacant();
    if (LEFT.contains(wanted.job())) {
      throw new JoinException(
          ("this process was rank %d of job %016x and has left it; a process joins a job once, so keep the Job "
              + "open as long as it is needed")
              .formatted(wanted.rank(), wanted.job()));
    }
    current = wanted;
  }

  /** Gives it back after joining has failed: it can be tried again. */
  static synchronized void giveBack() {
    current = null;
  }

  /** Gives it back when the rank has left, in order or as failed. */
  static synchronized void leave() {
    if (current.size() > 1) { // else nobody has been told
      LEFT.add(current.job());
    }
    current = null;
  }
}
