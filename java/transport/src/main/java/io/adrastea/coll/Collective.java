package io.adrastea.coll;

import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotDescriptor.CHECKED;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_IN;
import static io.adrastea.layout.SlotLineDescriptor.TELL_OUT;
import static io.adrastea.layout.SlotLineDescriptor.TELL_SEGMENT;
import static io.adrastea.layout.SlotMemberDescriptor.LINES;
import static io.adrastea.layout.SlotMemberDescriptor.OPEN;

import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * One member's side of one collective of a communicator at a time, in Java alone. Twin of
 * {@code coll/adr_collective.c}. A {@link Member} has one for each of its lines.
 *
 * <p>
 * Every member begins the same collectives in the same order, and counts them. In each it posts a line that tells which
 * one it is, up to 48 bytes of payload with it, and reads those of others [MPICH2 2007, 3.4: a barrier in a slot of
 * shared memory]. What is longer goes through cells, or straight from memory to memory. {@link Slot} says in which
 * order words are written and read.
 */
final class Collective {
  /** What this member does next. */
  private static final int IDLE = 0;

  private static final int GET_ROOM = 1;
  private static final int POST = 2;
  private static final int READ_LINES = 3;
  private static final int READ_RESULT = 4;
  private static final int GIVE_RESULT = 5;
  private static final int END = 6;
  private static final int MOVE_CELLS = 7;
  private static final int EXPOSE_BUFFERS = 8;
  private static final int MOVE_DIRECT = 9;
  private static final int MOVE_EXCHANGE = 11;

  /** A move went well, the next one can be made. */
  static final int NEXT = 100;

  /** Bytes that are moved in a call: all threads' safepoints wait for a call of C. */
  private static final int MOST_MOVED = 65_536;

  /**
   * In four collectives out of so many each member posts its line, and its progress too, though it need not: none of
   * the lines is so old that its number, of 32 bits, could be mistaken.
   */
  private static final long POSTED_BY_ALL = 1L << 28;

  /** Of an element or an operation. */
  private static final int MAX_NUMBER = 255;

  private static final int ELEMENT_BITS = 8;

  /** Of what a line tells: the kind of element, or the purpose. */
  private static final long PURPOSE_BITS = 0xFF00;

  private final Member member;
  private final Slot slot;
  private final int self;
  private final Combine combine;
  private final CellMoves cells;
  private final FoldMoves folds;
  private final DirectMoves direct;
  private final ExchangeMoves exchange;
  private final long[] words = new long[WORDS];

  private long sequence; // of the collective under way, or of the last one here
  private int lag; // most collectives that a member whose line was read had begun before, and not done
  private int move = IDLE;
  private int way;
  private int kind;
  private int root;
  private boolean byParts; // of a reduce_scatter: lengths of the parts are told; else all are as long
  private int element;
  private int operation;
  private long bytes;
  private long head;
  private long what;
  private int first; // member whose line is read first
  private int last; // behind the last one whose line is read
  private long compared; // bits of it that all members tell alike
  private int at; // member whose line is read next
  private int foldFrom; // where in each operand begins what this member combines
  private int foldBytes; // of that
  private int foldedAt; // where in the slot lies what was combined so far
  private boolean asked; // the caller was asked for something
  private boolean exposed; // the caller has told of its buffers
  private int moved; // bytes, in this call
  private int other = -1;

  private MemorySegment in; // the caller's, during a call
  private long inOffset;
  private MemorySegment out;
  private long outOffset;

  Collective(Member member, Slot slot, int self, Cells cells, Combine combine) {
    this.member = member;
    this.slot = slot;
    this.self = self;
    this.combine = combine;
    this.cells = new CellMoves(this, cells, slot, self);
    this.folds = new FoldMoves(this, this.cells, slot, self);
    this.direct = new DirectMoves(this, this.cells, slot, self);
    this.exchange = new ExchangeMoves(this, this.cells, direct, slot, self);
  }

  boolean isIdle() {
    return move == IDLE;
  }

