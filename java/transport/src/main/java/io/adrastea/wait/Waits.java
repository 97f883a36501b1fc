package io.adrastea.wait;

import io.adrastea.core.Sleeper;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.ranktable.RankTable;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.Waiting;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How threads of a rank wait: they rest between the steps of whatever they wait for, sleep, are woken, and give up. A
 * thread that has spun and yielded for long enough announces that it will sleep; its next step is its last try; if that
 * finds nothing too, it sleeps until another rank, or another thread of its own, wakes it. Called inside the gate,
 * which is left while a thread rests, so that others may come in.
 *
 * <p>
 * All waits are one loop, {@link #await}: it asks a {@link Condition}, moves things on, rests, and about every 100 ms
 * checks whether those are there that the condition depends on, whether the wait is to be told of, and whether it is
 * overdue.
 */
public final class Waits {
  private static final System.Logger LOGGER = System.getLogger(Waits.class.getName());

  /** A sleep is no longer, so that the next check of liveness is not late. */
  static final long MOST_NANOS = 50_000_000;

  // So long after its last step the progress thread is taken to be without a CPU; a copy of 1 MiB takes less.
  private static final long ATTENDED_NANOS = 200_000;
  // A nap of one that others take to be awake: the progress thread, and a thread that leaves moving things on to it.
  private static final long MOST_UNANNOUNCED_NANOS = 1_000_000;
  static final long LEAST_NAP_NANOS = 50_000;
  static final long MOST_NAP_NANOS = 16_000_000;

  private final Sleeper sleeper;
  private final Gate gate;
  private final Movement movement;
  private final WordSleepers wordSleepers;
  private final int rank; // in the job
  private final long hangNanos; // after which a wait that stands still is told of; 0: none is
  private final boolean allWake; // every rank of the job can wake others: a sleeper need not try by itself
  private Upkeep upkeep; // served once, before the first wait
  private int dozing; // threads that have announced and are not awake; inside the gate
  private Waiter progressWaiter; // of the progress thread, which nobody moves anything for; null: there was none
  private Thread napping; // the progress thread; null: it does not nap; inside the gate
  private int progressEntries; // into the gate that the progress thread takes for no work of others; inside the gate
  private long progressed; // when the progress thread made its last step
  private boolean closed; // inside the gate

  /**
   * Makes the waits of a rank.
   *
   * @param rank in the job, as the sleeper numbers ranks
   * @param table of the ranks of its node
   * @param movement what moves at these
   * @param wordSleepers which of these sleep on words
   * @param hangNanos after which a wait that stands still is told of; 0: none is
   */
  public Waits(Sleeper sleeper, Gate gate, RankTable table, int rank, Movement movement, WordSleepers wordSleepers,
      long hangNanos) {
    this.sleeper = sleeper;
    this.gate = gate;
    this.movement = movement;
    this.wordSleepers = wordSleepers;
    this.rank = rank;
    this.hangNanos = hangNanos;
    this.allWake = table.allWake();
  }

  /** Names what moves things on, and sees to ranks that are gone. */
  public void serve(Upkeep upkeep) {
    this.upkeep = upkeep;
  }

  /**
   * Waits until a condition is met, in a wait that has begun, and ends the wait.
   *
   * @throws InterruptedWaitException when the thread is interrupted, unless the condition endures that
   * @throws TimeLimitException when the limit of the waiter comes, likewise
   * @throws RuntimeException what the condition throws, or a step of progress
   */
  public <T> void await(Condition<T> condition, T subject, Waiter waiter) {
    try {
      upkeep.show();
      while (!condition.isMet(subject, polls(waiter))) {
        if (afterStep(condition, waiter, condition.step(subject, upkeep)) || condition.isHopeless(subject)) {
          check(condition, subject);
          judge(condition, subject, waiter);
        }
      }
    } finally {
      endWait(waiter);
    }
  }

  /** Moves things on for a program that asks again and again, and may wait that way. */
  public void step() {
    if (upkeep.step()) {
      found(gate.waiter());
    }
  }

  /** As {@link Upkeep#pollInVain}. */
  public int pollInVain() {
    return upkeep.pollInVain();
  }

  /** How often a condition may poll at a stretch: neither what is to be moved on is to wait, nor another thread. */
  private int polls(Waiter waiter) {
    return gate.isExclusive() && upkeep.isIdle() ? waiter.polls() : 1;
  }

  /**
   * Fails a condition if a rank that it depends on is gone and all that this rank had sent is in. The program is told
   * of failures first: one that it acknowledges then may matter no more.
   */
  public <T> void check(Condition<T> condition, T subject) {
    int gone = condition.missing(subject);
    while (gone != Condition.NONE && upkeep.tell()) {
      gone = condition.missing(subject);
    }
    if (gone != Condition.NONE && upkeep.drain(gone) && !condition.isMet(subject, 1)
        && condition.missing(subject) == gone) { // else another one is gone too, and the next check drains that
      condition.fail(subject, gone);
    }
  }

  /** Tells of a wait that takes long, and ends one that is overdue. */
  private <T> void judge(Condition<T> condition, T subject, Waiter waiter) {
    if (condition.isMet(subject, 1)) {
      return;
    }
    if (hangNanos != 0) {
      watch(condition, subject, waiter);
    }
    if (isOverdue(waiter)) {
      if (!condition.endures(subject)) {
        throw overdue(condition.words(subject));
      }
      waiter.endure();
    } else if (condition.losesNothing(subject)) {
      upkeep.raise();
    }
  }

  /** Tells of a wait that has stood still for long, and takes that back when something moves. */
  private <T> void watch(Condition<T> condition, T subject, Waiter waiter) {
    if (waiter.standsStill(condition.moves(subject), hangNanos)) {
      Waiting waiting = condition.waiting(subject);
      boolean isWhole = waiting.call() != RankEntryDescriptor.IN_MEMORY; // the table has no room for which words
      tell(waiter, waiting, isWhole ? waiting.toString() : condition.words(subject));
    } else if (waiter.isTold()) {
      waiter.goesOn();
      withdraw();
    }
  }

  private void withdraw() {
    if (gate.isExclusive()) {
      movement.withdraw();
    }
  }

  /** Begins a wait of the calling thread for one other rank; -1: for any. */
  public Waiter beginWait(int other) {
    Waiter waiter = gate.waiter();
    stir(waiter);
    waiter.reset(other);
    return waiter;
  }

  /** Begins a wait of the calling thread for all other ranks. */
  public Waiter beginWaitForAll() {
    Waiter waiter = gate.waiter();
    stir(waiter);
    waiter.resetForAll();
    return waiter;
  }

  /** Ends a wait, whether it has found what it was for or not. */
  private void endWait(Waiter waiter) {
    stir(waiter);
    if (!gate.isEnded()) { // else the rank table may be gone
      waiter.end(sleeper);
    }
    if (waiter.isLogged() && !gate.isEnded()) {
      waiter.forget();
      withdraw();
    }
  }

  /**
   * Rests after a step that moved nothing, and lets others in after one that did; checks liveness when it is time.
   *
   * @return whether it was time, or the wait is overdue
   */
  private boolean afterStep(Condition<?> condition, Waiter waiter, boolean moved) {
    if (moved) {
      found(waiter);
      gate.stepOut();
      gate.stepIn();
    } else {
      rest(condition, waiter);
    }
    gate.requireOpen();
    boolean due = waiter.isTimeToCheck();
    if (due) {
      gate.poll();
    }
    return due;
  }

  /** A step of a wait found something, though perhaps not all that is waited for. */
  public void found(Waiter waiter) {
    stir(waiter);
    waiter.found();
  }

  /**
   * Tells of a wait in which nothing has moved for long: in the log, once in each wait, and in the rank table until the
   * wait is over or something moves, where a launcher finds out whether ranks wait for each other. With many threads
   * another may end the wait, so it proves no deadlock and stays out of the table.
   */
  private void tell(Waiter waiter, Waiting waiting, String words) {
    boolean anew = waiter.tell();
    if (gate.isExclusive()) {
      movement.tell(waiting, anew);
    }
    if (waiter.log()) {
      long millis = TimeUnit.NANOSECONDS.toMillis(hangNanos);
      LOGGER.log(
          System.Logger.Level.WARNING,
          "rank %d has been waiting for %s %s; thread '%s' (adrastea.hang.report)".formatted(
              rank, millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms", words,
              Thread.currentThread().getName()));
    }
  }

  /** Whether a wait is to end before what it is for has come: its thread is interrupted, or its limit is there. */
  private boolean isOverdue(Waiter waiter) {
    return Thread.currentThread().isInterrupted() || waiter.isOverLimit();
  }

  /** What an overdue wait ends with. */
  public RuntimeException overdue(Object what) {
    Thread thread = Thread.currentThread();
    return thread.isInterrupted()
        ? new InterruptedWaitException(
            "thread '%s' was interrupted while rank %d waited %s".formatted(thread.getName(), rank, what))
        : new TimeLimitException("the time limit came while rank %d waited %s".formatted(rank, what));
  }

  /** Spins or yields in a wait that nobody else can come into; moves to another CPU where two ranks share one. */
  public void pause(Waiter waiter) {
    waiter.idle(sleeper);
    if (waiter.isTimeToCheckCpu()) {
      int moved = sleeper.avoidSharedCpu(waiter.other());
      if (moved != 0) {
        waiter.cpuChecked(moved > 0);
      }
    }
  }

  /**
   * After a step of the progress thread. What other threads move is nothing that it waits for. It rests as a wait does
   * where nothing was moved and no other thread was at work since its last step; after one it neither sleeps, since
   * that one has perhaps marked fastboxes, whose senders then ring nobody, nor looks on, since that one moves things on
   * by itself: then it naps.
   */
  void afterProgress(Waiter waiter, boolean moved) {
    progressWaiter = waiter;
    boolean alone = gate.entries() == progressEntries;
    progressEntries = gate.entries();
    progressed = System.nanoTime();
    if (moved) {
      found(waiter);
    } else if (alone) {
      rest(null, waiter);
    } else {
      stir(waiter);
      napUnannounced(waiter);
    }
    if (gate.isOpen() && waiter.isTimeToCheck()) {
      gate.poll();
    }
  }

  private void napUnannounced(Waiter waiter) {
    long nanos = waiter.nap(LEAST_NAP_NANOS, MOST_UNANNOUNCED_NANOS);
    napping = Thread.currentThread();
    gate.stepOut();
    LockSupport.parkNanos(this, nanos);
    Thread.interrupted(); // nobody has a reason to; it would nap no more
    stepIn(waiter);
    napping = null;
  }

  /** There is something to move on that nobody waits for: the progress thread does not nap, nor sleep. */
  void wakeProgress() {
    progressEntries = gate.entries(); // a thread that has just come in goes on to its own work
    if (napping != null) {
      LockSupport.unpark(napping);
    }
    rouse();
  }

  /**
   * Whether the calling thread, which waits, leaves it to the progress thread to move things on, since that one is at
   * it: two that take turns would wait for each other, and the one that waits may share its CPU with a rank that
   * computes. To be asked before each step; it takes them by itself again when the progress thread does not. Until then
   * it sleeps unannounced: a thread that brings about what it waits for unparks it.
   */
  public boolean isAttended() {
    boolean attended = progressWaiter != null
        && napping == null
        && !progressWaiter.isDozing()
        && System.nanoTime() - progressed < ATTENDED_NANOS;
    Waiter waiter = gate.waiter();
    if (attended) {
      progressEntries = gate.entries();
      stir(waiter); // others are not to wake it whenever they have something for its rank
    }
    waiter.leaves(attended);
    return attended;
  }

  /** The progress thread ends: what others move may be all that a sleeper waits for again. */
  void endProgress(Waiter waiter) {
    stir(waiter);
    if (progressWaiter == waiter) { // else another one has taken its place
      progressWaiter = null;
    }
  }

  /** What was waited for is there: the thread does not sleep. */
  private void stir(Waiter waiter) {
    if (waiter.isDozing()) {
      wake(waiter);
    }
  }

  /**
   * @param condition that is waited for; null: none, the progress thread looks at everything
   */
  private void rest(Condition<?> condition, Waiter waiter) {
    if (waiter.isDozing()) {
      sleep(waiter);
    } else if (waiter.leaves() && waiter.isDrowsy(false)) {
      sleepUnannounced(waiter);
    } else if (waiter.isDrowsy(condition != null && condition.isUntold())) {
      waiter.isUntold(condition != null && condition.isUntold());
      doze(waiter, condition != null && condition.isOnWords());
    } else {
      idle(waiter);
    }
  }

  /** Says that the thread is about to sleep; its next step is its last try. */
  private void doze(Waiter waiter, boolean onWords) {
    dozing++;
    waiter.sleepsOnWords(onWords);
    if (onWords) {
      wordSleepers.begin();
    }
    waiter.doze(sleeper.announceSleep());
  }

  private void idle(Waiter waiter) {
    gate.stepOut();
    try {
      pause(waiter); // a move to another CPU takes long: others are not to wait for it
    } finally {
      stepIn(waiter); // an idle strategy may throw
    }
  }

  private void sleepUnannounced(Waiter waiter) {
    gate.stepOut();
    park(waiter.withinLimit(MOST_UNANNOUNCED_NANOS));
    stepIn(waiter);
    waiter.slept();
  }

  private void stepIn(Waiter waiter) {
    if (waiter == progressWaiter || waiter.leaves()) {
      gate.stepInLeisurely();
    } else {
      gate.stepIn();
    }
  }

  private void sleep(Waiter waiter) {
    boolean isWoken = waiter.word() >= 0 && allWake && !waiter.isUntold();
    long nanos = isWoken ? MOST_NANOS : waiter.nap(LEAST_NAP_NANOS, MOST_NAP_NANOS);
    gate.stepOut();
    if (waiter.word() >= 0) {
      sleeper.sleep(waiter.word(), waiter.withinLimit(nanos));
    } else {
      park(waiter.withinLimit(nanos));
    }
    stepIn(waiter);
    waiter.slept();
    wake(waiter);
  }

  /** Rests for a moment, where nobody can be relied on to end it; others may come in meanwhile. */
  public void nap() {
    gate.stepOut();
    park(LEAST_NAP_NANOS);
    gate.stepIn();
  }

  /** An interrupt that is pending does not keep the thread from resting, and stays. */
  private void park(long nanos) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(this, nanos);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void wake(Waiter waiter) {
    if (waiter.sleepsOnWords() && !closed) {
      wordSleepers.end();
    }
    waiter.wake();
    if (--dozing == 0 && !closed) {
      sleeper.endSleep();
    }
  }

  /**
   * Wakes a rank if it sleeps on words in shared memory ({@link Condition#isOnWords}). To be called after a word was
   * stored that the rank may wait for, outside the gate, by any thread. Where the rank does not sleep that is a fence
   * and a load, and neither the gate nor the system is asked.
   */
  public void wakeWordSleeper(int rank) {
    if (wordSleepers.sleeps(rank)) {
      gate.enterUnchecked();
      try {
        if (!gate.isEnded()) { // else the core may be gone
          sleeper.wake(rank);
        }
      } finally {
        gate.exit();
      }
    }
  }

  /** As {@link #wakeWordSleeper}, inside the gate. */
  public void wakeWordSleeperInside(int rank) {
    if (wordSleepers.sleeps(rank) && !gate.isEnded()) {
      sleeper.wake(rank);
    }
  }

  /** Something was moved on that other threads of this rank may wait for. */
  public void moved() {
    int others = progressWaiter != null && progressWaiter.isDozing() ? dozing - 1 : dozing;
    if (others > 0 && !gate.isExclusive()) {
      rouse();
    }
  }

  /** Wakes the threads of this rank that sleep. */
  public void rouse() {
    if (dozing > 0 && !closed) {
      sleeper.wake(rank);
    }
  }

  /**
   * Wakes the threads that sleep, the progress thread too: what stood in the way of pending sends is gone, and they
   * move them on.
   */
  public void goesOn() {
    if (!gate.isExclusive()) {
      rouse();
    }
  }

  /** Wakes the threads that sleep, which are to find out that the core is about to be closed. */
  public void close() {
    rouse();
    closed = true;
  }
}
