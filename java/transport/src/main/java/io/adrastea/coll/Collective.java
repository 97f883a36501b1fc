package io.adrastea.coll;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.layout.SlotDescriptor.CHECKED;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;
import static io.adrastea.layout.SlotMemberDescriptor.OPEN;

import io.adrastea.core.Sleeper;
import io.adrastea.core.SlotMember;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * One member's side of the collectives of a communicator, in Java alone. Twin of {@code coll/adr_coll.c}.
 *
 * <p>
 * Every member takes the same collectives in the same order, and counts them. In each it posts a line that tells which
 * one it is, up to 48 bytes of payload with it, and reads those of others [MPICH2 2007, 3.4: a barrier in a slot of
 * shared memory]. What is longer goes through cells. {@link Slot} says in which order words are written and read.
 */
public final class Collective implements SlotMember {
  /** What this member does next. */
  private static final int IDLE = 0;

  private static final int GET_ROOM = 1;
  private static final int POST = 2;
  private static final int READ_LINES = 3;
  private static final int READ_RESULT = 4;
  private static final int GIVE_RESULT = 5;
  private static final int END = 6;
  private static final int MOVE_CELLS = 7;

  /** A move went well, the next one can be made. */
  static final int NEXT = 100;

  /** Bytes that are moved in a call: all threads' safepoints wait for a call of C. */
  private static final int MOST_MOVED = 65_536;

  /**
   * In four collectives out of so many each member posts its line, and its progress too, though it need not: none of
   * the lines is so old that its number, of 32 bits, could be mistaken.
   */
  private static final long POSTED_BY_ALL = 1L << 28;

  private static final int MAX_OPERATION = 255;
  static final long MAX_BYTES = 1L << 40; // their rounds can be counted in 31 bits

  private final Slot slot;
  private final int self;
  private final Sleeper sleeper;
  private final Combine combine = new Combine();
  private final CellMoves cells;
  private final long[] words = new long[WORDS];

  private long sequence; // of the collective under way, or of the last one
  private long least; // what every member has done at least, as far as this one has looked
  private int move = IDLE;
  private int way;
  private int kind;
  private int root;
  private int element;
  private int operation;
  private long bytes;
  private long head;
  private long what;
  private int at; // member whose line is read next
  private int foldedAt; // where in the slot lies what was combined so far
  private boolean asked; // the caller was asked for something
  private int moved; // bytes, in this call
  private int other = -1;

  private MemorySegment in; // the caller's, during a call
  private long inOffset;
  private MemorySegment out;
  private long outOffset;

  /**
   * A member of a slot.
   *
   * @param slot its memory
   * @param self number of this member in it
   * @param jobRanks ranks of the job on this node
   * @param sleeper wakes those who wait asleep
   */
  public Collective(MemorySegment slot, int self, int jobRanks, Sleeper sleeper) {
    this.slot = new Slot(slot, self, jobRanks);
    this.self = self;
    this.sleeper = sleeper;
    this.cells = new CellMoves(this, this.slot, self);
    this.sequence = this.slot.done(self);
    this.least = sequence - LINES; // nothing is known
  }

  @Override
  public int begin(
      int kind, int root, long bytes, int element, int operation, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    if (move != IDLE) {
      return kind == BARRIER && this.kind == BARRIER ? step(null, 0, null, 0, spins) : BUSY;
    }
    if (kind < BARRIER || kind > ALLGATHER || root < 0 || root >= rootsOf(kind, operation) || bytes < 0
        || bytes > (kind == BARRIER ? 0 : MAX_BYTES) || (element | operation) < 0
        || (element | operation) > MAX_OPERATION) {
      return INVAL;
    }
    int unit = kind == ALLREDUCE ? unitOf(root, element, operation) : 1;
    if (unit == 0 || bytes % unit != 0) {
      return INVAL;
    }
    if (slot.isRevoked()) {
      return REVOKED;
    }
    if (slot.state(self) != OPEN) {
      other = self;
      return slot.state(self) == SlotMemberDescriptor.CLOSED ? CLOSED : BROKEN;
    }
    this.kind = kind;
    this.root = root;
    this.bytes = bytes;
    this.element = element;
    this.operation = operation;
    way = Choice.of(kind, slot.ranks, bytes, slot.choices);
    sequence++;
    head = sequence << 32 | (long) kind << 24 | (long) root << 8;
    what = bytes << 16 | (long) element << 8 | operation;
    at = 0;
    asked = false;
    if (way == Choice.CELLS) {
      cells.begin(unit);
    }
    move = posts() ? GET_ROOM : READ_LINES;
    return step(in, inOffset, out, outOffset, spins);
  }