  int begin(
      int kind, int root, long bytes, int element, int operation, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    if (move != IDLE) {
      return BUSY; // this line's last collective has not ended
    }
    if (kind < BARRIER || kind > ALLGATHERV || root < 0 || root >= rootsOf(kind, operation) || bytes < 0
        || bytes > (kind == BARRIER ? 0 : MOST_BYTES) || (element | operation) < 0 || operation > MAX_NUMBER
        || element > MAX_NUMBER && (kind < REDUCE || kind > REDUCE_SCATTER || operation != USER_OPERATION)) {
      return INVAL;
    }
    int unit = isFold(kind) ? unitOf(kind == ALLREDUCE ? root : element >> ELEMENT_BITS, element, operation) : 1;
    if (unit == 0 || unit > MOST_ELEMENT_BYTES || bytes != unit && bytes % unit != 0
        || kind == REDUCE_SCATTER && (root == 0
            ? bytes % ((long) unit * slot.ranks) != 0
            : !folds.allows(member.givenParts(), unit, bytes))) {
      return INVAL;
    }
    boolean isExchange = ExchangeMoves.isExchange(kind);
    if (isExchange && (operation & ~(STAYS | BY_PARTS)) != 0
        || isExchange && (operation & BY_PARTS) != 0 && !exchange.allows(member.givenParts(), kind, root, bytes)) {
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
    byParts = kind == REDUCE_SCATTER && root == 1;
    this.root = byParts ? folds.digest() : root;
    this.bytes = bytes;
    this.element = element & MAX_NUMBER;
    this.operation = operation;
    way = Choice.of(kind, slot.ranks, bytes, slot.choices);
    sequence = member.next();
    lag = member.lag(sequence);
    int roots = comparesFew() ? member.foldRoot(root + (kind - BCAST << 5)) : member.roots();
    head = sequence << 32 | (long) kind << 24 | (long) this.root << 8 | roots;
    what = bytes << 16 | (isExchange ? (long) element << 8 | operation & BY_PARTS
        : kind < REDUCE ? (long) element << 8 | operation : operands(unit));
    compared = isExchange ? PURPOSE_BITS : -1;
    chooseLines();
    at = first;
    asked = false;
    setBuffers(in, inOffset, out, outOffset);
    int status;
    if (goesStraight()) {
      status = goStraight(spins);
    } else if (isExchange) {
      status = beginExchange(spins);
    } else {
      status = beginMoves(unit, spins);
    }
    this.in = null;
    this.out = null;
    return status;
  }

  private int beginMoves(int unit, int spins) {
    if (way >= Choice.CELLS) {
      cells.reserve(unit);
      exposed = false;
      if (way == Choice.CELLS) {
        beginCells();
      }
    }
    move = posts() ? GET_ROOM : READ_LINES;
    return run(spins);
  }

  private int beginExchange(int spins) {
    cells.reserve(1); // who gives how much is not known to all
    cells.beginHalf();
    exposed = false;
    exchange.begin((operation & BY_PARTS) != 0, (operation & STAYS) != 0);
    boolean posts = exchange.posts() || isPostedByAll() || isChecked();
    if (lag == 0 && !isPostedByAll() && !isChecked() && (!posts || knowsAllHaveDone(sequence - LINES))
        && exchange.goesStraight()) {
      move = POST; // should the program's memory be gone
      return exchange.goStraight(spins);
    }
    if (posts) {
      move = GET_ROOM;
    } else {
      exchange.decide();
      move = MOVE_EXCHANGE;
    }
    return run(spins);
  }

  private void setBuffers(MemorySegment in, long inOffset, MemorySegment out, long outOffset) {
    this.in = in;
    this.inOffset = inOffset;
    this.out = out;
    this.outOffset = outOffset;
    moved = 0;
  }

  private void beginCells() {
    cells.begin();
    if (kind >= REDUCE) {
      folds.begin();
    }
  }

  /** Whether operands are combined. */
  private static boolean isFold(int kind) {
    return kind == ALLREDUCE || kind >= REDUCE && kind <= REDUCE_SCATTER;
  }

  /** How many roots can be named; an allreduce by a user's operation tells the bytes of an element in their place. */
  private int rootsOf(int kind, int operation) {
    return switch (kind) {
      case ALLREDUCE -> operation == USER_OPERATION ? MOST_ELEMENT_BYTES + 1 : slot.ranks;
      case SCAN, EXSCAN -> 1;
      case REDUCE_SCATTER -> 2; // 1: by parts
      default -> slot.ranks;
    };
  }

  /** Bytes of an element, 0: the operation cannot be carried out. */
  private static int unitOf(int ofUser, int element, int operation) {
    if (operation == USER_OPERATION) {
      return ofUser;
    }
    ElementKind kind = ElementKind.of(element);
    Operation operator = Operation.of(operation);
    boolean known = kind != null && operator != null && kind.isOfJava() && operator.combines(kind)
        && operator != Operation.NO_OP;
    return known ? kind.bytes() : 0;
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

  /** Whether members can end without having read each other's lines, so that others find out later what they called. */
  private boolean comparesFew() {
    return kind == BCAST || kind >= REDUCE && kind <= EXSCAN || kind == GATHER || kind == SCATTER;
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
      foldFrom = (int) partOffset(self);
      foldBytes = (int) partBytes(self);
    }
  }

  /** Behind the last one whose operand is combined here. */
  private int foldsUntil() {
    return kind == SCAN ? self + 1 : kind == EXSCAN ? self : slot.ranks;
  }

  /** Where a member's part of a reduce_scatter begins. */
  long partOffset(int member) {
    return byParts ? folds.partOffset(member) : member * (bytes / slot.ranks);
  }

  long partBytes(int member) {
    return byParts ? folds.partBytes(member) : bytes / slot.ranks;
  }

  /** Whether what is combined goes over the input: a reduce_scatter then may write over operands of other parts. */
  boolean isInPlace() {
    return in != null && in.equals(out) && inOffset == outOffset;
  }

  private boolean isLeafOfBcast() {
    return way == Choice.LINES_BCAST && self != root;
  }

  /** Whether there are bytes of this member for the others. */
  private boolean gives() {
    return bytes > 0 && (kind != BCAST || self == root);
  }

  /** Whether there are bytes for the caller. */
  private boolean gets() {
    return bytes > 0 && switch (kind) {
      case BCAST -> self != root;
      case REDUCE -> self == root;
      case EXSCAN -> self > 0;
      default -> true;
    };
  }

  private boolean posts() {
    return !isLeafOfBcast() || isPostedByAll();
  }

  private boolean isPostedByAll() {
    return (sequence & POSTED_BY_ALL - 1) < LINES;
  }

  /** Goes on. */
  int step(MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    setBuffers(in, inOffset, out, outOffset);
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
      case MOVE_CELLS -> kind >= REDUCE ? folds.advance() : cells.advance();
      case EXPOSE_BUFFERS -> exposeBuffers();
      case MOVE_DIRECT -> direct.advance();
      case MOVE_EXCHANGE -> exchange.advance();
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
  boolean hasRoom() {
    return allHaveDone(sequence - LINES);
  }

  private int getRoom() {
    if (!hasRoom()) {
      return AGAIN;
    }
    boolean isExchange = ExchangeMoves.isExchange(kind);
    if (isExchange && exchange.makesCells()) {
      return NEEDS_CELLS;
    }
    boolean exposes = isExchange ? exchange.exposes() : way == Choice.DIRECT;
    return next(exposes ? EXPOSE_BUFFERS : POST);
  }

  private int exposeBuffers() {
    return exposed ? next(POST) : ask(EXPOSE, 0, 0, 0, bytes, false);
  }

  int expose(int inBy, long in, int outBy, long out, int spaces, long segment) {
    if (move != EXPOSE_BUFFERS || ((inBy | outBy | spaces) & ~0xFF) != 0) {
      return INVAL;
    }
    int givenBy = exchange.isOverInput(kind) ? 0 : inBy;
    slot.tell(sequence, TELL_BY, givenBy | outBy << 8 | spaces << 16);
    slot.tell(sequence, TELL_IN, ExchangeMoves.isExchange(kind) ? in + exchange.oneBlockAt() : in);
    slot.tell(sequence, TELL_OUT, out);
    slot.tell(sequence, TELL_SEGMENT, segment);
    exposed = true;
    return 0;
  }

  int reach(long offset, MemorySegment memory) {
    return direct.reach(offset, memory, words[SOURCE], words[BYTES]);
  }

  /** Whether every member has done a collective; else the one who has not is waited for. */
  boolean allHaveDone(long earlier) {
    int behind = member.behind(earlier);
    if (behind < 0) {
      return true;
    }
    other = behind;
    return false;
  }

  /** The same, as far as this member has looked. */
  boolean knowsAllHaveDone(long earlier) {
    return member.knowsAllHaveDone(earlier);
  }

  /** Every member has begun this collective, and its line told what it had done before. */
  void allHaveBegun() {
    member.allHaveDone(sequence - 1 - lag);
  }

  /** A root that only sends would not look at what the others call. */
  private boolean comparesBefore() {
    return comparesFew() && isChecked();
  }

  private boolean isChecked() {
    return (slot.choices & CHECKED) != 0;
  }

  private int post() {
    if (ExchangeMoves.isExchange(kind)) {
      exchange.decide();
      int status = exchange.fillLine();
      if (status != NEXT) {
        return status;
      }
    } else if (way < Choice.CELLS && gives()) {
      int status = fill(slot.memory, slot.payload(self, sequence), 0, (int) bytes);
      if (status != NEXT) {
        return status;
      }
    }
    if (isPostedByAll()) {
      slot.publish(sequence, 0);
    }
    slot.post(sequence, head, what, member.lag(sequence));
    wakeReaders();
    return next(
        switch (way) {
          case Choice.CELLS -> comparesBefore() ? READ_LINES : MOVE_CELLS;
          case Choice.LINES_BCAST, Choice.LINES_NEEDED -> first == last ? END : READ_LINES;
          case Choice.LINES_ROOT -> self == 0 ? READ_LINES : READ_RESULT;
          case Choice.GIVER_LINE, Choice.GIVER_CELL, Choice.GIVER_DIRECT -> isChecked() ? READ_LINES : MOVE_EXCHANGE;
          default -> READ_LINES;
        });
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
    other = member;
    return status;
  }

  /** Whether the caller is to be asked now; at the next look it has done what it was asked for. */
  boolean asks() {
    asked = !asked;
    return asked;
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

  boolean hasOut() {
    return out != null;
  }

  boolean hasIn() {
    return in != null;
  }

  MemorySegment in() {
    return in;
  }

  long inOffset() {
    return inOffset;
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

  void waitFor(int member) {
    other = member;
  }

  void wake(int other) {
    member.wake(other);
  }

  void wakeAll() {
    member.wakeAll();
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

  private int mismatch(int member, long found) {
    words[HEAD] = found;
    words[WHAT] = Slot.call(slot.what(member, sequence));
    words[GIVEN] = 0;
    words[EXPECTED] = 0;
    return MISMATCH;
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

  private int readLines() {
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
    if (ExchangeMoves.isExchange(kind)) {
      return next(MOVE_EXCHANGE);
    }
    if (way == Choice.DIRECT) {
      if (direct.isPossible()) {
        return next(MOVE_DIRECT);
      }
      way = Choice.CELLS; // for all members, who have read the same lines
      beginCells();
    }
    if (way == Choice.CELLS) {
      return next(MOVE_CELLS);
    }
    if (way == Choice.LINES_ROOT) {
      if (foldedAt != slot.result(self, sequence) && bytes > 0) { // alone
        MemorySegment.copy(slot.memory, foldedAt, slot.memory, slot.result(self, sequence), bytes);
      }
      slot.publish(sequence, 1 + lag);
      wakeAll();
    }
    if (kind == BCAST) {
      foldedAt = slot.payload(root, sequence);
    }
    return next(kind == ALLGATHER ? END : GIVE_RESULT);
  }

  /** Whether the lines that this member reads are those of all others. */
  private boolean hasReadAll() {
    return first == 0 && (last == slot.ranks || last == slot.ranks - 1 && self == last)
        || way == Choice.LINES_BCAST && slot.ranks == 2;
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

  /** Whether a member's operand is combined here; where all lines are compared it may not be. */
  private boolean needs(int member) {
    return member < foldsUntil() && foldBytes > 0 && (way == Choice.LINES_ROOT || gets());
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
    if (!slot.hasTaken(0, sequence, 1)) {
      other = 0;
      return AGAIN;
    }
    int status = look(0);
    if (status == NEXT) {
      lag = Math.max(lag, (int) slot.progress(0, sequence) - 1); // of all whose lines it has read
      allHaveBegun();
      foldedAt = slot.result(0, sequence);
      return next(GIVE_RESULT);
    }
    return status;
  }

  private int giveResult() {
    int status = gets() ? giveFolded() : NEXT;
    return status == NEXT ? next(END) : status;
  }

  private int giveFolded() {
    if (kind != REDUCE_SCATTER) {
      return give(foldedAt, 0);
    }
    int length = (int) partBytes(self);
    int from = way == Choice.LINES_ROOT ? foldedAt + (int) partOffset(self) : foldedAt;
    return length > 0 ? drain(slot.memory, from, 0, length) : NEXT;
  }

  private int end() {
    move = IDLE;
    other = -1;
    boolean only = member.end(sequence);
    if (only && knowsAllHaveDone(sequence + 1 - LINES)) {
      slot.prepare(sequence + 1);
      if (way == Choice.CELLS) {
        cells.fetchNext();
      } else if (ExchangeMoves.isExchange(kind)) {
        exchange.fetchNext();
      }
    }
    if (!only || way >= Choice.LINES_NEEDED || isLeafOfBcast()) {
      wakeAll(); // who is ahead, and needs our line or half of the cells to be free, may sleep
    }
    return 0;
  }

  // The straight path: a collective by lines alone that ends in its first call, without a step between two moves, while
  // no other one is under way at any member. What it finds not to be there it leaves to the moves above.

  /** Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
  private boolean goesStraight() {
    return lag == 0 && way <= Choice.LINES_NEEDED && way != Choice.LINES_ROOT
        && (isLeafOfBcast() || knowsAllHaveDone(sequence - LINES)) && !isPostedByAll()
        && operation != USER_OPERATION && (in != null || !gives()) && (out != null || !gets());
  }

  private int goStraight(int spins) {
    move = POST; // should the program's memory be gone
    if (!isLeafOfBcast()) {
      if (gives()) {
        MemorySegment.copy(in, inOffset, slot.memory, slot.payload(self, sequence), bytes);
      }
      slot.post(sequence, head, what, 0);
      wakeReaders();
      if (first == last) {
        allHaveDone(sequence + 1 - LINES); // now rather than before the next one
        return end();
      }
    }
    boolean takes = gets();
    for (int member = first; member < last; member++) {
      if (member != self && !awaitLine(member, spins)) {
        return leave(member);
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
    return end();
  }

  /** Whether a member's line is there within so many looks, and as it should be. */
  boolean awaitLine(int member, int spins) {
    for (int left = spins; slot.head(member, sequence) != head; Thread.onSpinWait()) {
      if (--left <= 0) {
        return false;
      }
    }
    return slot.what(member, sequence) == what;
  }

  /** Goes on with a member's line by moves. */
  private int leave(int member) {
    at = member;
    move = READ_LINES;
    return run(1);
  }

  /** Shows this member's line of an exchange. */
  void show() {
    slot.post(sequence, head, what, 0);
    if (kind == GATHER) {
      wake(root);
    } else {
      wakeAll();
    }
  }

  /** Goes on with an exchange by moves. */
  int leaveExchange() {
    move = MOVE_EXCHANGE;
    return run(1);
  }

  /** Whether there is room for the next one is found out now rather than then. */
  void looksForRoom() {
    allHaveDone(sequence + 1 - LINES);
  }

  /** {@code all}: this member has read the lines of all, and so all others have read its own or will find it there. */
  int endExchange(boolean all) {
    way = all && kind != GATHER ? Choice.LINES_ALL : way;
    return end();
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
    if (move == READ_RESULT || move == MOVE_CELLS || move == MOVE_DIRECT || move == MOVE_EXCHANGE
        || (way == Choice.LINES_BCAST || way == Choice.LINES_NEEDED) && move == READ_LINES) {
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
    if ((way == Choice.LINES_BCAST || kind == SCATTER) && slot.head(self, sequence) >>> 32 != head >>> 32
        && hasRoom()) {
      slot.post(sequence, head, what, member.lag(sequence)); // so that others see it
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

  int other() {
    return other;
  }

  long[] words() {
    return words;
  }
}
