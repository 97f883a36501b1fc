package io.adrastea.coll;

import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.THROUGH;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.SlotMember.COMBINE;
import static io.adrastea.core.SlotMember.EXSCAN;
import static io.adrastea.core.SlotMember.REDUCE;
import static io.adrastea.core.SlotMember.REDUCE_SCATTER;
import static io.adrastea.core.SlotMember.SCAN;
import static io.adrastea.core.SlotMember.USER_OPERATOR;

import java.lang.foreign.MemorySegment;

/**
 * One member's moves in a reduce, a scan, an exscan or a reduce_scatter through stages. Twin of
 * {@code coll/adr_coll_fold.c}; {@link StageMoves} has the stages, and says when a quarter is free.
 *
 * <p>
 * A quarter is a ring of four buffers, one for each round, and behind them an area for what is combined in between. In
 * all of them operands are combined from the left, in the order of the members.
 * <ul>
 * <li>reduce of little, or of two members: all but the root fill a buffer each round; the root combines those of all,
 * says so, and the buffers of four rounds before are filled again.
 * <li>reduce: as an allreduce. Each fills the one buffer; each owner of a part combines the part of all, and the root
 * alone copies the parts. The buffer is filled again when all owners have combined what was there. An owner combines
 * when it has seen that all have filled theirs: so the root has copied the parts of the round before.
 * <li>scan and exscan of little: each fills a buffer, and combines those of the members before it.
 * <li>scan and exscan: a chain. Each takes from the member before what that one and all before it give, combines it
 * with its own operand, and shows the result to the member behind. A member's steps say two things of a round: 2 round
 * + 1, its own result is there; 2 round + 2, it has also taken what it takes of the member before.
 * <li>reduce_scatter: in a round each member fills a stretch of each part, and the owner of a part combines that of
 * all. Members fill one round ahead: a member that has seen that all have filled a buffer knows that all have read the
 * one of two rounds before. Where there are so many members that a stretch would be very short, some parts come first,
 * then others.
 * </ul>
 */
final class FoldMoves {
  private static final int BUFFER = FoldRoom.BUFFER;
  private static final int BUFFERS = 4;

  /**
   * Up to so many bytes a member that needs a result combines all for it: cheaper than to wait for others once more.
   */
  private static final int COMBINED_ALONE = 2048;

  private final CollectiveState coll;
  private final LineMoves lines;
  private final StageMoves stages;
  private final Slot slot;
  private final int self;
  private final int ranks;

  private int round;
  private int phase; // of a round
  private int at; // member that is looked at next
  private boolean seen; // what that member has to have done is done
  private long foldedAt; // where in the stages lies what was combined so far; below zero: in the caller's output
  private int room; // bytes that go in a round, of a reduce_scatter of each part
  private int owners; // of a reduce: members that combine a part; 0: the root combines all
  private boolean chained; // of a scan: each takes what the member before has combined

  // of a reduce_scatter
  private int group; // parts that come in one round
  private int filled; // rounds whose buffer of ours is filled
  private int first; // part of the round, and bytes of each that came before
  private long before;
  private int fillFirst; // the same of the round that is filled
  private long fillBefore;
  private int filling; // part of which a stretch is filled next

  FoldMoves(CollectiveState coll, LineMoves lines, StageMoves stages, Slot slot, int self) {
    this.coll = coll;
    this.lines = lines;
    this.stages = stages;
    this.slot = slot;
    this.self = self;
    this.ranks = slot.ranks;
  }

  private int endOf(int begin) {
    return Math.min(ranks, begin + group);
  }

  /** Bytes of the longest part of a group. */
  private long longest(int begin) {
    long most = 0;
    for (int part = begin; part < endOf(begin); part++) {
      most = Math.max(most, lines.partBytes(part));
    }
    return most;
  }

  /** The first part of the first group from this one on that has any bytes; as many as there are: none has. */
  private int nextGroup(int from) {
    int begin = from;
    while (begin < ranks && longest(begin) == 0) {
      begin += group;
    }
    return Math.min(begin, ranks);
  }