  /** A user's operation tells the bytes of an element where others tell a root. */
  private int rootsOf(int kind, int operation) {
    return kind == ALLREDUCE && operation == USER_OPERATION ? CellMoves.mostUnit() + 1 : slot.ranks;
  }

  /** Bytes of an element, 0: the operation cannot be carried out. */
  private static int unitOf(int root, int element, int operation) {
    if (operation == USER_OPERATION) {
      return root;
    }
    ElementKind kind = ElementKind.of(element);
    Operation operator = Operation.of(operation);
    boolean known = kind != null && operator != null && kind.isOfJava() && operator.elements().contains(kind);
    return known ? kind.bytes() : 0;
  }

  private boolean posts() {
    return way != Choice.LINES_BCAST || self == root || isPostedByAll();
  }

  private boolean isPostedByAll() {
    return (sequence & POSTED_BY_ALL - 1) < LINES;
  }

  @Override
  public int step(MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    this.in = in;
    this.inOffset = inOffset;
    this.out = out;
    this.outOffset = outOffset;
    moved = 0;
    int status = run(spins);
    this.in = null;
    this.out = null;
    return status;
  }

  private int run(int spins) {
    int left = spins;
    while (true) {
      int status = advance();
      if (status == NEXT) {
        if (moved >= MOST_MOVED) {
          other = -1;
          return MOVED;
        }
        left = spins;
      } else if (status != AGAIN) {
        return status;
      } else if (--left > 0) {
        Thread.onSpinWait();
      } else if (moved > 0) {
        other = -1;
        return MOVED;
      } else {
        return waitedInVain();
      }
    }
  }

  private int advance() {
    return switch (move) {
      case GET_ROOM -> getRoom();
      case POST -> post();
      case READ_LINES -> way == Choice.LINES_BCAST ? readRoot() : readLines();
      case READ_RESULT -> readResult();
      case GIVE_RESULT -> giveResult();
      case MOVE_CELLS -> cells.advance();
      case END -> end();
      default -> INVAL;
    };
  }

  private int next(int move) {
    this.move = move;
    return NEXT;
  }

  int ends() {
    return next(END);
  }

  /** Whether this member may write its line: nobody reads the one of four collectives ago any more. */
  private boolean hasRoom() {
    return allHaveDone(sequence - LINES);
  }

  private int getRoom() {
    return hasRoom() ? next(POST) : AGAIN;
  }

  /** Whether every member has done a collective; else the one who has not is waited for. */
  boolean allHaveDone(long earlier) {
    if (earlier <= least) {
      return true;
    }
    long all = Long.MAX_VALUE;
    for (int member = 0; member < slot.ranks; member++) {
      long done = slot.done(member);
      if (done < earlier) {
        other = member;
        return false;
      }
      all = Math.min(all, done);
    }
    least = all;
    return true;
  }

  /** Every member has begun this collective, and so has done the one before. */
  void allHaveBegun() {
    least = Math.max(least, sequence - 1);
  }

  /** A root that only sends would not look at what the others call. */
  private boolean comparesBefore() {
    return kind == BCAST && (slot.choices & CHECKED) != 0;
  }

  private int post() {
    if (way != Choice.CELLS && bytes > 0 && (kind != BCAST || self == root)) {
      int status = fill(slot.memory, slot.payload(self, sequence), 0, (int) bytes);
      if (status != NEXT) {
        return status;
      }
    }
    if (isPostedByAll()) {
      slot.publish(sequence, 0);
    }
    slot.post(sequence, head, what);
    if (way == Choice.LINES_ROOT) {
      wake(0);
    } else {
      wakeAll();
    }
    return next(
        switch (way) {
          case Choice.CELLS -> comparesBefore() ? READ_LINES : MOVE_CELLS;
          case Choice.LINES_BCAST -> self == root ? END : READ_LINES;
          case Choice.LINES_ROOT -> self == 0 ? READ_LINES : READ_RESULT;
          default -> READ_LINES;
        });
  }

  /** Asks the caller for something. */
  int ask(int status, long source, long target, long position, long length, boolean inCells) {
    words[SOURCE] = source;
    words[TARGET] = target;
    words[POSITION] = position;
    words[BYTES] = length;
    words[PLACE] = inCells ? IN_CELLS : IN_SLOT;
    other = -1;
    return status;
  }

