package io.adrastea.cli.run;

import io.adrastea.cli.run.EndedRanks.Failure;
import java.util.Map;

/** The ranks of a job that this process starts: on its host, or on others by what stands there for it. */
interface JobRanks {
  /**
   * Starts all of them.
   *
   * @param ends hears of the end of each
   * @throws io.adrastea.cli.base.CommandFailure when one cannot be started; those that were are left to {@link #end}
   */
  void start(RankEnds ends) throws InterruptedException;

  /** How a message calls a rank. */
  String name(int rank);

  /** In words, how a rank ended: a predicate. */
  String words(RankEnds.End end);

  /** Why a rank has failed, as far as it is known. */
  Failure failure(int rank);

  /**
   * Whether the ends of others follow from that of this rank, though it neither aborts the job nor was killed by a
   * signal.
   */
  boolean isCause(int rank);

  /** The ranks that have not ended, and what each waits for that has waited for long; empty: it does not tell. */
  Map<Integer, String> there() throws InterruptedException;

  /** Whether ranks have not ended. */
  boolean isAnyThere();

  /** A rank has ended while the job goes on, which the user has been told if it was not well. */
  void add(RankEnds.End end);

  /** Whether {@link #look} is to be called every so often. */
  boolean isOpen();

  /** Looks whether others, or the user, have to hear of ranks that have ended. */
  void look();

  /** Whether they have been ended by {@link #end}, or are being: what becomes of them is not to be told. */
  boolean isOver();

  /** Ends what still runs and removes what it may have left, and returns then; the first call does it. */
  void end();

  /** Cleans up after all ranks have ended by themselves, and well. */
  void finish();
}
