package io.adrastea.coll;

import static io.adrastea.coll.CollectiveState.ELEMENT_BITS;
import static io.adrastea.coll.CollectiveState.MAX_NUMBER;
import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.POSTED_BY_ALL;
import static io.adrastea.coll.CollectiveState.isFold;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotLineDescriptor.HAS_COPIED;
import static io.adrastea.layout.SlotLineDescriptor.STEP_SHIFT;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_IN;
import static io.adrastea.layout.SlotLineDescriptor.TELL_OUT;
import static io.adrastea.layout.SlotLineDescriptor.TELL_SEGMENT;
import static io.adrastea.layout.SlotLineDescriptor.TELL_WORDS;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One member's moves by lines: the line that it posts, those of others that it reads, and what is combined of them. The
 * moves through stages, straight from memory and in exchanges stand on these. Twin of {@code coll/adr_coll_lines.c}.
 *
 * <p>
 * {@link Slot} says in which order words are written and read.
 */
final class LineMoves {
  /** The bits of what a line tells that hold the kind of element, or the purpose. */
  private static final long PURPOSE_BITS = 0xFF00;

  /** Odd, and its bits are spread [Knuth 1998, The Art of Computer Programming 3, 6.4: Fibonacci hashing]. */
  private static final long DIGEST_FACTOR = 0x9e37_79b9_7f4a_7c15L;

  private final CollectiveState coll;
  private final Slot slot;
  private final int self;
  private final Combine combine;

  private long head;
  private long what;
  private long compared; // bits of it that all members tell alike
  private int first; // member whose line is read first
  private int last; // behind the last one whose line is read
  private int at; // member whose line is read next
  private int foldFrom; // where in each operand begins what this member combines
  private int foldBytes; // bytes of each operand that it combines
  private int foldedAt; // where in the slot lies what was combined so far
  private long[] parts; // of a reduce_scatter: bytes of each, and where it begins; null: none was ever told
  private boolean byParts; // they are told; else all are as long
  private boolean exposed; // the caller has told of its buffers
  private final long[] told = new long[TELL_WORDS]; // what it has told

  LineMoves(CollectiveState coll, Slot slot, int self, Combine combine) {
    this.coll = coll;
    this.slot = slot;
    this.self = self;
    this.combine = combine;
  }

  long partBytes(int member) {
    return byParts ? parts[member] : coll.bytes() / slot.ranks;
  }

  /** Where a member's part of a reduce_scatter begins. */
  long partAt(int member) {
    return byParts ? parts[slot.ranks + member] : member * (coll.bytes() / slot.ranks);
  }

  // Which collective it is

  /**
   * Takes the lengths of the parts, which are as they are to be.
   *
   * @param given a copy is made; null: there were none
   * @return whether they are whole elements, so many bytes together, and take no more rounds than are counted
   */
  boolean allowsParts(MemorySegment given, int unit, long bytes) {
    if (given == null) {
      return false;
    }
    if (parts == null) {
      parts = new long[2 * slot.ranks];
    }
    long total = 0;
    for (int part = 0; part < slot.ranks; part++) {
      long length = given.getAtIndex(ValueLayout.JAVA_LONG, GIVE_BYTES * slot.ranks + part);
      if (length < 0 || length > bytes - total || length % unit != 0) {
        return false;
      }
      parts[part] = length;
      parts[slot.ranks + part] = total;
      total += length;
    }
    return total == bytes && FoldRoom.takes(slot.ranks, unit, parts);
  }

  /**
   * What stands for the lengths of the parts in the place of the root: a member that has others calls something else.
   */
  private int digestOf() {
    long digest = 0;
    for (int part = 0; part < slot.ranks; part++) {
      digest = (digest + parts[part]) * DIGEST_FACTOR;
    }
    return (int) (digest >>> 48) | 1; // 0: all are as long
  }

