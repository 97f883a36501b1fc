package io.adrastea.transfer;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What the ways of large messages cost, from those that came: for one peer, kind of buffers and size class. No table
 * fits every machine, and none fits one machine for long: which way is best depends on the distance of the CPUs, on
 * where what was written lies, and on what the ends do between messages.
 *
 * <p>
 * One way is in use. The others are tried in turn, in short bursts of messages that follow each other. The first of a
 * burst finds cold caches and does not count; nor do as many more as are under way in this stream at a time, since two
 * ways at once help or hinder each other: the sender fills a ring while the receiver copies past it. A ring that was
 * not used lies in no cache, and counts once it has gone round. A way that is clearly better takes the place of the one
 * in use, which comes back when that does not hold.
 *
 * <p>
 * In a stream single messages tell nothing: some are over together, after a long time, and between them others take no
 * time at all. So as many messages as are under way at a time make one sample, their mean. A cost is the median of the
 * last few samples, so that a preempted end is no cost of a way.
 *
 * <p>
 * To what a message takes by itself comes what passed since the one before it was over, up to as long again: in a
 * stream that is how long the receiver waits for a sender that is busy copying, and what reading takes where the way
 * has left the bytes. In a ping-pong it is the answer, the same for all ways, and no more than doubles the cost.
 *
 * <p>
 * Over many messages trials take less than one part in a hundred of their time: each transfer pays {@code 1 /}
 * {@link #SHARE} of its time into an account, and a burst begins only when its expected time is there. What a burst
 * takes beyond that is paid back before the next. A way that was far worse is tried half as often each time, down to
 * every 64th turn. When the cost of the way in use changes markedly, because the CPUs have moved or the program does
 * something else, all others are tried as soon as the account allows, which holds at most what {@link #SAVED} messages
 * take.
 *
 * <p>
 * The sooner the best way is known, the longer it is of use. So when as many messages have come as tell something, and
 * all ways are due, the account is given the time of {@link #SAVED} messages.
 *
 * <p>
 * Bounded, without a clock of its own, and without memory of its own but for what it begins with.
 */
final class WayCosts {
  /** Trials may take one part in so many of the time of all transfers. */
  static final int SHARE = 120;

  /** Samples of a burst; more when the way is near to the one in use. */
  static final int BURST = 4;

  static final int NEAR_BURST = 12;

  /** A burst is expected to take at most the time of so many messages; one that takes longer is tried on credit. */
  static final int SAVED = 64;

  /** The account holds at most the time of so many messages. */
  private static final int HELD = 2 * SAVED;

  /** At most so many messages of a burst do not count, since others are under way. */
  static final int MOST_SKIPPED = 64;

  /** A ring that was not used is warm when it has gone round twice, if that takes no more than so many messages. */
  private static final int WARMING_BYTES = 2 << 20;

  static final int MOST_WARMING = 8;

  /** At most so many messages make a sample. */
  static final int MOST_SAMPLED = 8;

  /** After so many samples of a way that has won a trial, it is compared with the last one again. */
  static final int PROBATION = 8;

  /** After so many messages in a row that cannot go the way in use, or the one that is tried, it is no longer that. */
  static final int ABSENT = 32;

  private static final int WINDOW = 9; // samples whose median is the cost of a way
  private static final int ENOUGH = 3; // of them, to believe it
  private static final int HOPELESS = 16; // so many times as dear as the way in use
  private static final int FAR = 8; // so many times as dear as the way in use, cold caches are no excuse
  /**
   * The code of a way is compiled while many messages go by it, and is not in short trials. So before so many messages
   * the way in use is left for one that is {@link #COLD} times as good alone.
   */
  private static final int YOUNG = 1000;

  private static final int COLD = 4; // so many times as dear as now, other times tell nothing
  private static final int INTERRUPTED = 16; // so many times as long as usual
  private static final int MOST_BACKOFF = 6; // powers of two
  private static final int VARIANT_BACKOFF = 5; // other chunks differ by little: they take few of the trials
  private static final int VARIANTS = Way.RING_FINE.bit() | Way.RING_COARSE.bit();
  private static final long MOST_NANOS = 10_000_000_000L; // of a message: whatever takes longer is as bad
  private static final long PLAUSIBLE_NANOS = 20_000; // of a copy by an unknown way, and a nanosecond for each byte

  private static final int SHORT_BYTES = 1 << 16; // below, a look at the clock shows in the time of a message
  private static final int SHORT_EVERY = 5; // of them one in so many is timed; odd: programs alternate between two

  private static final int DEPTH_UNIT = 64; // part of the way that the depth falls with each message

  private final Way prior; // taken while nothing is known, if it is there; null: the first in the order of preference
  private final long classBytes; // costs are those of a message of so many bytes
  private final int every; // one in so many messages by the way in use is timed, and counts for all
  private final int[] window = new int[Way.count() * WINDOW];
  private final int[] counts = new int[Way.count()]; // samples in it so far, by way
  private final int[] costs = new int[Way.count()]; // nanoseconds, by way; 0: unknown
  private final int[] bases = new int[Way.count()]; // what the way in use took when the cost was told, by way
  private final int[] sorted = new int[WINDOW];

  private int depth; // DEPTH_UNIT times the messages that are under way beside one at a time, of late at most
  private final long[] sampleNanos = new long[Way.count()]; // of the sample that is not whole yet, by way
  private final long[] sampleBytes = new long[Way.count()];
  private final byte[] sampled = new byte[Way.count()]; // messages in it

  private Way inUse; // null: none yet
  private int reference; // its cost when it last changed markedly
  private int unusual; // samples since it is markedly another one; a burst of preemption does not outlast the window
  private Way last; // which was in use before
  private long lastCost; // what it took then
  private int probation; // samples left until the two are compared again

  private long account; // SHARE times the nanoseconds that trials may take now
  private long owed; // the rest of what interrupted trials took, which is paid behind the next burst
  private long sinceTurn; // nanoseconds of transfers
  private int turn;
  private boolean mature; // as many messages have come as tell something
  private final int[] due = new int[Way.count()]; // turn at which the way is tried next
  private final byte[] backoff = new byte[Way.count()];
  private final byte[] broken = new byte[Way.count()]; // how often it has won and was not better in use
  private final boolean[] doubted = new boolean[Way.count()]; // its last trial was probably interrupted
  private int overdue; // set of ways to be tried as soon as the account allows

  private int absent; // messages in a row that cannot go the way in use, or the one that is tried
  private int untimed; // messages by the way in use since one was timed
  private boolean timed; // the message that was just chosen for
  private boolean trial;

  private Way trying; // null: no burst
  private int left; // messages that are to be over before the burst ends: the way is taken until then
  private int pending; // messages of it, or of the one before, that are on their way
  private int counted; // samples that have counted
  private int skipped; // messages that are still to be over before one counts

  private long transfers;
  private long trials;
  private long nanos; // of all transfers
  private long trialNanos; // of trials among them
  private long switches;

  /** Makes the costs of messages of {@code classBytes} to twice as many. */
  WayCosts(long classBytes) {
    this(classBytes, null);
  }

  /** Makes costs where {@code prior} is preferred to all others as long as nothing is known. */
  WayCosts(long classBytes, Way prior) {
    this.prior = prior;
    this.classBytes = classBytes;
    this.every = classBytes < SHORT_BYTES ? SHORT_EVERY : 1;
    allDue(0);
  }

  // Choice

  /**
   * Chooses among ways, of which there is at least one. Then ask {@link #isTrial} and {@link #isTimed}.
   *
   * @param others messages that are under way
   */
  Way choose(int ways, int others) {
    depth = Math.max(others * DEPTH_UNIT, depth - (depth + DEPTH_UNIT - 1) / DEPTH_UNIT);
    if (inUse == null) {
      inUse = best(ways);
    }
    absent = inUse.isIn(ways) && (left == 0 || trying.isIn(ways)) ? 0 : absent + 1;
    if (absent == ABSENT) {
      abandon(ways);
    }
    if (left == 0 && pending == 0 && account > 0) {
      begin(ways);
    }
    trial = left > 0 && trying.isIn(ways);
    if (trial) {
      timed = true;
      pending++;
      return trying;
    }
    timed = ++untimed >= every || probation > 0;
    untimed = timed ? 0 : untimed;
    return inUse.isIn(ways) ? inUse : best(ways);
  }

  /** The program's buffers, or what the ends can reach, are others than they were: not all ways are there any more. */
  private void abandon(int ways) {
    absent = 0;
    left = 0;
    if (!inUse.isIn(ways)) {
      inUse = best(ways);
      reference = costs[inUse.ordinal()];
      unusual = 0;
      probation = 0;
      switches++;
    }
  }

  /** Whether the way that was just chosen is one that is tried: {@link #took} or {@link #lost} is to be told. */
  boolean isTrial() {
    return trial;
  }

  /** Whether the transfer that was just chosen for is to be timed. */
  boolean isTimed() {
    return timed;
  }

  /** The best of those that are known, or else the one that is preferred. */
  private Way best(int ways) {
    Way best = prior != null && prior.isIn(ways) ? prior : Way.first(ways);
    for (int i = 0; i < costs.length; i++) {
      Way way = Way.at(i);
      boolean better = costs[i] != 0 && (costs[best.ordinal()] == 0 || costs[i] < costs[best.ordinal()]);
      best = way.isIn(ways) && better ? way : best;
    }
    return best;
  }

  /** Begins a burst of trials, if one is due and paid for. */
  private void begin(int ways) {
    int cost = costs[inUse.ordinal()];
    if (cost == 0 || probation > 0 || !inUse.isIn(ways)) {
      return;
    }
    if (sinceTurn >= (long) SHARE * BURST * cost) {
      turn++;
      sinceTurn = 0;
    }
    Way next = next(ways & ~inUse.bit());
    if (next == null) {
      return;
    }
    int skips = Math.max(Math.min(deep(), MOST_SKIPPED), warming(next));
    int samples = isNear(next) ? Math.max(NEAR_BURST - skips, BURST) : BURST;
    int length = skips + sampleLength(true) * samples;
    if (account >= SHARE * Math.min(expected(next, length + deep()), SAVED * usual())) {
      trying = next;
      left = length;
      skipped = skips + 1;
      counted = 0;
      account -= owed;
      owed = 0;
      counts[next.ordinal()] = 0; // what is known of it is old
      dropSample(next);
      overdue &= ~next.bit();
      due[next.ordinal()] = turn + turns(next.ordinal());
    }
  }

  /** Messages that are under way beside one. */
  private int deep() {
    return (depth + DEPTH_UNIT - 1) / DEPTH_UNIT;
  }

  /** Messages by a way that was not used until its own memory is warm. */
  private int warming(Way way) {
    boolean front = inUse == Way.RING_FRONT && way != Way.RING_FRONT; // the rest was not used
    boolean cold = way.path() == Path.RING && (inUse.path() != Path.RING || front);
    return cold ? (int) Math.min(WARMING_BYTES / classBytes, MOST_WARMING) : 0;
  }

  /** All ways are tried soon, those first that do not differ from others in the length of chunks alone. */
  private void allDue(int first) {
    for (int i = 0; i < due.length; i++) {
      due[i] = first + turns(i) - 1;
    }
  }

  /** Turns until a way is tried again. */
  private int turns(int way) {
    return 1 << Math.max(backoff[way], Way.at(way).isVariant() ? VARIANT_BACKOFF : 0);
  }

  /** Timed messages that make a sample. */
  private int sampleLength(boolean trial) {
    int messages = Math.min(deep() + 1, MOST_SAMPLED);
    return trial ? messages : (messages + every - 1) / every;
  }

  /** The way whose turn has come, the one that waits longest, and of them the cheapest; null: none. */
  private Way next(int ways) {
    Way next = null;
    for (int i = 0; i < due.length; i++) {
      Way way = Way.at(i);
      boolean waits = way.isIn(ways) && (due[i] <= turn || way.isIn(overdue));
      if (waits && (next == null || isBefore(i, next.ordinal()))) {
        next = way;
      }
    }
    return next;
  }

  private boolean isBefore(int way, int other) {
    return due[way] < due[other] || due[way] == due[other] && costs[way] < costs[other];
  }

  private boolean isNear(Way way) {
    long cost = known(way);
    return cost != 0 && cost * 2 <= usual() * 3;
  }

  /**
   * What a burst by a way is expected to take. Of a way that is unknown, or of which what is known is old, it is what
   * the way in use takes, unless that cannot be the price of a copy: a ring waits for both ends, and one may be away. A
   * burst by a way that was far worse ends with its first message if it still is.
   */
  private long expected(Way way, int messages) {
    long known = known(way);
    if (known == 0) {
      return messages * Math.min(usual(), PLAUSIBLE_NANOS + classBytes);
    }
    return isFar(known) ? known : messages * known;
  }

  /** Whether what a message took is beyond what cold caches explain, or others that are still on their way. */
  private boolean isFar(long cost) {
    return cost / (FAR * (deep() + 1)) > usual();
  }

  /** Whether a message was about as dear as old knowledge of its way has it: too dear to look at more of them. */
  private boolean isAsBefore(Way way, long cost) {
    return cost / 2 > usual() && cost * 2 > costs[way.ordinal()] && costs[way.ordinal()] != 0;
  }

  /**
   * What a message by a way takes; 0: unknown, or known from other times. What was told while the code was cold, or
   * while others had the CPUs, says nothing of how much dearer a way is than the one in use, and would forbid to try
   * it.
   */
  private long known(Way way) {
    int i = way.ordinal();
    return way.isIn(overdue) || isMarked(usual(), bases[i]) ? 0 : costs[i];
  }

  /** Whether a cost is markedly another one than it was. */
  private static boolean isMarked(long now, long before) {
    return now * 10 > before * 13 || now * 13 < before * 10;
  }

  // Costs

  /**
   * A transfer that was to be timed is over, and took so long for so many bytes.
   *
   * @param gap nanoseconds from the end of the one before to its beginning; 0: unknown
   */
  void took(Way way, boolean trial, long nanos, long gap, long bytes) {
    if (inUse == null) {
      lost(trial);
      return;
    }
    long spent = Math.clamp(nanos, 1, MOST_NANOS);
    long before = every == 1 ? Math.clamp(gap, 0, spent) : 0; // of short ones it is known for trials only
    int messages = trial ? 1 : every;
    long price = messages * uninterrupted(way, spent, trial);
    transfers += messages;
    this.nanos += messages * spent;
    sinceTurn += price;
    account += price;
    if (trial) {
      trials++;
      trialNanos += spent;
      account -= SHARE * price;
      tried(way, spent, spent + before, bytes);
    } else if (left == 0 && pending == 0 && sample(way, spent + before, bytes, false) > 0 && way == inUse) {
      used();
    }
    account = Math.min(account, (long) SHARE * HELD * costs[inUse.ordinal()]);
  }

  /** What a transfer counts for: not what an interruption has added to a cost that is known, or to an ordinary one. */
  private long uninterrupted(Way way, long spent, boolean trial) {
    long known = known(way);
    if (known == 0 && (!trial || doubted[way.ordinal()])) {
      return spent;
    }
    long usual = known == 0 ? usual() : known;
    return usual == 0 ? spent : Math.min(spent, INTERRUPTED * usual);
  }

  /**
   * Whether a message by a way of which nothing is known now took so long that an end has probably lost its CPU
   * meanwhile: once that says nothing about the way, twice in a row it does.
   */
  private boolean isInterrupted(Way way, long took) {
    return known(way) == 0 && !doubted[way.ordinal()] && took / (INTERRUPTED * (deep() + 1)) > usual();
  }

  /** A transfer has failed, or went another way than the one chosen: it tells nothing. */
  void lost(boolean trial) {
    if (trial) {
      pending--;
      left -= Math.min(left, 1);
    }
  }

  private void tried(Way way, long spent, long took, long bytes) {
    pending--;
    if (left == 0 || way != trying) {
      return; // it was on its way when the burst was over
    }
    left--;
    if (isInterrupted(way, took)) {
      doubted[way.ordinal()] = true;
      owed += SHARE * Math.max(0, spent - INTERRUPTED * usual());
      left = 0;
      due[way.ordinal()] = turn; // once more, soon
      return;
    }
    doubted[way.ordinal()] = false;
    if (skipped > 0) {
      skipped--;
      int cost = cost(took, bytes);
      if (!isFar(cost) && !isAsBefore(way, cost)) {
        return; // of the first burst the code is cold, too
      }
    }
    judge(way, took, bytes, isAsBefore(way, cost(took, bytes)));
    if (left == 0 && way != inUse) {
      loses(way);
    }
  }

  private void judge(Way way, long took, long bytes, boolean dearBefore) {
    int i = way.ordinal();
    int cost = sample(way, took, bytes, true);
    if (cost == 0) {
      return;
    }
    counted++;
    boolean wins = costs[i] * (mature ? 20L : 19L * COLD) < usual() * 19L;
    if (wins && counted >= ENOUGH) {
      left = 0;
      use(way); // by a margin that keeps two that are as good from taking each other's place
    } else if (!wins && cost / 2 > usual() && (counted > 1 || isFar(cost) || dearBefore)) {
      left = 0; // one alone may be what first use takes
    }
  }

  private void loses(Way way) {
    int i = way.ordinal();
    boolean hopeless = costs[i] / HOPELESS > usual() && backoff[i] > 0; // not the first time, when all is cold
    backoff[i] = (byte) (isNear(way) ? 0 : hopeless ? MOST_BACKOFF : Math.min(MOST_BACKOFF, backoff[i] + 1));
    due[i] = turn + turns(i);
  }

  /** What a message by the way in use takes, but for what has come up just now. */
  private long usual() {
    return unusual > 0 ? reference : costs[inUse.ordinal()];
  }

  private void use(Way way) {
    last = inUse;
    lastCost = usual();
    inUse = way;
    probation = PROBATION;
    reference = costs[way.ordinal()];
    rescaleDebt(lastCost, reference);
    unusual = 0;
    switches++;
    Arrays.fill(backoff, (byte) 0);
    allDue(turn + 1);
  }

  /** A message by the way in use is over. */
  private void used() {
    int cost = costs[inUse.ordinal()];
    if (!mature && transfers >= YOUNG) {
      mature = true;
      allOverdue();
      account += (long) SHARE * SAVED * usual();
    }
    if (probation > 0) {
      probation--;
      if (probation == 0) {
        reference = cost;
        if (lastCost * 20L < cost * 19L) {
          takeBack();
        }
      }
    } else if (reference == 0) {
      reference = cost;
    } else if (!isMarked(cost, reference)) {
      unusual = 0;
    } else if (++unusual > WINDOW) {
      changed();
    }
  }

  /**
   * The way in use costs markedly more or less than it did. So may the others: they are tried soon. One that was less
   * than half as dear as this has become is not waited for.
   */
  private void changed() {
    rescaleDebt(reference, costs[inUse.ordinal()]);
    reference = costs[inUse.ordinal()];
    unusual = 0;
    allOverdue();
    Way best = inUse;
    for (int i = 0; i < costs.length; i++) {
      best = costs[i] != 0 && costs[i] < costs[best.ordinal()] ? Way.at(i) : best;
    }
    if (reference / (mature ? 2 : COLD) > costs[best.ordinal()]) {
      Way dear = inUse;
      use(best);
      overdue = ~inUse.bit() & ~VARIANTS;
      due[dear.ordinal()] = turn; // it may have been dear for a moment only
    }
  }

  /** What is known of the other ways is old. */
  private void allOverdue() {
    overdue = ~inUse.bit() & ~VARIANTS;
    Arrays.fill(backoff, (byte) 0);
    Arrays.fill(broken, (byte) 0);
    allDue(turn);
  }

  /**
   * Messages take far less than they did: a debt is one of so many messages, not of the nanoseconds that they took
   * while the code was cold, or others had the CPUs.
   */
  private void rescaleDebt(long before, long now) {
    if (!mature && account < 0 && now * COLD < before) {
      account = (long) ((double) account * now / before);
      owed = (long) ((double) owed * now / before);
    }
  }

  /** What has won its trial is not better in use. */
  private void takeBack() {
    Way loser = inUse;
    inUse = last;
    last = loser;
    reference = (int) lastCost;
    switches++;
    int i = loser.ordinal();
    broken[i] = (byte) Math.min(MOST_BACKOFF, broken[i] + 1);
    backoff[i] = broken[i];
    due[i] = turn + turns(i);
  }

  /** Nanoseconds of a message of the least length of its class. */
  private int cost(double took, long bytes) {
    return (int) Math.clamp(took * classBytes / bytes, 1, Integer.MAX_VALUE);
  }

  /** Adds a message to the sample of its way; tells the cost of the sample when it is whole now, or else 0. */
  private int sample(Way way, long took, long bytes, boolean trial) {
    int i = way.ordinal();
    sampleNanos[i] += took;
    sampleBytes[i] += bytes;
    if (++sampled[i] < sampleLength(trial)) {
      return 0;
    }
    int cost = cost(sampleNanos[i], sampleBytes[i]);
    dropSample(way);
    add(way, cost);
    return cost;
  }

  private void dropSample(Way way) {
    sampled[way.ordinal()] = 0;
    sampleNanos[way.ordinal()] = 0;
    sampleBytes[way.ordinal()] = 0;
  }

  private void add(Way way, int cost) {
    int i = way.ordinal();
    window[i * WINDOW + counts[i] % WINDOW] = cost;
    counts[i] = counts[i] == 2 * WINDOW - 1 ? WINDOW : counts[i] + 1;
    int count = Math.min(counts[i], WINDOW);
    System.arraycopy(window, i * WINDOW, sorted, 0, count);
    Arrays.sort(sorted, 0, count);
    costs[i] = way == inUse && count < ENOUGH ? costs[i] : sorted[(count - 1) / 2];
    bases[i] = (int) usual();
  }

  /** The system has refused a way: nothing is known of it any more. */
  void forget(Way way) {
    int i = way.ordinal();
    counts[i] = 0;
    costs[i] = 0;
    if (way == trying) {
      left = 0;
    }
    if (way == last) {
      probation = 0;
    }
    if (way == inUse) {
      inUse = null;
      reference = 0;
      probation = 0;
    }
  }

  // What is believed

  @Override
  public String toString() {
    String others = Arrays.stream(Way.values()).filter(way -> way != inUse && cost(way) != 0)
        .map(way -> "%s %,d".formatted(way.word(), cost(way))).collect(Collectors.joining(", "));
    return "%s, tried %s; %,d messages, %,d trials in %.2f %% of the time; ways changed: %d"
        .formatted(
            cost(), others.isEmpty() ? "no other" : others,
            transfers, trials, nanos == 0 ? 0 : 100.0 * trialNanos / nanos, switches);
  }

  /** In words, what the way in use takes. */
  private String cost() {
    if (inUse == null) {
      return "no way was taken";
    }
    return cost(inUse) == 0 ? inUse.word() + " was not measured" : "%s takes %,d ns".formatted(inUse.word(),
        cost(inUse));
  }

  /** The way in use; null: none yet. */
  Way inUse() {
    return inUse;
  }

  /** Nanoseconds of a message of the least length of its class; 0: unknown. */
  int cost(Way way) {
    return costs[way.ordinal()];
  }

  long transfers() {
    return transfers;
  }

  long trials() {
    return trials;
  }

  long nanos() {
    return nanos;
  }

  long trialNanos() {
    return trialNanos;
  }

  /** How often another way came into use. */
  long switches() {
    return switches;
  }
}
