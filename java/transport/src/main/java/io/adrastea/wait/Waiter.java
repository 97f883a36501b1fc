package io.adrastea.wait;

import io.adrastea.core.Sleeper;
import java.util.function.LongSupplier;

/**
 * The one policy of waiting: spin, then yield, then sleep; with more ranks than CPUs, spins only where they pay, and
 * sleep sooner. Or as an idle strategy of the user's does. Every so often it is time to check whether those waited for
 * are still there.
 *
 * <p>
 * One per thread that waits; {@link #reset} begins a wait. Spinning happens in the core's own polls ({@link #polls}),
 * so that a step costs one crossing. The sleeping itself is the engine's, which knows how to be woken.
 */
public final class Waiter {
  private static final long CHECK_NANOS = 100_000_000L;
  private static final int STEPS_PER_CLOCK = 64; // a power of two
  private static final int POLLS_PER_STEP = 100;
  private static final long NO_LIMIT = 0;

  /**
   * Yields for so long before it sleeps: several times what being woken takes, so that waiting costs at most a fraction
   * more.
   */
  private static final long YIELD_NANOS = 300_000L;

  /**
   * And for so much longer where nobody wakes it: it would wake late, so that the next rank sleeps before it is told,
   * and that one wakes late, too. In a ring of many ranks that goes on for ever.
   */
  private static final long UNTOLD_YIELD_NANOS = 3_000_000L;

  /**
   * With more ranks than CPUs a spin pays while the rank waited for runs beside this one: two that meet so stay
   * together for their time slice. A spin that found nothing is followed by waits without one, by 1, 3, then 7.
   */
  private static final int MOST_SPARED = 7;

  /**
   * A yield that took so long has handed the CPU to others than ranks, which keep it for their time slice, and nobody
   * wakes a rank that yields: for a while it sleeps at once, each time twice as long. Waits in which yields bear fruit
   * again make that less, little by little: others come and go, and each trial costs a time slice. Where nobody wakes
   * it, it yields all the same: its naps would make all others wait that depend on it.
   */
  private static final long LONG_YIELD_NANOS = 100_000L;

  /**
   * Where ranks outnumber CPUs, it may as well have been a rank that had something to do. Ranks tell each other when
   * they give way, and on which CPU: if one has on this CPU, so short a time ago, it was ranks. A switch takes less.
   */
  private static final long MOMENT_NANOS = 20_000L;

  /**
   * Or one that has ended its wait and gone on to its own work. It is taken to be at it for so long, two or three time
   * slices: after that it may as well sleep, or be gone.
   */
  private static final long WORK_NANOS = 10_000_000L;

  /**
   * Or two ranks stayed together until the system took the CPU from them: those have their slices too, with many waits
   * in each. So many waits without a sleep pay for a long yield, and at most for so many more.
   */
  private static final int WAITS_PER_LONG_YIELD = 64;

  private static final int MOST_WAITS_SAVED = 2048;

  private static final long LEAST_LOADED_NANOS = 1_000_000L;
  private static final long MOST_LOADED_NANOS = 16_000_000L;

  /**
   * Where ranks outnumber CPUs, two ranks that wait for each other get on best on two CPUs. A scheduler does not know
   * that, and wakes a sleeper where its waker runs. So a rank that gives way again and again checks whether the other
   * is on its CPU, and moves, at most so often.
   */
  private static final int YIELDS_PER_CPU_CHECK = 16; // a power of two

  private static final long CPU_CHECK_NANOS = 1_000_000L;

  /**
   * Where there is a CPU for each rank, a scheduler may put two on one all the same. So a rank that has spun and found
   * nothing looks whether another one was on its CPU a short time ago. Then it waits as where ranks outnumber CPUs,
   * until it has moved, looks again and there is none, or for so many waits without a yield.
   */
  private static final long LOOK_NANOS = 50_000L;

  private static final int CALM_WAITS = 1024;

  /**
   * Or other programs may want the CPUs: they have taken this one, in a yield or from a spin. A rank that yields to
   * them loses it for a time slice, and so does one that sleeps at once and is woken beside them. So for so long after
   * their last sign a rank spins where it would yield.
   */
  private static final long STRANGERS_NANOS = 100_000_000L;

