package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.send.Bursts;
import io.adrastea.layout.SlotDescriptor;
import io.adrastea.link.Link;
import io.adrastea.peers.Slots;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The collectives of one communicator, as one rank calls them, through its slot in shared memory [MPICH2 2007, 3.4]. A
 * small one is one crossing into the core. What does not end there is stepped on in a wait like any other: between the
 * steps messages move on, so that a rank that waits here keeps nobody from getting here, scattered memory is packed and
 * unpacked, and the program's own operators are called.
 *
 * <p>
 * Any number of them is outstanding ({@link CallQueue}); a blocking one behind started ones begins after them. One
 * thread at a time is in a blocking one ({@link BlockingCall}), or starts one.
 *
 * <p>
 * One that was left in the middle, by an interrupt or because a rank failed, is the last, and ends all that are
 * outstanding: this rank tells the others that it cannot go on, and each further call says why ({@link Ending}). A
 * barrier alone can be called again after an interrupt, and goes on where it was.
 *
 * <p>
 * Each side is a payload, null where this rank has none. A contiguous one goes to the core as it is. None is changed
 * until the collective is complete.
 */
public final class Collectives {
  private static final int NUMBER_SHIFT = 14; // of the communicator in the slot's word `context`

  private final Resources resources;
  private final Gate gate;
  private final Waits waits;
  private final Bursts bursts;
  private final Set<Collectives> open;
  private final Slots slots;
  private final MemorySegment slot;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final Ending ending;
  private final CallQueue queue; // inside the gate, as all that follows
  private final CallWait wait;
  private final Agreement agreement;
  private SlotEntry entry; // null: no collective was called yet
  private SlotMember member; // of that
  private BlockingCall blocking; // null: likewise

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
    this.open = open;
    this.slots = slots;
    this.slot = slot;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.ending = new Ending(members, rank, resources.liveness());
    int number = slot.get(ValueLayout.JAVA_INT, SlotDescriptor.CONTEXT_ID_OFFSET) >>> NUMBER_SHIFT;
    this.queue = new CallQueue(bursts, resources.movement(), number, outstanding, rank, ending);
    this.wait = new CallWait(
        resources, waits, number, outstanding, members, rank, ending, queue, this::requireStartable);
    this.agreement = new Agreement(resources, waits, members, rank, slot);
  }

  /** What the members that live agree on. */
  public Agreement agreement() {
    return agreement;
  }

  /** Returns when all members have arrived, or throws when one cannot any more. */
  public void barrier() {
    gate.enter();
    try {
      boolean free = queue.isClear() || makeClear(SlotMember.BARRIER, 0);
      bursts.show(); // also when all the others are here, and nothing is waited for
      if (blocking.isInterrupted()) {
        blocking.goOn();
        return;
      }
      int status = free ? member.begin(SlotMember.BARRIER, 0, 0, 0, 0, null, 0, null, 0, wait.polls()) : Link.BUSY;
      if (status != 0) {
        blocking.call().describe(SlotMember.BARRIER, 0, 0, 0, 0, null);
        blocking.finish(status);
      }
    } finally {
      gate.exit();
    }
  }

  /** Runs a barrier in another form. Like all collectives it returns the call to be waited for; null: it has ended. */
  public Call barrier(Form form) {
    gate.enter();
    try {
      return run(form, SlotMember.BARRIER, 0, 0, 0, 0, null, null, 0, null);
    } finally {
      gate.exit();
    }
  }

  /**
   * Brings bytes of the root's memory to that of all other members.
   *
   * @param purpose 0, or {@link SlotMember#FOR_DUP}
   */
  public Call bcast(Form form, Payload data, int root, int purpose) {
    gate.enter();
    try {
      boolean gives = rank == root;
      return run(
          form, SlotMember.BCAST, root, data.bytes(), purpose, 0, null, gives ? data : null, 0, gives ? null : data);
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines the members' bytes, in the order of their numbers. Both sides may be the same memory.
   *
   * @param kind {@link SlotMember#ALLREDUCE}, or another one that combines
   * @param root of a reduce; 0
   */
  public Call fold(
      Form form, int kind, int root, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      return run(
          form, kind, place(kind, root, combination), in.bytes(), elements(kind, combination), combination.op(),
          combination.folding(), in, 0, out);
    } finally {
      gate.exit();
    }
  }

  /** What stands in the place of the root: of an allreduce the bytes of an element. */
  private static int place(int kind, int root, Combination combination) {
    return kind == SlotMember.ALLREDUCE ? combination.elementBytes() : root;
  }

  /** What stands in the place of the kind of elements: of all others their bytes too. */
  private static int elements(int kind, Combination combination) {
    return kind == SlotMember.ALLREDUCE ? combination.element()
        : combination.element() | combination.elementBytes() << Byte.SIZE;
  }

  /** Combines one element of eight bytes, which comes and goes as a word; a member that gets no result gets it back. */
  public long fold(int kind, int root, long word, Combination combination) {
    return ofWord(
        kind, place(kind, root, combination), word, elements(kind, combination), combination.op(),
        combination.folding());
  }

  /** Brings a word of the root to all. */
  public long bcast(long word, int root) {
    return ofWord(SlotMember.BCAST, root, word, 0, 0, null);
  }

  private long ofWord(int kind, int root, long word, int element, int op, Folding folding) {
    gate.enter();
    try {
      if (!queue.isClear()) {
        makeClear(kind, element); // before another thread's word is written over
      }
      Contiguous scalar = blocking.scalar();
      scalar.memory().set(ValueLayout.JAVA_LONG, 0, word);
      run(Form.BLOCKING, kind, root, Long.BYTES, element, op, folding, scalar, 0, scalar);
      return scalar.memory().get(ValueLayout.JAVA_LONG, 0);
    } finally {
      gate.exit();
    }
  }

  /**
   * Brings bytes of each member to all of them, one behind the other in the order of their numbers. The input may be
   * this member's part of the output: then both are the same payload.
   *
   * @param bytes of one member
   * @param purpose 0, or {@link SlotMember#FOR_SPLIT}
   */
  public Call allgather(Form form, Payload in, Payload out, long bytes, int purpose) {
    gate.enter();
    try {
      return run(form, SlotMember.ALLGATHER, 0, bytes, purpose, 0, null, in, in == out ? rank * bytes : 0, out);
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
      Form form, int kind, int root, long bytes, Blocks gives, Blocks takes, int purpose, boolean stays, Payload in,
      Payload out) {
    gate.enter();
    try {
      if (gives == null && takes == null) {
        Call.requireBlock(kind, purpose, bytes, rank, size);
        return run(form, kind, root, bytes, purpose, stays ? SlotMember.STAYS : 0, null, in, 0, out);
      }
      Call byParts = callByParts(form, kind, purpose);
      byParts.describeParts(kind, root, bytes, purpose, stays, gives, takes);
      byParts.input(in, 0);
      byParts.output(out);
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
   * @param blocks of a reduce_scatter: what each rank of this group gets, by its number there, one behind the other;
   * null: equal parts of whole elements
   */
  public Call reduceAcross(
      Form form, Groups groups, int kind, int root, long bytes, Combination combination, Blocks blocks, Payload in,
      Payload out) {
    gate.enter();
    try {
      boolean isBlocking = form == Form.BLOCKING;
      int purpose = SlotMember.FOR_GROUPS + kind;
      if (form == Form.PREPARED) {
        ending.requireOpen(SlotMember.ALLTOALL, purpose);
      } else {
        requireStartable(SlotMember.ALLTOALL, purpose);
      }
      GroupReduction reduction = form == Form.PREPARED ? wait.pool().makeReduction(groups, form)
          : wait.pool().takeReduction(groups);
      Call last = isBlocking ? blocking.call() : reduction.last();
      reduction.describe(kind, root, bytes, combination, blocks);
      reduction.describe(last, in, out);
      if (!isBlocking) {
        return begun(last);
      }
      queue.beginBefore(last, wait.polls());
      blocking.run();
      wait.pool().give(reduction);
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
  public Call reduceScatter(Form form, Blocks parts, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      int elements = elements(SlotMember.REDUCE_SCATTER, combination);
      Call byParts = callByParts(form, SlotMember.REDUCE_SCATTER, elements);
      byParts.describeParts(
          parts, in.bytes(), elements, combination.op(), combination.folding());
      byParts.input(in, 0);
      byParts.output(out);
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
    if (!queue.isClear()) {
      makeClear(kind, element);
    }
    return blocking.call();
  }

  /** Goes on with one that was described, as its form tells. */
  private Call begun(Call described) {
    return switch (described.form()) {
      case BLOCKING -> blocking.run();
      case STARTED -> wait.started(described);
      case PREPARED -> described;
    };
  }

  /**
   * Any collective but the blocking barrier, which alone can be gone on with by another call.
   *
   * @param at where in the input this rank's begins
   */
  private Call run(
      Form form, int kind, int root, long bytes, int element, int op, Folding folding, Payload in, long at,
      Payload out) {
    if (form != Form.BLOCKING) {
      Call later = laterCall(form, kind, element);
      later.describe(kind, root, bytes, element, op, folding);
      later.input(in, at);
      later.output(out);
      return begun(later);
    }
    boolean free = queue.isClear() || makeClear(kind, element);
    bursts.show();
    int status;
    try {
      status =
          free
              ? member.begin(
                  kind, root, bytes, element, op, Contiguous.memoryOf(in), Contiguous.offsetOf(in) + at,
                  Contiguous.memoryOf(out), Contiguous.offsetOf(out), wait.polls())
              : Link.BUSY;
    } catch (RuntimeException | Error e) { // memory that another thread has closed meanwhile
      blocking.call().describe(kind, root, bytes, element, op, folding);
      blocking.lose(e);
      throw e;
    }
    if (status != 0) {
      Call call = blocking.call();
      call.describe(kind, root, bytes, element, op, folding);
      call.input(in, at);
      call.output(out);
      blocking.finish(status);
    }
    return null;
  }

  /** The call of one that is started or prepared; refuses one that something stands in the way of. */
  private Call laterCall(Form form, int kind, int element) {
    if (form == Form.PREPARED) {
      ending.requireOpen(kind, element);
      return wait.pool().make(form);
    }
    requireStartable(kind, element);
    return wait.pool().take();
  }

  private void requireStartable(int kind, int element) {
    if (!queue.isClear()) {
      makeClear(kind, element);
      blocking.requireEnded(Call.name(kind, element));
    }
  }

  /**
   * Out of line: makes what the first collective needs; refuses one that something stands in the way of. Whether it can
   * begin at once: others may wait for a place before it.
   */
  private boolean makeClear(int kind, int element) {
    ending.requireOpen(kind, element);
    if (entry == null) {
      enter();
    }
    String name = Call.name(kind, element);
    blocking.requireLeft(name);
    if (ending.hasCome() || kind != SlotMember.BARRIER) {
      blocking.requireEnded(name);
    }
    ending.requireNone(name);
    queue.reopen();
    return !queue.hasWaiting();
  }

  private void enter() {
    entry = new SlotEntry(resources, slots, slot, members, rank, ending);
    member = entry.member();
    open.add(this);
    queue.open(entry);
    blocking = new BlockingCall(gate, waits, bursts, ending, queue, wait, member, rank);
  }

  /** Refuses to end them while a thread waits here, or one that was started is outstanding. */
  public void requireIdle() {
    agreement.requireIdle();
    if (queue.hasStarted()) {
      List<String> words = new ArrayList<>();
      describe(words);
      throw new IllegalStateException(
          "the communicator has started collectives outstanding at rank %d: %s; await them before it is closed"
              .formatted(rank, String.join("; ", words)));
    }
    if (isInside()) {
      throw new IllegalStateException(
          "thread '%s' is in the %s of rank %d; it is to come back before the communicator is closed"
              .formatted(blocking.inside().getName(), blocking.call(), rank));
    }
  }

  /** Whether no thread waits here, and none that was started is outstanding. */
  public boolean isIdle() {
    return !queue.hasStarted() && !isInside() && agreement.isIdle();
  }

  /** A started one that waits for a member that is gone; null: none does. Called inside the gate. */
  public Pending firstStranded() {
    return queue.firstStranded();
  }

  /** Takes no more calls; what is under way goes on. Called inside the gate. */
  public void refuseMore() {
    ending.giveUp();
    queue.reopen();
    agreement.refuseMore();
  }

  private boolean isInside() {
    return blocking != null && blocking.inside() != null;
  }

  /** Adds words for each that was started and is outstanding. */
  public void describe(List<String> words) {
    queue.describe(words);
  }

  /**
   * Ends them: there are no more, and what this rank has for them beside shared memory is given back. Called inside the
   * gate, while no thread waits here.
   */
  public void end() {
    ending.close();
    queue.reopen();
    agreement.refuseMore();
    if (open.remove(this)) {
      if (queue.hasStarted() || isInside()) {
        entry.breakOff(); // others wait for what this rank does not go on with
      }
      queue.forget();
      entry.close();
    }
  }

  /** Shared memory of this rank that lasts as long as the slot; null: there is none. */
  public MemorySegment ownedStages() {
    return entry == null ? null : entry.ownedStages();
  }
}
