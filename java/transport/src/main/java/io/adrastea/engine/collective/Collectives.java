package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.send.Bursts;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.layout.SlotMemberDescriptor;
import io.adrastea.link.Link;
import io.adrastea.link.Slots;
import io.adrastea.payload.Payload;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The collectives of one communicator, as one rank calls them, through its slot in shared memory [MPICH2 2007, 3.4]. A
 * small one is one crossing into the core. What does not end there is stepped on in a wait like any other: between the
 * steps messages move on, so that a rank that waits here keeps nobody from getting here, scattered memory is packed and
 * unpacked, and the program's own operations are called.
 *
 * <p>
 * Any number of them is outstanding: the core has up to four under way, the others wait here for a place, in their
 * order; a blocking one behind started ones begins after them. All are moved on by each step of progress
 * ({@link Outstanding}), and end in any order. One thread at a time is in a blocking one, or starts one.
 *
 * <p>
 * One that was left in the middle, by an interrupt or because a rank failed, is the last, and ends all that are
 * outstanding: this rank tells the others that it cannot go on, and each further call says why. A barrier alone can be
 * called again after an interrupt, and goes on where it was.
 *
 * <p>
 * Each side's memory is contiguous, from an offset on, or a payload; the other of the two is null.
 */
public final class Collectives implements Pending.Owner<Call> {
  private static final int NOBODY = -1;
  private static final int MOST_STEPS = 16; // at a stretch: messages are not to wait for long
  private static final int MOST_SHORT_LOOKS = 16; // that find nothing, at all that are outstanding
  private static final int NUMBER_SHIFT = 14; // of the communicator in the slot's word `context`
  private static final int COUNT_SHIFT = 32; // what others tell changes the upper half
  private static final int FEW = 4096; // bytes: their lines' way takes longer than their copies
  private static final long MOST_UNREAD = 2_000_000_000; // nanoseconds: a rank that gave memory back has broken off
  private static final long MOST_ENDING = 60_000_000_000L; // nanoseconds: a process gives it back before it is gone

  private final Resources resources;
  private final Gate gate;
  private final Waits waits;
  private final Bursts bursts;
  private final Liveness liveness;
  private final Movement movement;
  private final int number; // of the communicator, by which members tell each other what moves
  private final Outstanding outstanding;
  private final Set<Collectives> open;
  private final Slots slots;
  private final MemorySegment slot;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private int polls; // in the first crossing, as of the last wait
  private final Ending ending;
  private SlotMember member; // null: no collective was called yet; inside the gate, as all that follows
  private SlotMemory memory;
  private MemberMemory buffers;
  private MemorySegment scalar;
  private Call call; // the blocking one
  private Call spare; // for those that are started, a list: as many as were outstanding; null: one is to be made
  private GroupReduction spareReduction; // likewise, for those between groups
  private final Call[] underWay = new Call[SlotMember.UNDER_WAY]; // by their number at the member
  private int running; // of these
  private int newest; // number of the one that was begun last
  private int looksInVain; // at all of them, one after the other
  private boolean beside; // those that wait begin beside those under way
  private Call first; // of those that wait for a place there; null: none does
  private Call last;
  private int count; // under way, or waiting
  private int started; // of these, those that a request tells of
  private boolean stepping; // an operation of the program's own may call in again
  private boolean clear; // nothing stands in the way of the next collective
  private Thread inside; // not null only while that thread waits here
  private boolean interrupted; // at the barrier, which the next one goes on with
  private boolean closed;
  private long moves; // steps of all of them at this rank that moved bytes