  /**
   * Where nobody can be relied on to wake it, it naps: twice as long each time up to so long, then by a part longer. So
   * it wakes late by a millisecond and such a part of what the wait has taken, and a wait that takes long costs little.
   */
  private static final long DOUBLED_NAP_NANOS = 1_000_000L;

  private static final int NAP_GROWTH_DIVISOR = 32;

  private final LongSupplier clock; // nanoseconds, from anywhere
  private final boolean oversubscribed; // ranks outnumber CPUs
  private final boolean follows; // it finds out what else wants its CPU though they do not
  private final int mostSpinSteps; // where the CPUs are not crowded
  private final Runnable ownIdle; // of the program's strategy; null: spin, yield, sleep
  private final Runnable ownReset; // null: as above
  private final int clockMask; // steps between readings of the clock, a power of two, less one
  private boolean crowded; // ranks share a CPU
  private int calmWaits; // without a yield since that was seen
  private long nextLook; // when it looks the next time whether they do
  private long strangersEnd; // until when other programs are taken to want the CPUs
  private boolean spins; // this wait does
  private boolean inVain; // it did
  private int toSpare; // waits without a spin, from now on
  private int spared; // after the last spin that found nothing
  private int waitsSaved; // to pay for long yields
  private int other = -1; // rank that this wait is for, -1: several
  private int yields; // in waits for one other
  private long nextCpuCheck;
  private boolean cpuCheckDue; // it is time to check whether the other is on this CPU
  private int idleSteps; // since something was found
  private boolean hasGivenWay; // since a wait ended the last time
  private long lastYield; // when the last one ended
  private long yieldEnd; // when it has yielded for long enough
  private boolean losesCpu; // a yield of this wait gave the CPU to others than ranks
  private long loaded; // how long it took others to want the CPUs last time
  private long loadedEnd; // until when others than ranks are taken to want the CPUs
  private int steps; // of this wait
  private boolean dozing; // about to sleep
  private boolean onWords; // ... until words change that others write
  private boolean untold; // ... and others may do so without waking it
  private boolean dozed; // this wait has slept, or was about to
  private long word; // to sleep on
  private long nap; // the last one took
  private boolean slept; // the clock is to be read
  private boolean clocked; // it was read in this wait
  private long stands; // since then nothing has moved: when the clock was first read in this wait, or later
  private boolean watched; // it is known what had moved by then ...
  private long moves; // ... as a number that changes
  private boolean told; // that this wait takes long
  private boolean logged; // likewise, in the log
  private long nextCheck;
  private long limit; // at which waits end, by the clock; NO_LIMIT: at none
  private boolean leaves; // this wait leaves it to the progress thread to move things on
  private boolean enduring; // this wait goes on whatever the limit, and whatever interrupts its thread

  /**
   * The policy with so many polls before the first yield.
   *
   * @param oversubscribed whether ranks outnumber CPUs
   * @param follows whether a rank finds out what else wants its CPU though they do not
   */
  public Waiter(boolean oversubscribed, boolean follows, int spins) {
    this(oversubscribed, follows, spins, System::nanoTime);
  }

  /** Makes that policy with another clock. */
  Waiter(boolean oversubscribed, boolean follows, int spins, LongSupplier clock) {
    this(clock, oversubscribed, follows, spins / POLLS_PER_STEP, null, null, STEPS_PER_CLOCK - 1);
  }

  /**
   * The policy of an idle strategy: it idles after each poll that found nothing, and is reset when something was found.
   *
   * @param idle what one thread does after a poll that found nothing
   * @param reset what it does when something was found
   * @param mayTakeLong whether idling may: then the clock is read after each step
   */
  public Waiter(Runnable idle, Runnable reset, boolean mayTakeLong) {
    // between polls the strategy decides, not the core, as where ranks outnumber CPUs
    this(System::nanoTime, true, false, 0, idle, reset, mayTakeLong ? 0 : STEPS_PER_CLOCK - 1);
  }