  /** Puts the caller's bytes somewhere: NEXT, or FILL. */
  int fill(MemorySegment memory, long target, long position, int length) {
    if (in != null) {
      MemorySegment.copy(in, inOffset + position, memory, target, length);
      moved += length;
      return NEXT;
    }
    asked = !asked;
    return asked ? ask(FILL, 0, target, position, length, memory != slot.memory) : NEXT;
  }

  /** Hands bytes to the caller: NEXT, or DRAIN. */
  int drain(MemorySegment memory, long source, long position, int length) {
    if (out != null) {
      MemorySegment.copy(memory, source, out, outOffset + position, length);
      moved += length;
      return NEXT;
    }
    asked = !asked;
    return asked ? ask(DRAIN, source, 0, position, length, memory != slot.memory) : NEXT;
  }

  boolean hasOut() {
    return out != null;
  }

  void combine(MemorySegment memory, long target, long left, long right, int length) {
    combine.combine(operation, element, memory, target, memory, left, memory, right, length);
    moved += length;
  }

  /** Combines into the caller's memory; {@code left} below zero: with what is there. */
  void combineToOut(MemorySegment memory, long left, long right, long position, int length) {
    long target = outOffset + position;
    MemorySegment first = left < 0 ? out : memory;
    combine.combine(operation, element, out, target, first, left < 0 ? target : left, memory, right, length);
    moved += length;
  }

  int kind() {
    return kind;
  }

  int root() {
    return root;
  }

  int operation() {
    return operation;
  }

  long bytes() {
    return bytes;
  }

  long sequence() {
    return sequence;
  }

  void waitFor(int member) {
    other = member;
  }

  void wake(int member) {
    if (member != self) {
      sleeper.wake(slot.localRank(member));
    }
  }

  void wakeAll() {
    for (int member = 0; member < slot.ranks; member++) {
      wake(member);
    }
  }

  /** Whether a member's line is there, and tells of the same collective as ours: NEXT, AGAIN or MISMATCH. */
  int look(int member) {
    long found = slot.head(member, sequence);
    if (found == head && slot.what(member, sequence) == what) {
      return NEXT;
    }
    other = member;
    return found >>> 32 == head >>> 32 ? mismatch(member, found) : AGAIN;
  }

  private int mismatch(int member, long found) {
    words[HEAD] = found;
    words[WHAT] = slot.what(member, sequence);
    return MISMATCH;
  }

  private int readLines() {
    while (at < slot.ranks) {
      int status = look(at);
      if (status == NEXT) {
        status = use(at);
      }
      if (status != NEXT) {
        return status;
      }
      at++;
    }
    allHaveBegun();
    if (way == Choice.CELLS) {
      return next(MOVE_CELLS);
    }
    if (way == Choice.LINES_ROOT) {
      if (foldedAt != slot.result(self, sequence) && bytes > 0) { // alone
        MemorySegment.copy(slot.memory, foldedAt, slot.memory, slot.result(self, sequence), bytes);
      }
      slot.publish(sequence, 1);
      wakeAll();
    }
    if (kind == BCAST) {
      foldedAt = slot.payload(root, sequence);
    }
    return next(kind == ALLGATHER ? END : GIVE_RESULT);
  }

  private int use(int member) {
    if (bytes == 0) {
      return NEXT;
    }
    return switch (kind) {
      case ALLREDUCE -> fold(member);
      case ALLGATHER -> give(slot.payload(member, sequence), member * bytes);
      default -> NEXT;
    };
  }

  /** Combines a member's operand with those before it. */
  private int fold(int member) {
    int operand = slot.payload(member, sequence);
    int result = slot.result(self, sequence);
    if (member == 0) {
      foldedAt = operand;
    } else if (operation == USER_OPERATION) {
      return foldByCaller(operand, result);
    } else {
      combine.combine(operation, element, slot.memory, result, slot.memory, foldedAt, slot.memory, operand, bytes);
      foldedAt = result;
    }
    return NEXT;
  }

  private int foldByCaller(int operand, int result) {
    if (asked) {
      asked = false;
      return NEXT;
    }
    if (foldedAt != result) {
      MemorySegment.copy(slot.memory, foldedAt, slot.memory, result, bytes);
      foldedAt = result;
    }
    asked = true;
    return ask(COMBINE, operand, result, 0, bytes, false);
  }

  private int give(int source, long position) {
    return drain(slot.memory, source, position, (int) bytes);
  }