  /**
   * What a line tells of operands: the kind of element and the operator. Where a user's operator combines elements that
   * are not of the length of their kind, their length stands in both places.
   */
  private long operands(int unit) {
    ElementKind kind = ElementKind.of(coll.element());
    if (coll.op() == USER_OPERATOR && (kind == null || kind.bytes() != unit)) {
      return (unit - 1 & MAX_NUMBER) << ELEMENT_BITS | Operator.OF_USER_ELEMENTS | unit - 1 >> ELEMENT_BITS;
    }
    return coll.element() << ELEMENT_BITS | coll.op();
  }

  /** Says whose lines this member reads, and what it combines of them. */
  private void chooseLines() {
    first = 0;
    last = slot.ranks;
    if (coll.way() == Choice.LINES_BCAST) {
      first = coll.root();
      last = self == coll.root() ? coll.root() : coll.root() + 1;
    } else if (coll.way() == Choice.LINES_NEEDED) {
      last = coll.kind() == REDUCE ? self == coll.root() ? slot.ranks : 0 : coll.kind() == SCAN ? self + 1 : self;
    }
    foldFrom = 0;
    foldBytes = (int) coll.bytes();
    if (coll.kind() == REDUCE_SCATTER && coll.way() == Choice.LINES_ALL) {
      foldFrom = (int) partAt(self);
      foldBytes = (int) partBytes(self);
    }
  }

  /** A collective begins, by the kind of which {@code unit} are the bytes of an element. */
  void begin(int kind, int root, long bytes, int element, int op, int unit) {
    byParts = kind == REDUCE_SCATTER && root == 1;
    int named = byParts ? digestOf() : root;
    int roots = coll.start(kind, named, bytes, element, op);
    boolean isExchange = Choice.isExchange(kind);
    head = coll.sequence() << 32 | (long) kind << 24 | (long) named << 8 | roots;
    what = bytes << 16 | (isExchange ? (long) element << 8 | op & BY_PARTS
        : kind < REDUCE ? (long) element << 8 | op : operands(unit));
    compared = isExchange ? PURPOSE_BITS : -1;
    chooseLines();
    at = first;
    exposed = false;
  }

  /** Wakes those who wait for this member's line. */
  private void wakeReaders() {
    if (coll.way() == Choice.LINES_ROOT) {
      coll.wake(0);
    } else if (coll.way() == Choice.LINES_NEEDED && coll.kind() == REDUCE) {
      coll.wake(coll.root());
    } else {
      coll.wakeAll();
    }
  }

  // One line

  /** Whether this member may write its line: nobody reads the one of four collectives ago any more. */
  boolean hasRoom() {
    return coll.allHaveDone(coll.sequence() - LINES);
  }

  private int mismatch(int member, long found) {
    long[] words = coll.words();
    words[HEAD] = found;
    words[WHAT] = Slot.call(slot.what(member, coll.sequence()));
    words[GIVEN] = 0;
    words[EXPECTED] = 0;
    return MISMATCH;
  }

  /** Whether a member's line is there, and tells of the same collective as ours: NEXT, AGAIN or MISMATCH. */
  int look(int member) {
    long found = slot.head(member, coll.sequence());
    if (found == head && ((Slot.call(slot.what(member, coll.sequence())) ^ what) & compared) == 0) {
      coll.lags(Slot.lag(slot.what(member, coll.sequence())));
      return NEXT;
    }
    coll.waitFor(member);
    return found >>> 32 == head >>> 32 ? mismatch(member, found) : AGAIN;
  }

  /**
   * Whether a member has taken so many steps: NEXT, AGAIN or MISMATCH; this one has. In the first round
   * ({@code compares}) its line is compared, which may tell of the first step itself.
   */
  int see(int member, int steps, boolean compares) {
    if (member == self) { // whose line is on its way to the others
      return NEXT;
    }
    if (compares) {
      int status = look(member);
      if (status != NEXT || steps == 1 && Slot.tellsStep(slot.what(member, coll.sequence()))) {
        return status;
      }
    }
    if (slot.hasTaken(member, coll.sequence(), steps)) {
      return NEXT;
    }
    coll.waitFor(member);
    return AGAIN;
  }

  /**
   * A member's bytes are others than are expected: those that another gives this one or, with {@code expected} below
   * zero, those that this one gives another, which has expected none.
   */
  int differs(int member, long given, long expected) {
    coll.waitFor(member);
    int status = mismatch(member, head);
    coll.words()[GIVEN] = given;
    coll.words()[EXPECTED] = expected;
    return status;
  }

