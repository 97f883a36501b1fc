package io.adrastea.coll;

import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotDescriptor.CHECKED;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;

import java.lang.foreign.MemorySegment;

/**
 * One collective of a member at a time, as all moves of it read it: what was called, the caller's buffers during a
 * call, what the caller is asked for, and which member is waited for. The moves have what is theirs alone. Twin of
 * {@code struct adr_collective}.
 */
final class CollectiveState {
  /** A move went well, the next one can be made. */
  static final int NEXT = 100;

  /** It was the last one: the collective ends. */
  static final int THROUGH = 101;

  /**
   * In four collectives out of so many each member posts its line, and its progress too, though it need not: none of
   * the lines is so old that its number, of 32 bits, could be mistaken.
   */
  static final long POSTED_BY_ALL = 1L << 28;

  /** The greatest number of an element or an operator. */
  static final int MAX_NUMBER = 255;

  static final int ELEMENT_BITS = 8;

  private final MemberState member;
  private final Slot slot;
  private final int self;
  private final Combine combine;
  private final long[] words = new long[WORDS];

  private long sequence; // of the collective under way, or of the last one here
  private int lag; // most collectives that a member whose line was read had begun before, and not done
  private int way;
  private int kind;
  private int root;
  private int element;
  private int op;
  private long bytes;
  private boolean asked; // the caller was asked for something
  private int askedFor; // READ or WRITE: what the caller was asked for last, of another member's memory
  private int moved; // bytes, in this call
  private int other = -1;

  private MemorySegment in; // the caller's, during a call
  private long inOffset;
  private MemorySegment out;
  private long outOffset;

  CollectiveState(MemberState member, Combine combine) {
    this.member = member;
    this.slot = member.slot;
    this.self = member.self;
    this.combine = combine;
  }

  /** A collective begins; returns the bits that tell of all roots so far. */
  int start(int kind, int root, long bytes, int element, int op) {
    this.kind = kind;
    this.root = root;
    this.bytes = bytes;
    this.element = element & MAX_NUMBER;
    this.op = op;
    way = Choice.of(kind, slot.ranks, bytes, slot.choices);
    sequence = member.next();
    lag = ownLag();
    asked = false;
    return comparesFew() ? member.foldRoot(root + (kind - BCAST << 5)) : member.roots();
  }

  // The collective under way

  int way() {
    return way;
  }

  /** Not all members' memory can be reached. */
  void goThroughStages() {
    way = Choice.STAGES; // for all members, which have read the same lines
  }

  /** This member has read the lines of all, so that nobody waits for it to be done. */
  void hasReadLinesOfAll() {
    way = Choice.LINES_ALL;
  }

  int lag() {
    return lag;
  }

  int kind() {
    return kind;
  }

  int root() {
    return root;
  }

  int element() {
    return element;
  }

  int op() {
    return op;
  }

  long bytes() {
    return bytes;
  }

  long sequence() {
    return sequence;
  }

  // What kind of collective it is

  boolean isLeafOfBcast() {
    return way == Choice.LINES_BCAST && self != root;
  }

  boolean isPostedByAll() {
    return (sequence & POSTED_BY_ALL - 1) < LINES;
  }

  /** Collectives that were begun before this one, and are not done yet. */
  int ownLag() {
    return member.lag(sequence);
  }

  /** Whether operands are combined. */
  static boolean isFold(int kind) {
    return kind == ALLREDUCE || kind >= REDUCE && kind <= REDUCE_SCATTER;
  }

  /** Whether members can end without having read each other's lines, so that others find out later what they called. */
  boolean comparesFew() {
    return kind == BCAST || kind >= REDUCE && kind <= EXSCAN || kind == GATHER || kind == SCATTER;
  }

  boolean isChecked() {
    return (slot.choices & CHECKED) != 0;
  }

  /** Whether there are bytes of this member for the others. */
  boolean gives() {
    return bytes > 0 && (kind != BCAST || self == root);
  }

  /** Whether there are bytes for the caller. */
  boolean gets() {
    return bytes > 0 && switch (kind) {
      case BCAST -> self != root;
      case REDUCE -> self == root;
      case EXSCAN -> self > 0;
      default -> true;
    };
  }

  // The caller

  /** Whether what is combined goes over the input: a reduce_scatter then may write over operands of other parts. */
  boolean isInPlace() {
    return in != null && in.equals(out) && inOffset == outOffset;
  }

  void setBuffers(MemorySegment in, long inOffset, MemorySegment out, long outOffset) {
    this.in = in;
    this.inOffset = inOffset;
    this.out = out;
    this.outOffset = outOffset;
    moved = 0;
  }

  /** The caller's memory is its own again. */
  void forgetBuffers() {
    in = null;
    out = null;
  }

  /** Bytes, in this call. */
  int moved() {
    return moved;
  }

  boolean hasIn() {
    return in != null;
  }

  boolean hasOut() {
    return out != null;
  }

  MemorySegment in() {
    return in;
  }

  long inOffset() {
    return inOffset;
  }

  MemorySegment out() {
    return out;
  }

  long outOffset() {
    return outOffset;
  }

  long[] words() {
    return words;
  }

  /** Whether the caller is to be asked now; at the next look it has done what it was asked for. */
  boolean asks() {
    asked = !asked;
    return asked;
  }

  // Which member is waited for, and how far the others are

  void waitFor(int member) {
    other = member;
  }