  private Waiter(
      LongSupplier clock, boolean oversubscribed, boolean follows, int spinSteps, Runnable idle, Runnable reset,
      int clockMask) {
    this.clock = clock;
    this.nextCpuCheck = clock.getAsLong();
    this.loadedEnd = nextCpuCheck;
    this.nextLook = nextCpuCheck;
    this.strangersEnd = nextCpuCheck;
    this.oversubscribed = oversubscribed;
    this.follows = follows && !oversubscribed;
    this.crowded = oversubscribed;
    this.mostSpinSteps = spinSteps;
    this.ownIdle = idle;
    this.ownReset = reset;
    this.clockMask = clockMask;
  }

  /**
   * This wait is over, in one way or another: a rank that has given way tells the others that it goes on to its work.
   */
  void end(Sleeper sleeper) {
    if (crowded && hasGivenWay) {
      sleeper.worksUntil(lastYield + WORK_NANOS);
    }
    hasGivenWay = false;
  }

  /** Steps of a wait before its first yield. */
  private int spinSteps() {
    return crowded ? 0 : mostSpinSteps;
  }

  /** A step found something, though not what is waited for: spinning begins anew. */
  public void found() {
    if (ownReset != null && idleSteps > 0) {
      ownReset.run();
    }
    if (idleSteps > spinSteps() && !losesCpu) {
      loaded -= loaded / WAITS_PER_LONG_YIELD;
    }
    losesCpu = false;
    idleSteps = 0;
    inVain = false;
    nap = 0;
  }

  /** Ranks that wait without yields do not share a CPU. */
  private void calm() {
    calmWaits++;
    crowded = calmWaits < CALM_WAITS;
  }

  private void begin(int other, boolean spins) {
    found();
    if (crowded && follows) {
      calm();
    }
    waitsSaved = Math.min(waitsSaved + (dozed ? 0 : 1), MOST_WAITS_SAVED);
    dozed = false;
    leaves = false;
    this.other = other;
    this.spins = spins;
    steps = 0;
    slept = false;
    clocked = false;
    watched = false;
  }

  private void judgeSpin() {
    if (spins) {
      spared = inVain ? Math.min(2 * spared + 1, MOST_SPARED) : 0;
      toSpare = spared;
    }
  }

  /** Begins a wait for one other rank; -1: for any. */
  public void reset(int other) {
    judgeSpin();
    boolean spares = toSpare > 0;
    if (spares) {
      toSpare--;
    }
    begin(other, !spares);
  }

  /** Begins a wait for all other ranks, of which some cannot run where ranks outnumber CPUs. */
  public void resetForAll() {
    judgeSpin();
    begin(-1, !crowded);
  }

  /** How often a core may poll before a wait begins; 0: that depends on the wait. */
  public int pollsAtOnce() {
    return crowded ? 0 : POLLS_PER_STEP;
  }

  /** How often a core may poll in one step of a wait before it comes back. */
  public int polls() {
    return !crowded || spins && !inVain && ownIdle == null ? POLLS_PER_STEP : 1;
  }

  /**
   * After a step that found nothing: whether it has spun and yielded for long enough. From now on it sleeps, until
   * something is found.
   *
   * @param untold others may bring about what it waits for without waking it
   */
  public boolean isDrowsy(boolean untold) {
    if (ownIdle != null || idleSteps < spinSteps()) {
      return false;
    }
    inVain = true;
    boolean yielded = idleSteps > spinSteps(); // just now, or it has slept since and goes on with that
    long now = yielded ? lastYield : clock.getAsLong();
    return !untold && now - loadedEnd < 0 || yielded && now - yieldEnd >= (untold ? UNTOLD_YIELD_NANOS : 0);
  }

  private boolean paysForLongYield() {
    boolean pays = waitsSaved >= WAITS_PER_LONG_YIELD;
    if (pays) {
      waitsSaved -= WAITS_PER_LONG_YIELD;
    }
    return pays;
  }

  /** Two ranks that come to share a CPU are to part at once. */
  private void shares(boolean does, long now) {
    nextLook = now + LOOK_NANOS;
    if (does && !crowded) {
      cpuCheckDue = other >= 0 && now - nextCpuCheck >= 0;
    }
    crowded = does;
  }

