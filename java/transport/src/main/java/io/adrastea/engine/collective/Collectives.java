package io.adrastea.engine.collective;

import io.adrastea.core.SlotMember;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.send.Bursts;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.ConcurrentUseException;
import io.adrastea.error.RevokedException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.Link;
import io.adrastea.link.Slots;
import io.adrastea.payload.Payload;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Upkeep;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/**
 * The collectives of one communicator, as one rank calls them, through its slot in shared memory [MPICH2 2007, 3.4]. A
 * small one is one crossing into the core. What does not end there is stepped on in a wait like any other: between the
 * steps messages move on, so that a rank that waits here keeps nobody from getting here, scattered memory is packed and
 * unpacked, and the program's own operations are called.
 *
 * <p>
 * One collective at a time. One that was left in the middle, by an interrupt or because a rank failed, is the last:
 * this rank tells the others that it cannot go on, and each further call says why. A barrier alone can be called again
 * after an interrupt, and goes on where it was.
 *
 * <p>
 * Each side's memory is contiguous, from an offset on, or a payload; the other of the two is null.
 */
public final class Collectives implements Condition<Call> {
  private static final int NOBODY = -1;
  private static final int MOST_STEPS = 16; // at a stretch: messages are not to wait for long

  private final Resources resources;
  private final Gate gate;
  private final Waits waits;
  private final Bursts bursts;
  private final Liveness liveness;
  private final Set<Collectives> open;
  private final Slots slots;
  private final MemorySegment slot;
  private final Members members;
  private final int rank; // in the communicator
  private final int size;
  private final int polls; // in the first crossing
  private SlotMember member; // null: no collective was called yet; inside the gate, as all that follows
  private SlotMemory memory;
  private MemorySegment scalar;
  private Call call;
  private boolean clear; // nothing stands in the way of the next collective
  private Thread inside; // not null only while that thread waits here
  private boolean interrupted; // at the barrier, which the next one goes on with
  private boolean closed;
  private boolean revoked;
  private String unusable; // why there are no more collectives here; null: there are, or since a rank is gone
  private int culprit = Liveness.NONE; // job rank because of which there are none

  /**
   * Those of a communicator. What they take beside this is there from the first one on.
   *
   * @param open those of all communicators that have memory outside of Java: they are to be ended with the engine
   * @param members its ranks, which the link of these slots reaches
   * @param rank this one's number among them
   * @param slot of the communicator, as it is mapped here
   */
  public Collectives(
      Resources resources, Waits waits, Bursts bursts, Set<Collectives> open, Slots slots, Members members, int rank,
      MemorySegment slot) {
    this.resources = resources;
    this.gate = resources.gate();
    this.waits = waits;
    this.bursts = bursts;
    this.liveness = resources.liveness();
    this.open = open;
    this.slots = slots;
    this.slot = slot;
    this.members = members;
    this.rank = rank;
    this.size = members.numbering().size();
    this.polls = gate.isExclusive() ? Math.max(1, gate.waiter().pollsAtOnce()) : 1;
  }

  /** Returns when all members have arrived, or throws when one cannot any more. */
  public void barrier() {
    gate.enter();
    try {
      if (!clear) {
        makeClear(SlotMember.BARRIER);
      }
      bursts.show(); // also when all the others are here, and nothing is waited for
      int status = member.begin(SlotMember.BARRIER, 0, 0, 0, 0, null, 0, null, 0, polls);
      if (status != 0) {
        call.describe(SlotMember.BARRIER, 0, 0, 0, 0, null);
        finish(status);
      }
    } finally {
      gate.exit();
    }
  }

