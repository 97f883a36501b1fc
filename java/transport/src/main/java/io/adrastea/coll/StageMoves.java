package io.adrastea.coll;

import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.THROUGH;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.SlotMember.ALLGATHER;
import static io.adrastea.core.SlotMember.ALLREDUCE;
import static io.adrastea.core.SlotMember.BCAST;
import static io.adrastea.core.SlotMember.COMBINE;
import static io.adrastea.core.SlotMember.EXSCAN;
import static io.adrastea.core.SlotMember.NEEDS_STAGES;
import static io.adrastea.core.SlotMember.REDUCE;
import static io.adrastea.core.SlotMember.SCAN;
import static io.adrastea.core.SlotMember.USER_OPERATOR;

import io.adrastea.atomic.Words;
import io.adrastea.layout.SlotMemberDescriptor;
import java.lang.foreign.MemorySegment;

/**
 * One member's moves in a collective through stages: data longer than a line. Twin of {@code coll/adr_coll_stages.c}.
 *
 * <p>
 * Each member has a stage of four quarters, which collectives through stages use in turn ({@link Stages}). It is
 * written by that member alone. A quarter is free once every member has done the collective that it was given to
 * before. Within a collective a quarter is a ring of buffers, one for each round:
 * <ul>
 * <li>bcast: the root fills a buffer and says so; the others copy it and say so; the root fills it again when all have.
 * <li>allgather: each member fills a buffer, and the next one ahead; all copy those of all. A member that has seen that
 * all have filled a buffer knows that all have read the one of two rounds before.
 * <li>allreduce of little, or of two members: each fills a buffer with its operand, and the next one ahead; each
 * combines those of all.
 * <li>allreduce: each fills a buffer; each owner of a part combines the part of all, and all copy the parts of all
 * owners. A member that has seen an owner's part of a round knows that this owner has read what it reads in it; an
 * owner that has seen that all have filled the next buffer knows that they have copied its part. There is one buffer:
 * an owner begins to combine, but in the first round, when it has seen that.
 * </ul>
 */
final class StageMoves {
  /** Holds 64 KiB, and the part of it that one of three members or more combines. */
  static final int QUARTER = 90_112;

  /** Bytes of one member's stage. */
  static final int STAGE = Stages.QUARTERS * QUARTER;

  private static final int BCAST_BUFFERS = 8;

  /** Smaller, so that the others can follow a root closely. */
  private static final int BCAST_BUFFER = 8192;

  private static final int GATHER_BUFFERS = 4;
  private static final int GATHER_BUFFER = 16_384;

  /** Operands of which each member combines those of all; behind them in the quarter lies what it has combined. */
  private static final int OPERANDS = 4;

  private static final int OPERAND = 16_384;

  /** A part is no shorter, so that few members do not wait for many. */
  private static final int LEAST_PART = 256;

  /** Up to so many bytes each member combines all: cheaper than to wait for each other once more. */
  private static final int COMBINED_BY_ALL = 2048;

  /** Bytes that are moved in a call: all threads' safepoints wait for a call of C. */
  static final int MOST_MOVED = 65_536;

  /** Up to so many bytes lines are fetched ahead: as many as a CPU fetches at once. */
  private static final int PREPARED = 2048;

  private static final int CACHE_LINE = 64;

  private final CollectiveState coll;
  private final LineMoves lines;
  private final Slot slot;
  private final int self;
  private final int ranks;
  private final Stages stages;
  private MemorySegment memory; // of all stages, once the quarter is ready
  private boolean ready; // the quarter is free for this one

  private int quarter;
  private long before; // the collective that this quarter was given to before
  private int round;
  private int filled; // rounds whose buffer of ours is filled
  private int bufferBytes; // of a round's buffer
  private int buffers; // of a quarter
  private int phase; // of a round
  private int at; // member that is looked at next
  private int unit; // bytes of an element
  private int room; // bytes of each member that go in a round
  private int owners; // members that combine a part; 0: each combines all
  private long foldedAt; // where in the stages lies what was combined so far
  private boolean seen; // what that member has to have done is done