  /**
   * Looks whether another rank is on this CPU, or was a short time ago. Where ranks do not know their CPUs one may be,
   * since it has spun for nothing; only waits without yields tell that none is.
   */
  private void look(Sleeper sleeper, long now) {
    shares(sleeper.wasGivenWay(now - CPU_CHECK_NANOS) != 0, now);
  }

  /** Others have had the CPU for long: ranks, as far as is known, or other programs. */
  private void judgeOthers(boolean mayBeRanks, long now) {
    yieldEnd = now + YIELD_NANOS;
    if (mayBeRanks) {
      shares(true, now);
    } else {
      strangersEnd = now + STRANGERS_NANOS;
    }
  }

  private void judgeLongYield(Sleeper sleeper, long now) {
    int givenWay = sleeper.wasGivenWay(now - MOMENT_NANOS);
    if (follows) {
      judgeOthers(givenWay != 0, now);
    } else if (crowded && (givenWay > 0 || paysForLongYield())) {
      yieldEnd = now + YIELD_NANOS;
    } else {
      losesCpu = true;
      loaded = Math.clamp(2 * loaded, LEAST_LOADED_NANOS, MOST_LOADED_NANOS);
      loadedEnd = now + loaded;
    }
  }

  private void countYield(long now) {
    cpuCheckDue |= crowded && other >= 0 && (++yields & YIELDS_PER_CPU_CHECK - 1) == 0 && now - nextCpuCheck >= 0;
  }

  /** A virtual thread gives way to others of its kind, which a core knows nothing of. */
  private void giveWay(Sleeper sleeper, long now) {
    if (Thread.currentThread().isVirtual() || sleeper.giveWay(now) < 0) {
      Thread.yield();
    }
  }

  private void yield(Sleeper sleeper) {
    long begin = clock.getAsLong();
    if (idleSteps == spinSteps() + 1) {
      yieldEnd = begin + YIELD_NANOS;
    }
    giveWay(sleeper, begin);
    hasGivenWay = true;
    long end = clock.getAsLong();
    lastYield = end;
    calmWaits = 0;
    countYield(end);
    if (end - begin > LONG_YIELD_NANOS) {
      judgeLongYield(sleeper, end);
    } else if (follows && end - nextLook >= 0) {
      look(sleeper, end);
    }
  }

  /** Whether it is time to check whether the rank waited for is on this CPU; to be asked after each idling. */
  public boolean isTimeToCheckCpu() {
    boolean due = cpuCheckDue;
    cpuCheckDue = false;
    return due;
  }

  /** It has moved to another CPU, or found that it cannot. */
  public void cpuChecked(boolean moved) {
    nextCpuCheck = clock.getAsLong() + CPU_CHECK_NANOS;
    crowded &= !(moved && follows);
  }

  public int other() {
    return other;
  }

  /** Whether it keeps its CPU, which other programs would take, though it has spun for long enough. */
  private boolean holdsOn(Sleeper sleeper) {
    if (!follows || crowded) {
      return false;
    }
    long now = clock.getAsLong();
    if (now - strangersEnd >= 0) {
      return false;
    }
    if (idleSteps == spinSteps() + 1) {
      yieldEnd = now + YIELD_NANOS;
    } else if (now - lastYield > LONG_YIELD_NANOS) {
      strangersEnd = now + STRANGERS_NANOS;
    }
    lastYield = now;
    if (now - nextLook >= 0) {
      sleeper.worksUntil(now); // tells the others where it is
      look(sleeper, now);
    }
    return !crowded;
  }

  /** Spins or yields, after a step that found nothing; the rank's sleeper tells other ranks of the latter. */
  public void idle(Sleeper sleeper) {
    idleSteps++; // a sleep comes long before it overflows, or a strategy, for which it is but a mark
    if (ownIdle != null) {
      idleSteps = 1;
      ownIdle.run();
    } else if (idleSteps <= spinSteps() || holdsOn(sleeper)) {
      Thread.onSpinWait();
    } else {
      this.yield(sleeper);
    }
  }

  /** It is about to sleep, on this word; below zero: there is none. */
  public void doze(long word) {
    dozing = true;
    dozed = true;
    this.word = word;
  }

  /** It sleeps until words change that others write without a message. */
  void sleepsOnWords(boolean does) {
    onWords = does;
  }

