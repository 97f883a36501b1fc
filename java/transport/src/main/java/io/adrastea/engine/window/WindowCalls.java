package io.adrastea.engine.window;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import io.adrastea.space.Exposed;
import io.adrastea.space.Exposure;
import io.adrastea.space.Space;
import io.adrastea.wait.Gate;
import java.lang.foreign.MemorySegment;

/**
 * What a rank does in the memory of the members of a window, by whatever way it reaches that: where it lies, by the
 * system, or by asking its rank [SCI-MPICH 2002, 4.2]. The caller has checked epoch, place and types. A call is over
 * when it returns: memory of the program is free, and what was asked for is there. One that was started is so, too, but
 * where it asks the member's rank.
 *
 * <p>
 * Any thread may call; what copies by the system and what asks others enters the gate by itself.
 */
public final class WindowCalls {
  private static final int STAGE = 1 << 15; // bytes that are staged at a time
  private static final MemorySegment NO_MEMORY = MemorySegment.NULL;

  /** What a thread needs for a call. */
  private static final ThreadLocal<Hand> HANDS = ThreadLocal.withInitial(Hand::new);

  /** Where a thread is in the memory of both ends, and where it stages data. */
  private static final class Hand {
    private final Contiguous memory = new Contiguous();
    private final Cursor near = new Cursor();
    private final Cursor far = new Cursor();
    private final Cursor result = new Cursor();
    private final Stretch stretch = new Stretch();
    private final Exposure elements = new Exposure();
    private final MemorySegment staged = MemorySegment.ofArray(new long[STAGE / Long.BYTES]);
    private final MemorySegment results = MemorySegment.ofArray(new long[STAGE / Long.BYTES]);
  }

  private final Spaces spaces;
  private final Gate gate;
  private final Resources resources;
  private final Members members;
  private final Exposed exposed;
  private final Stretches stretches; // null: the memory was named when the window was made
  private final WindowMessages messages;
  private final Attachments attachments;
  private final WindowAtomics atomics;

  WindowCalls(Resources resources, Members members, Exposed exposed, Stretches stretches,
      WindowMessages messages, Attachments attachments, WindowAtomics atomics) {
    this.spaces = resources.spaces();
    this.gate = resources.gate();
    this.resources = resources;
    this.members = members;
    this.exposed = exposed;
    this.stretches = stretches;
    this.messages = messages;
    this.attachments = attachments;
    this.atomics = atomics;
  }

  /** Whether elements are pairs of a value and an index, which have a datatype of their own. */
  public static boolean isPair(ElementKind kind) {
    return switch (kind) {
      case SHORT_INT, INT_INT, LONG_INT, FLOAT_INT, DOUBLE_INT -> true;
      default -> false;
    };
  }

  /** The memory of a target that some elements lie in. */
  private Exposed.Part part(String call, int target, long at, Program program, long count, long bytes) {
    if (stretches == null) {
      return exposed.part(target);
    }
    return program == null ? stretches.find(call, target, at, at, at + bytes)
        : stretches.find(call, target, at, at + program.lowest(count), at + program.highest(count));
  }

  // put and get

  /**
   * Copies data to a member's memory.
   *
   * @param at in bytes, of the first byte or of the origin of the first element
   * @param program how elements lie there; null: bytes, one after the other
   * @param count of these elements
   */
  public void put(Payload near, int target, long at, Program program, long count) {
    copy(near, target, at, program, count, false, true);
  }

  /** Copies data from a member's memory; parameters as of {@link #put}. */
  public void get(Payload near, int target, long at, Program program, long count) {
    copy(near, target, at, program, count, true, true);
  }

  /** Copies bytes of some memory to a member's memory. */
  public void put(MemorySegment near, long offset, long bytes, int target, long at) {
    copy(near, offset, bytes, target, at, false);
  }

  /** Copies bytes from a member's memory. */
  public void get(MemorySegment near, long offset, long bytes, int target, long at) {
    copy(near, offset, bytes, target, at, true);
  }

  private void copy(MemorySegment near, long offset, long bytes, int target, long at, boolean in) {
    Contiguous memory = HANDS.get().memory.set(near, offset, bytes);
    try {
      copy(memory, target, at, null, 0, in, true);
    } finally {
      memory.set(NO_MEMORY, 0, 0);
    }
  }

  /**
   * Starts what {@link #put} does.
   *
   * @return what is to be waited for; null: it is over
   */
  public Pending startPut(Payload near, int target, long at) {
    return copy(near, target, at, null, 0, false, false);
  }

  /** Starts what {@link #get} does, likewise. */
  public Pending startGet(Payload near, int target, long at) {
    return copy(near, target, at, null, 0, true, false);
  }