  /** Bytes of a part that go in a round, behind those that came before. */
  private int stretchOf(int part, long before) {
    return (int) Math.max(0, Math.min(room, lines.partBytes(part) - before));
  }

  void begin() {
    round = 0;
    phase = 0;
    at = 0;
    seen = false;
    owners = 0;
    int unit = stages.unit();
    room = BUFFER / unit * unit;
    switch (coll.kind()) {
      case REDUCE -> {
        if (ranks > 2 && coll.bytes() > COMBINED_ALONE) {
          owners = Math.min(ranks, StageMoves.QUARTER / FoldRoom.leastPart(unit) - 1);
          room = StageMoves.QUARTER / (owners + 1) / unit * unit * owners;
        }
      }
      case SCAN, EXSCAN -> chained = coll.bytes() > COMBINED_ALONE;
      default -> {
        group = FoldRoom.group(ranks, unit);
        room = FoldRoom.stretch(ranks, unit);
        filled = 0;
        filling = 0;
        first = nextGroup(0);
        before = 0;
        fillFirst = first;
        fillBefore = 0;
      }
    }
  }

  /** The straight path was left to moves, which have begun: this member's first buffer is filled. */
  void goOn() {
    stages.takeQuarter();
    phase = 1;
  }

  // What goes in a round, and where

  private long position() {
    return (long) round * room;
  }

  private int length() {
    return (int) Math.min(room, coll.bytes() - position());
  }

  private long buffer(int member) {
    return stages.quarter(member) + (owners > 0 ? 0 : (round & BUFFERS - 1) * BUFFER);
  }

  /** Behind the buffers. */
  private long area() {
    return stages.quarter(self) + BUFFERS * BUFFER;
  }

  private boolean isByUser() {
    return coll.op() == USER_OPERATOR;
  }

