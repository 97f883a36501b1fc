package io.adrastea.core;

/**
 * Sleeping and waking of one rank. The C side is in {@code adrastea/channel.h}, the same functions in the same order.
 * Results below zero are negative errno values, as those of {@link Core}.
 */
public interface Sleeper {
  /**
   * Has this rank execute a fence between giving something and checking which ranks sleep, so that those that fall
   * asleep need not interrupt other CPUs: for jobs with more ranks than CPUs, where ranks fall asleep often. It must be
   * called before the rank sends anything, and has an effect once all ranks have called it.
   */
  int enableSenderFence();

  /**
   * Says that this rank is about to sleep. The caller has to check afterwards all that it waits for, and then to call
   * {@link #sleep} or {@link #endSleep}.
   *
   * @return the word to sleep on; below zero: the rank may sleep for short stretches only, since nobody can be relied
   *   on to wake it ({@link Core#NOSYS}: not at all here, it has to nap by other means)
   */
  long announceSleep();

  /**
   * Sleeps until the rank is woken or so much time is over; not at all if it was woken since {@code word} was got.
   * Other threads may use, or close, the core meanwhile.
   *
   * @return 0; {@link Core#TIMEDOUT}: nobody has woken it, as far as is known
   */
  int sleep(long word, long nanos);

  /** Says that the rank does not sleep any more. */
  int endSleep();

  /** Wakes a rank if it sleeps, or is about to: it was given something without this core. */
  int wake(int rank);

  /**
   * Gives the CPU of the calling thread to others that want it, after it has told the other ranks when it does so and,
   * where the core knows that, on which CPU. No lock need be held, as for {@link #sleep}.
   *
   * @param now in nanoseconds of {@link System#nanoTime}, which is the same in all processes of a machine
   * @return 0; {@link Core#NOSYS}: told, but the CPU is the caller's to give away
   */
  int giveWay(long now);

  /**
   * After a wait in which it has given way: this rank goes on to its own work, and is taken to be at it until that
   * time, in nanoseconds of {@link System#nanoTime}.
   */
  int worksUntil(long time);

  /**
   * Tells a thread that has given way, and has its CPU again, whether another rank has given way, or fallen asleep, on
   * this CPU since a time, or is at work there, so that it was ranks that had the CPU before.
   *
   * @return 1; 0: as far as is known it was other programs; below zero: that cannot be told
   */
  int wasGivenWay(long since);

  /**
   * Where more want the CPUs than there are, to be called now and then by a thread that waits for rank {@code other}
   * and has yielded its CPU without success: publishes on which CPU it runs, and if that is the CPU of the other, one
   * of the two moves to another CPU that its thread may run on: the higher one, or the lower where that cannot, since
   * it is pinned or a rank of the core {@code java}. It is not bound to that CPU, and does not use those that its
   * cpuset gets afterwards. No lock need be held, as for {@link #sleep}.
   *
   * @return 1 when it moved, 0, or below zero: it cannot
   */
  int avoidSharedCpu(int other);
}
