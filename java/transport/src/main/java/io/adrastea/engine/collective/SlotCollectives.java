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
 * The collectives of one communicator through its slot in shared memory [MPICH2 2007, 3.4]. A small one is one crossing
 * into the core. What does not end there is stepped on in a wait like any other: between the steps messages move on, so
 * that a rank that waits here keeps nobody from getting here, scattered memory is packed and unpacked, and the
 * program's own operators are called.
 *
 * <p>
 * What is outstanding is in {@link CallQueue}, the thread of a blocking one in {@link BlockingCall}. A contiguous
 * payload goes to the core as it is.
 */
public final class SlotCollectives implements Collectives {
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
  public SlotCollectives(
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
    this.agreement = new Agreement(resources, waits, members, rank, new SlotSteps(resources, members, rank, slot));
  }

  @Override
  public boolean haveEnded() {
    return ending.hasCome();
  }

  @Override
  public void isOut(int member) {
    // Its part of the slot says so, too.
  }

  @Override
  public Agreement agreement() {
    return agreement;
  }

  @Override
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

  @Override
  public Call barrier(Form form) {
    gate.enter();
    try {
      return run(form, SlotMember.BARRIER, 0, 0, 0, 0, null, null, 0, null);
    } finally {
      gate.exit();
    }
  }

  @Override
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

  @Override
  public Call fold(
      Form form, int kind, int root, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      return run(
          form, kind, combination.inPlaceOfRoot(kind, root), in.bytes(), combination.elements(kind), combination.op(),
          combination.folding(), in, 0, out);
    } finally {
      gate.exit();
    }
  }

  @Override
  public long fold(int kind, int root, long word, Combination combination) {
    return ofWord(
        kind, combination.inPlaceOfRoot(kind, root), word, combination.elements(kind), combination.op(),
        combination.folding());
  }

  @Override
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

  @Override
  public Call allgather(Form form, Payload in, Payload out, long bytes, int purpose) {
    gate.enter();
    try {
      return run(form, SlotMember.ALLGATHER, 0, bytes, purpose, 0, null, in, in == out ? rank * bytes : 0, out);
    } finally {
      gate.exit();
    }
  }

  @Override
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

  @Override
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

  @Override
  public Call reduceScatter(Form form, Blocks parts, Payload in, Payload out, Combination combination) {
    gate.enter();
    try {
      int elements = combination.elements(SlotMember.REDUCE_SCATTER);
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

  @Override
  public void requireIdle() {
    agreement.requireIdle();
    if (queue.hasStarted()) {
      List<String> words = new ArrayList<>();
      describe(words);
      throw outstanding(rank, words);
    }
    if (isInside()) {
      throw entered(blocking.inside(), blocking.call(), rank);
    }
  }

  /** Started ones are outstanding, and keep the communicator from being closed. */
  static IllegalStateException outstanding(int rank, List<String> words) {
    return new IllegalStateException(
        "the communicator has started collectives outstanding at rank %d: %s; await them before it is closed"
            .formatted(rank, String.join("; ", words)));
  }

  /** A thread is in a call, and keeps the communicator from being closed. */
  static IllegalStateException entered(Thread inside, Call call, int rank) {
    return new IllegalStateException(
        "thread '%s' is in the %s of rank %d; it is to come back before the communicator is closed"
            .formatted(inside.getName(), call, rank));
  }

  @Override
  public boolean isIdle() {
    return !queue.hasStarted() && !isInside() && agreement.isIdle();
  }

  @Override
  public Pending firstStranded() {
    return queue.firstStranded();
  }

  @Override
  public void refuseMore() {
    ending.giveUp();
    queue.reopen();
    agreement.refuseMore();
  }

  private boolean isInside() {
    return blocking != null && blocking.inside() != null;
  }

  @Override
  public void describe(List<String> words) {
    queue.describe(words);
  }

  @Override
  public void end() {
    ending.close();
    queue.reopen();
    agreement.end();
    if (open.remove(this)) {
      if (queue.hasStarted() || isInside()) {
        entry.breakOff(); // others wait for what this rank does not go on with
      }
      queue.forget();
      entry.close();
    }
  }

  @Override
  public MemorySegment ownedStages() {
    return entry == null ? null : entry.ownedStages();
  }
}
