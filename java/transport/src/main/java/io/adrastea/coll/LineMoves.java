package io.adrastea.coll;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotDescriptor.CHECKED;
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
 * One member's moves by lines: the line that it posts, those of others that it reads, what is combined of them; and the
 * bytes that it takes from its caller or hands to it. The moves through cells, straight from memory and in exchanges
 * stand on these. Twin of {@code coll/adr_coll_lines.c}.
 *
 * <p>
 * {@link Slot} says in which order words are written and read.
 */
final class LineMoves {
  /** A move went well, the next one can be made. */
  static final int NEXT = 100;

  /** It was the last one: the collective ends. */
  static final int THROUGH = 101;

  /**
   * In four collectives out of so many each member posts its line, and its progress too, though it need not: none of
   * the lines is so old that its number, of 32 bits, could be mistaken.
   */
  private static final long POSTED_BY_ALL = 1L << 28;

  /** The greatest number of an element or an operation. */
  static final int MAX_NUMBER = 255;

  static final int ELEMENT_BITS = 8;

  /** The bits of what a line tells that hold the kind of element, or the purpose. */
  private static final long PURPOSE_BITS = 0xFF00;

  /** Odd, and its bits are spread [Knuth 1998, The Art of Computer Programming 3, 6.4: Fibonacci hashing]. */
  private static final long DIGEST_FACTOR = 0x9e37_79b9_7f4a_7c15L;

  private final Member member;
  private final Slot slot;
  private final int self;
  private final Combine combine;
  private final long[] words = new long[WORDS];

  private long sequence; // of the collective under way, or of the last one here
  private int lag; // most collectives that a member whose line was read had begun before, and not done
  private int way;
  private int kind;
  private int root;
  private long[] parts; // of a reduce_scatter: bytes of each, and where it begins; null: none was ever told
  private boolean byParts; // they are told; else all are as long
  private int element;
  private int operation;
  private long bytes;
  private long head;
  private long what;
  private long compared; // bits of it that all members tell alike
  private int first; // member whose line is read first
  private int last; // behind the last one whose line is read
  private int at; // member whose line is read next
  private int foldFrom; // where in each operand begins what this member combines
  private int foldBytes; // bytes of each operand that it combines
  private int foldedAt; // where in the slot lies what was combined so far
  private boolean asked; // the caller was asked for something
  private boolean exposed; // the caller has told of its buffers
  private final long[] told = new long[TELL_WORDS]; // what it has told
  private int askedFor; // READ or WRITE: what the caller was asked for last, of another member's memory
  private int moved; // bytes, in this call
  private int other = -1;

  private MemorySegment in; // the caller's, during a call
  private long inOffset;
  private MemorySegment out;
  private long outOffset;

  LineMoves(Member member, Slot slot, int self, Combine combine) {
    this.member = member;
    this.slot = slot;
    this.self = self;
    this.combine = combine;
  }

  // The collective under way

  int way() {
    return way;
  }