  private int readRoot() {
    int status = look(root);
    if (status == NEXT) {
      foldedAt = slot.payload(root, sequence);
      return next(GIVE_RESULT);
    }
    return status;
  }

  private int readResult() {
    if (slot.progress(0, sequence) != (sequence << 32 | 1)) {
      other = 0;
      return AGAIN;
    }
    int status = look(0);
    if (status == NEXT) {
      allHaveBegun();
      foldedAt = slot.result(0, sequence);
      return next(GIVE_RESULT);
    }
    return status;
  }

  private int giveResult() {
    boolean gets = bytes > 0 && kind != BARRIER && (kind != BCAST || self != root);
    int status = gets ? give(foldedAt, 0) : NEXT;
    return status == NEXT ? next(END) : status;
  }

  private int end() {
    slot.end(sequence);
    if (way == Choice.CELLS || way == Choice.LINES_BCAST && self != root) {
      wakeAll(); // who is ahead, and needs our line or half of the cells to be free, may sleep
    }
    move = IDLE;
    other = -1;
    return 0;
  }

  /**
   * Sees whether what is waited for can still come. What the other had posted before it left is seen by the second look
   * that follows.
   */
  private int waitedInVain() {
    int waited = other;
    int trouble = troubleWith(waited);
    if (trouble == AGAIN) {
      return AGAIN;
    }
    int about = other;
    int status = advance();
    if (status != AGAIN || other != waited) {
      return status == NEXT ? MOVED : status;
    }
    other = about;
    return trouble;
  }

  private int troubleWith(int member) {
    if (slot.isRevoked()) {
      return REVOKED;
    }
    int state = slot.state(member);
    if (state != OPEN) {
      return state == SlotMemberDescriptor.CLOSED ? CLOSED : BROKEN;
    }
    if (move == READ_RESULT || move == MOVE_CELLS || way == Choice.LINES_BCAST && move == READ_LINES) {
      return compareHeads(member);
    }
    return isOld(slot.head(member, sequence) >>> 32) ? AGAIN : CORRUPT;
  }

  /** Of a line that was posted before: a multiple of four collectives ago, none yet, or this one. */
  private boolean isOld(long number) {
    long ago = sequence - number & 0xffff_ffffL;
    return number == 0 || (ago & LINES - 1) == 0 && ago <= 2 * POSTED_BY_ALL;
  }

  /** Who waits for another member than all finds out here that others call something else. */
  private int compareHeads(int waited) {
    if (way == Choice.LINES_BCAST && slot.head(self, sequence) >>> 32 != head >>> 32
        && hasRoom()) {
      slot.post(sequence, head, what); // so that others see it
    }
    for (int member = 0; member < slot.ranks; member++) {
      long found = slot.head(member, sequence);
      if (found >>> 32 == head >>> 32) {
        int status = look(member);
        if (status == MISMATCH) {
          return MISMATCH;
        }
      } else if (!isOld(found >>> 32)) {
        other = member;
        return CORRUPT;
      }
    }
    other = waited;
    return isOld(slot.progress(waited, sequence) >>> 32) ? AGAIN : CORRUPT;
  }

  @Override
  public int other() {
    return other;
  }

  @Override
  public long[] words() {
    return words;
  }

  @Override
  public long cellsBytes() {
    return CellMoves.bytesOf(slot.ranks);
  }

  @Override
  public long cellsOffset() {
    return slot.cells();
  }

  @Override
  public int publishCells(long offsetInFile) {
    if (self != 0 || offsetInFile <= 0) {
      return INVAL;
    }
    slot.publishCells(offsetInFile);
    wakeAll();
    return 0;
  }

  @Override
  public int cells(MemorySegment all) {
    if (all.byteSize() < cellsBytes()) {
      return INVAL;
    }
    cells.give(all);
    return 0;
  }

  @Override
  public int breakOff() {
    slot.setState(SlotMemberDescriptor.BROKEN);
    wakeAll();
    return 0;
  }

  @Override
  public int closeState() {
    slot.setState(SlotMemberDescriptor.CLOSED);
    wakeAll();
    for (int member = 0; member < slot.ranks; member++) {
      if (slot.state(member) != SlotMemberDescriptor.CLOSED) {
        return 0;
      }
    }
    return 1;
  }

  @Override
  public int revoke() {
    slot.revoke();
    wakeAll();
    return 0;
  }

  @Override
  public int state(int member) {
    return slot.state(member);
  }

  @Override
  public void close() {}
}
