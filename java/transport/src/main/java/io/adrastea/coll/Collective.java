package io.adrastea.coll;

import static io.adrastea.coll.Choice.isExchange;
import static io.adrastea.coll.CollectiveState.ELEMENT_BITS;
import static io.adrastea.coll.CollectiveState.MAX_NUMBER;
import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.THROUGH;
import static io.adrastea.coll.CollectiveState.isFold;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.BUSY;
import static io.adrastea.core.Core.CORRUPT;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.SlotMember.*;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
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
 * shared memory] ({@link LineMoves}). What is longer goes through stages ({@link StageMoves}, {@link FoldMoves}), or
 * straight from memory to memory ({@link DirectMoves}); exchanges have moves of their own ({@link ExchangeMoves}). This
 * class says which moves are made, and which come next; none of them knows it.
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
  private static final int MOVE_STAGES = 7;
  private static final int EXPOSE_BUFFERS = 8;
  private static final int MOVE_DIRECT = 9;
  private static final int MOVE_EXCHANGE = 10;

  private final CollectiveState coll;
  private final Slot slot;
  private final int self;
  private final MemberState member;
  private final LineMoves lines;
  private final StageMoves stages;
  private final FoldMoves folds;
  private final DirectMoves direct;
  private final ExchangeMoves exchange;
  private final RelayMoves relay;
  private int move = IDLE;

  Collective(MemberState member, Combine combine) {
    this.coll = new CollectiveState(member, combine);
    this.slot = member.slot;
    this.self = member.self;
    this.member = member;
    this.lines = new LineMoves(coll, slot, self, combine);
    this.stages = new StageMoves(coll, lines, member.stages, slot, self);
    this.folds = new FoldMoves(coll, lines, stages, slot, self);
    this.direct = new DirectMoves(coll, lines, stages, slot, self);
    this.exchange = new ExchangeMoves(coll, lines, stages, direct, slot, self);
    this.relay = new RelayMoves(coll, lines, stages, direct, exchange, slot, self);
  }

  // Moves on

  private int next(int move) {
    this.move = move;
    return NEXT;
  }

  private boolean posts() {
    return !coll.isLeafOfBcast() || coll.isPostedByAll();
  }

  private void beginStages() {
    stages.begin();
    if (coll.kind() >= REDUCE) {
      folds.begin();
    }
  }

  /** A root that only sends would not look at what the others call. */
  private boolean comparesBefore() {
    return coll.comparesFew() && coll.isChecked();
  }

  /** Room is there once nobody reads the line of four collectives ago any more. */
  private int getRoom() {
    if (!lines.hasRoom()) {
      return AGAIN;
    }
    boolean isExchange = isExchange(coll.kind());
    if (isExchange && exchange.makesStages()) {
      return NEEDS_STAGES;
    }
    boolean exposes = isExchange ? exchange.exposes() : coll.way() == Choice.DIRECT;
    return next(exposes ? EXPOSE_BUFFERS : POST);
  }

  private int afterPosting() {
    return switch (coll.way()) {
      case Choice.STAGES -> comparesBefore() ? READ_LINES : MOVE_STAGES;
      case Choice.LINES_BCAST, Choice.LINES_NEEDED -> lines.readsNone() ? END : READ_LINES;
      case Choice.LINES_ROOT -> self == 0 ? READ_LINES : READ_RESULT;
      case Choice.GIVER_LINE, Choice.GIVER_STAGE, Choice.GIVER_DIRECT -> coll.isChecked() ? READ_LINES : MOVE_EXCHANGE;
      default -> READ_LINES;
    };
  }

  /**
   * XPMEM can be lost in the middle: then bytes go through the stages, of which others may find that they need them
   * when member 0, which makes those of all, is through.
   */
  private boolean makesStagesForRelays() {
    return self == 0 && lines.isExposed() && !stages.areMade() && (lines.told(TELL_BY) >>> 16 & XPMEM) != 0
        && lines.told(TELL_SEGMENT) != 0;
  }

  private int post() {
    int status = NEXT;
    if (makesStagesForRelays()) {
      return NEEDS_STAGES;
    }
    if (lines.isExposed() && isExchange(coll.kind())) {
      slot.tellSpaces((int) (lines.told(TELL_BY) >>> 16) & 0xFF);
    }
    if (isExchange(coll.kind())) {
      exchange.decide();
      status = exchange.fillLine();
    } else if (coll.way() < Choice.STAGES) {
      status = lines.fillLine();
    }
    if (status != NEXT) {
      return status;
    }
    lines.post();
    return next(afterPosting());
  }

  private int afterReading() {
    if (isExchange(coll.kind())) {
      return MOVE_EXCHANGE;
    }
    if (coll.way() == Choice.DIRECT) {
      if (direct.isPossible()) {
        return MOVE_DIRECT;
      }
      coll.goThroughStages();
      beginStages();
    }
    if (coll.way() == Choice.STAGES) {
      return MOVE_STAGES;
    }
    return coll.kind() == ALLGATHER ? END : GIVE_RESULT;
  }

  private int readLines() {
    int status = lines.read();
    return status == NEXT ? next(afterReading()) : status;
  }

  private void fetchNext() {
    if (coll.kind() >= REDUCE) {
      folds.fetchNext();
    } else {
      stages.fetchNext();
    }
  }

  private int end() {
    long sequence = coll.sequence();
    int way = coll.way();
    move = IDLE;
    coll.waitForNobody();
    boolean only = member.end(sequence);
    if (only && coll.knowsAllHaveDone(sequence + 1 - LINES)) {
      slot.prepare(sequence + 1);
      if (way == Choice.STAGES) {
        fetchNext();
      } else if (isExchange(coll.kind())) {
        exchange.fetchNext();
      }
    }
    if (!only || way >= Choice.LINES_NEEDED || coll.isLeafOfBcast()) {
      coll.wakeAll(); // a member that is ahead, and needs our line or quarter to be free, may sleep
    }
    return 0;
  }

  /** Goes on to a move once the one before is made. */
  private int then(int status, int move) {
    return status == NEXT ? next(move) : status;
  }

  /** Ends once all moves of a kind are made. */
  private int untilEnd(int status) {
    return status == THROUGH ? next(END) : status;
  }

  /**
   * Goes on where memory is read and written where it lies. Beside its own moves a member copies for those that cannot
   * reach its memory.
   */
  private int moveStraight() {
    int status;
    if (relay.isUnderWay()) {
      status = relay.advance();
    } else {
      status = move == MOVE_DIRECT ? direct.advance() : exchange.advance();
    }
    return status == AGAIN && lines.isExposed() ? relay.serve() : status;
  }

  private int advance() {
    return switch (move) {
      case GET_ROOM -> getRoom();
      case EXPOSE_BUFFERS -> then(lines.expose(), POST);
      case POST -> post();
      case READ_LINES -> coll.way() == Choice.LINES_BCAST ? then(lines.readRoot(), GIVE_RESULT) : readLines();
      case READ_RESULT -> then(lines.readResult(), GIVE_RESULT);
      case GIVE_RESULT -> then(lines.giveResult(), END);
      case MOVE_STAGES -> untilEnd(coll.kind() >= REDUCE ? folds.advance() : stages.advance());
      case MOVE_DIRECT, MOVE_EXCHANGE -> untilEnd(moveStraight());
      case END -> end();
      default -> INVAL;
    };
  }

  private int troubleWith(int member) {
    // Its state first: a member that has revoked may have closed since, and what it did before is seen with that.
    int state = slot.state(member);
    if (slot.isRevoked()) {
      return REVOKED;
    }
    if (state != OPEN) {
      return state == SlotMemberDescriptor.CLOSED ? CLOSED : BROKEN;
    }
    boolean looksAtFew = coll.way() == Choice.LINES_BCAST || coll.way() == Choice.LINES_NEEDED;
    if (move == READ_RESULT || move == MOVE_STAGES || move == MOVE_DIRECT || move == MOVE_EXCHANGE
        || looksAtFew && move == READ_LINES) {
      return lines.compare(member);
    }
    return lines.isPlausible(member) ? AGAIN : CORRUPT;
  }

  /**
   * Sees whether what is waited for can still come. What the other had posted before it left is seen by the second look
   * that follows.
   */
  private int waitedInVain() {
    int waited = coll.other();
    int trouble = troubleWith(waited);
    if (trouble == AGAIN) {
      return AGAIN;
    }
    int about = coll.other();
    int status = advance();
    if (status != AGAIN || coll.other() != waited) {
      return status == NEXT ? MOVED : status;
    }
    coll.waitFor(about);
    return trouble;
  }

  private int run(int spins) {
    int left = spins;
    while (true) {
      int status = advance();
      if (status == NEXT) {
        if (coll.moved() >= StageMoves.MOST_MOVED) {
          coll.waitForNobody();
          return MOVED;
        }
        left = spins;
      } else if (status != AGAIN) {
        return status;
      } else if (--left > 0) {
        Thread.onSpinWait();
      } else if (coll.moved() > 0) {
        coll.waitForNobody();
        return MOVED;
      } else {
        return spins > 0 ? waitedInVain() : AGAIN;
      }
    }
  }

  /** Goes on. */
  int step(MemorySegment in, long inOffset, MemorySegment out, long outOffset, int spins) {
    coll.setBuffers(in, inOffset, out, outOffset);
    int status = run(spins);
    coll.forgetBuffers();
    return status;
  }

  // The straight path: a collective by lines alone, or of what fits a buffer of the stages, that ends in its first
  // call, while no other one is under way at any member. What it finds not to be there it leaves to moves.

  /** Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
  private boolean goesStraight() {
    int way = coll.way();
    return coll.lag() == 0 && way <= Choice.LINES_NEEDED && way != Choice.LINES_ROOT
        && (coll.isLeafOfBcast() || coll.knowsAllHaveDone(coll.sequence() - LINES)) && !coll.isPostedByAll()
        && coll.op() != USER_OPERATOR && (coll.hasIn() || !coll.gives())
        && (coll.hasOut() || !coll.gets());
  }

  private int goStraight(int spins) {
    move = POST; // should the program's memory be gone
    if (lines.goStraight(spins)) {
      return end();
    }
    move = READ_LINES;
    return run(Math.min(spins, 1));
  }

  private int goStraightByStages(int spins) {
    move = POST; // should the program's memory be gone
    if (stages.goStraight(spins)) {
      return end();
    }
    beginStages();
    if (coll.kind() >= REDUCE) {
      folds.goOn();
    } else {
      stages.goOn();
    }
    move = MOVE_STAGES;
    return run(Math.min(spins, 1));
  }

  // Begins

  private int beginMoves(int unit, int spins) {
    if (coll.way() >= Choice.STAGES) {
      stages.reserve(unit);
      if (coll.way() == Choice.STAGES) {
        if (stages.goesStraight()) {
          return goStraightByStages(spins);
        }
        beginStages();
      }
    }
    move = posts() ? GET_ROOM : READ_LINES;
    return run(spins);
  }

  private int beginExchange(int spins) {
    stages.reserve(1); // how much each member gives is not known to all
    stages.beginQuarter();
    exchange.begin((coll.op() & BY_PARTS) != 0, (coll.op() & STAYS) != 0);
    boolean must = coll.isPostedByAll() || coll.isChecked();
    boolean posts = exchange.posts() || must || exchange.exposes();
    if (coll.lag() == 0 && !must && (!posts || coll.knowsAllHaveDone(coll.sequence() - LINES))
        && exchange.goesStraight()) {
      move = POST; // should the program's memory be gone
      if (exchange.goStraight(spins)) {
        return end();
      }
      move = MOVE_EXCHANGE;
      return run(Math.min(spins, 1));
    }
    if (posts) {
      move = GET_ROOM;
    } else {
      exchange.decide();
      move = MOVE_EXCHANGE;
    }
    return run(spins);
  }

  /** How many roots can be named; an allreduce by a user's operator tells the bytes of an element in their place. */
  private int rootsOf(int kind, int element, int op) {
    return switch (kind) {
      case ALLREDUCE -> op == USER_OPERATOR ? MOST_ELEMENT_BYTES + 1 : slot.ranks;
      case SCAN, EXSCAN -> 1;
      case REDUCE_SCATTER -> 2; // 1: by parts
      case ALLTOALL -> element >= FOR_GROUPS ? MOST_AGREED + 1 : slot.ranks;
      default -> slot.ranks;
    };
  }

  /** Bytes of an element, 0: the operator cannot be carried out. */
  private static int unitOf(int ofUser, int element, int op) {
    if (op == USER_OPERATOR) {
      return ofUser;
    }
    ElementKind kind = ElementKind.of(element);
    Operator operator = Operator.of(op);
    boolean known = kind != null && operator != null && kind.isOfJava() && operator.combines(kind)
        && operator != Operator.NO_OP;
    return known ? kind.bytes() : 0;
  }

  int begin(
      int kind, int root, long bytes, int element, int op, MemorySegment in, long inOffset, MemorySegment out,
      long outOffset, int spins) {
    if (move != IDLE) {
      return BUSY; // this line's last collective has not ended
    }
    if (kind < BARRIER || kind > ALLGATHERV || root < 0 || root >= rootsOf(kind, element, op) || bytes < 0
        || bytes > (kind == BARRIER ? 0 : MOST_BYTES) || (element | op) < 0 || op > MAX_NUMBER
        || element > MAX_NUMBER && (kind < REDUCE || kind > REDUCE_SCATTER || op != USER_OPERATOR)) {
      return INVAL;
    }
    int unit = isFold(kind) ? unitOf(kind == ALLREDUCE ? root : element >> ELEMENT_BITS, element, op) : 1;
    if (unit == 0 || unit > MOST_ELEMENT_BYTES || bytes != unit && bytes % unit != 0
        || kind == REDUCE_SCATTER && (root == 0
            ? bytes % ((long) unit * slot.ranks) != 0
            : !lines.allowsParts(member.givenParts(), unit, bytes))) {
      return INVAL;
    }
    boolean isExchange = isExchange(kind);
    if (isExchange && (op & ~(STAYS | BY_PARTS)) != 0
        || ExchangeMoves.isAcross(kind, element) && (root == 0 || (op & BY_PARTS) == 0)
        || isExchange && (op & BY_PARTS) == 0 && !ExchangeRoom.takes(kind, slot.ranks, bytes)
        || isExchange && (op & BY_PARTS) != 0
            && !exchange.allows(member.givenParts(), kind, root, element, bytes)) {
      return INVAL;
    }
    if (slot.isRevoked()) {
      return REVOKED;
    }
    if (slot.state(self) != OPEN) {
      coll.waitFor(self);
      return slot.state(self) == SlotMemberDescriptor.CLOSED ? CLOSED : BROKEN;
    }
    lines.begin(kind, root, bytes, element, op, unit);
    coll.setBuffers(in, inOffset, out, outOffset);
    int status;
    if (goesStraight()) {
      status = goStraight(spins);
    } else if (isExchange(kind)) {
      status = beginExchange(spins);
    } else {
      status = beginMoves(unit, spins);
    }
    coll.forgetBuffers();
    return status;
  }

  // What callers are told, and tell

  int other() {
    return coll.other();
  }

  long[] words() {
    return coll.words();
  }

  int expose(int inBy, long in, int outBy, long out, int spaces, long segment) {
    if (move != EXPOSE_BUFFERS || ((inBy | outBy | spaces) & ~0xFF) != 0) {
      return INVAL;
    }
    int givenBy = exchange.isOverInput(coll.kind()) ? 0 : inBy;
    long from = isExchange(coll.kind()) ? in + exchange.oneBlockAt() : in;
    int takenBy = isExchange(coll.kind()) && !exchange.tellsOutput() ? 0 : outBy;
    lines.tell(givenBy | takenBy << 8 | spaces << 16, from, out, segment);
    return 0;
  }

  int relay() {
    return move == MOVE_DIRECT || move == MOVE_EXCHANGE ? relay.begin() : INVAL;
  }

  int reach(long offset, MemorySegment memory) {
    return direct.reach(offset, memory, words()[SOURCE], words()[BYTES]);
  }
}