  /**
   * Makes the collectives of a communicator. What they take beside this is there from the first one on.
   *
   * @param outstanding the communicators that have collectives outstanding
   * @param open those of all communicators that have memory outside of Java: they are to be ended with the engine
   * @param members its ranks, which the link of these slots reaches
   * @param rank this one's number among them
   * @param slot of the communicator, as it is mapped here
   */
  public Collectives(
      Resources resources, Waits waits, Bursts bursts, Outstanding outstanding, Set<Collectives> open, Slots slots,
      Members members, int rank, MemorySegment slot) {
    this.resources = resources;
    this.gate = resources.gate();
    this.waits = waits;
    this.bursts = bursts;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.number = slot.get(ValueLayout.JAVA_INT, SlotDescriptor.CONTEXT_OFFSET) >>> NUMBER_SHIFT;
    this.outstanding = outstanding;
    this.open = open;
    this.slots = slots;
    this.slot = slot;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.ending = new Ending(members, rank, liveness);
    countPolls();
  }

  /** Returns when all members have arrived, or throws when one cannot any more. */
  public void barrier() {
    gate.enter();
    try {
      boolean free = clear || makeClear(SlotMember.BARRIER, 0);
      bursts.show(); // also when all the others are here, and nothing is waited for
      if (interrupted) {
        goOn();
        return;
      }
      int status = free ? member.begin(SlotMember.BARRIER, 0, 0, 0, 0, null, 0, null, 0, polls) : Link.BUSY;
      if (status != 0) {
        call.describe(SlotMember.BARRIER, 0, 0, 0, 0, null);
        finish(status);
      }
    } finally {
      gate.exit();
    }
  }

  /** Runs a barrier in another form. Like all collectives it returns the call to be waited for; null: it has ended. */
  public Call barrier(Form form) {
    gate.enter();
    try {
      return run(form, SlotMember.BARRIER, 0, 0, 0, 0, null, null, 0, null, null, 0, null);
    } finally {
      gate.exit();
    }
  }

