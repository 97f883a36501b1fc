package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.send.Bursts;
import io.adrastea.engine.step.Stepper;
import io.adrastea.link.Link;
import io.adrastea.wait.Movement;
import java.util.Arrays;
import java.util.List;

/**
 * The calls of one communicator's collectives that are outstanding at one rank: up to four that the core has under way,
 * and behind them those that wait for a place, in their order. All are moved on by each step of progress
 * ({@link Outstanding}), and end in any order; the first one that fails ends all. Called inside the gate.
 */
final class CallQueue implements Stepper {
  private static final int NOBODY = -1;
  private static final int MOST_STEPS = 16; // at a stretch: messages are not to wait for long
  static final int MOST_SHORT_LOOKS = 16; // that find nothing, at all that are outstanding
  static final int FEW = 4096; // bytes: their lines' way takes longer than their copies

  private final Bursts bursts;
  private final Movement movement;
  private final int number; // of the communicator, by which members tell each other what moves
  private final Outstanding outstanding;
  private final int rank; // in the communicator
  private final Ending ending;
  private SlotEntry entry; // null: no collective was called yet
  private SlotMember member; // of that
  private final Call[] underWay = new Call[SlotMember.UNDER_WAY]; // by their number at the member
  private int running; // of these
  private int newest; // number of the one that was begun last
  private int looksInVain; // at all of them, one after the other
  private boolean beside; // those that wait begin beside those under way
  private Call first; // of those that wait for a place there; null: none does
  private Call last;
  private int count; // under way, or waiting
  private int started; // of these, those that a request tells of
  private boolean stepping; // an operator of the program's own may call in again
  private boolean held; // the blocking call keeps others out
  private boolean clear; // nothing stands in the way of the next call
  private long moves; // steps of all of them at this rank that moved bytes

  /**
   * @param number of the communicator, by which members tell each other what moves
   * @param outstanding what each step of progress goes on with
   * @param rank of this one among the members
   * @param ending why there are no more calls
   */
  CallQueue(Bursts bursts, Movement movement, int number, Outstanding outstanding, int rank, Ending ending) {
    this.bursts = bursts;
    this.movement = movement;
    this.number = number;
    this.outstanding = outstanding;
    this.rank = rank;
    this.ending = ending;
  }

  /** This rank has entered the slot: calls can begin. */
  void open(SlotEntry entry) {
    this.entry = entry;
    this.member = entry.member();
    reopen();
  }

  /** Whether nothing stands in the way of the next call, which can begin at once. */
  boolean isClear() {
    return clear;
  }

  /** Whether others wait for a place before the next call. */
  boolean hasWaiting() {
    return first != null;
  }

  /** The blocking call keeps others out from now on. */
  void hold() {
    held = true;
    clear = false;
  }

  /** The blocking call keeps others out no longer. */
  void letGo() {
    held = false;
    reopen();
  }

  /** Looks anew whether something stands in the way of the next call. */
  void reopen() {
    clear = first == null && !held && ending.takesMore();
  }

  /**
   * Begins a call that was described, or has it wait.
   *
   * @param polls how often its first crossing looks
   */
  void begin(Call call, int polls) {
    beginBefore(call, polls);
    bursts.show();
    call.start();
    if (first != null || running > 0 && call.bytes() <= FEW || !hasBegun(call, polls)) {
      enqueue(call);
      awaitTurn(call);
    }
    if (!call.isComplete()) {
      outstanding.started();
    }
  }

  /**
   * Looks for the end of those before one that waits, for a moment: one alone has its lines fetched back before it
   * begins, and waits for no word but those that it reads, so that several take less time one after the other than
   * beside each other. Where that is not enough, since other members are late or the data is long, it begins beside
   * them, as do those that follow, as far as there is a place: what others need of this member is there then.
   */
  private void awaitTurn(Call call) {
    boolean moved = false;
    for (int looks = 0; call.isWaiting() && !beside && !moved && looks < MOST_SHORT_LOOKS; looks++) {
      moved = step();
    }
    if (call.isWaiting()) {
      beside = true;
      step();
    }
  }

  /** Begins what comes before a call that ends a reduction between groups. */
  void beginBefore(Call call, int polls) {
    if (call.sequence() != null) {
      call.sequence().begin();
    }
    if (call.before() != null) {
      begin(call.before(), polls);
    }
  }

  /** Begins a collective, if its input is there, and a place for it at the member; whether it did. */
  private boolean hasBegun(Call call, int polls) {
    int status;
    try {
      if (!call.isReady()) {
        return false;
      }
      status = call.begin(member, polls);
    } catch (RuntimeException | Error e) {
      fail(call, e);
      return true;
    }
    if (status == Link.BUSY) {
      return false;
    }
    if (status == 0) {
      call.complete(null);
      return true;
    }
    goOnWith(call, status);
    return true;
  }

  /** A collective is under way, or has failed at once: its first crossing had this answer. */
  void goOnWith(Call call, int status) {
    newest = member.begun();
    call.begun(newest);
    enter(call);
    underWay[newest] = call;
    running++;
    try {
      if (status > 0) {
        entry.perform(call, status);
      } else if (status != Link.AGAIN) {
        throw entry.failure(call, status);
      }
    } catch (RuntimeException | Error e) {
      fail(call, e);
    }
  }

  /** Has a collective wait for a place at the member. */
  void enqueue(Call call) {
    enter(call);
    call.next = null;
    if (first == null) {
      first = call;
    } else {
      last.next = call;
    }
    last = call;
    clear = false;
  }

  private void enter(Call call) {
    if (count++ == 0) {
      outstanding.add(this);
    }
    started += call.form() == Form.BLOCKING ? 0 : 1;
  }