  /** Whether this member's operand is taken from its input; else it is to be in its stage. */
  private boolean ownFromInput() {
    return coll.hasIn() && !isByUser();
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

  // What members say to each other

  /** Whether a member has taken so many steps. */
  private int see(int member, int steps) {
    return lines.see(member, steps, round == 0);
  }

  /** Whether all members before {@code last} have. */
  private int seeAll(int last, int steps) {
    for (; at < last; at++) {
      int status = see(at, steps);
      if (status != NEXT) {
        return status;
      }
    }
    return NEXT;
  }

  private void publish(int steps) {
    slot.publish(coll.sequence(), steps);
  }

  // Combining

  /** Brings what was combined so far to where more is combined with it. */
  private void moveTo(long target, int length) {
    if (foldedAt != target) {
      MemorySegment.copy(stages.memory(), foldedAt, stages.memory(), target, length);
      foldedAt = target;
    }
  }

  private int foldNext(
      long offset, int length, long own, boolean ownFromInput, long outPosition, long target) {
    long operand = buffer(at) + offset;
    if (at == 0) {
      foldedAt = operand;
      return NEXT;
    }
    if (isByUser()) {
      if (seen) {
        seen = false;
        return NEXT;
      }
      moveTo(target, length);
      seen = true;
      return coll.ask(COMBINE, operand, target, 0, length, true);
    }
    boolean ownLeft = ownFromInput && at == 1 && self == 0;
    boolean ownRight = ownFromInput && at == self;
    MemorySegment memory = stages.memory();
    boolean toOut = outPosition >= 0;
    coll.combine(
        ownLeft ? coll.in() : memory, ownLeft ? coll.inOffset() + own : foldedAt,
        ownRight ? coll.in() : memory, ownRight ? coll.inOffset() + own : operand,
        toOut ? null : memory, toOut ? outPosition : target, length);
    foldedAt = toOut ? -1 : target;
    return NEXT;
  }

  /**
   * Combines a stretch of the operands of all members before {@code last}, in their order; {@code foldedAt} tells where
   * it lies then.
   *
   * @param steps that a member has taken when its operand is there
   * @param offset of the stretch in each buffer
   * @param own where in the input this member's operand lies, if it is taken from there
   * @param outPosition where in the caller's output it goes, where it can go there at once; -1: into the stage
   * @param target in the stage
   */
  private int foldStretch(
      int last, int steps, long offset, int length, long own, boolean ownFromInput, long outPosition, long target) {
    while (at < last) {
      int status = seen ? NEXT : see(at, steps);
      if (status == NEXT) {
        boolean toOut = at == last - 1 && outPosition >= 0 && coll.hasOut() && !isByUser();
        status = foldNext(offset, length, own, ownFromInput, toOut ? outPosition : -1, target);
      }
      if (status != NEXT) {
        return status;
      }
      at++;
    }
    return NEXT;
  }

  /** Hands what was combined to the caller, where it is not there yet. */
  private int giveFolded(long position, int length) {
    return foldedAt < 0 ? NEXT : coll.drain(stages.memory(), foldedAt, position, length);
  }

  /** Hands this member's own operand to the caller. */
  private int giveOwn(long operand, long position, int length) {
    if (coll.hasIn() && coll.hasOut()) {
      coll.keep(position, position, length);
      return NEXT;
    }
    return coll.drain(stages.memory(), operand, position, length);
  }

  // reduce

  private int giveToRoot() {
    int root = coll.root();
    if (phase == 0) {
      int status = round < BUFFERS ? NEXT : see(root, round - BUFFERS + 1);
      return status == NEXT ? nextStage() : status;
    }
    int status = coll.fill(stages.memory(), buffer(self), position(), length());
    if (status == NEXT) {
      publish(round + 1);
      coll.wake(root);
      return nextRound();
    }
    return status;
  }

  private int combineForAll() {
    switch (phase) {
      case 0 : {
        int status = ownFromInput() && ranks > 1 ? NEXT
            : coll.fill(stages.memory(), buffer(self), position(), length());
        return status == NEXT ? nextStage() : status;
      }
      case 1 : {
        int status = foldStretch(ranks, round + 1, 0, length(), position(), ownFromInput(), position(), area());
        if (status == NEXT) {
          coll.allHaveBegun();
          if (position() + (long) BUFFERS * room < coll.bytes()) { // else nobody waits for it
            publish(round + 1);
            coll.wakeAll();
          }
          return nextStage();
        }
        return status;
      }
      default : {
        int status = giveFolded(position(), length());
        return status == NEXT ? nextRound() : status;
      }
    }
  }

  /** Bytes of each owner's part of this round; the last owners may have less, or none. */
  private int part() {
    int elements = length() / stages.unit();
    return (elements + owners - 1) / owners * stages.unit();
  }

  private int partLength(int owner) {
    return Math.max(0, Math.min(part(), length() - owner * part()));
  }

  /** Copies the parts of a reduce that the other owners have combined. */
  private int collect() {
    if (at >= owners || partLength(at) == 0) {
      return nextRound();
    }
    if (at == self) {
      at++;
      return NEXT;
    }
    int status = seen ? NEXT : see(at, 2 * round + 2);
    if (status == NEXT) {
      seen = true;
      status = coll.drain(stages.memory(), buffer(at) + room, position() + (long) at * part(), partLength(at));
    }
    if (status == NEXT) {
      seen = false;
      at++;
    }
    return status;
  }

  private int reduceByParts() {
    boolean isRoot = self == coll.root();
    switch (phase) {
      case 0 : { // this member's buffer of the round before was read
        int status = isRoot || round == 0 ? NEXT : seeAll(owners, 2 * round);
        return status == NEXT ? nextStage() : status;
      }
      case 1 : {
        int status = coll.fill(stages.memory(), buffer(self), position(), length());
        if (status == NEXT) {
          publish(2 * round + 1);
          coll.wakeAll();
          return nextStage();
        }
        return status;
      }
      case 2 : { // the root has copied what was combined in the round before
        boolean combines = self < owners && partLength(self) > 0;
        int status = combines && round > 0 ? seeAll(ranks, 2 * round + 1) : NEXT;
        return status == NEXT ? nextStage() : status;
      }
      case 3 : {
        int length = self < owners ? partLength(self) : 0;
        if (length > 0) {
          long from = (long) self * part();
          int status = foldStretch(
              ranks, 2 * round + 1, from, length, 0, false, isRoot ? position() + from : -1, buffer(self) + room);
          if (status != NEXT) {
            return status;
          }
          coll.allHaveBegun();
        }
        return nextStage();
      }
      case 4 : {
        int length = self < owners ? partLength(self) : 0;
        int status = isRoot && length > 0 ? giveFolded(position() + (long) self * part(), length) : NEXT;
        if (status == NEXT) {
          publish(2 * round + 2);
          coll.wakeAll();
          return isRoot ? nextStage() : nextRound();
        }
        return status;
      }
      default :
        return collect();
    }
  }

  // scan and exscan

  private boolean isScan() {
    return coll.kind() == SCAN;
  }

  private int scanAlone() {
    int last = isScan() ? self + 1 : self;
    switch (phase) {
      case 0 : {
        boolean isNeeded = self < ranks - 1 || isScan() && (self == 0 || !ownFromInput());
        int status = isNeeded ? coll.fill(stages.memory(), buffer(self), position(), length()) : NEXT;
        if (status == NEXT) {
          publish(1);
          coll.wakeAll();
          return nextStage();
        }
        return status;
      }
      case 1 : {
        if (last < 2) {
          int status = last == 0 ? NEXT : see(0, 1);
          foldedAt = buffer(0);
          return status == NEXT ? nextStage() : status;
        }
        int status = foldStretch(last, 1, 0, length(), position(), ownFromInput(), position(), area());
        if (status == NEXT) {
          if (self == ranks - 1) {
            coll.allHaveBegun();
          }
          return nextStage();
        }
        return status;
      }
      default : {
        if (last == 0) {
          return nextRound();
        }
        int status = self == 0 ? giveOwn(foldedAt, position(), length()) : giveFolded(position(), length());
        return status == NEXT ? nextRound() : status;
      }
    }
  }

  private void wakeNeighbours() {
    if (self > 0) {
      coll.wake(self - 1);
    }
    if (self < ranks - 1) {
      coll.wake(self + 1);
    }
  }

  /** Whether this member combines its operand with what comes before it. */
  private boolean combinesInChain() {
    return self > 0 && (isScan() || self < ranks - 1);
  }

  private int combineInChain(boolean isLast) {
    if (!combinesInChain()) {
      return NEXT;
    }
    int length = length();
    long target = buffer(self);
    if (isByUser()) {
      if (seen) {
        seen = false;
        return NEXT;
      }
      foldedAt = buffer(self - 1);
      moveTo(target, length);
      seen = true;
      return coll.ask(COMBINE, area(), target, 0, length, true);
    }
    boolean ownFromInput = ownFromInput();
    boolean toOut = isLast && coll.hasOut();
    MemorySegment memory = stages.memory();
    coll.combine(
        memory, buffer(self - 1), ownFromInput ? coll.in() : memory,
        ownFromInput ? coll.inOffset() + position() : area(), toOut ? null : memory,
        toOut ? position() : target, length);
    foldedAt = toOut ? -1 : target;
    return NEXT;
  }

  private int giveInChain() {
    if (isScan()) {
      return self == 0 ? giveOwn(buffer(0), position(), length()) : giveFolded(position(), length());
    }
    if (self == 0) {
      return NEXT;
    }
    int status = coll.drain(stages.memory(), buffer(self - 1), position(), length());
    if (status == NEXT) {
      publish(2 * round + 2);
      coll.wake(self - 1);
    }
    return status;
  }

  private int scanInChain() {
    boolean isLast = self == ranks - 1;
    switch (phase) {
      case 0 : {
        int status = isLast || round < BUFFERS ? NEXT : see(self + 1, 2 * (round - BUFFERS) + 2);
        if (status == NEXT && self > 0) {
          status = see(self - 1, 2 * round + 1);
        }
        return status == NEXT ? nextStage() : status;
      }
      case 1 : {
        boolean isNeeded = self == 0 ? isScan() || !isLast : !ownFromInput() && combinesInChain();
        int status =
            isNeeded ? coll.fill(stages.memory(), self == 0 ? buffer(0) : area(), position(), length()) : NEXT;
        return status == NEXT ? nextStage() : status;
      }
      case 2 : {
        int status = combineInChain(isLast);
        if (status == NEXT) {
          publish(isScan() || self == 0 ? 2 * round + 2 : 2 * round + 1);
          wakeNeighbours();
          return nextStage();
        }
        return status;
      }
      default : {
        int status = giveInChain();
        return status == NEXT ? nextRound() : status;
      }
    }
  }

  // reduce_scatter

  private int stretchOfOwn() {
    return self >= first && self < endOf(first) ? stretchOf(self, before) : 0;
  }

  /**
   * Whether this member's operand of its own part goes through its stage: the output may lie over it, or over others.
   */
  private boolean fillsOwn() {
    return !ownFromInput() || ranks == 1 || coll.isInPlace();
  }

  private int fillNext() {
    int begin = fillFirst;
    long to = stages.quarter(self) + (filled & BUFFERS - 1) * (long) BUFFER;
    for (int part = begin + filling; part < endOf(begin); part++) {
      int length = part == self && !fillsOwn() ? 0 : stretchOf(part, fillBefore);
      if (length > 0) {
        int status =
            coll.fill(
                stages.memory(), to + (long) (part - begin) * room, lines.partAt(part) + fillBefore, length);
        if (status != NEXT) {
          return status;
        }
      }
      filling++;
    }
    filling = 0;
    filled++;
    fillBefore += room;
    if (fillBefore >= longest(begin)) {
      fillFirst = nextGroup(begin + group);
      fillBefore = 0;
    }
    publish(filled);
    coll.wakeAll();
    return NEXT;
  }

  /** Fills the buffers of this round and of the next, which others may read while this member reads theirs. */
  private int fillAhead() {
    while (filled < round + 2 && fillFirst < ranks) {
      int status = fillNext();
      if (status != NEXT) {
        return status;
      }
    }
    return NEXT;
  }

  private int reduceScatter() {
    switch (phase) {
      case 0 : {
        int status = fillAhead();
        return status == NEXT ? nextStage() : status;
      }
      case 1 : {
        int length = stretchOfOwn();
        int status = length > 0
            ? foldStretch(
                ranks, round + 1, (long) (self - first) * room, length, lines.partAt(self) + before,
                !fillsOwn(), before, area())
            : seeAll(ranks, round + 1);
        if (status == NEXT) {
          coll.allHaveBegun();
          return nextStage();
        }
        return status;
      }
      default : {
        int length = stretchOfOwn();
        int status = length > 0 ? giveFolded(before, length) : NEXT;
        if (status != NEXT) {
          return status;
        }
        before += room;
        if (before >= longest(first)) {
          first = nextGroup(first + group);
          before = 0;
        }
        round++;
        phase = 0;
        at = 0;
        return first >= ranks ? THROUGH : NEXT;
      }
    }
  }

  /**
   * Does what {@link StageMoves#fetchNext} does; in a reduce_scatter a member's operands do not lie one behind the
   * other.
   */
  void fetchNext() {
    if (!stages.prepareNext(coll.bytes(), true)) {
      return;
    }
    if (coll.kind() != REDUCE_SCATTER) {
      stages.fetchLines(0, coll.bytes());
      return;
    }
    int begin = nextGroup(0);
    for (int part = begin; part < endOf(begin); part++) {
      if (part != self || fillsOwn()) {
        stages.fetchLines((long) (part - begin) * room, stretchOf(part, 0));
      }
    }
  }

  int advance() {
    if (!stages.isReady()) {
      return stages.prepare();
    }
    return switch (coll.kind()) {
      case REDUCE -> owners > 0 ? reduceByParts() : self == coll.root() ? combineForAll() : giveToRoot();
      case SCAN, EXSCAN -> chained ? scanInChain() : scanAlone();
      default -> reduceScatter();
    };
  }
}
