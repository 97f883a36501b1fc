package io.adrastea.engine.window;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.core.Spaces;
import io.adrastea.datatype.Program;
import io.adrastea.engine.group.Members;
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
import java.lang.foreign.ValueLayout;

/**
 * What a rank does in the memory of the members of a window, by whatever way it reaches that: where it lies, by the
 * system, or by asking its rank [SCI-MPICH 2002, 4.2]. The caller has checked epoch, place and types. All calls are
 * over when they return: memory of the program is free, and what was asked for is there.
 *
 * <p>
 * Any thread may call; what copies by the system and what asks others enters the gate by itself.
 */
public final class WindowCalls {
  /** Bytes of data, at most, that a message brings which is more than a copy. */
  private static final int PIECE = 1 << 15;

  /** Blocks that head one. */
  private static final int MOST_BLOCKS = 512;

  private static final int BLOCK_BYTES = 2 * Long.BYTES;

  /** The most bytes of a message that is more than a copy to one place. */
  static final int MOST_STAGED = MOST_BLOCKS * BLOCK_BYTES + PIECE;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final MemorySegment NO_MEMORY = MemorySegment.NULL;
  private static final Contiguous NOTHING = new Contiguous();

  /** What a thread needs for a call. */
  private static final ThreadLocal<Hand> HANDS = ThreadLocal.withInitial(Hand::new);

  /** Where a thread is in the memory of both ends, and where it stages data. */
  private static final class Hand {
    private final Cursor near = new Cursor();
    private final Cursor far = new Cursor();
    private final Cursor result = new Cursor();
    private final Stretch stretch = new Stretch();
    private final Exposure elements = new Exposure();
    private final MemorySegment staged =
        MemorySegment.ofArray(new long[MOST_STAGED / Long.BYTES]);
    private final MemorySegment results = MemorySegment.ofArray(new long[PIECE / Long.BYTES]);
    private final Contiguous message = new Contiguous();
    private final Contiguous answer = new Contiguous();
  }

  private final Spaces spaces;
  private final Gate gate;
  private final Resources resources;
  private final Members members;
  private final Exposed exposed;
  private final WindowMessages messages;
  private final Attachments attachments;
  private final WindowAtomics atomics;