  /** @param isAwaited whether it is over when this returns */
  private Pending copy(Payload near, int target, long at, Program program, long count, boolean in,
      boolean isAwaited) {
    if (near.bytes() == 0) {
      return null;
    }
    Exposed.Part part = part(in ? "get" : "put", target, at, program, count, near.bytes());
    long from = at - part.first();
    switch (part.way()) {
      case DIRECT -> copyDirectly(near, part.memory(), from, program, count, in);
      case XPMEM -> copyAttached(near, target, part, from, program, count, in);
      case CMA -> copyBySystem(near, target, part, Space.CMA, from, program, count, in);
      case HANDLER -> {
        return messages.copy(near, target, at, elements(at, program, count), in, isAwaited);
      }
    }
    return null;
  }

  private void copyDirectly(Payload near, MemorySegment memory, long at, Program program, long count, boolean in) {
    Hand hand = HANDS.get();
    Cursor cursor = hand.near;
    long bytes = near.bytes();
    cursor.begin(bytes);
    if (program == null) {
      if (in) {
        near.unpack(cursor, memory, at, bytes);
      } else {
        near.pack(cursor, memory, at, bytes);
      }
      return;
    }
    Typed far = new Typed(spaces, null, program, memory, at, count);
    hand.far.begin(bytes);
    if (near instanceof Typed typed) {
      if (in) {
        spaces.copy(typed.program(), typed.place(cursor), typed.memory(0), typed.offset(), program,
            far.place(hand.far), memory, at, bytes);
      } else {
        spaces.copy(program, far.place(hand.far), memory, at, typed.program(), typed.place(cursor), typed.memory(0),
            typed.offset(), bytes);
      }
      return;
    }
    while (cursor.left() > 0) {
      near.stretch(cursor, hand.stretch);
      long some = hand.stretch.bytes();
      if (in) {
        far.pack(hand.far, hand.stretch.memory(), hand.stretch.offset(), some);
      } else {
        far.unpack(hand.far, hand.stretch.memory(), hand.stretch.offset(), some);
      }
      near.seek(cursor, cursor.position() + some);
    }
    hand.stretch.clear();
  }

  /** The memory may be gone: then an access throws, in compiled code at the latest at the next call into C. */
  private void copyAttached(Payload near, int target, Exposed.Part part, long at, Program program, long count,
      boolean in) {
    if (program != null || !(near instanceof Contiguous one)) {
      copyBySystem(near, target, part, Space.XPMEM, at, program, count, in);
      return;
    }
    try {
      if (in) {
        MemorySegment.copy(part.memory(), at, one.memory(), one.offset(), one.bytes());
      } else {
        MemorySegment.copy(one.memory(), one.offset(), part.memory(), at, one.bytes());
      }
    } catch (InternalError e) {
      throw attachments.failure(target, e);
    }
  }

  private void copyBySystem(Payload near, int target, Exposed.Part part, Space space, long at, Program program,
      long count, boolean in) {
    Hand hand = HANDS.get();
    Exposure far = part.exposure();
    long position = at;
    if (program != null) {
      hand.elements.setElements(far, at, program, count);
      far = hand.elements;
      position = 0;
    }
    hand.near.begin(near.bytes());
    int peer = members.numbering().jobRank(target);
    gate.enter();
    long status;
    try {
      status = in
          ? resources.memory().read(peer, space, far, position, near, hand.near, near.bytes())
          : resources.memory().write(peer, space, far, position, near, hand.near, near.bytes());
    } finally {
      gate.exit();
    }
    if (status < 0) {
      throw space == Space.XPMEM ? attachments.failure(target, null) : refused(target, status);
    }
  }

  private RuntimeException refused(int target, long status) {
    int peer = members.numbering().jobRank(target);
    if (resources.liveness().missing(peer) == peer) {
      return resources.liveness().failure(members, peer, "access to its memory");
    }
    return new AdrasteaException(
        ("the memory of rank %s in %s cannot be reached by CMA any more (error %d); set adrastea.window=handler where "
            + "the system forbids it").formatted(members.name(peer), members.label(), -status));
  }

  /** Elements of a target's memory, which its rank accesses; null: bytes. */
  private Typed elements(long at, Program program, long count) {
    return program == null ? null : new Typed(spaces, null, program, NO_MEMORY, at, count);
  }

  // Atomics

  /**
   * Accumulates elements.
   *
   * @param near the operands; null: the operator reads none
   * @param result where goes what was there; null: nobody wants it
   * @param at in bytes
   * @param program how elements lie there; null: one after the other
   * @param count of elements of the program
   * @param bytes of all
   * @param alone nobody else accesses the memory now
   */
  public void accumulate(Operator op, ElementKind kind, Payload near, Payload result, int target, long at,
      Program program, long count, long bytes, boolean alone) {
    accumulate(op, kind, near, result, target, at, program, count, bytes, alone, true);
  }

  /**
   * Starts what {@link #accumulate} does.
   *
   * @return what is to be waited for; null: it is over
   */
  public Pending startAccumulate(Operator op, ElementKind kind, Payload near, Payload result, int target, long at,
      Program program, long count, long bytes, boolean alone) {
    return accumulate(op, kind, near, result, target, at, program, count, bytes, alone, false);
  }

