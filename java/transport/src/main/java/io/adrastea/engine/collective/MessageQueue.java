package io.adrastea.engine.collective;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.Send;
import io.adrastea.engine.send.Bursts;
import io.adrastea.engine.step.Stepper;
import io.adrastea.spread.Schedule;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls of one communicator's collectives by messages that are outstanding at one rank, in the order in which they
 * were started. All are under way at once, are moved on by each step of progress ({@link Outstanding}), and end in any
 * order; the first one that fails ends all. Called inside the gate.
 *
 * <p>
 * The tag of a message has the number of its collective, and some bits in which members differ that have called
 * different ones. So what different collectives send does not match, and their members wait. A message that has not
 * come or gone after a while is asked for, once: what its other end tells then ({@link Told}) ends what can never be
 * over. A member that gives up tells all others, and from which collective on: those before it can still end.
 */
final class MessageQueue implements Stepper {
  private static final int CHECK_BITS = 12;
  private static final int CHECK_MASK = (1 << CHECK_BITS) - 1;
  private static final int NUMBER_MASK = (1 << 16) - 1;
  private static final int TOLD = 1 << 28; // the tag of what members tell each other
  private static final int REMEMBERED = 64; // collectives, for members that ask late
  private static final long PATIENCE_NANOS = 100_000_000;

  private final Plans plans;
  private final Operations operations;
  private final Bursts bursts;
  private final Liveness liveness;
  private final Context context;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final Ending ending;
  private final Outstanding outstanding;
  private final List<Call> calls = new ArrayList<>(); // outstanding
  private final List<Rounds> running = new ArrayList<>(); // of these, in the same order
  private final List<Rounds> spare = new ArrayList<>(); // of calls that are over
  private int started; // of these, those that a request tells of
  private final long[][] begun = new long[REMEMBERED][Told.WORDS]; // descriptions, by the number modulo their count
  private int number; // of the next collective
  private long before; // the last word of the last description
  private Receive listens; // for what others tell; null: nobody listens
  private final MemorySegment heard = MemorySegment.ofArray(new long[Told.WORDS]);
  private long[] breaksLater; // what a member has told that cannot go on from a later collective on; null: none has
  private final List<long[]> early = new ArrayList<>(); // asked before this rank has begun that collective
  private boolean stepping; // an operator of the program's own may call in again
  private long moved; // in nanoseconds: when something was
  private long moves;

  MessageQueue(
      Plans plans, Operations operations, Bursts bursts, Liveness liveness, Context internal, Members members, int rank,
      Ending ending, Outstanding outstanding) {
    this.plans = plans;
    this.before = plans.word();
    this.operations = operations;
    this.bursts = bursts;
    this.liveness = liveness;
    this.context = internal;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.ending = ending;
    this.outstanding = outstanding;
  }

  /** Begins a call that was described, behind those that come before it. */
  void begin(Call call) {
    if (call.sequence() != null) {
      call.sequence().begin();
    }
    if (call.before() != null) {
      begin(call.before());
    }
    bursts.show();
    call.start();
    if (!call.isCopy()) {
      call.number(number);
      before = Told.describe(begun[number & REMEMBERED - 1], number, call, before);
      call.check(before);
      number++;
    }
    if (calls.isEmpty()) {
      outstanding.add(this);
    }
    calls.add(call);
    running.add(spare.isEmpty() ? new Rounds(plans, operations, members, ending, rank) : spare.removeLast());
    started += call.form() == Form.BLOCKING ? 0 : 1;
    moved = System.nanoTime();
    step();
    answerEarly();
    breakLater();
    if (!call.isComplete()) {
      outstanding.started();
    }
  }

  /** Takes in what others have told, for a call that comes next. */
  void hear() {
    listen();
    hearAll();
    if (breaksLater != null && number - (int) breaksLater[Told.NUMBER] >= 0 && !ending.hasCome()) {
      comesBroken((int) breaksLater[Told.WHAT], (int) breaksLater[Told.WAITS_FOR]);
    }
    if (calls.isEmpty() && ending.hasCome()) {
      listenNoMore();
    }
  }