  WindowCalls(Resources resources, Members members, Exposed exposed, WindowMessages messages,
      Attachments attachments, WindowAtomics atomics) {
    this.spaces = resources.spaces();
    this.gate = resources.gate();
    this.resources = resources;
    this.members = members;
    this.exposed = exposed;
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

  // put and get

  /**
   * Copies data to a member's memory.
   *
   * @param at in bytes, of the first byte or of the origin of the first element
   * @param program how elements lie there; null: bytes, one after the other
   * @param count of these elements
   */
  public void put(Payload near, int target, long at, Program program, long count) {
    copy(near, target, at, program, count, false);
  }

  /** Copies data from a member's memory; parameters as of {@link #put}. */
  public void get(Payload near, int target, long at, Program program, long count) {
    copy(near, target, at, program, count, true);
  }

  private void copy(Payload near, int target, long at, Program program, long count, boolean in) {
    long bytes = near.bytes();
    if (bytes == 0) {
      return;
    }
    Exposed.Part part = exposed.part(target);
    switch (part.way()) {
      case DIRECT -> copyDirectly(near, part.memory(), at, program, count, in);
      case XPMEM -> copyAttached(near, target, part, at, program, count, in);
      case CMA -> copyBySystem(near, target, part, Space.CMA, at, program, count, in);
      case HANDLER -> {
        if (in) {
          ask(near, target, at, program, count);
        } else {
          tell(near, target, at, program, count);
        }
      }
    }
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

  // What the target's rank does itself

  private void tell(Payload near, int target, long at, Program program, long count) {
    if (program == null) {
      long[] header = messages.header(WindowMessages.Call.PUT);
      header[WindowMessages.AT] = at;
      header[WindowMessages.BYTES] = near.bytes();
      messages.send(target, header, near);
      return;
    }
    Hand hand = HANDS.get();
    hand.near.begin(near.bytes());
    Typed far = begin(hand, near.bytes(), at, program, count);
    while (hand.near.left() > 0) {
      long[] header = messages.header(WindowMessages.Call.PUT);
      int head = describe(hand, far, near.bytes(), header, 1);
      near.pack(hand.near, hand.staged, head, header[WindowMessages.BYTES]);
      messages.send(target, header, hand.message.set(hand.staged, 0, head + header[WindowMessages.BYTES]));
    }
  }

  private void ask(Payload near, int target, long at, Program program, long count) {
    Hand hand = HANDS.get();
    long[] header = messages.header(WindowMessages.Call.GET);
    if (program == null) {
      header[WindowMessages.AT] = at;
      header[WindowMessages.BYTES] = near.bytes();
      messages.give(messages.ask(target, WindowMessages.Call.GET, header, NOTHING, near));
      return;
    }
    hand.near.begin(near.bytes());
    Typed far = begin(hand, near.bytes(), at, program, count);
    while (hand.near.left() > 0) {
      int head = describe(hand, far, near.bytes(), header, 1);
      long some = header[WindowMessages.BYTES];
      messages.give(messages.ask(target, WindowMessages.Call.GET, header, hand.message.set(hand.staged, 0, head),
          hand.answer.set(hand.results, 0, some)));
      near.unpack(hand.near, hand.results, 0, some);
    }
  }

  private Typed begin(Hand hand, long bytes, long at, Program program, long count) {
    hand.far.begin(bytes);
    return program == null ? null : new Typed(spaces, null, program, NO_MEMORY, at, count);
  }

  /**
   * Describes the next blocks of a target's memory, and moves on behind them.
   *
   * @param element whole elements of so many bytes are taken
   * @return bytes of the blocks' list, which begins the staged memory
   */
  private static int describe(Hand hand, Typed far, long bytes, long[] header, int element) {
    long data = 0;
    int blocks = 0;
    long most = PIECE - PIECE % element;
    while (blocks < MOST_BLOCKS && data < most && hand.far.position() < bytes) {
      far.stretch(hand.far, hand.stretch);
      long some = Math.min(most - data, hand.stretch.bytes());
      hand.staged.set(LONG, (long) blocks * BLOCK_BYTES, hand.stretch.offset());
      hand.staged.set(LONG, (long) blocks * BLOCK_BYTES + Long.BYTES, some);
      far.seek(hand.far, hand.far.position() + some);
      data += some;
      blocks++;
    }
    header[WindowMessages.BYTES] = data;
    header[WindowMessages.BLOCKS] = blocks;
    return blocks * BLOCK_BYTES;
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
    if (bytes == 0) {
      return;
    }
    Exposed.Part part = exposed.part(target);
    switch (part.way()) {
      case DIRECT -> accumulateMapped(op, kind, near, result, target, part, at, program, count, bytes, alone);
      case XPMEM -> {
        try {
          accumulateMapped(op, kind, near, result, target, part, at, program, count, bytes, alone);
        } catch (InternalError e) {
          throw attachments.failure(target, e);
        }
      }
      default -> accumulateThere(op, kind, near, result, target, at, program, count, bytes);
    }
  }

  private void accumulateMapped(Operator op, ElementKind kind, Payload near, Payload result, int target,
      Exposed.Part part, long at, Program program, long count, long bytes, boolean alone) {
    boolean mayVanish = part.way() == Exposed.Way.XPMEM;
    if (!WindowAtomics.isInstruction(op, kind)) {
      Payload elements = program == null ? new Contiguous(part.memory(), at, bytes)
          : mayVanish ? listed(part.memory(), at, program, count)
              : new Typed(spaces, null, program, part.memory(), at, count);
      atomics.accumulateUnderStripes(op, kind, target, elements, near, result, bytes);
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
    Typed far = begin(hand, bytes, at, program, count);
    long most = PIECE - PIECE % kind.bytes();
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

  private void accumulateThere(Operator op, ElementKind kind, Payload near, Payload result, int target, long at,
      Program program, long count, long bytes) {
    Hand hand = HANDS.get();
    hand.near.begin(bytes);
    hand.result.begin(bytes);
    Typed far = begin(hand, bytes, at, program, count);
    WindowMessages.Call call =
        result == null ? WindowMessages.Call.ACCUMULATE : WindowMessages.Call.GET_ACCUMULATE;
    long most = PIECE - PIECE % kind.bytes();
    for (long done = 0; done < bytes;) {
      long[] header = messages.header(call);
      header[WindowMessages.OPERATOR] = op.number() | kind.number() << Byte.SIZE;
      int head = 0;
      if (far == null) {
        header[WindowMessages.AT] = at + done;
        header[WindowMessages.BYTES] = Math.min(most, bytes - done);
      } else {
        head = describe(hand, far, bytes, header, kind.bytes());
      }
      long some = header[WindowMessages.BYTES];
      long data = near == null ? 0 : some;
      if (near != null) {
        near.pack(hand.near, hand.staged, head, some);
      }
      Payload message = hand.message.set(hand.staged, 0, head + data);
      if (result == null) {
        messages.send(target, header, message);
      } else {
        messages.give(messages.ask(target, call, header, message, hand.answer.set(hand.results, 0, some)));
        result.unpack(hand.result, hand.results, 0, some);
      }
      done += some;
    }
  }

  /**
   * Accumulates one element where it is not reached directly; gives what was there. Elements are told by their bits.
   */
  public long fetchAndOp(Operator op, ElementKind kind, long value, int target, long at) {
    Exposed.Part part = exposed.part(target);
    if (part.memory() != null) {
      try {
        return Accumulate.fetchAndOp(op, kind, part.memory(), at, value);
      } catch (InternalError e) {
        throw attachments.failure(target, e);
      }
    }
    long[] header = messages.header(WindowMessages.Call.FETCH_AND_OP);
    return askForOne(WindowMessages.Call.FETCH_AND_OP, header, op, kind, value, 0, target, at);
  }

  /** Stores an element if it is what is expected; gives what was there. Elements are told by their bits. */
  public long compareAndSwap(ElementKind kind, long expected, long desired, int target, long at) {
    Exposed.Part part = exposed.part(target);
    if (part.memory() != null) {
      try {
        return Accumulate.compareAndSwap(kind, part.memory(), at, expected, desired);
      } catch (InternalError e) {
        throw attachments.failure(target, e);
      }
    }
    long[] header = messages.header(WindowMessages.Call.COMPARE_AND_SWAP);
    return askForOne(WindowMessages.Call.COMPARE_AND_SWAP, header, Operator.REPLACE, kind, expected, desired, target,
        at);
  }

  private long askForOne(WindowMessages.Call call, long[] header, Operator op, ElementKind kind, long first,
      long second, int target, long at) {
    header[WindowMessages.AT] = at;
    header[WindowMessages.BYTES] = kind.bytes();
    header[WindowMessages.OPERATOR] = op.number() | kind.number() << Byte.SIZE;
    header[WindowMessages.VALUES] = first;
    header[WindowMessages.VALUES + 1] = second;
    WindowMessages.Answer answer = messages.ask(target, call, header, NOTHING, null);
    long before = answer.value(0);
    messages.give(answer);
    return before;
  }
}