  StageMoves(CollectiveState coll, LineMoves lines, Stages stages, Slot slot, int self) {
    this.coll = coll;
    this.lines = lines;
    this.stages = stages;
    this.slot = slot;
    this.self = self;
    this.ranks = slot.ranks;
  }

  MemorySegment memory() {
    return memory;
  }

  /** The quarter is to be asked for. */
  void beginQuarter() {
    ready = false;
  }

  /** Whether stages are there, and nobody uses the quarter any more, as far as this member has looked. */
  boolean isFree() {
    return areMade() && coll.knowsAllHaveDone(before);
  }

  /** The quarter is free. */
  void takeQuarter() {
    memory = stages.memory();
    ready = true;
  }

  /** Says which members combine what, so that a buffer holds an operand and behind it what this member combines. */
  private void share() {
    if (ranks <= 2 || coll.bytes() <= COMBINED_BY_ALL) {
      buffers = OPERANDS;
      bufferBytes = OPERAND;
      room = OPERAND / unit * unit;
    } else {
      int least = unit > LEAST_PART ? unit : (LEAST_PART + unit - 1) / unit * unit;
      owners = Math.min(ranks, QUARTER / least - 1);
      buffers = 1;
      bufferBytes = QUARTER;
      room = QUARTER / (owners + 1) / unit * unit * owners;
    }
  }

  /**
   * A collective begins that may go through stages, of elements of so many bytes: takes the quarter whose turn it is.
   */
  void reserve(int unit) {
    this.unit = unit;
    quarter = stages.next();
    before = stages.user(quarter);
    stages.reserve(coll.sequence());
  }

  int unit() {
    return unit;
  }

  void begin() {
    beginQuarter();
    round = 0;
    filled = 0;
    phase = 0;
    at = 0;
    owners = 0;
    seen = false;
    switch (coll.kind()) {
      case BCAST -> {
        buffers = BCAST_BUFFERS;
        room = bufferBytes = BCAST_BUFFER;
      }
      case ALLGATHER -> {
        buffers = GATHER_BUFFERS;
        room = bufferBytes = GATHER_BUFFER;
      }
      default -> share();
    }
  }

  /** Whether the stages are there. */
  boolean areMade() {
    return stages.memory() != null;
  }

  /** Whether this member may write into its quarter of a stage. */
  boolean isReady() {
    return ready;
  }

  /** Before it does: NEXT, AGAIN or NEEDS_STAGES. */
  int prepare() {
    if (!areMade()) {
      if (self == 0 || slot.stages() != 0) {
        return NEEDS_STAGES;
      }
      coll.waitFor(0);
      return AGAIN;
    }
    if (!coll.allHaveDone(before)) {
      return AGAIN;
    }
    takeQuarter();
    return NEXT;
  }

  /** The quarter of a member's stage that this collective uses. */
  long quarter(int member) {
    return (long) member * STAGE + quarter * QUARTER;
  }

  /** A member's buffer of a round. */
  private long buffer(int member, int round) {
    return quarter(member) + (round & buffers - 1) * bufferBytes;
  }

  private long buffer(int member) {
    return buffer(member, round);
  }

  /** What goes in a round. */
  private long position(int round) {
    return (long) round * room;
  }

  private long position() {
    return position(round);
  }

  private int length(int round) {
    return (int) Math.min(room, coll.bytes() - position(round));
  }

  private int length() {
    return length(round);
  }

  private int nextRound() {
    round++;
    phase = 0;
    at = 0;
    return position() >= coll.bytes() ? THROUGH : NEXT;
  }

  private int nextStage() {
    phase++;
    at = 0;
    return NEXT;
  }

  /** Whether a member has taken so many steps. */
  private int see(int member, int steps) {
    return lines.see(member, steps, round == 0);
  }

  /** Whether all members have. */
  private int seeAll(int steps) {
    for (; at < ranks; at++) {
      int status = see(at, steps);
      if (status != NEXT) {
        return status;
      }
    }
    return NEXT;
  }