  /** What a member's line of an exchange, which was looked at, tells that it gives. */
  long givenBytes(int member) {
    return Slot.call(slot.what(member, coll.sequence())) >>> 16;
  }

  /** Whether it gives by parts. */
  boolean givesParts(int member) {
    return (slot.what(member, coll.sequence()) & BY_PARTS) != 0;
  }

  /** Whether a line that is there tells just what this member's does, and that its member does not lag. */
  boolean callsAlike(int member) {
    return slot.what(member, coll.sequence()) == what;
  }

  /** Whether it tells of the same call, of as many bytes or others, and that its member does not lag. */
  boolean callsTheSame(int member) {
    long told = slot.what(member, coll.sequence());
    return Slot.lag(told) == 0 && ((told ^ what) & compared) == 0;
  }

  /** Whether a line with this number was posted before: a multiple of four collectives ago, none yet, or this one. */
  private boolean isOld(long number) {
    long ago = coll.sequence() - number & 0xffff_ffffL;
    return number == 0 || (ago & LINES - 1) == 0 && ago <= 2 * POSTED_BY_ALL;
  }

  /** Whether a member's line can be one that was posted before, or this one. */
  boolean isPlausible(int member) {
    return isOld(slot.head(member, coll.sequence()) >>> 32);
  }

  /** Finds out that others call something else, for a member that waits for another one than all do. */
  int compare(int waited) {
    if ((coll.kind() == BCAST || coll.kind() == SCATTER) && slot.head(self, coll.sequence()) >>> 32 != head >>> 32
        && hasRoom()) {
      slot.post(coll.sequence(), head, what, coll.ownLag(), 0); // so that others see it
    }
    for (int member = 0; member < slot.ranks; member++) {
      long found = slot.head(member, coll.sequence());
      if (found >>> 32 == head >>> 32) {
        int status = look(member);
        if (status == MISMATCH) {
          return MISMATCH;
        }
      } else if (!isOld(found >>> 32)) {
        coll.waitFor(member);
        return CORRUPT;
      }
    }
    coll.waitFor(waited);
    return isOld(slot.progress(waited, coll.sequence()) >>> 32) ? AGAIN : CORRUPT;
  }

  // A collective by lines

  /** Behind the last one whose operand is combined here. */
  private int foldsUntil() {
    return coll.kind() == SCAN ? self + 1 : coll.kind() == EXSCAN ? self : slot.ranks;
  }

  /** Whether the lines that this member reads are those of all others. */
  private boolean hasReadAll() {
    return first == 0 && (last == slot.ranks || last == slot.ranks - 1 && self == last)
        || coll.way() == Choice.LINES_BCAST && slot.ranks == 2;
  }

  /** Puts what this member gives into its line: NEXT, or FILL. */
  int fillLine() {
    return coll.gives() ? coll.fill(slot.memory, slot.payload(self, coll.sequence()), 0, (int) coll.bytes()) : NEXT;
  }

  /** Whether the caller has told of its buffers: NEXT, or EXPOSE. */
  int expose() {
    return exposed ? NEXT : coll.ask(EXPOSE, 0, 0, 0, coll.bytes(), false);
  }

  /** Tells in the line how this member's buffers can be reached. */
  void tell(long by, long in, long out, long segment) {
    told[TELL_BY] = by;
    told[TELL_IN] = in;
    told[TELL_OUT] = out;
    told[TELL_SEGMENT] = segment;
    for (int word = 0; word < TELL_WORDS; word++) {
      slot.tell(coll.sequence(), word, told[word]);
    }
    slot.setResultWord(coll.sequence(), HAS_COPIED, 0); // shown by the head
    exposed = true;
  }

  /** Whether it tells that. */
  boolean isExposed() {
    return exposed;
  }

  /** What it has told, {@link SlotLineDescriptor#TELL_BY} … */
  long told(int word) {
    return told[word];
  }