  private void listen() {
    if (listens == null) {
      listens = operations.pool().receive(members, Operation.ANY, context.match(TOLD), -1L);
      listens.describe(heard, 0, heard.byteSize());
      operations.begin(listens);
    }
  }

  private void listenNoMore() {
    if (listens != null && (listens.isComplete() || operations.takeBack(listens))) {
      operations.pool().give(listens);
      listens = null;
    }
  }

  private boolean hearAll() {
    boolean any = false;
    while (listens != null && listens.isComplete()) {
      any = true;
      Receive over = listens;
      boolean well = over.failure() == null && !over.isCancelled();
      int other = well ? members.numbering().rankOf(over.source()) : -1;
      long[] words = new long[Told.WORDS];
      Told.read(heard, words);
      listens = null;
      operations.pool().give(over);
      if (well) {
        listen();
        take(other, words);
      }
    }
    return any;
  }

  /** A member has told something. */
  private void take(int other, long... words) {
    if (words[Told.WHAT] == Told.ASKS) {
      answer(other, words);
    } else if (words[Told.WHAT] == Told.HAS_NONE) {
      Call call = find(words);
      if (call != null && call.isUnderWay()) {
        roundsOf(call).unwanted((int) words[Told.WAITS_FOR], other);
      }
    } else if (words[Told.WHAT] == Told.DIFFERS) {
      end(find(words), other, words);
    } else if (!ending.hasCome() || !calls.isEmpty()) {
      breakOff(other, (int) words[Told.WAITS_FOR], words);
    }
  }

  /** A member cannot go on from a collective on: neither can this one, once it has come so far. */
  private void breakOff(int other, int gone, long... words) {
    Call call = firstFrom((int) words[Told.NUMBER]);
    if (call != null) {
      fail(call, gone == Liveness.NONE ? ending.broken(call, other) : ending.gone(gone, call.name()));
    } else if (breaksLater == null || (int) words[Told.NUMBER] - (int) breaksLater[Told.NUMBER] < 0) {
      breaksLater = words;
      words[Told.WHAT] = other;
    }
  }

  /** Takes up what was told before of a collective that has begun now. */
  private void breakLater() {
    long[] words = breaksLater;
    if (words != null && number - (int) words[Told.NUMBER] > 0) {
      breaksLater = null;
      breakOff((int) words[Told.WHAT], (int) words[Told.WAITS_FOR], words);
    }
  }

  private void comesBroken(int other, int gone) {
    if (gone == Liveness.NONE) {
      ending.comesBroken(other);
    } else {
      ending.gone(gone, "barrier");
    }
  }