  private Pending accumulate(Operator op, ElementKind kind, Payload near, Payload result, int target, long at,
      Program program, long count, long bytes, boolean alone, boolean isAwaited) {
    if (bytes == 0) {
      return null;
    }
    Exposed.Part part = part("accumulate", target, at, program, count, bytes);
    long from = at - part.first();
    switch (part.way()) {
      case DIRECT -> accumulateMapped(op, kind, near, result, target, part, from, program, count, bytes, alone);
      case XPMEM -> {
        try {
          accumulateMapped(op, kind, near, result, target, part, from, program, count, bytes, alone);
        } catch (InternalError e) {
          throw attachments.failure(target, e);
        }
      }
      default -> {
        return messages.accumulate(op, kind, near, result, target, at, elements(at, program, count), bytes, isAwaited);
      }
    }
    return null;
  }

  private void accumulateMapped(Operator op, ElementKind kind, Payload near, Payload result, int target,
      Exposed.Part part, long at, Program program, long count, long bytes, boolean alone) {
    boolean mayVanish = part.way() == Exposed.Way.XPMEM;
    if (!WindowAtomics.isInstruction(op, kind)) {
      Payload elements = program == null ? new Contiguous(part.memory(), at, bytes)
          : mayVanish ? listed(part.memory(), at, program, count)
              : new Typed(spaces, null, program, part.memory(), at, count);
      atomics.accumulateUnderStripes(op, kind, target, elements, part.first(), near, result, bytes);
      return;
    }
    if (program == null && isPlain(near) && isPlain(result)) {
      atomics.accumulate(op, kind, target, part.memory(), at, Contiguous.memoryOf(near), Contiguous.offsetOf(near),
          Contiguous.memoryOf(result), Contiguous.offsetOf(result), bytes, alone, mayVanish);
      return;
    }
    Hand hand = HANDS.get();
    hand.near.begin(bytes);
    hand.result.begin(bytes);
    hand.far.begin(bytes);
    Typed far = elements(at, program, count);
    long most = STAGE - STAGE % kind.bytes();
    for (long done = 0; done < bytes;) {
      long from = at + done;
      long some = Math.min(most, bytes - done);
      if (far != null) {
        far.stretch(hand.far, hand.stretch);
        from = hand.stretch.offset();
        some = Math.min(some, hand.stretch.bytes());
        far.seek(hand.far, done + some);
      }
      if (near != null) {
        near.pack(hand.near, hand.staged, 0, some);
      }
      atomics.accumulate(op, kind, target, part.memory(), from, near == null ? null : hand.staged, 0,
          result == null ? null : hand.results, 0, some, alone, mayVanish);
      if (result != null) {
        result.unpack(hand.result, hand.results, 0, some);
      }
      done += some;
    }
  }

  /** Elements of an attachment, which is touched in Java alone, where a core in C would pack typed ones. */
  private static Payload listed(MemorySegment memory, long at, Program program, long count) {
    Typed far = new Typed(null, null, program, memory, at, count);
    IoEntries entries = new IoEntries(1);
    Cursor cursor = new Cursor();
    Stretch stretch = new Stretch();
    cursor.begin(far.bytes());
    while (cursor.left() > 0) {
      far.stretch(cursor, stretch);
      entries.add(memory, stretch.offset(), stretch.bytes());
      far.seek(cursor, cursor.position() + stretch.bytes());
    }
    return entries;
  }

  private static boolean isPlain(Payload payload) {
    return payload == null || payload instanceof Contiguous;
  }

  /**
   * Accumulates one element where it is not reached directly; gives what was there. Elements are told by their bits.
   */
  public long fetchAndOp(Operator op, ElementKind kind, long value, int target, long at) {
    Exposed.Part part = part("fetchAndOp", target, at, null, 1, kind.bytes());
    if (part.memory() != null) {
      try {
        return Accumulate.fetchAndOp(op, kind, part.memory(), at - part.first(), value);
      } catch (InternalError e) {
        throw attachments.failure(target, e);
      }
    }
    return messages.change(WindowMessages.Call.FETCH_AND_OP, op, kind, value, 0, target, at);
  }

  /** Stores an element if it is what is expected; gives what was there. Elements are told by their bits. */
  public long compareAndSwap(ElementKind kind, long expected, long desired, int target, long at) {
    Exposed.Part part = part("compareAndSwap", target, at, null, 1, kind.bytes());
    if (part.memory() != null) {
      try {
        return Accumulate.compareAndSwap(kind, part.memory(), at - part.first(), expected, desired);
      } catch (InternalError e) {
        throw attachments.failure(target, e);
      }
    }
    return messages.change(WindowMessages.Call.COMPARE_AND_SWAP, Operator.REPLACE, kind, expected, desired, target, at);
  }
}