  /** Posts the line, and wakes those who wait for it. */
  void post() {
    if (coll.isPostedByAll()) {
      slot.publish(coll.sequence(), 0);
    }
    slot.post(coll.sequence(), head, what, coll.ownLag(), 0);
    wakeReaders();
  }

  /** Whether this member reads no line. */
  boolean readsNone() {
    return first == last;
  }

  private int give(int source, long position) {
    return coll.drain(slot.memory, source, position, (int) coll.bytes());
  }

  private int foldByCaller(int operand, int result) {
    if (!coll.asks()) {
      return NEXT;
    }
    if (foldedAt != result) {
      MemorySegment.copy(slot.memory, foldedAt, slot.memory, result, foldBytes);
      foldedAt = result;
    }
    return coll.ask(COMBINE, operand, result, 0, foldBytes, false);
  }

  /** Combines a member's operand with those before it. */
  private int fold(int member) {
    int operand = slot.payload(member, coll.sequence()) + foldFrom;
    int result = slot.result(self, coll.sequence());
    if (member == 0) {
      foldedAt = operand;
    } else if (coll.op() == USER_OPERATOR) {
      return foldByCaller(operand, result);
    } else {
      combine.combine(coll.op(), coll.element(), slot.memory, result, slot.memory, foldedAt, slot.memory,
          operand, foldBytes);
      foldedAt = result;
    }
    return NEXT;
  }

  /** Whether a member's operand is combined here; where all lines are compared it may not be. */
  private boolean needs(int member) {
    return member < foldsUntil() && foldBytes > 0 && (coll.way() == Choice.LINES_ROOT || coll.gets());
  }

  private int use(int member) {
    if (coll.bytes() == 0 || coll.way() >= Choice.STAGES) {
      return NEXT;
    }
    return switch (coll.kind()) {
      case BARRIER, BCAST -> NEXT;
      case ALLGATHER -> give(slot.payload(member, coll.sequence()), member * coll.bytes());
      default -> needs(member) ? fold(member) : NEXT;
    };
  }

  /** All lines were read that this member reads: member 0 posts what it makes of them. */
  private void postResult() {
    int result = slot.result(self, coll.sequence());
    if (foldedAt != result && coll.bytes() > 0) { // alone
      MemorySegment.copy(slot.memory, foldedAt, slot.memory, result, coll.bytes());
    }
    slot.publish(coll.sequence(), 1 + coll.lag());
    coll.wakeAll();
  }

  /** Reads the lines, and combines what they give or hands it out; the one that reads for all posts the result. */
  int read() {
    while (at < last) {
      int status = look(at);
      if (status == NEXT) {
        status = use(at);
      }
      if (status != NEXT) {
        return status;
      }
      at++;
    }
    if (hasReadAll()) {
      coll.allHaveBegun();
    }
    if (coll.way() == Choice.LINES_ROOT) {
      postResult();
    }
    if (coll.kind() == BCAST) {
      foldedAt = slot.payload(coll.root(), coll.sequence());
    }
    return NEXT;
  }

  int readRoot() {
    int status = look(coll.root());
    if (status == NEXT) {
      foldedAt = slot.payload(coll.root(), coll.sequence());
    }
    return status;
  }

  int readResult() {
    if (!slot.hasTaken(0, coll.sequence(), 1)) {
      coll.waitFor(0);
      return AGAIN;
    }
    int status = look(0);
    if (status == NEXT) {
      coll.lags((int) slot.progress(0, coll.sequence()) - 1); // of all whose lines it has read
      coll.allHaveBegun();
      foldedAt = slot.result(0, coll.sequence());
      return NEXT;
    }
    return status;
  }

  private int giveFolded() {
    if (coll.kind() != REDUCE_SCATTER) {
      return give(foldedAt, 0);
    }
    int length = (int) partBytes(self);
    int from = coll.way() == Choice.LINES_ROOT ? foldedAt + (int) partAt(self) : foldedAt;
    return length > 0 ? coll.drain(slot.memory, from, 0, length) : NEXT;
  }

  /** Hands what was combined to the caller: NEXT, or DRAIN. */
  int giveResult() {
    return coll.gets() ? giveFolded() : NEXT;
  }