  /** Brings bytes of the root's memory to that of all other members. */
  public void bcast(MemorySegment at, long offset, Payload payload, long bytes, int root) {
    gate.enter();
    try {
      if (rank == root) {
        run(SlotMember.BCAST, root, bytes, 0, 0, null, at, offset, payload, null, 0, null);
      } else {
        run(SlotMember.BCAST, root, bytes, 0, 0, null, null, 0, null, at, offset, payload);
      }
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines the members' bytes, in the order of their numbers. Both sides may be the same memory.
   *
   * @param element number of the kind of elements
   * @param operation number of the operation
   * @param elementBytes of one element that the program's own operation combines; 0: it is one that the core knows
   * @param folding the program's own operation, or null
   */
  public void allreduce(
      MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset, Payload to, long bytes,
      int element, int operation, int elementBytes, Folding folding) {
    gate.enter();
    try {
      run(SlotMember.ALLREDUCE, elementBytes, bytes, element, operation, folding, in, inOffset, from, out, outOffset,
          to);
    } finally {
      gate.exit();
    }
  }

  /** The same with one element of eight bytes, which comes and goes as a word. */
  public long allreduce(long word, int element, int operation, int elementBytes, Folding folding) {
    gate.enter();
    try {
      if (!clear) {
        makeClear(SlotMember.ALLREDUCE); // before another thread's word is written over
      }
      scalar.set(ValueLayout.JAVA_LONG, 0, word);
      run(
          SlotMember.ALLREDUCE, elementBytes, Long.BYTES, element, operation, folding, scalar, 0, null, scalar, 0,
          null);
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
   */
  public void allgather(
      MemorySegment in, long inOffset, Payload from, MemorySegment out, long outOffset, Payload to, long bytes) {
    gate.enter();
    try {
      run(SlotMember.ALLGATHER, 0, bytes, 0, 0, null, in, inOffset, from, out, outOffset, to);
    } finally {
      gate.exit();
    }
  }

  /** Any collective but the barrier, which alone can be gone on with by another call. */
  private void run(
      int kind, int root, long bytes, int element, int operation, Folding folding, MemorySegment in, long inOffset,
      Payload from, MemorySegment out, long outOffset, Payload to) {
    if (!clear) {
      makeClear(kind);
    }
    bursts.show();
    int status = member.begin(kind, root, bytes, element, operation, in, inOffset, out, outOffset, polls);
    if (status != 0) {
      call.describe(kind, root, bytes, element, operation, folding);
      call.input(in, inOffset, from);
      call.output(out, outOffset, to);
      finish(status);
    }
  }

  /** Out of line: makes what the first collective needs; refuses one that something stands in the way of. */
  private void makeClear(int kind) {
    if (closed) {
      throw new IllegalStateException(
          "%s of rank %d: the communicator is closed; it has no ranks any more".formatted(Call.name(kind), rank));
    }
    if (member == null) {
      open();
    } else if (interrupted && kind == SlotMember.BARRIER) {
      interrupted = false; // the core goes on with it
    } else {
      throw refusal(Call.name(kind));
    }
    clear = true;
  }

  private void open() {
    member = slots.slotMember(slot, rank);
    open.add(this);
    int lowest = resources.peers().nodes().localRank(members.numbering().jobRank(0));
    memory = new SlotMemory(member, slot, resources.heap(), resources.reach(), lowest, rank == 0);
    scalar = MemorySegment.ofArray(new long[1]);
    call = new Call();
  }

  private RuntimeException refusal(String name) {
    if (inside != null) {
      return new ConcurrentUseException(
          ("thread '%s' came to the %s of rank %d while thread '%s' was waiting in its %s; one thread of a rank is in "
              + "a collective of a communicator at a time, others in those of other communicators")
              .formatted(Thread.currentThread().getName(), name, rank, inside.getName(), Call.name(call.kind())));
    }
    return interrupted
        ? new IllegalStateException(
            "rank %d is at a barrier that was interrupted; call barrier() to its end before the %s".formatted(rank,
                name))
        : unusable(name);
  }

  private RuntimeException revoked(String name) {
    return new RevokedException(
        "%s of rank %d cannot be completed: the communicator was revoked; allowed on it are agree() and shrink()"
            .formatted(name, rank));
  }

  private RuntimeException unusable(String name) {
    if (revoked) {
      return revoked(name);
    }
    return unusable == null
        ? liveness.failure(members, culprit, name)
        : new CollectiveException(
            members.numbering().rankOf(culprit), culprit,
            "%s of rank %d: this communicator takes no more collectives, since %s; make another one of its members"
                .formatted(name, rank, unusable));
  }

  /** Waits for the end of a call whose first crossing had this answer. */
  private void finish(int status) {
    clear = false;
    inside = Thread.currentThread();
    try {
      if (status > 0) {
        perform(status);
      } else if (status != Link.AGAIN) {
        throw failure(status);
      }
      waits.await(this, call, beginWait());
      clear = true;
    } catch (RuntimeException | Error e) {
      left(e);
      throw e;
    } finally {
      inside = null;
      call.forget();
    }
  }

  private Waiter beginWait() {
    return size == 2 ? waits.beginWait(members.numbering().jobRank(1 - rank)) : waits.beginWaitForAll();
  }

  /** What becomes of the communicator after an exception in the middle of a call. */
  private void left(Throwable cause) {
    if (gate.isEnded()) {
      return; // and so is the core
    }
    boolean broken = revoked || unusable != null || culprit != Liveness.NONE;
    if (call.kind() == SlotMember.BARRIER && !broken) {
      interrupted = true; // nothing was lost
      return;
    }
    if (!broken) {
      culprit = members.numbering().jobRank(rank);
      unusable = "its %s ended in the middle: %s".formatted(call, cause);
    }
    member.breakOff();
  }

  @Override
  public boolean isMet(Call call, int polls) {
    call.moved(false);
    for (int steps = 0; steps < MOST_STEPS && !call.isEnded(); steps++) {
      int status = call.step(member, polls);
      if (status == 0) {
        call.end();
      } else if (status > 0) {
        perform(status);
        call.moved(true);
      } else if (status == Link.AGAIN) {
        return false;
      } else {
        throw failure(status);
      }
    }
    return call.isEnded();
  }

  @Override
  public boolean step(Call call, Upkeep upkeep) {
    return upkeep.step() | call.hasMoved();
  }

  /** Does what the core has asked for. */
  private void perform(int status) {
    switch (status) {
      case SlotMember.FILL -> memory.fill(call);
      case SlotMember.DRAIN -> memory.drain(call);
      case SlotMember.COMBINE -> memory.fold(call);
      case SlotMember.NEEDS_CELLS -> memory.giveCells();
      case SlotMember.MOVED -> {
      } // nobody is waited for
      default -> throw CoreStatus.corrupt("step %d of a collective".formatted(status));
    }
  }

  /** A member that has failed keeps all others from ending; one that has left only those that wait for it. */
  @Override
  public int missing(Call call) {
    int failed = liveness.failedOf(members.numbering());
    int other = member.other();
    return failed != Liveness.NONE || other < 0 ? failed : liveness.missing(members.numbering().jobRank(other));
  }

  @Override
  public void fail(Call call, int gone) {
    culprit = gone;
    throw liveness.failure(members, gone, Call.name(call.kind()));
  }

  @Override
  public boolean losesNothing(Call call) {
    return call.kind() == SlotMember.BARRIER;
  }

  @Override
  public Waiting waiting(Call call) {
    if (call.kind() == SlotMember.BARRIER) {
      return new Waiting(RankEntryDescriptor.IN_BARRIER, NOBODY, 0);
    }
    int other = member.other();
    int jobRank = other < 0 ? NOBODY : members.numbering().jobRank(other);
    return new Waiting(RankEntryDescriptor.IN_COLLECTIVE, jobRank, 0, other < 0 ? null : members.name(jobRank));
  }

  /** Why the core cannot go on. */
  private RuntimeException failure(int status) {
    String name = Call.name(call.kind());
    if (status == SlotMember.REVOKED) {
      revoked = true;
      return revoked(name);
    }
    int other = member.other();
    if (other < 0 || other >= size) {
      return CoreStatus.corrupt("core error %d in the %s".formatted(-status, name));
    }
    int failed = liveness.failedOf(members.numbering());
    boolean said = status == SlotMember.BROKEN || status == SlotMember.MISMATCH; // by that rank, before it may have
                                                                                 // left
    int gone = failed == Liveness.NONE && !said ? liveness.missing(members.numbering().jobRank(other)) : failed;
    if (gone != Liveness.NONE) { // that is why
      culprit = gone;
      return liveness.failure(members, gone, name);
    }
    culprit = members.numbering().jobRank(other);
    unusable = words(status, members.name(culprit));
    return said || status == SlotMember.CLOSED
        ? new CollectiveException(other, culprit,
            "%s of rank %d cannot be completed: %s".formatted(call, rank, unusable))
        : CoreStatus.corrupt("core error %d in the %s".formatted(-status, name));
  }

  private String words(int status, String other) {
    return switch (status) {
      case SlotMember.MISMATCH ->
        "rank %s calls %s; all call the same ones in the same order, with the same root, size, type and operation"
            .formatted(other, Call.words(member.words()));
      case SlotMember.BROKEN ->
        "rank %s cannot go on with a collective: see what its call threw".formatted(other);
      case SlotMember.CLOSED -> "rank %s has closed the communicator".formatted(other);
      default -> "rank %s has written what no correct rank writes".formatted(other);
    };
  }

  @Override
  public String words(Call call) {
    return call.kind() == SlotMember.BARRIER ? waiting(call).toString()
        : "in the %s, %s".formatted(call, waiting(call));
  }

  /** Refuses to end them while a thread waits here. */
  public void requireIdle() {
    if (inside != null) {
      throw new IllegalStateException(
          "thread '%s' is in the %s of rank %d; it is to come back before the communicator is closed"
              .formatted(inside.getName(), call, rank));
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
      member.close();
    }
  }

  /** Shared memory of this rank that lasts as long as the slot; null: there is none. */
  public MemorySegment ownedCells() {
    return memory == null ? null : memory.owned();
  }
}
