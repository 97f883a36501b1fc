package io.adrastea.engine.window;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.Combine;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.window.WindowBlock;
import io.adrastea.window.WindowLook;
import io.adrastea.window.WindowStripes;
import java.lang.foreign.MemorySegment;
import java.util.function.IntPredicate;

/**
 * Atomic read-modify-writes of elements in memory of a window that is mapped here, a member's own too: what direct
 * accesses of this rank do, and what its handler does for others, so that the two are atomic towards each other.
 * Elements of up to 8 bytes are changed by the hardware's instructions; pairs and complex numbers, which have no such
 * one, under a stripe of locks. No lock is held for several elements.
 */
final class WindowAtomics {
  private static final int SPINS = 1 << 14;
  private static final long WORD = Integer.BYTES; // in which narrow elements are changed

  private static final int MOST_ELEMENT = 16; // bytes

  private static final ThreadLocal<Combine> COMBINES = ThreadLocal.withInitial(Combine::new);
  private static final ThreadLocal<Hand> HANDS = ThreadLocal.withInitial(Hand::new);

  /** What a thread needs to change an element under a stripe. */
  private static final class Hand {
    private final Cursor far = new Cursor();
    private final Cursor write = new Cursor();
    private final Cursor near = new Cursor();
    private final Cursor result = new Cursor();
    private final Stretch stretch = new Stretch();
    private final MemorySegment element = MemorySegment.ofArray(new long[MOST_ELEMENT / Long.BYTES]);
    private final MemorySegment operand = MemorySegment.ofArray(new long[MOST_ELEMENT / Long.BYTES]);
    private final Combine combine = new Combine();
  }

  private final Spaces spaces;
  private final Liveness liveness;
  private final Members members;
  private final WindowStripes stripes;
  private final IntPredicate gone;

  WindowAtomics(Resources resources, Members members, int rank, MemorySegment... blocks) {
    this.spaces = resources.spaces();
    this.liveness = resources.liveness();
    this.members = members;
    this.stripes = new WindowStripes(blocks, rank);
    this.gone = member -> liveness.isGone(members.numbering().jobRank(member));
  }

  /** Bytes of an element that is changed at once, by which it is aligned; 1: it lies anywhere. */
  static int alignment(Operator op, ElementKind kind) {
    return Accumulate.allows(op, kind) ? kind.bytes() : 1;
  }

  /** Whether elements are changed by an instruction each; else by {@link #accumulateUnderStripes}. */
  static boolean isInstruction(Operator op, ElementKind kind) {
    return Accumulate.allows(op, kind);
  }

  /**
   * Accumulates elements one after the other, each by an instruction: it becomes itself op the one of the origin.
   *
   * @param target the member whose memory it is
   * @param memory that memory
   * @param at in bytes
   * @param origin null: the operator reads none
   * @param result gets what was there; null: nobody wants it
   * @param bytes of whole elements
   * @param alone nobody else touches them meanwhile
   * @param mayVanish the memory may be gone, and an access throws: it is touched in Java alone
   */
  void accumulate(Operator op, ElementKind kind, int target, MemorySegment memory, long at, MemorySegment origin,
      long originAt, MemorySegment result, long resultAt, long bytes, boolean alone, boolean mayVanish) {
    if (kind.bytes() < WORD) {
      requireWords(target, memory, at, bytes);
    }
    if (mayVanish) {
      Accumulate.accumulate(COMBINES.get(), op.number(), kind.number(), memory, at, origin, originAt, result, resultAt,
          bytes, alone);
    } else {
      spaces.accumulate(memory, at, origin, originAt, result, resultAt, bytes, op.number(), kind.number(), alone);
    }
  }

  /** Refuses narrow elements at an edge of the memory, where the words around them are not all in it. */
  void requireWords(int target, MemorySegment memory, long at, long bytes) {
    long first = memory.address() + at & -WORD;
    long end = memory.address() + at + bytes + WORD - 1 & -WORD;
    if (bytes > 0 && (first < memory.address() || end > memory.address() + memory.byteSize())) {
      throw new ArgumentException(Reason.BUFFER,
          ("atomic access to %d bytes at byte %d of rank %d in %s: elements of 1 and 2 bytes are changed by the 4 "
              + "bytes around them, which do not all lie in that memory; a window over memory of the program is to "
              + "begin and end at multiples of 4").formatted(bytes, at, target, members.label()));
    }
  }

  /**
   * Accumulates elements that no instruction changes, each under its stripe.
   *
   * @param far the elements, in memory of the target
   * @param first the displacement of that memory, in bytes: by displacements all ways to an element have one stripe
   * @param near the operands; null: the operator reads none
   * @param result gets what was there; null: nobody wants it
   * @param bytes of whole elements
   */
  void accumulateUnderStripes(Operator op, ElementKind kind, int target, Payload far, long first, Payload near,
      Payload result, long bytes) {
    Hand hand = HANDS.get();
    int size = kind.bytes();
    hand.far.begin(bytes);
    hand.write.begin(bytes);
    hand.near.begin(bytes);
    hand.result.begin(bytes);
    for (long done = 0; done < bytes; done += size) {
      far.stretch(hand.far, hand.stretch);
      int stripe = WindowBlock.stripeOf(first + hand.stretch.offset());
      if (near != null) {
        near.pack(hand.near, hand.operand, 0, size);
      }
      acquire(target, stripe);
      try {
        far.pack(hand.far, hand.element, 0, size);
        if (result != null) {
          result.unpack(hand.result, hand.element, 0, size);
        }
        if (op != Operator.NO_OP) {
          hand.combine.combine(op.number(), kind.number(), hand.element, 0, hand.element, 0, hand.operand, 0, size);
        }
        far.unpack(hand.write, hand.element, 0, size);
      } finally {
        stripes.release(target, stripe);
      }
    }
    hand.stretch.clear();
  }

  /** Spins: a stripe is held for a few instructions. */
  private void acquire(int target, int stripe) {
    int spins = 0;
    int look = stripes.tryAcquire(target, stripe, gone);
    while (look == WindowLook.AWAITS) {
      if (++spins % SPINS == 0) {
        find(stripes.other());
        Thread.yield(); // the holder may want the CPU
      }
      Thread.onSpinWait();
      look = stripes.tryAcquire(target, stripe, gone);
    }
    if (look == WindowLook.REPAIRED) {
      int dead = members.numbering().jobRank(stripes.other());
      throw liveness.failure(members, dead,
          "accumulate in memory of rank %d, where it died in the middle of one,".formatted(target));
    }
    if (look == WindowLook.BROKEN) {
      throw new SegmentException(
          "a lock of an element in %s names member %d, which is not there; a rank of this job is broken"
              .formatted(members.label(), stripes.other()));
    }
  }

  private void find(int holder) {
    if (holder != WindowLook.NOBODY) {
      liveness.missing(members.numbering().jobRank(holder));
    }
  }
}