  /** The first outstanding call of that number or a later one; null: there is none. */
  private Call firstFrom(int least) {
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (!call.isCopy() && call.number() - least >= 0) {
        return call;
      }
    }
    return null;
  }

  /** The first collective that this rank cannot go on with. */
  private int firstOutstanding() {
    for (int i = 0; i < calls.size(); i++) {
      if (!calls.get(i).isCopy()) {
        return calls.get(i).number();
      }
    }
    return number;
  }

  /** A member asks for a message; the answer comes later where this rank has not come so far. */
  private void answer(int other, long... words) {
    int behind = number - (int) words[Told.NUMBER];
    if (behind <= 0) {
      early.add(words);
      words[Told.WHAT] = other; // until then
      return;
    }
    long[] own = begun[(int) words[Told.NUMBER] & REMEMBERED - 1];
    if (behind <= REMEMBERED && !Told.isSame(words, own)) {
      if (!hasFailed()) { // else all are told of that
        tell(other, Told.DIFFERS, 0, own);
      }
      end(find(words), other, words);
      return;
    }
    Call call = find(words);
    int kind = words[Told.WAITS_FOR] == Schedule.SEND ? Schedule.RECEIVE : Schedule.SEND;
    boolean comes = call != null && (!call.isUnderWay() || roundsOf(call).awaits(kind, other));
    if (!comes) {
      tell(other, Told.HAS_NONE, words[Told.WAITS_FOR], words);
    }
  }

  private void answerEarly() {
    for (int i = early.size() - 1; i >= 0 && i < early.size(); i--) {
      long[] words = early.get(i);
      if (number - (int) words[Told.NUMBER] > 0) {
        early.remove(i);
        answer((int) words[Told.WHAT], words);
      }
    }
  }

  /** Two members have called different collectives. */
  private void end(Call call, int other, long... words) {
    if (ending.hasCome() && calls.isEmpty()) {
      return;
    }
    if (call == null && calls.isEmpty()) {
      ending.comesMismatch(other, Told.words(words));
      tellBroken(number);
    } else {
      Call failing = call == null ? calls.getFirst() : call;
      fail(failing, ending.mismatch(failing, other, Told.words(words)));
    }
  }

  private Rounds roundsOf(Call call) {
    return running.get(calls.indexOf(call));
  }

  /** The outstanding call of that number; null: there is none. */
  private Call find(long... words) {
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (!call.isCopy() && call.number() == (int) words[Told.NUMBER]) {
        return call;
      }
    }
    return null;
  }

  private void tell(int other, long what, long waitsFor, long... description) {
    int jobRank = members.numbering().jobRank(other);
    if (liveness.missing(jobRank) != Liveness.NONE) {
      return;
    }
    long[] words = description.clone();
    words[Told.WHAT] = what;
    words[Told.WAITS_FOR] = waitsFor;
    MemorySegment message = MemorySegment.ofArray(words);
    Send send = new Send(); // nobody waits for it
    send.ask(members, jobRank, context.match(TOLD), -1L);
    send.describe(message, 0, message.byteSize());
    operations.begin(send);
  }

  /**
   * Tells all others that this rank cannot go on from a collective on, unless a member has revoked the communicator,
   * which all hear.
   */
  private void tellBroken(int from) {
    if (ending.isRevoked()) {
      return;
    }
    long[] none = new long[Told.WORDS];
    none[Told.NUMBER] = from;
    for (int other = 0; other < size; other++) {
      if (other != rank) {
        tell(other, Told.BROKEN, ending.gone(), none);
      }
    }
  }

  /** Goes on with all that are outstanding, the oldest first; whether anything moved. */
  @Override
  public boolean step() {
    if (stepping) {
      return false;
    }
    stepping = true;
    boolean any;
    try {
      any = hearAll();
      for (int i = 0; i < calls.size();) {
        Call call = calls.get(i);
        any |= advance(call);
        i += i < calls.size() && calls.get(i) == call ? 1 : 0; // else it is over
      }
      if (any) {
        moves++;
        moved = System.nanoTime();
      } else if (!calls.isEmpty()) {
        askInVain();
      }
    } finally {
      stepping = false;
    }
    return any;
  }

  private boolean advance(Call call) {
    Rounds rounds = roundsOf(call);
    long movesBefore = rounds.moves();
    try {
      if (call.isWaiting()) {
        long combined = call.sequence() == null ? 0 : call.sequence().combined();
        if (!call.isReady()) {
          return call.sequence().combined() != combined;
        }
        if (call.isCopy()) {
          call.copy();
          complete(call);
          return true;
        }
        call.begun(0);
        int tag = (call.number() & NUMBER_MASK) << CHECK_BITS | (int) call.check() & CHECK_MASK;
        rounds.begin(call, context.match(tag));
      }
      if (rounds.step(call)) {
        complete(call);
        return true;
      }
    } catch (RuntimeException | Error e) {
      fail(call, e);
      return true;
    }
    return rounds.moves() != movesBefore;
  }

  private void complete(Call call) {
    leave(call);
    call.complete(null);
    if (calls.isEmpty()) {
      outstanding.remove(this);
      listenNoMore();
    }
  }

  private void leave(Call call) {
    int index = calls.indexOf(call);
    calls.remove(index);
    Rounds over = running.remove(index);
    over.forget();
    spare.add(over);
    started -= call.form() == Form.BLOCKING ? 0 : 1;
  }

  /** Nothing has moved: asks for messages that have not come, or have not been taken, for a while. */
  private void askInVain() {
    long now = System.nanoTime();
    if (now - moved < PATIENCE_NANOS) {
      return;
    }
    moved = now;
    if (hasFailed()) {
      return; // who waits for these calls is told so; others may have called something else, since they knew before
    }
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (call.isUnderWay() && !asks(call)) {
        return; // it has failed, and so all have
      }
    }
  }

  private boolean hasFailed() {
    return liveness.failedOf(members.numbering()) != Liveness.NONE;
  }

  private boolean asks(Call call) {
    Rounds rounds = roundsOf(call);
    int member = rounds.awaited();
    if (member >= 0) {
      members.ask(members.numbering().jobRank(member));
    }
    try {
      rounds.requireWanted(call);
    } catch (RuntimeException e) {
      fail(call, e);
      return false;
    }
    for (int i = rounds.ask(); i >= 0; i = rounds.ask()) {
      if (number - call.number() <= REMEMBERED) { // else its description is no longer there
        tell(rounds.peerOf(i), Told.ASKS, rounds.kindOf(i), begun[call.number() & REMEMBERED - 1]);
      }
    }
    return true;
  }

  /** A member has told that it has closed the communicator, or never comes to it: what waits for it cannot go on. */
  void isOut(int other) {
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (call.isUnderWay() && roundsOf(call).isUnderWayWith(other)) {
        fail(call, ending.closed(call, other));
        return;
      }
    }
  }

  /** Ends a call that cannot go on, and with it all others of this communicator. */
  void fail(Call call, Throwable cause) {
    if (!calls.contains(call)) {
      return;
    }
    if (!ending.hasCome()) {
      ending.comes(rank, "its %s ended in the middle: %s".formatted(call, call.why(cause)));
    }
    List<Call> all = List.copyOf(calls);
    List<Rounds> broken = List.copyOf(running);
    int from = firstOutstanding();
    forget();
    tellBroken(from);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).isUnderWay()) {
        broken.get(i).abandon(cause);
      }
    }
    for (Call other : all) {
      other.complete(other == call || other.follows(call) ? cause : ending.refusal(other.name()));
    }
  }

  /** There are none any more. */
  void forget() {
    started = 0;
    if (!calls.isEmpty()) {
      calls.clear();
      running.clear();
      outstanding.remove(this);
    }
    listenNoMore();
  }

  /** This rank takes no more collectives while others may wait for it. */
  void breakOff() {
    if (!calls.isEmpty()) {
      tellBroken(firstOutstanding());
    }
  }

  @Override
  public boolean isIdle() {
    return calls.isEmpty();
  }

  /** A member that a call waits for; -1: none. */
  int awaited(Call call) {
    return call.isUnderWay() ? roundsOf(call).awaited() : -1;
  }

  /** The job rank whose absence keeps a call from its end; none. */
  int missing(Call call) {
    int missing = Liveness.NONE;
    for (int i = 0; i < calls.size() && missing == Liveness.NONE; i++) {
      if (calls.get(i).isUnderWay() && (calls.get(i) == call || call.isWaiting())) {
        missing = running.get(i).missing(liveness);
      }
    }
    return missing;
  }

  /** Counts the steps at this rank that moved something. */
  long moves() {
    return moves;
  }

  /** Whether calls are outstanding that a request tells of. */
  boolean hasStarted() {
    return started > 0;
  }

  /** A started one that waits for a member that is gone; null: none does. */
  Call firstStranded() {
    for (Call call : calls) {
      if (call.form() != Form.BLOCKING && call.isStranded()) {
        return call;
      }
    }
    return null;
  }

  /** Adds words for each that was started and is outstanding. */
  void describe(List<String> words) {
    for (Call call : calls) {
      if (call.form() != Form.BLOCKING) {
        words.add("a started " + call);
      }
    }
  }
}