  /**
   * Brings bytes of the root's memory to that of all other members.
   *
   * @param purpose 0, or {@link SlotMember#FOR_DUP}
   */
  public Call bcast(Form form, MemorySegment at, long offset, Payload payload, long bytes, int root, int purpose) {
    gate.enter();
    try {
      return rank == root
          ? run(form, SlotMember.BCAST, root, bytes, purpose, 0, null, at, offset, payload, null, 0, null)
          : run(form, SlotMember.BCAST, root, bytes, purpose, 0, null, null, 0, null, at, offset, payload);
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines the members' bytes, in the order of their numbers. Both sides may be the same memory.
   *
   * @param kind {@link SlotMember#ALLREDUCE}, or another one that combines
   * @param root of a reduce; 0
   * @param bytes of the input
   * @param element number of the kind of elements
   * @param operation number of the operation
   * @param elementBytes of one element that the program's own operation combines; 0: it is one that the core knows
   * @param folding the program's own operation, or null
   */
  public Call fold(
      Form form, int kind, int root, MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset,
      Payload to, long bytes, int element, int operation, int elementBytes, Folding folding) {
    gate.enter();
    try {
      return run(
          form, kind, place(kind, root, elementBytes), bytes, elements(kind, element, elementBytes), operation, folding,
          in, inOffset, from, out, outOffset, to);
    } finally {
      gate.exit();
    }
  }

  /** What stands in the place of the root: of an allreduce the bytes of an element. */
  private static int place(int kind, int root, int elementBytes) {
    return kind == SlotMember.ALLREDUCE ? elementBytes : root;
  }

  /** What stands in the place of the kind of elements: of all others their bytes too. */
  private static int elements(int kind, int element, int elementBytes) {
    return kind == SlotMember.ALLREDUCE ? element : element | elementBytes << Byte.SIZE;
  }

  /** Combines one element of eight bytes, which comes and goes as a word; a member that gets no result gets it back. */
  public long fold(int kind, int root, long word, int element, int operation, int elementBytes, Folding folding) {
    return ofWord(
        kind, place(kind, root, elementBytes), word, elements(kind, element, elementBytes), operation, folding);
  }

  /** Brings a word of the root to all. */
  public long bcast(long word, int root) {
    return ofWord(SlotMember.BCAST, root, word, 0, 0, null);
  }

  private long ofWord(int kind, int root, long word, int element, int operation, Folding folding) {
    gate.enter();
    try {
      if (!clear) {
        makeClear(kind, element); // before another thread's word is written over
      }
      scalar.set(ValueLayout.JAVA_LONG, 0, word);
      run(
          Form.BLOCKING, kind, root, Long.BYTES, element, operation, folding, scalar, 0, null, scalar, 0, null);
      return scalar.get(ValueLayout.JAVA_LONG, 0);
    } finally {
      gate.exit();
    }
  }

  /**
   * Brings bytes of each member to all of them, one behind the other in the order of their numbers. The input may be
   * this member's part of the output.
   *
   * @param bytes of one member
   * @param purpose 0, or {@link SlotMember#FOR_SPLIT}
   */
  public Call allgather(
      Form form, MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset, Payload to,
      long bytes, int purpose) {
    gate.enter();
    try {
      return run(form, SlotMember.ALLGATHER, 0, bytes, purpose, 0, null, in, inOffset, from, out, outOffset, to);
    } finally {
      gate.exit();
    }
  }

  /**
   * Exchanges blocks: each member gives one to the root ({@link SlotMember#GATHER}), the root one to each
   * ({@link SlotMember#SCATTER}), each another one to each ({@link SlotMember#ALLTOALL}), or each one to all
   * ({@link SlotMember#ALLGATHERV}). Equal blocks of a side lie one behind the other. A member that only gives has no
   * output, one that only takes no input.
   *
   * @param bytes of each block on a side that has no parts; both are as long where neither has
   * @param gives the blocks that this member gives by parts, as the root of a scatter and in an alltoall; null: equal
   * ones, or one for all
   * @param takes the blocks that it takes by parts, as the root of a gather, in an alltoall and in any allgather by
   * parts; null: equal ones, or one
   * @param purpose 0, or that of an alltoall of which most blocks are empty ({@link SlotMember#FOR_NEIGHBOR_ALLTOALL}
   * …), or that of an exchange between groups ({@link SlotMember#FOR_GROUPS}): in an allgather by parts the root is
   * then how many members the first group has
   * @param stays this member's own block lies in the output already; of the root of a scatter it stays in the input,
   * and there is no output. Else input and output are apart, but for an alltoall in which this is told: then they are
   * the same memory, of the same blocks.
   */
  public Call exchange(
      Form form, int kind, int root, long bytes, Blocks gives, Blocks takes, int purpose, boolean stays,
      MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset, Payload to) {
    gate.enter();
    try {
      if (gives == null && takes == null) {
        Call.requireBlock(kind, purpose, bytes, rank, size);
        return run(
            form, kind, root, bytes, purpose, stays ? SlotMember.STAYS : 0, null, in, inOffset, from, out, outOffset,
            to);
      }
      Call byParts = callByParts(form, kind, purpose);
      byParts.describeParts(kind, root, bytes, purpose, stays, gives, takes);
      byParts.input(in, inOffset, from);
      byParts.output(out, outOffset, to);
      return begun(byParts);
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines what the ranks of one group of an intercommunicator give, in the order of their numbers, and brings the
   * result to the other group; in an allreduce and a reduce_scatter both do both. The input and the output are apart.
   *
   * @param kind {@link SlotMember#REDUCE}, {@link SlotMember#ALLREDUCE} or {@link SlotMember#REDUCE_SCATTER}
   * @param root of a reduce: the rank that gets the result, by its number in the other group, or {@link Groups#ROOT},
   * or {@link Groups#NOBODY}; else 0
   * @param bytes of the elements that a rank gives; in an allreduce and a reduce_scatter both groups give as many
   * @param unit bytes of an element
   * @param folding the program's own operation, or null
   * @param blocks of a reduce_scatter: what each rank of this group gets, by its number there, one behind the other;
   * null: equal parts of whole elements
   */
  public Call reduceAcross(
      Form form, Groups groups, int kind, int root, long bytes, int unit, int element, int operation, Folding folding,
      Blocks blocks, MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset, Payload to) {
    gate.enter();
    try {
      boolean isBlocking = form == Form.BLOCKING;
      int purpose = SlotMember.FOR_GROUPS + kind;
      if (form == Form.PREPARED) {
        requireOpen(SlotMember.ALLTOALL, purpose);
      } else {
        requireStartable(SlotMember.ALLTOALL, purpose);
      }
      boolean isSpare = form != Form.PREPARED && spareReduction != null;
      GroupReduction reduction = isSpare ? spareReduction
          : new GroupReduction(this, groups, rank, isBlocking ? Form.STARTED : form);
      Call last = isBlocking ? call : reduction.last();
      reduction.describe(kind, root, bytes, unit, element, operation, folding, blocks);
      reduction.describe(last, in, inOffset, from, out, outOffset, to);
      if (form == Form.PREPARED) {
        return last;
      }
      if (isSpare) {
        spareReduction = reduction.next;
      }
      if (!isBlocking) {
        return started(last);
      }
      beginBefore(last, polls);
      ended(first == null);
      give(reduction);
      return null;
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines the members' bytes, as {@link #fold}, and gives each member its part of the result.
   *
   * @param parts of the input, one behind the other, at all members as long
   */
  public Call reduceScatter(
      Form form, Blocks parts, MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset,
      Payload to, long bytes, int element, int operation, int elementBytes, Folding folding) {
    gate.enter();
    try {
      Call byParts = callByParts(form, SlotMember.REDUCE_SCATTER, element);
      byParts.describeParts(
          parts, bytes, elements(SlotMember.REDUCE_SCATTER, element, elementBytes), operation, folding);
      byParts.input(in, inOffset, from);
      byParts.output(out, outOffset, to);
      return begun(byParts);
    } finally {
      gate.exit();
    }
  }

  /** The call of one by parts, to be described; refuses one that something stands in the way of. */
  private Call callByParts(Form form, int kind, int element) {
    if (form != Form.BLOCKING) {
      return laterCall(form, kind, element);
    }
    if (!clear) {
      makeClear(kind, element);
    }
    return call;
  }

  /** Goes on with one that was described, as its form tells. */
  private Call begun(Call described) {
    return switch (described.form()) {
      case BLOCKING -> ended(first == null); // others may wait for a place before it
      case STARTED -> started(described);
      case PREPARED -> described;
    };
  }

  /** Runs the blocking call that was described to its end: null. */
  private Call ended(boolean free) {
    bursts.show();
    int status;
    try {
      status = free && call.isReady() ? call.begin(member, polls) : Link.BUSY;
    } catch (RuntimeException | Error e) { // memory that another thread has closed meanwhile
      left(e);
      call.end();
      throw e;
    }
    if (status == 0) {
      call.end();
    } else {
      finish(status);
    }
    return null;
  }

  /** Any collective but the blocking barrier, which alone can be gone on with by another call. */
  private Call run(
      Form form, int kind, int root, long bytes, int element, int operation, Folding folding, MemorySegment in,
      long inOffset, Payload from, MemorySegment out, long outOffset, Payload to) {
    if (form != Form.BLOCKING) {
      Call later = laterCall(form, kind, element);
      later.describe(kind, root, bytes, element, operation, folding);
      later.input(in, inOffset, from);
      later.output(out, outOffset, to);
      return form == Form.PREPARED ? later : started(later);
    }
    boolean free = clear || makeClear(kind, element);
    bursts.show();
    int status;
    try {
      status =
          free ? member.begin(kind, root, bytes, element, operation, in, inOffset, out, outOffset, polls) : Link.BUSY;
    } catch (RuntimeException | Error e) { // memory that another thread has closed meanwhile
      call.describe(kind, root, bytes, element, operation, folding);
      left(e);
      call.end();
      throw e;
    }
    if (status != 0) {
      call.describe(kind, root, bytes, element, operation, folding);
      call.input(in, inOffset, from);
      call.output(out, outOffset, to);
      finish(status);
    }
    return null;
  }

  // Started ones

  /** The call of one that is started or prepared; refuses one that something stands in the way of. */
  private Call laterCall(Form form, int kind, int element) {
    if (form == Form.PREPARED) {
      requireOpen(kind, element);
      return new Call(this, form, rank, size);
    }
    requireStartable(kind, element);
    Call later = spare;
    if (later == null) {
      return new Call(this, form, rank, size);
    }
    spare = later.next;
    return later;
  }

  private void requireStartable(int kind, int element) {
    if (!clear) {
      makeClear(kind, element);
      if (interrupted) {
        throw refusal(Call.name(kind, element));
      }
    }
  }

  /** Starts one that was described; null: it has ended, and its call is free for another one. */
  private Call started(Call call) {
    begin(call, looksAtStart(call));
    if (!call.isComplete() || call.hasFailed()) {
      return call;
    }
    give(call);
    return null;
  }

  /** A persistent one. What has become of it is kept when it is asked for. */
  @Override
  public <T> void start(Call call, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      requireStartable(call.kind(), call.element());
      begin(call, looksAtStart(call));
    } finally {
      gate.exit();
    }
  }

  /**
   * A moment's looks at a short one take less than to come back for it: most end in the one crossing that begins them.
   */
  private int looksAtStart(Call call) {
    return polls > 1 && call.bytes() <= FEW ? Math.min(polls, MOST_SHORT_LOOKS) : 0;
  }

  private void begin(Call call, int polls) {
    beginBefore(call, polls);
    bursts.show();
    call.start();
    if (first != null || running > 0 && call.bytes() <= FEW || !hasBegun(call, polls)) {
      await(call);
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
  private void beginBefore(Call call, int polls) {
    if (call.reduction() != null) {
      call.reduction().begin();
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
  private void goOnWith(Call call, int status) {
    newest = member.begun();
    call.begun(newest);
    enter(call);
    underWay[newest] = call;
    running++;
    try {
      if (status > 0) {
        perform(call, status);
      } else if (status != Link.AGAIN) {
        throw failure(call, status);
      }
    } catch (RuntimeException | Error e) {
      fail(call, e);
    }
  }

  /** Has a collective wait for a place at the member. */
  private void await(Call call) {
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
  boolean step() {
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
    GroupReduction reduction = next.reduction();
    long combined = reduction == null ? 0 : reduction.combined();
    stepping = true; // an operation of the program's own may call in again
    try {
      beginWaiting();
    } finally {
      stepping = false;
    }
    return first != next || reduction != null && reduction.combined() != combined;
  }

  /** Goes on with one that is waited for, and with all others that are outstanding; whether anything moved. */
  private boolean goOn(Call call, int polls) {
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
      copy(call);
      moved = call.unreadSince() == 0;
    }
    for (int steps = 0; steps < MOST_STEPS && call.unreadSince() == 0; steps++) {
      int status = call.step(member, polls);
      if (status == 0) {
        complete(call);
        return true;
      } else if (status > 0) {
        perform(call, status);
        moved = true;
      } else if (status == Link.AGAIN) {
        return moved;
      } else {
        throw failure(call, status);
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
  private void fail(Call call, Throwable cause) {
    if (!ending.hasCome()) {
      ending.comes(rank, "its %s ended in the middle: %s".formatted(call, call.why(cause)));
    }
    clear = false;
    breakOff();
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
    started = 0;
    if (count > 0) {
      count = 0;
      outstanding.remove(this);
    }
  }

  /** Tells the others, and returns when nobody writes memory of this rank any more: the program has it again. */
  private void breakOff() {
    member.breakOff();
    for (int other = 0; other < size; other++) {
      while (member.isWrittenBy(other) == 1
          && liveness.missing(members.numbering().jobRank(other)) == Liveness.NONE) {
        Thread.yield();
      }
    }
  }

  private static void end(Call call, Throwable cause) {
    if (!call.isComplete()) {
      call.complete(cause);
    }
  }

  @Override
  public <T> boolean poll(Call call, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      boolean complete = call.isComplete() || completes(call);
      if (complete) {
        end(call, outcome, subject);
      }
      return complete;
    } finally {
      gate.exit();
    }
  }

  /** Moves things on; whether a call is complete then. */
  private boolean completes(Call call) {
    waits.step();
    if (!call.isComplete() && call.enterCheck(waits.pollInVain())) {
      waits.check(this, call);
    }
    return call.isComplete();
  }

  @Override
  public <T> void finish(Call call, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      settle(call, nanos);
      end(call, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private void settle(Call call, long nanos) {
    if (!call.isComplete() && !isLeft(call)) {
      goOn(call, polls);
    }
    if (call.isComplete()) {
      return;
    }
    Waiter waiter = beginWait();
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    try {
      waits.await(this, call, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  /** It goes on in any case. */
  @Override
  public <T> void finishOrWithdraw(Call call, long nanos, Pending.Outcome<T> outcome, T subject) {
    finish(call, nanos, outcome, subject);
  }

  @Override
  public boolean withdraw(Call call) {
    throw new UnsupportedOperationException(
        "a started collective cannot be cancelled, since other ranks take part in it; await or test it");
  }

  /** Ends a call that is complete, once what has become of it is kept. */
  private <T> void end(Call call, Pending.Outcome<T> outcome, T subject) {
    outcome.keep(subject, call);
    if (call.form() == Form.PREPARED) {
      call.end();
    } else {
      give(call);
    }
  }

  private void give(Call call) {
    GroupReduction reduction = call.reduction();
    call.end();
    if (reduction == null) {
      call.next = spare;
      spare = call;
    } else {
      give(reduction);
    }
  }

  private void give(GroupReduction reduction) {
    reduction.end();
    reduction.next = spareReduction;
    spareReduction = reduction;
  }

  // Blocking ones

  /** Goes on with the barrier that was interrupted. */
  private void goOn() {
    interrupted = false;
    finish(Link.AGAIN);
  }

  /**
   * Out of line: makes what the first collective needs; refuses one that something stands in the way of. Whether it can
   * begin at once: others may wait for a place before it.
   */
  private boolean makeClear(int kind, int element) {
    requireOpen(kind, element);
    if (member == null) {
      open();
    } else if (inside != null || ending.hasCome() || interrupted && kind != SlotMember.BARRIER) {
      throw refusal(Call.name(kind, element));
    }
    reopen();
    return first == null;
  }

  private void requireOpen(int kind, int element) {
    if (closed) {
      throw new IllegalStateException(
          "%s of rank %d in %s: the communicator is closed; it has no ranks any more"
              .formatted(Call.name(kind, element), rank, members.label()));
    }
  }

  /** Whether nothing stands in the way of the next collective. */
  private void reopen() {
    clear = first == null && inside == null && !interrupted && !closed && !ending.hasCome();
  }

  private void open() {
    member = slots.slotMember(slot, rank);
    open.add(this);
    int lowest = resources.peers().nodes().localRank(members.numbering().jobRank(0));
    memory = new SlotMemory(member, slot, resources.heap(), resources.reach(), lowest, rank == 0);
    buffers = new MemberMemory(
        member, resources.memory(), members.numbering(), rank, resources.isOversubscribed(), slot);
    scalar = MemorySegment.ofArray(new long[1]);
    call = new Call(this, Form.BLOCKING, rank, size);
  }

  private RuntimeException refusal(String name) {
    if (inside != null) {
      return new ConcurrentUseException(
          ("thread '%s' came to the %s of rank %d while thread '%s' was waiting in its %s; one thread of a rank is in "
              + "a collective of a communicator at a time, others in those of other communicators")
              .formatted(Thread.currentThread().getName(), name, rank, inside.getName(), call.name()));
    }
    return interrupted
        ? new IllegalStateException(
            "rank %d is at a barrier that was interrupted; call barrier() to its end before the %s".formatted(rank,
                name))
        : ending.refusal(name);
  }

  /** Waits for the end of the blocking call, whose first crossing had this answer. */
  private void finish(int status) {
    clear = false;
    inside = Thread.currentThread();
    try {
      if (call.isIdle()) {
        call.start();
        if (status == Link.BUSY) {
          await(call);
        } else {
          goOnWith(call, status);
        }
      }
      waits.await(this, call, beginWait());
      call.rethrow();
    } catch (RuntimeException | Error e) {
      left(e);
      throw e;
    } finally {
      inside = null;
      if (call.isComplete()) {
        call.end();
        reopen();
      }
    }
  }

  private Waiter beginWait() {
    Waiter waiter = size == 2 ? waits.beginWait(members.numbering().jobRank(1 - rank)) : waits.beginWaitForAll();
    countPolls();
    return waiter;
  }

  /** What a wait knows of the CPUs decides how often the first crossing of the next call polls. */
  private void countPolls() {
    polls = gate.isExclusive() ? Math.max(1, gate.waiter().pollsAtOnce()) : 1;
  }

  /** What becomes of the communicator after an exception in the middle of the blocking call. */
  private void left(Throwable cause) {
    if (gate.isEnded()) {
      return; // and so is the core
    }
    if (call.kind() == SlotMember.BARRIER && !ending.hasCome()) {
      interrupted = true; // nothing was lost
      return;
    }
    fail(call, cause);
  }

  @Override
  public boolean isMet(Call call, int polls) {
    if (!call.isComplete() && !isLeft(call)) {
      call.moved(goOn(call, gate.isExclusive() && outstanding.isAllOf(this) ? gate.waiter().polls() : polls));
    }
    return call.isComplete();
  }

  /** Whether the calling thread, which waits for it, leaves it to the progress thread. */
  private boolean isLeft(Call call) {
    boolean left = !gate.isExclusive() && waits.isAttended();
    if (left) {
      call.leave();
    }
    return left;
  }

  @Override
  public boolean step(Call call, Upkeep upkeep) {
    return !gate.waiter().leaves() && upkeep.step() | call.hasMoved();
  }

  /** Does what the core has asked for. */
  private void perform(Call call, int status) {
    switch (status) {
      case SlotMember.FILL -> memory.fill(call);
      case SlotMember.DRAIN -> memory.drain(call);
      case SlotMember.COMBINE -> memory.fold(call);
      case SlotMember.KEEP -> memory.keep(call);
      case SlotMember.NEEDS_CELLS -> memory.giveCells();
      case SlotMember.EXPOSE -> buffers.expose(call);
      case SlotMember.REACH -> buffers.reach(call);
      case SlotMember.READ, SlotMember.WRITE -> {
        call.writes(status == SlotMember.WRITE);
        if (member.words(call.which())[SlotMember.BY] == SlotMember.BY_CELLS) {
          memory.relay(call, call.writes());
        } else {
          copy(call);
        }
      }
      case SlotMember.MOVED -> {
      } // nobody is waited for
      default -> throw CoreStatus.corrupt("step %d of a collective".formatted(status));
    }
  }

  /**
   * Reads or writes memory of another member. Where no space is left for that the other one copies. Memory that cannot
   * be reached is mostly that of one about to be found dead: that is waited for, and tried again.
   */
  private void copy(Call call) {
    long status = call.writes() ? buffers.write(call) : buffers.read(call, memory.cells());
    gate.waiter().copied();
    if (status == Spaces.PERM && member.relay(call.which()) == 0) {
      status = 0;
    }
    if (status >= 0) {
      call.unreadSince(0);
      return;
    }
    int other = member.other(call.which());
    if (member.state(other) != SlotMemberDescriptor.OPEN) {
      throw failure(call, SlotMember.BROKEN);
    }
    long now = System.nanoTime() | 1;
    if (call.unreadSince() == 0) {
      call.unreadSince(now);
    }
    if (status == Spaces.PERM || now - call.unreadSince() > patience(status)) {
      throw ending.unreachable(call, other, (int) -status);
    }
  }

  /**
   * How long it is waited for that a member is found dead whose memory cannot be reached. One that was killed has none
   * any more until it is gone, which takes seconds where there was much of it, or CPUs are busy.
   */
  private static long patience(long status) {
    return status == Spaces.SRCH ? MOST_ENDING : MOST_UNREAD;
  }

  /** A member that has failed keeps all others from ending; one that has left only those that wait for it. */
  @Override
  public int missing(Call call) {
    if (call.isComplete()) {
      return NONE;
    }
    members.settle();
    int failed = liveness.failedOf(members.numbering());
    int other = awaited(call);
    return failed != Liveness.NONE || other < 0 ? failed : liveness.missing(members.numbering().jobRank(other));
  }

  /** The member that a collective waits for; of one that waits for a place, those under way do; -1: none. */
  private int awaited(Call call) {
    int other = call.isUnderWay() ? member.other(call.which()) : NOBODY;
    for (int which = 0; which < underWay.length && !call.isUnderWay() && other < 0; which++) {
      other = underWay[which] == null ? NOBODY : member.other(which);
    }
    return other;
  }

  @Override
  public void fail(Call call, int gone) {
    fail(call, ending.gone(gone, call.name()));
  }

  @Override
  public boolean losesNothing(Call call) {
    return call.form() != Form.BLOCKING || call.kind() == SlotMember.BARRIER;
  }

  /**
   * The collectives of one communicator end one after the other, or beside each other: any that moves is on the way to
   * all. Ranks that have long messages, which are moved on meanwhile, come to the collective afterwards.
   */
  @Override
  public long moves(Call call) {
    long all = moves + movement.ofMessages(NOBODY);
    for (int other = 0; other < size; other++) {
      all += movement.ofCollectives(members.numbering().jobRank(other), number) << COUNT_SHIFT;
    }
    return all;
  }

  @Override
  public Waiting waiting(Call call) {
    if (call.kind() == SlotMember.BARRIER) {
      return new Waiting(RankEntryDescriptor.IN_BARRIER, NOBODY, 0);
    }
    int other = awaited(call);
    int jobRank = other < 0 ? NOBODY : members.numbering().jobRank(other);
    return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, other < 0 ? null : members.name(jobRank));
  }

  /** Why the core cannot go on. */
  private RuntimeException failure(Call call, int status) {
    return ending.failure(call, status, member.other(call.which()), member.words(call.which()));
  }

  @Override
  public String words(Call call) {
    return call.kind() == SlotMember.BARRIER ? waiting(call).toString()
        : "in the %s, %s".formatted(call, waiting(call));
  }

  /** Refuses to end them while a thread waits here, or one that was started is outstanding. */
  public void requireIdle() {
    if (started > 0) {
      List<String> words = new ArrayList<>();
      describe(words);
      throw new IllegalStateException(
          "the communicator has started collectives outstanding at rank %d: %s; await them before it is closed"
              .formatted(rank, String.join("; ", words)));
    }
    if (inside != null) {
      throw new IllegalStateException(
          "thread '%s' is in the %s of rank %d; it is to come back before the communicator is closed"
              .formatted(inside.getName(), call, rank));
    }
  }

  /** Adds words for each that was started and is outstanding. */
  public void describe(List<String> words) {
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

  /**
   * Ends them: there are no more, and what this rank has for them beside shared memory is given back. Called inside the
   * gate, while no thread waits here.
   */
  public void end() {
    closed = true;
    clear = false;
    if (open.remove(this)) {
      if (started > 0 || inside != null) {
        breakOff(); // others wait for what this rank does not go on with
      }
      if (count > 0) {
        count = 0;
        outstanding.remove(this);
      }
      member.close();
    }
  }

  /** Shared memory of this rank that lasts as long as the slot; null: there is none. */
  public MemorySegment ownedCells() {
    return memory == null ? null : memory.owned();
  }
}