  void waitForNobody() {
    other = -1;
  }

  int other() {
    return other;
  }

  /** A member whose line was read lags so far behind. */
  void lags(int lag) {
    this.lag = Math.max(this.lag, lag);
  }

  /** Whether every member has done a collective; else the one that has not is waited for. */
  boolean allHaveDone(long earlier) {
    int behind = member.behind(earlier);
    if (behind < 0) {
      return true;
    }
    other = behind;
    return false;
  }

  /** Whether every member has done a collective, as far as this member has looked. */
  boolean knowsAllHaveDone(long earlier) {
    return member.knowsAllHaveDone(earlier);
  }

  /** Every member has begun this collective, and its line told what it had done before. */
  void allHaveBegun() {
    member.noteDone(sequence - 1 - lag);
  }

  /** Whether there is room for the next one is found out now rather than then. */
  void looksForRoom() {
    allHaveDone(sequence + 1 - LINES);
  }

  // What the caller is asked for, and what is moved

  /** Asks the caller for something. */
  int ask(int status, long source, long target, long position, long length, boolean inStages) {
    words[SOURCE] = source;
    words[TARGET] = target;
    words[POSITION] = position;
    words[BYTES] = length;
    words[PLACE] = inStages ? IN_STAGES : IN_SLOT;
    other = -1;
    return status;
  }

  /** Asks the caller for bytes of a member's memory; {@code target} below zero: for the output. */
  int ask(int status, int member, long source, long length, int by, long segment, long target, long position) {
    ask(status, source, target, position, length, true);
    words[PLACE] = target < 0 ? IN_OUTPUT : IN_STAGES;
    words[BY] = by;
    words[SEGMENT] = segment;
    askedFor = status;
    other = member;
    return status;
  }

  /** Asks the caller to write bytes of its input or, as {@code place} tells, of its output to a member's memory. */
  int askToWrite(int member, int place, long from, long target, long length, int by, long segment) {
    ask(WRITE, member, target, length, by, segment, target, from);
    words[PLACE] = place;
    return WRITE;
  }

  /**
   * Asks the caller to copy between the stages, at {@code stage}, and one of its buffers, at {@code position}, or other
   * stages, at {@code target}, as {@code place} tells.
   *
   * @param status READ: out of the stages; or WRITE
   */
  int askByStages(int status, long stage, int place, long position, long target, long length) {
    ask(status, stage, status == WRITE ? stage : target, position, length, true);
    words[PLACE] = place;
    words[BY] = BY_STAGES;
    words[SEGMENT] = 0;
    return status;
  }

  /** READ or WRITE: what the caller was asked for last, of another member's memory, and has not done; 0: nothing. */
  int askedFor() {
    return asked && words[BY] == BY_ADDRESS ? askedFor : 0;
  }

  /** Puts the caller's bytes somewhere: NEXT, or FILL. */
  int fill(MemorySegment memory, long target, long position, int length) {
    if (in != null) {
      MemorySegment.copy(in, inOffset + position, memory, target, length);
      moved += length;
      return NEXT;
    }
    return asks() ? ask(FILL, 0, target, position, length, memory != slot.memory) : NEXT;
  }

  /** Hands bytes to the caller: NEXT, or DRAIN. */
  int drain(MemorySegment memory, long source, long position, int length) {
    if (out != null) {
      MemorySegment.copy(memory, source, out, outOffset + position, length);
      moved += length;
      return NEXT;
    }
    return asks() ? ask(DRAIN, source, 0, position, length, memory != slot.memory) : NEXT;
  }

  /** Copies bytes of the caller's input to its output, where they are not there already. */
  void keep(long from, long to, int length) {
    if (!in.equals(out) || inOffset + from != outOffset + to) {
      MemorySegment.copy(in, inOffset + from, out, outOffset + to, length);
    }
    moved += length;
  }

  /** Combines two operands; {@code memory} null: into the caller's output. */
  void combine(MemorySegment left, long leftAt, MemorySegment right, long rightAt, MemorySegment memory, long at,
      int length) {
    combine.combine(op, element, memory == null ? out : memory, memory == null ? outOffset + at : at, left,
        leftAt, right, rightAt, length);
    moved += length;
  }

  void combine(MemorySegment memory, long target, long left, long right, int length) {
    combine.combine(op, element, memory, target, memory, left, memory, right, length);
    moved += length;
  }

  /** Combines into the caller's memory; {@code left} below zero: with what is there. */
  void combineToOut(MemorySegment memory, long left, long right, long position, int length) {
    long target = outOffset + position;
    MemorySegment first = left < 0 ? out : memory;
    combine.combine(op, element, out, target, first, left < 0 ? target : left, memory, right, length);
    moved += length;
  }

  /**
   * Combines the other's operand and this member's own, of two, into the caller's memory. The own one comes from the
   * input: the lines of its stage are on their way to the other. Of more members the output, which may be the same
   * memory, is written before the input is read.
   */
  void combineWithIn(MemorySegment memory, long others, long position, int length) {
    boolean isFirst = self == 0;
    long own = inOffset + position;
    combine.combine(
        op, element, out, outOffset + position, isFirst ? in : memory, isFirst ? own : others,
        isFirst ? memory : in, isFirst ? others : own, length);
    moved += length;
  }

  // Waking members that sleep

  void wake(int other) {
    member.wake(other);
  }

  void wakeAll() {
    member.wakeAll();
  }
}