  /** Not all members' memory can be reached. */
  void goThroughCells() {
    way = Choice.CELLS; // for all members, which have read the same lines
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

  int operation() {
    return operation;
  }

  long bytes() {
    return bytes;
  }

  long sequence() {
    return sequence;
  }

  boolean isLeafOfBcast() {
    return way == Choice.LINES_BCAST && self != root;
  }

  boolean isPostedByAll() {
    return (sequence & POSTED_BY_ALL - 1) < LINES;
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

  /** Whether what is combined goes over the input: a reduce_scatter then may write over operands of other parts. */
  boolean isInPlace() {
    return in != null && in.equals(out) && inOffset == outOffset;
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
    member.allHaveDone(sequence - 1 - lag);
  }

  /** Whether there is room for the next one is found out now rather than then. */
  void looksForRoom() {
    allHaveDone(sequence + 1 - LINES);
  }

  long partBytes(int member) {
    return byParts ? parts[member] : bytes / slot.ranks;
  }

  /** Where a member's part of a reduce_scatter begins. */
  long partAt(int member) {
    return byParts ? parts[slot.ranks + member] : member * (bytes / slot.ranks);
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
  private int digest() {
    long digest = 0;
    for (int part = 0; part < slot.ranks; part++) {
      digest = (digest + parts[part]) * DIGEST_FACTOR;
    }
    return (int) (digest >>> 48) | 1; // 0: all are as long
  }

  /**
   * What a line tells of operands: the kind of element and the operation. Where a user's operation combines elements
   * that are not of the length of their kind, their length stands in both places.
   */
  private long operands(int unit) {
    ElementKind kind = ElementKind.of(element);
    if (operation == USER_OPERATION && (kind == null || kind.bytes() != unit)) {
      return (unit - 1 & MAX_NUMBER) << ELEMENT_BITS | Operation.OF_USER_ELEMENTS | unit - 1 >> ELEMENT_BITS;
    }
    return element << ELEMENT_BITS | operation;
  }

  /** Says whose lines this member reads, and what it combines of them. */
  private void chooseLines() {
    first = 0;
    last = slot.ranks;
    if (way == Choice.LINES_BCAST) {
      first = root;
      last = self == root ? root : root + 1;
    } else if (way == Choice.LINES_NEEDED) {
      last = kind == REDUCE ? self == root ? slot.ranks : 0 : kind == SCAN ? self + 1 : self;
    }
    foldFrom = 0;
    foldBytes = (int) bytes;
    if (kind == REDUCE_SCATTER && way == Choice.LINES_ALL) {
      foldFrom = (int) partAt(self);
      foldBytes = (int) partBytes(self);
    }
  }

  /** A collective begins, by the kind of which {@code unit} are the bytes of an element. */
  void begin(int kind, int root, long bytes, int element, int operation, int unit) {
    this.kind = kind;
    byParts = kind == REDUCE_SCATTER && root == 1;
    this.root = byParts ? digest() : root;
    this.bytes = bytes;
    this.element = element & MAX_NUMBER;
    this.operation = operation;
    way = Choice.of(kind, slot.ranks, bytes, slot.choices);
    sequence = member.next();
    lag = member.lag(sequence);
    int roots = comparesFew() ? member.foldRoot(root + (kind - BCAST << 5)) : member.roots();
    boolean isExchange = Choice.isExchange(kind);
    head = sequence << 32 | (long) kind << 24 | (long) this.root << 8 | roots;
    what = bytes << 16 | (isExchange ? (long) element << 8 | operation & BY_PARTS
        : kind < REDUCE ? (long) element << 8 | operation : operands(unit));
    compared = isExchange ? PURPOSE_BITS : -1;
    chooseLines();
    at = first;
    asked = false;
    exposed = false;
  }

  // The caller

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

  long[] words() {
    return words;
  }

  /** Whether the caller is to be asked now; at the next look it has done what it was asked for. */
  boolean asks() {
    asked = !asked;
    return asked;
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

  /** Asks the caller for bytes of a member's memory; {@code target} below zero: for the output. */
  int ask(int status, int member, long source, long length, int by, long segment, long target, long position) {
    ask(status, source, target, position, length, true);
    words[PLACE] = target < 0 ? IN_OUTPUT : IN_CELLS;
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
   * Asks the caller to copy between the cells, at {@code cell}, and one of its buffers, at {@code position}, or other
   * cells, at {@code target}, as {@code place} tells.
   *
   * @param status READ: out of the cells; or WRITE
   */
  int askByCells(int status, long cell, int place, long position, long target, long length) {
    ask(status, cell, status == WRITE ? cell : target, position, length, true);
    words[PLACE] = place;
    words[BY] = BY_CELLS;
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
    combine.combine(operation, element, memory == null ? out : memory, memory == null ? outOffset + at : at, left,
        leftAt, right, rightAt, length);
    moved += length;
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

  /**
   * Combines the other's operand and this member's own, of two, into the caller's memory. The own one comes from the
   * input: the lines of its cell are on their way to the other. Of more members the output, which may be the same
   * memory, is written before the input is read.
   */
  void combineWithIn(MemorySegment memory, long others, long position, int length) {
    boolean isFirst = self == 0;
    long own = inOffset + position;
    combine.combine(
        operation, element, out, outOffset + position, isFirst ? in : memory, isFirst ? own : others,
        isFirst ? memory : in, isFirst ? others : own, length);
    moved += length;
  }

  // Which member is waited for, and waking those that sleep

  void waitFor(int member) {
    other = member;
  }

  void waitForNobody() {
    other = -1;
  }

  int other() {
    return other;
  }

  void wake(int other) {
    member.wake(other);
  }

  void wakeAll() {
    member.wakeAll();
  }

  /** Wakes those who wait for this member's line. */
  private void wakeReaders() {
    if (way == Choice.LINES_ROOT) {
      wake(0);
    } else if (way == Choice.LINES_NEEDED && kind == REDUCE) {
      wake(root);
    } else {
      wakeAll();
    }
  }

  // One line

  /** Whether this member may write its line: nobody reads the one of four collectives ago any more. */
  boolean hasRoom() {
    return allHaveDone(sequence - LINES);
  }

  private int mismatch(int member, long found) {
    words[HEAD] = found;
    words[WHAT] = Slot.call(slot.what(member, sequence));
    words[GIVEN] = 0;
    words[EXPECTED] = 0;
    return MISMATCH;
  }

  /** Whether a member's line is there, and tells of the same collective as ours: NEXT, AGAIN or MISMATCH. */
  int look(int member) {
    long found = slot.head(member, sequence);
    if (found == head && ((Slot.call(slot.what(member, sequence)) ^ what) & compared) == 0) {
      lag = Math.max(lag, Slot.lag(slot.what(member, sequence)));
      return NEXT;
    }
    other = member;
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
      if (status != NEXT || steps == 1 && Slot.tellsStep(slot.what(member, sequence))) {
        return status;
      }
    }
    if (slot.hasTaken(member, sequence, steps)) {
      return NEXT;
    }
    other = member;
    return AGAIN;
  }

  /**
   * A member's bytes are others than are expected: those that another gives this one or, with {@code expected} below
   * zero, those that this one gives another, which has expected none.
   */
  int differs(int member, long given, long expected) {
    other = member;
    int status = mismatch(member, head);
    words[GIVEN] = given;
    words[EXPECTED] = expected;
    return status;
  }

  /** What a member's line of an exchange, which was looked at, tells that it gives. */
  long givenBytes(int member) {
    return Slot.call(slot.what(member, sequence)) >>> 16;
  }

  /** Whether it gives by parts. */
  boolean givesParts(int member) {
    return (slot.what(member, sequence) & BY_PARTS) != 0;
  }

  /** Whether a line that is there tells just what this member's does, and that its member does not lag. */
  boolean callsAlike(int member) {
    return slot.what(member, sequence) == what;
  }

  /** Whether it tells of the same call, of as many bytes or others, and that its member does not lag. */
  boolean callsTheSame(int member) {
    long told = slot.what(member, sequence);
    return Slot.lag(told) == 0 && ((told ^ what) & compared) == 0;
  }

  /** Whether a line with this number was posted before: a multiple of four collectives ago, none yet, or this one. */
  private boolean isOld(long number) {
    long ago = sequence - number & 0xffff_ffffL;
    return number == 0 || (ago & LINES - 1) == 0 && ago <= 2 * POSTED_BY_ALL;
  }

  /** Whether a member's line can be one that was posted before, or this one. */
  boolean isPlausible(int member) {
    return isOld(slot.head(member, sequence) >>> 32);
  }

  /** Finds out that others call something else, for a member that waits for another one than all do. */
  int compare(int waited) {
    if ((kind == BCAST || kind == SCATTER) && slot.head(self, sequence) >>> 32 != head >>> 32
        && hasRoom()) {
      slot.post(sequence, head, what, member.lag(sequence), 0); // so that others see it
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

  // A collective by lines

  /** Behind the last one whose operand is combined here. */
  private int foldsUntil() {
    return kind == SCAN ? self + 1 : kind == EXSCAN ? self : slot.ranks;
  }

  /** Whether the lines that this member reads are those of all others. */
  private boolean hasReadAll() {
    return first == 0 && (last == slot.ranks || last == slot.ranks - 1 && self == last)
        || way == Choice.LINES_BCAST && slot.ranks == 2;
  }

  /** Puts what this member gives into its line: NEXT, or FILL. */
  int fillLine() {
    return gives() ? fill(slot.memory, slot.payload(self, sequence), 0, (int) bytes) : NEXT;
  }

  /** Whether the caller has told of its buffers: NEXT, or EXPOSE. */
  int expose() {
    return exposed ? NEXT : ask(EXPOSE, 0, 0, 0, bytes, false);
  }

  /** Tells in the line how this member's buffers can be reached. */
  void tell(long by, long in, long out, long segment) {
    told[TELL_BY] = by;
    told[TELL_IN] = in;
    told[TELL_OUT] = out;
    told[TELL_SEGMENT] = segment;
    for (int word = 0; word < TELL_WORDS; word++) {
      slot.tell(sequence, word, told[word]);
    }
    slot.setResultWord(sequence, HAS_COPIED, 0); // shown by the head
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
    if (isPostedByAll()) {
      slot.publish(sequence, 0);
    }
    slot.post(sequence, head, what, member.lag(sequence), 0);
    wakeReaders();
  }

  /** Whether this member reads no line. */
  boolean readsNone() {
    return first == last;
  }

  private int give(int source, long position) {
    return drain(slot.memory, source, position, (int) bytes);
  }

  private int foldByCaller(int operand, int result) {
    if (asked) {
      asked = false;
      return NEXT;
    }
    if (foldedAt != result) {
      MemorySegment.copy(slot.memory, foldedAt, slot.memory, result, foldBytes);
      foldedAt = result;
    }
    asked = true;
    return ask(COMBINE, operand, result, 0, foldBytes, false);
  }

  /** Combines a member's operand with those before it. */
  private int fold(int member) {
    int operand = slot.payload(member, sequence) + foldFrom;
    int result = slot.result(self, sequence);
    if (member == 0) {
      foldedAt = operand;
    } else if (operation == USER_OPERATION) {
      return foldByCaller(operand, result);
    } else {
      combine.combine(operation, element, slot.memory, result, slot.memory, foldedAt, slot.memory, operand, foldBytes);
      foldedAt = result;
    }
    return NEXT;
  }

  /** Whether a member's operand is combined here; where all lines are compared it may not be. */
  private boolean needs(int member) {
    return member < foldsUntil() && foldBytes > 0 && (way == Choice.LINES_ROOT || gets());
  }

  private int use(int member) {
    if (bytes == 0 || way >= Choice.CELLS) {
      return NEXT;
    }
    return switch (kind) {
      case BARRIER, BCAST -> NEXT;
      case ALLGATHER -> give(slot.payload(member, sequence), member * bytes);
      default -> needs(member) ? fold(member) : NEXT;
    };
  }

  /** All lines were read that this member reads: member 0 posts what it makes of them. */
  private void postResult() {
    int result = slot.result(self, sequence);
    if (foldedAt != result && bytes > 0) { // alone
      MemorySegment.copy(slot.memory, foldedAt, slot.memory, result, bytes);
    }
    slot.publish(sequence, 1 + lag);
    wakeAll();
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
      allHaveBegun();
    }
    if (way == Choice.LINES_ROOT) {
      postResult();
    }
    if (kind == BCAST) {
      foldedAt = slot.payload(root, sequence);
    }
    return NEXT;
  }

  int readRoot() {
    int status = look(root);
    if (status == NEXT) {
      foldedAt = slot.payload(root, sequence);
    }
    return status;
  }

  int readResult() {
    if (!slot.hasTaken(0, sequence, 1)) {
      other = 0;
      return AGAIN;
    }
    int status = look(0);
    if (status == NEXT) {
      lag = Math.max(lag, (int) slot.progress(0, sequence) - 1); // of all whose lines it has read
      allHaveBegun();
      foldedAt = slot.result(0, sequence);
      return NEXT;
    }
    return status;
  }

  private int giveFolded() {
    if (kind != REDUCE_SCATTER) {
      return give(foldedAt, 0);
    }
    int length = (int) partBytes(self);
    int from = way == Choice.LINES_ROOT ? foldedAt + (int) partAt(self) : foldedAt;
    return length > 0 ? drain(slot.memory, from, 0, length) : NEXT;
  }

  /** Hands what was combined to the caller: NEXT, or DRAIN. */
  int giveResult() {
    return gets() ? giveFolded() : NEXT;
  }

  // The straight path: a collective by lines alone that ends in its first call, without a step between two moves, while
  // no other one is under way at any member. What it finds not to be there it leaves to the moves above.

  /** Whether a member's line of the same collective is there within so many looks. */
  boolean awaitHead(int member, int spins) {
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
    return awaitHead(member, spins) && slot.what(member, sequence) == (what | 1L << STEP_SHIFT);
  }

  /** Combines what a member gives with what those before it give; the last one's goes to the caller. */
  private void foldStraight(int member, MemorySegment from, long operand) {
    boolean isLast = member == foldsUntil() - 1;
    if (member == 0) {
      foldedAt = slot.payload(0, sequence) + foldFrom;
      if (isLast) {
        MemorySegment.copy(from, operand, out, outOffset, foldBytes);
      }
      return;
    }
    boolean ownIsLeft = member == 1 && self == 0; // its operand, and this member's own
    int result = slot.result(self, sequence);
    combine.combine(
        operation, element, isLast ? out : slot.memory, isLast ? outOffset : result, ownIsLeft ? in : slot.memory,
        ownIsLeft ? inOffset + foldFrom : foldedAt, from, operand, foldBytes);
    foldedAt = result;
  }

  /**
   * Takes what a member gives. This member's own line is on its way to those who read it: to look at it again would
   * take as long.
   */
  private void take(int member) {
    boolean isOwn = member == self && (kind != REDUCE_SCATTER || !isInPlace());
    MemorySegment from = isOwn ? in : slot.memory;
    long operand = isOwn ? inOffset : slot.payload(member, sequence);
    if (isFold(kind)) {
      if (member < foldsUntil() && foldBytes > 0) {
        foldStraight(member, from, operand + foldFrom);
      }
    } else if (kind == ALLGATHER) {
      MemorySegment.copy(from, operand, out, outOffset + member * bytes, bytes);
    } else if (member == root) {
      MemorySegment.copy(from, operand, out, outOffset, bytes);
    }
  }

  /** Whether the straight path was gone to the end; else the line that is looked at next was not there. */
  boolean goStraight(int spins) {
    if (!isLeafOfBcast()) {
      if (gives()) {
        MemorySegment.copy(in, inOffset, slot.memory, slot.payload(self, sequence), bytes);
      }
      slot.post(sequence, head, what, 0, 0);
      wakeReaders();
      if (first == last) {
        allHaveDone(sequence + 1 - LINES); // now rather than before the next one
        return true;
      }
    }
    boolean takes = gets();
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
      allHaveBegun();
    } else if (way == Choice.LINES_NEEDED) {
      allHaveDone(sequence + 1 - LINES);
    }
    return true;
  }

  /** Shows this member's line on a straight path; {@code step} is 1: its first buffer is filled. */
  void show(int step) {
    slot.post(sequence, head, what, 0, step);
    if (kind == GATHER || kind == REDUCE) {
      wake(root);
    } else {
      wakeAll();
    }
  }
}