  /** Fills the next buffer, and says that so many steps are taken. */
  private int fill(int steps) {
    int status = coll.fill(memory, buffer(self, filled), position(filled), length(filled));
    if (status == NEXT) {
      filled++;
      slot.publish(coll.sequence(), steps);
      coll.wakeAll();
    }
    return status;
  }

  /** Fills the buffers of this round and of the next, which others may read while this member reads theirs. */
  private int fillAhead() {
    while (filled < round + 2 && position(filled) < coll.bytes()) {
      int status = fill(filled + 1);
      if (status != NEXT) {
        return status;
      }
    }
    return nextStage();
  }

  /** The root's round of a bcast. */
  private int lead() {
    for (; round >= buffers && at < ranks; at++) {
      int status = at == self ? NEXT : see(at, round - buffers + 1);
      if (status != NEXT) {
        return status;
      }
    }
    int status = fill(round + 1);
    return status == NEXT ? nextRound() : status;
  }

  /** Another member's. */
  private int follow() {
    int root = coll.root();
    if (phase == 0) {
      int status = see(root, round + 1);
      if (status != NEXT) {
        return status;
      }
      if (ranks == 2) {
        coll.allHaveBegun();
      }
      return nextStage();
    }
    int status = coll.drain(memory, buffer(root), position(), length());
    if (status == NEXT) {
      slot.publish(coll.sequence(), round + 1);
      coll.wake(root);
      return nextRound();
    }
    return status;
  }

  /** Hands the caller what the member that is looked at has made with so many steps. */
  private int handOut(int steps, long source, long to, int bytes) {
    int status = seen ? NEXT : see(at, steps);
    if (status == NEXT) {
      seen = true;
      status = coll.drain(memory, source, to, bytes);
    }
    if (status == NEXT) {
      seen = false;
      at++;
    }
    return status;
  }

  private int gather() {
    if (phase == 0) {
      return fillAhead();
    }
    if (at < ranks) {
      if (at == self && coll.hasIn() && coll.hasOut()) {
        coll.keep(position(), self * coll.bytes() + position(), length());
        at++;
        return NEXT;
      }
      return handOut(round + 1, buffer(at), at * coll.bytes() + position(), length());
    }
    coll.allHaveBegun();
    return nextRound();
  }

  private int foldNext(long operand, int length, long target, long outPosition, boolean direct) {
    if (at == 0) {
      foldedAt = operand;
      return NEXT;
    }
    if (coll.op() == USER_OPERATOR) {
      if (seen) {
        seen = false;
        return NEXT;
      }
      if (foldedAt != target) {
        MemorySegment.copy(memory, foldedAt, memory, target, length);
        foldedAt = target;
      }
      seen = true;
      return coll.ask(COMBINE, operand, target, 0, length, true);
    }
    if (direct && ranks == 2 && coll.hasIn()) {
      coll.combineWithIn(memory, self == 0 ? operand : foldedAt, outPosition, length);
      foldedAt = -1;
    } else if (direct) {
      coll.combineToOut(memory, foldedAt, operand, outPosition, length);
      foldedAt = -1;
    } else {
      coll.combine(memory, target, foldedAt, operand, length);
      foldedAt = target;
    }
    return NEXT;
  }

  /**
   * Combines a stretch of all members' operands, in their order.
   *
   * @param target where in this member's stage it goes, and {@code foldedAt} tells
   * @param outPosition where in the caller's output it may go instead, where it has given one: then {@code foldedAt} is
   * below zero; -1: it may not
   */
  private int fold(int steps, int offset, int length, long target, long outPosition) {
    boolean direct = outPosition >= 0 && coll.hasOut() && coll.op() != USER_OPERATOR;
    while (at < ranks) {
      int status = seen ? NEXT : see(at, steps);
      if (status == NEXT) {
        status = foldNext(buffer(at) + offset, length, target, outPosition, direct);
      }
      if (status != NEXT) {
        return status;
      }
      at++;
    }
    if (foldedAt != target && foldedAt >= 0) { // alone
      MemorySegment.copy(memory, foldedAt, memory, target, length);
      foldedAt = target;
    }
    return NEXT;
  }