  private void leave(Call call) {
    started -= call.form() == Form.BLOCKING ? 0 : 1;
    if (--count == 0) {
      outstanding.remove(this);
    }
  }

  /**
   * Goes on with all that are outstanding, the oldest first; whether anything moved. As long as one or another moves,
   * the looks are short.
   */
  @Override
  public boolean step() {
    int polls = looksInVain < MOST_SHORT_LOOKS ? 0 : 1;
    boolean any = false;
    int before = newest;
    for (int i = 1; i <= underWay.length; i++) {
      Call call = underWay[before + i & underWay.length - 1];
      if (call != null) {
        any |= advance(call, polls);
      }
    }
    looksInVain = any ? 0 : Math.min(looksInVain + 1, MOST_SHORT_LOOKS);
    beside |= looksInVain == MOST_SHORT_LOOKS && first != null;
    return any | goOnWithWaiting();
  }

  /** Goes on with those that wait; whether anything moved. */
  private boolean goOnWithWaiting() {
    Call next = first;
    if (next == null || stepping) {
      return false;
    }
    Call.Sequence sequence = next.sequence();
    long combined = sequence == null ? 0 : sequence.combined();
    stepping = true; // an operator of the program's own may call in again
    try {
      beginWaiting();
    } finally {
      stepping = false;
    }
    return first != next || sequence != null && sequence.combined() != combined;
  }

  /** Goes on with one that is waited for, and with all others that are outstanding; whether anything moved. */
  boolean goOn(Call call, int polls) {
    return count == 1 && call.isUnderWay() ? advance(call, polls) : step();
  }

  /** Goes on with one; whether it moved. Its failure is that of all. */
  private boolean advance(Call call, int polls) {
    if (stepping) {
      return false;
    }
    stepping = true;
    try {
      boolean moved = takeSteps(call, polls);
      if (moved) {
        moves++;
        movement.collective(number);
      }
      return moved;
    } catch (RuntimeException | Error e) {
      fail(call, e);
      return true;
    } finally {
      stepping = false;
    }
  }

  private boolean takeSteps(Call call, int polls) {
    boolean moved = false;
    if (call.unreadSince() != 0) {
      entry.copy(call);
      moved = call.unreadSince() == 0;
    }
    for (int steps = 0; steps < MOST_STEPS && call.unreadSince() == 0; steps++) {
      int status = call.step(member, polls);
      if (status == 0) {
        complete(call);
        return true;
      } else if (status > 0) {
        entry.perform(call, status);
        moved = true;
      } else if (status == Link.AGAIN) {
        return moved;
      } else {
        throw entry.failure(call, status);
      }
    }
    return moved;
  }

  private void complete(Call call) {
    underWay[call.which()] = null;
    running--;
    beside &= running > 0;
    leave(call);
    call.complete(null);
    beginWaiting();
  }

  /** Begins those that wait: as far as there is a place or, where they are not to begin beside others, alone. */
  private void beginWaiting() {
    while (first != null && (running == 0 || beside && running < underWay.length)) {
      Call next = first;
      if (!hasBegun(next, 0)) {
        return;
      }
      if (first != next) {
        return; // it has failed, and so all have
      }
      first = next.next;
      leave(next); // it was counted again where it goes on
    }
    reopen();
  }

  /** Ends a collective that cannot go on, and with it all others of this communicator. */
  void fail(Call call, Throwable cause) {
    if (!ending.hasCome()) {
      ending.comes(rank, "its %s ended in the middle: %s".formatted(call, call.why(cause)));
    }
    clear = false;
    entry.breakOff();
    end(call, cause);
    for (Call other : underWay) {
      if (other != null) {
        end(other, ending.refusal(other.name()));
      }
    }
    for (Call other = first; other != null; other = other.next) {
      end(other, other.follows(call) ? cause : ending.refusal(other.name()));
    }
    Arrays.fill(underWay, null);
    running = 0;
    beside = false;
    first = null;
    forget();
  }

  /** There are none any more. */
  void forget() {
    started = 0;
    clear = false;
    if (count > 0) {
      count = 0;
      outstanding.remove(this);
    }
  }

  @Override
  public boolean isIdle() {
    return count == 0;
  }

  private static void end(Call call, Throwable cause) {
    if (!call.isComplete()) {
      call.complete(cause);
    }
  }

  /** The member that a collective waits for; of one that waits for a place, those under way do; -1: none. */
  int awaited(Call call) {
    int other = call.isUnderWay() ? member.other(call.which()) : NOBODY;
    for (int which = 0; which < underWay.length && !call.isUnderWay() && other < 0; which++) {
      other = underWay[which] == null ? NOBODY : member.other(which);
    }
    return other;
  }

  /** Counts the steps of all of them at this rank that moved bytes. */
  long moves() {
    return moves;
  }

  /** Whether calls are outstanding that a request tells of. */
  boolean hasStarted() {
    return started > 0;
  }

  /** A started one that waits for a member that is gone; null: none does. */
  Call firstStranded() {
    for (Call call : underWay) {
      if (isStranded(call)) {
        return call;
      }
    }
    Call call = first;
    while (call != null && !isStranded(call)) {
      call = call.next;
    }
    return call;
  }

  private static boolean isStranded(Call call) {
    return call != null && call.form() != Form.BLOCKING && call.isStranded();
  }

  /** Adds words for each that was started and is outstanding. */
  void describe(List<String> words) {
    for (Call other : underWay) {
      describe(other, words);
    }
    for (Call other = first; other != null; other = other.next) {
      describe(other, words);
    }
  }

  private static void describe(Call call, List<String> words) {
    if (call != null && call.form() != Form.BLOCKING) {
      words.add("a started " + call);
    }
  }
}