  // The straight path: a collective by lines alone that ends in its first call, without a step between two moves, while
  // no other one is under way at any member. What it finds not to be there it leaves to the moves above.

  /** Whether a member's line of the same collective is there within so many looks. */
  boolean awaitHead(int member, int spins) {
    long sequence = coll.sequence(); // once: what is read in the loop is loaded anew behind each acquire
    for (int left = spins; slot.head(member, sequence) != head; Thread.onSpinWait()) {
      if (--left <= 0) {
        return false;
      }
    }
    return true;
  }

  private boolean awaitLine(int member, int spins) {
    return awaitHead(member, spins) && callsAlike(member);
  }

  /** Whether such a line is there, and its member does not lag, calls as much, and has filled its first buffer. */
  boolean awaitStep(int member, int spins) {
    return awaitHead(member, spins) && slot.what(member, coll.sequence()) == (what | 1L << STEP_SHIFT);
  }

  /** Combines what a member gives with what those before it give; the last one's goes to the caller. */
  private void foldStraight(int member, MemorySegment from, long operand) {
    boolean isLast = member == foldsUntil() - 1;
    if (member == 0) {
      foldedAt = slot.payload(0, coll.sequence()) + foldFrom;
      if (isLast) {
        MemorySegment.copy(from, operand, coll.out(), coll.outOffset(), foldBytes);
      }
      return;
    }
    boolean ownIsLeft = member == 1 && self == 0; // its operand, and this member's own
    int result = slot.result(self, coll.sequence());
    combine.combine(
        coll.op(), coll.element(), isLast ? coll.out() : slot.memory, isLast ? coll.outOffset() : result,
        ownIsLeft ? coll.in() : slot.memory, ownIsLeft ? coll.inOffset() + foldFrom : foldedAt, from, operand,
        foldBytes);
    foldedAt = result;
  }

  /**
   * Takes what a member gives. This member's own line is on its way to those who read it: to look at it again would
   * take as long.
   */
  private void take(int member) {
    boolean isOwn = member == self && (coll.kind() != REDUCE_SCATTER || !coll.isInPlace());
    MemorySegment from = isOwn ? coll.in() : slot.memory;
    long operand = isOwn ? coll.inOffset() : slot.payload(member, coll.sequence());
    if (isFold(coll.kind())) {
      if (member < foldsUntil() && foldBytes > 0) {
        foldStraight(member, from, operand + foldFrom);
      }
    } else if (coll.kind() == ALLGATHER) {
      MemorySegment.copy(from, operand, coll.out(), coll.outOffset() + member * coll.bytes(), coll.bytes());
    } else if (member == coll.root()) {
      MemorySegment.copy(from, operand, coll.out(), coll.outOffset(), coll.bytes());
    }
  }

  /** Whether the straight path was gone to the end; else the line that is looked at next was not there. */
  boolean goStraight(int spins) {
    if (!coll.isLeafOfBcast()) {
      if (coll.gives()) {
        MemorySegment.copy(coll.in(), coll.inOffset(), slot.memory, slot.payload(self, coll.sequence()), coll.bytes());
      }
      slot.post(coll.sequence(), head, what, 0, 0);
      wakeReaders();
      if (first == last) {
        coll.allHaveDone(coll.sequence() + 1 - LINES); // now rather than before the next one
        return true;
      }
    }
    boolean takes = coll.gets();
    for (int member = first; member < last; member++) {
      if (member != self && !awaitLine(member, spins)) {
        at = member;
        return false;
      }
      if (takes) {
        take(member);
      }
    }
    if (hasReadAll()) {
      coll.allHaveBegun();
    } else if (coll.way() == Choice.LINES_NEEDED) {
      coll.allHaveDone(coll.sequence() + 1 - LINES);
    }
    return true;
  }

  /** Shows this member's line on a straight path; {@code step} is 1: its first buffer is filled. */
  void show(int step) {
    slot.post(coll.sequence(), head, what, 0, step);
    if (coll.kind() == GATHER || coll.kind() == REDUCE) {
      coll.wake(coll.root());
    } else {
      coll.wakeAll();
    }
  }
}