  private int combineAll() {
    switch (phase) {
      case 0 :
        return fillAhead();
      case 1 : {
        long result = quarter(self) + OPERANDS * OPERAND;
        int status = fold(round + 1, 0, length(), result, position());
        if (status == NEXT) {
          coll.allHaveBegun();
          return foldedAt < 0 ? nextRound() : nextStage();
        }
        return status;
      }
      default : {
        int status = coll.drain(memory, foldedAt, position(), length());
        return status == NEXT ? nextRound() : status;
      }
    }
  }

  /** Bytes of each owner's part of this round; the last owners may have less, or none. */
  private int part() {
    int elements = length() / unit;
    return (elements + owners - 1) / owners * unit;
  }

  private int partLength(int owner) {
    return Math.max(0, Math.min(part(), length() - owner * part()));
  }

  private long result(int owner) {
    return buffer(owner) + (long) room;
  }

  /** Copies the parts that their owners have combined. */
  private int collect() {
    if (at >= owners || partLength(at) == 0) {
      return nextRound();
    }
    return handOut(2 * round + 2, result(at), position() + (long) at * part(), partLength(at));
  }

  private int combineParts() {
    boolean combines = self < owners && partLength(self) > 0;
    switch (phase) {
      case 0 : {
        int status = fill(2 * round + 1);
        return status == NEXT ? nextStage() : status;
      }
      case 1 : { // all have copied what was combined in the round before
        int status = combines && round > 0 ? seeAll(2 * round + 1) : NEXT;
        return status == NEXT ? nextStage() : status;
      }
      case 2 : {
        if (!combines) {
          return nextStage();
        }
        int status = fold(2 * round + 1, self * part(), partLength(self), result(self), -1);
        if (status == NEXT) {
          coll.allHaveBegun();
          slot.publish(coll.sequence(), 2 * round + 2);
          coll.wakeAll();
          return nextStage();
        }
        return status;
      }
      default :
        return collect();
    }
  }

  static long bytesOf(int ranks) {
    return (long) ranks * STAGE;
  }

  // The straight path: what fits one buffer is filled before the line is shown, which tells that; so a member waits for
  // one line of each other, and goes through no moves.

  private int mostStraight() {
    return switch (coll.kind()) {
      case BCAST -> BCAST_BUFFER;
      case ALLGATHER -> GATHER_BUFFER;
      case ALLREDUCE, REDUCE -> ranks <= 2 ? OPERAND : COMBINED_BY_ALL;
      case SCAN, EXSCAN -> COMBINED_BY_ALL;
      default -> 0;
    };
  }

  /** Whether nothing is to be waited for but lines, and nothing to be asked of the caller. */
  boolean goesStraight() {
    return coll.lag() == 0 && coll.bytes() <= mostStraight() && ranks > 1 && coll.bytes() * ranks <= MOST_MOVED
        && isFree() && coll.knowsAllHaveDone(coll.sequence() - SlotMemberDescriptor.LINES)
        && coll.op() != USER_OPERATOR && !coll.isPostedByAll() && !coll.isChecked()
        && (coll.hasIn() || !coll.gives()) && (coll.hasOut() || !coll.gets());
  }

  /** Whether others take what this member gives. */
  private boolean isTaken() {
    return switch (coll.kind()) {
      case REDUCE -> self != coll.root();
      case SCAN, EXSCAN -> self < ranks - 1;
      default -> true;
    };
  }

  private boolean gatherStraight(int spins) {
    int bytes = (int) coll.bytes();
    coll.keep(0, (long) self * bytes, bytes);
    for (int i = 1; i < ranks; i++) {
      int member = self + i < ranks ? self + i : self + i - ranks;
      if (!lines.awaitStep(member, spins)) {
        return false;
      }
      coll.drain(memory, quarter(member), (long) member * bytes, bytes);
    }
    return true;
  }