  boolean sleepsOnWords() {
    return onWords;
  }

  /** What it waits for may come about without anybody waking it. */
  void isUntold(boolean is) {
    untold = is;
  }

  boolean isUntold() {
    return untold;
  }

  /** Whether it is about to sleep. */
  public boolean isDozing() {
    return dozing;
  }

  /** What to sleep on, below zero: nothing. */
  public long word() {
    return word;
  }

  /** How long to sleep when nobody can be relied on to wake it: longer each time, until something is found. */
  public long nap(long least, long most) {
    boolean doubles = nap < DOUBLED_NAP_NANOS;
    long longer = doubles ? Math.min(2 * nap, DOUBLED_NAP_NANOS) : nap + nap / NAP_GROWTH_DIVISOR;
    nap = Math.clamp(longer, least, most);
    return nap;
  }

  public void wake() {
    dozing = false;
  }

  /** Whether this wait leaves it to the progress thread to move things on, as of its last look. */
  public boolean leaves() {
    return leaves;
  }

  void leaves(boolean does) {
    leaves = does;
  }

  /** Sets a limit again that {@link #limit()} has told; 0: none. */
  public void limitAt(long limit) {
    this.limit = limit;
  }

  /** From now on waits end so many nanoseconds after now, until {@link #limitAt} takes the limit away. */
  public void limit(long nanos) {
    long end = clock.getAsLong() + Math.clamp(nanos, 0, Long.MAX_VALUE / 2);
    limit = end == NO_LIMIT ? end + 1 : end;
  }

  /** The limit in force, for {@link #limitAt}. */
  public long limit() {
    return limit;
  }

  /** So long, or until the limit if that comes earlier and this wait does not go on beyond it. */
  public long withinLimit(long nanos) {
    boolean endures = enduring && clocked; // before the clock is first read it is of the last wait
    return limit == NO_LIMIT || endures ? nanos : Math.clamp(limit - clock.getAsLong(), 1, nanos);
  }

  private boolean isOver(long now) {
    return limit != NO_LIMIT && now - limit >= 0;
  }

  public boolean isOverLimit() {
    return isOver(clock.getAsLong());
  }

  /**
   * Whether nothing has moved in this wait for so long.
   *
   * @param nowMoves a number that changes whenever something moves
   */
  public boolean standsStill(long nowMoves, long nanos) {
    long now = clock.getAsLong();
    if (watched && nowMoves != moves) {
      stands = now;
    }
    watched = true;
    moves = nowMoves;
    return clocked && now - stands >= nanos;
  }

  /** It has copied much at a stretch: the clock is read after this step, too. */
  public void copied() {
    slept = true;
  }

  /** Notes that the log was told of this wait; whether it was not before. */
  public boolean log() {
    boolean first = !logged;
    logged = true;
    return first;
  }

  /** Notes that it was told of this wait; whether it was not before, or something has moved since. */
  public boolean tell() {
    boolean first = !told;
    told = true;
    return first;
  }

  public boolean isTold() {
    return told;
  }

  /** Whether it was ever told of this wait. */
  public boolean isLogged() {
    return logged;
  }

  /** What it was told of moves again. */
  public void goesOn() {
    told = false;
  }

  /** What it was told of is over. */
  public void forget() {
    told = false;
    logged = false;
  }

  /** This wait goes on to its end, whatever the limit, and whatever interrupts its thread. */
  public void endure() {
    enduring = true;
  }

  /** It has slept: nobody knows for how long. */
  public void slept() {
    slept = true;
  }

  private boolean isClockDue() {
    long now = clock.getAsLong();
    boolean due = clocked && now - nextCheck >= 0;
    if (due || !clocked) {
      nextCheck = now + CHECK_NANOS;
    }
    if (!clocked) {
      stands = now;
      enduring = false;
    }
    slept = false;
    clocked = true;
    return due || !enduring && (isOver(now) || Thread.currentThread().isInterrupted());
  }

  /**
   * To be asked once after each step: whether it is time to check that the ranks waited for are still there; so it is,
   * too, when the limit has come or the thread was interrupted.
   */
  public boolean isTimeToCheck() {
    return ((++steps & clockMask) == 0 || slept) && isClockDue();
  }
}