  /**
   * Combines the operands of the members before {@code last}. The output, which may be the input, is written with the
   * last one; so moves can begin anew with the first.
   */
  private boolean foldStraight(int last, int spins) {
    int bytes = (int) coll.bytes();
    long area = quarter(self) + OPERANDS * OPERAND;
    for (int member = 0; member < last; member++) {
      boolean isOwn = member == self; // the lines of its stage are on their way to the others
      if (!isOwn && !lines.awaitStep(member, spins)) {
        return false;
      }
      if (member > 0) {
        boolean isFirst = member == 1;
        boolean ownIsLeft = isFirst && self == 0;
        MemorySegment left = ownIsLeft ? coll.in() : memory;
        long leftAt = ownIsLeft ? coll.inOffset() : isFirst ? quarter(0) : area;
        boolean isLast = member == last - 1;
        coll.combine(left, leftAt, isOwn ? coll.in() : memory, isOwn ? coll.inOffset() : quarter(member),
            isLast ? null : memory, isLast ? 0 : area, bytes);
      }
    }
    if (last == 1 && self == 0) {
      coll.keep(0, 0, bytes);
    } else if (last == 1) {
      coll.drain(memory, quarter(0), 0, bytes);
    }
    return true;
  }

  /** Takes what the others give. */
  private boolean takeStraight(int spins) {
    switch (coll.kind()) {
      case BCAST -> {
        int root = coll.root();
        if (!lines.awaitStep(root, spins)) {
          return false;
        }
        coll.drain(memory, quarter(root), 0, (int) coll.bytes());
        if (ranks > 2) {
          return true;
        }
      }
      case ALLGATHER -> {
        if (!gatherStraight(spins)) {
          return false;
        }
      }
      case SCAN, EXSCAN -> {
        if (!foldStraight(coll.kind() == SCAN ? self + 1 : self, spins)) {
          return false;
        }
        if (self < ranks - 1) {
          coll.looksForRoom(); // now rather than before the next one
          return true;
        }
      }
      default -> {
        if (!foldStraight(ranks, spins)) {
          return false;
        }
      }
    }
    coll.allHaveBegun();
    return true;
  }

  /** Whether the straight path was gone to the end; else moves go on. */
  boolean goStraight(int spins) {
    takeQuarter();
    if (coll.gives()) {
      if (isTaken()) {
        coll.fill(memory, quarter(self), 0, (int) coll.bytes());
      }
      lines.show(1);
    }
    if (coll.gets()) {
      return takeStraight(spins);
    }
    coll.looksForRoom(); // now rather than before the next one
    return true;
  }

  /** What was not there is left to moves, which have begun: this member's first buffer is filled. */
  void goOn() {
    takeQuarter();
    if (coll.gives()) {
      filled = 1;
      phase = 1;
    }
  }

  /**
   * Has the lines of the next quarter back from those who read them, as {@link Slot#prepare} does, and asks whether
   * that quarter is free, now rather than when it is needed. What is longer is fetched while it is copied.
   */
  void fetchNext() {
    if (prepareNext(coll.bytes(), coll.kind() == BCAST && self == coll.root())) {
      fetchLines(0, coll.bytes());
    }
  }

  /**
   * Asks whether the next quarter is free, now rather than when it is needed; returns whether lines of so many bytes
   * are to be fetched, and fetches that of the progress.
   *
   * @param leads this member does not look at all lines
   */
  boolean prepareNext(long bytes, boolean leads) {
    long user = stages.user(stages.next());
    if (leads ? !coll.allHaveDone(user) : !coll.knowsAllHaveDone(user)) {
      return false; // it may still be read
    }
    if (bytes > PREPARED || !areMade()) {
      return false;
    }
    slot.prepareProgress(coll.sequence() + 1);
    return true;
  }

  /** Fetches those of the next quarter from a byte on, which nobody reads any more. */
  void fetchLines(long first, long bytes) {
    long quarter = (long) self * STAGE + (long) stages.next() * QUARTER;
    for (long at = first & -CACHE_LINE; at < first + bytes; at += CACHE_LINE) {
      Words.storeLong(stages.memory(), quarter + at, 0);
    }
  }

  int advance() {
    if (!ready) {
      return prepare();
    }
    return switch (coll.kind()) {
      case BCAST -> self == coll.root() ? lead() : follow();
      case ALLGATHER -> gather();
      default -> owners == 0 ? combineAll() : combineParts();
    };
  }
}
