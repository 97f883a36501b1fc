package io.adrastea.coll;

import static io.adrastea.coll.CollectiveState.NEXT;
import static io.adrastea.coll.CollectiveState.THROUGH;
import static io.adrastea.core.Core.AGAIN;
import static io.adrastea.core.Core.INVAL;
import static io.adrastea.core.SlotMember.ALLGATHER;
import static io.adrastea.core.SlotMember.ALLREDUCE;
import static io.adrastea.core.SlotMember.BCAST;
import static io.adrastea.core.SlotMember.BROKEN;
import static io.adrastea.core.SlotMember.BY_ADDRESS;
import static io.adrastea.core.SlotMember.BY_OFFSET;
import static io.adrastea.core.SlotMember.CMA;
import static io.adrastea.core.SlotMember.COMBINE;
import static io.adrastea.core.SlotMember.EXSCAN;
import static io.adrastea.core.SlotMember.IN_INPUT;
import static io.adrastea.core.SlotMember.IN_OUTPUT;
import static io.adrastea.core.SlotMember.KEEP;
import static io.adrastea.core.SlotMember.REACH;
import static io.adrastea.core.SlotMember.READ;
import static io.adrastea.core.SlotMember.REDUCE;
import static io.adrastea.core.SlotMember.REDUCE_SCATTER;
import static io.adrastea.core.SlotMember.SHARED;
import static io.adrastea.core.SlotMember.USER_OPERATOR;
import static io.adrastea.core.SlotMember.XPMEM;
import static io.adrastea.layout.SlotDescriptor.DIRECT_EARLY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_BY;
import static io.adrastea.layout.SlotLineDescriptor.TELL_IN;
import static io.adrastea.layout.SlotLineDescriptor.TELL_OUT;
import static io.adrastea.layout.SlotLineDescriptor.TELL_SEGMENT;

import java.lang.foreign.MemorySegment;

/**
 * One member's moves in a collective that goes straight from the members' memory: one copy. Twin of
 * {@code coll/adr_coll_direct.c}.
 *
 * <p>
 * Every member's line tells how its buffers can be reached, and every member has read the lines of all: so all go this
 * way, or none does [MPICH2 2007, 3.2; OpenSHMEM over XPMEM 2011, 3: one copy for large data]. Shared allocations are
 * read and written here, where they are mapped; what only the system can reach is brought by the caller ({@code READ},
 * {@code WRITE}).
 * <ul>
 * <li>bcast: each reads the root's input. Where the root can reach all outputs it writes a share of each, at its end:
 * so all members copy as much.
 * <li>exscan of two: as a bcast of member 0, to the output of the other.
 * <li>allgather: each reads the input of each, its own first and then those behind it, so that not all read the same.
 * Of two members in private memory each writes its input to the output of the other: a copy that stores into what
 * another CPU has waits less than one that loads it.
 * <li>allreduce: the owner of a part combines all members' inputs, in their order, into its output; then each reads the
 * others' parts there. Of two members, whose inputs are mapped and apart from the outputs, both combine all instead; in
 * private memory each writes its part to the output of the other.
 * <li>reduce of few members: the root combines all inputs into its output.
 * <li>reduce_scatter: each combines its part of all inputs into its output, which is apart from its input.
 * </ul>
 *
 * <p>
 * A member's progress says that its part is combined, and that it copies nothing of the others any more. Nobody leaves
 * before all have said the latter: so memory is what its member gave for as long as others read it. One that breaks off
 * leaves earlier, and says so before it does; a member that has read its memory looks for that afterwards. A member
 * that writes says so before, and looks then; one that breaks off waits until nobody writes its memory any more.
 */
final class DirectMoves {
  private static final int INPUT = 0;
  private static final int OUTPUT = 1;
  private static final int BUFFERS = 2;

  /** Bytes copied at a time here. */
  private static final int PIECE = 65_536;

  /** Bytes that the caller is asked for at a time. */
  private static final int REQUEST = 1_048_576;

  /** Bytes of a reduction combined at a time: first what was combined so far, behind it the next operand. */
  private static final int OPERAND = 32_768;

  /** Bytes of what a member combines that are written to the other's output while they are in its caches. */
  private static final int STRETCH = 262_144;

  /** Members of a reduce: of more, each has combined a part sooner, through stages. */
  private static final int COMBINED_BY_ROOT = 4;

  /** Parts are multiples of so many: no line is written by two members. */
  private static final int PART_ELEMENTS = 64;

  /** Bytes from which on an allreduce takes CMA: what is combined is copied once more. */
  private static final int BY_SYSTEM = 131_072;

  /** What a root writes is a multiple of so many bytes: no page is written by two members. */
  private static final int SHARE = 4096;

  private final CollectiveState coll;
  private final LineMoves lines;
  private final StageMoves stages;
  private final Slot slot;
  private final int self;
  private final int ranks;
  private final MemorySegment[] windows; // of shared memory, by member: of its input, of its output; null: not given
  private final long[] windowOffsets; // in the file
  private int wanted; // number of the window that the caller is asked for
  private boolean wantsOutput; // what the caller is asked for lies in a member's output

  private boolean whole; // of an allreduce: both members combine all
  private boolean writes; // of two members: what one gives, or combines, it writes to the other's output
  private long written; // bytes of what it combines that are there
  private boolean brought; // the operand that is looked at is at hand
  private boolean own; // what this member combines lies in its output
  private long share; // bytes that the giver writes to each output of a bcast or an exscan
  private int phase;
  private int at; // members that this one is done with in the phase
  private long position;

  DirectMoves(CollectiveState coll, LineMoves lines, StageMoves stages, Slot slot, int self) {
    this.coll = coll;
    this.lines = lines;
    this.stages = stages;
    this.slot = slot;
    this.self = self;
    this.ranks = slot.ranks;
    this.windows = new MemorySegment[ranks * BUFFERS];
    this.windowOffsets = new long[ranks * BUFFERS];
  }

  void beginBlocks() {
    position = 0;
  }

  /** Whether that was all; then the next block can be fetched. */
  boolean hasFetched(long bytes) {
    boolean all = position >= bytes;
    position = all ? 0 : position;
    return all;
  }

  private long tells(int member, int word) {
    return slot.tells(member, coll.sequence(), word);
  }

  /** How a buffer of a member can be reached. */
  private int by(int member, int buffer) {
    return (int) (tells(member, TELL_BY) >>> 8 * buffer) & 0xFF;
  }

  private long start(int member, int buffer) {
    return tells(member, buffer == INPUT ? TELL_IN : TELL_OUT);
  }

  // What is possible

  private static boolean isInReach(int by, int spaces) {
    return (by & BY_OFFSET) != 0 && (spaces & SHARED) != 0 || (by & BY_ADDRESS) != 0 && (spaces & (XPMEM | CMA)) != 0;
  }

  /** Whether a member's input and output share memory. */
  private boolean isInPlace(int member) {
    long in = start(member, INPUT);
    long out = start(member, OUTPUT);
    long apart = Long.compareUnsigned(in, out) < 0 ? out - in : in - out;
    return by(member, INPUT) == by(member, OUTPUT) && Long.compareUnsigned(apart, coll.bytes()) < 0;
  }

  /** Inputs that are not mapped would have to be copied whole before. */
  private boolean bothCombineAll(int spaces) {
    return coll.kind() == ALLREDUCE && ranks == 2 && (spaces & SHARED) != 0
        && (by(0, INPUT) & by(1, INPUT) & BY_OFFSET) != 0 && !isInPlace(0) && !isInPlace(1);
  }

  /** Whether one member's input goes to the outputs of the others, as it is. */
  private boolean isCopied() {
    return coll.kind() == BCAST || coll.kind() == EXSCAN;
  }

  /** The member whose input that is. */
  private int giver() {
    return coll.kind() == BCAST ? coll.root() : 0;
  }

  /** The set of spaces by which every member can reach all others. */
  private int spacesOfAll() {
    int spaces = SHARED | XPMEM | CMA;
    for (int member = 0; member < ranks; member++) {
      spaces &= (int) (tells(member, TELL_BY) >>> 16);
    }
    return spaces;
  }

  /** Whether the giver can write the outputs of all others. */
  private boolean reachesOutputs(int spaces) {
    for (int member = 0; member < ranks; member++) {
      if (member != giver() && !isInReach(by(member, OUTPUT), spaces)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the members write what they give, or combine, to each other's outputs: where all four buffers are reached
   * by address.
   */
  private boolean bothWrite(int spaces) {
    return (coll.kind() == ALLGATHER || coll.kind() == ALLREDUCE) && ranks == 2 && (spaces & (XPMEM | CMA)) != 0
        && (by(0, INPUT) & by(0, OUTPUT) & by(1, INPUT) & by(1, OUTPUT) & BY_ADDRESS) != 0;
  }

  /** Whether a setting says that memory is read where it lies wherever that is possible. */
  private boolean isEarly() {
    return (slot.choices & DIRECT_EARLY) != 0;
  }

  /**
   * Whether one copy by the system takes less time than two through stages, which two CPUs make at once: where both of
   * two members copy a half of what there is, and in an allgather, in which all copy either way, and less is moved.
   */
  private boolean paysBySystem() {
    if (isEarly()) {
      return true;
    }
    return switch (coll.kind()) {
      case ALLGATHER -> true;
      case BCAST, EXSCAN -> ranks == 2 && reachesOutputs(spacesOfAll());
      case ALLREDUCE -> ranks == 2 && coll.bytes() >= BY_SYSTEM;
      case REDUCE_SCATTER -> ranks == 2;
      default -> false;
    };
  }

  private int worthwhile() {
    return paysBySystem() ? SHARED | XPMEM | CMA : SHARED | XPMEM;
  }

  /** Whether others read what this member gives. */
  private boolean givesInput(int member) {
    return switch (coll.kind()) {
      case BCAST, EXSCAN -> member == giver();
      case REDUCE -> member != coll.root();
      default -> true;
    };
  }

  /** Whether inputs stay as they are until all have read them, and each member has what to do. */
  private boolean keepsInputs() {
    if (coll.kind() == REDUCE) {
      return ranks <= COMBINED_BY_ROOT || isEarly();
    }
    for (int member = 0; coll.kind() == REDUCE_SCATTER && member < ranks; member++) {
      if (isInPlace(member)) {
        return false;
      }
    }
    return true;
  }

  /** Bytes of each output that the giver writes: as many as leave all members as much to copy. */
  private long shareOf() {
    return coll.bytes() / ranks / SHARE * SHARE;
  }

  /** Every member's line was read: whether all can reach what they need. */
  boolean isPossible() {
    int spaces = worthwhile() & spacesOfAll();
    if (!keepsInputs()) {
      return false;
    }
    boolean all = bothCombineAll(spaces);
    for (int member = 0; member < ranks; member++) {
      boolean givesResult = coll.kind() == ALLREDUCE && !all;
      if (givesInput(member) && !isInReach(by(member, INPUT), spaces)
          || givesResult && !isInReach(by(member, OUTPUT), spaces)) {
        return false;
      }
    }
    whole = all;
    writes = !whole && bothWrite(spaces);
    written = 0;
    brought = false;
    own = false;
    phase = 0;
    at = 0;
    position = 0;
    share = isCopied() && reachesOutputs(spaces) ? shareOf() : 0;
    stages.beginQuarter();
    if (!isCopied() && coll.kind() != ALLGATHER) {
      stages.begin(); // for operands that have to be brought here
    }
    return true;
  }

  /** Bytes of this member's input, or output, that another one may have it copy, from the first on. */
  long stretch(boolean isInput) {
    return !isInput && coll.kind() == ALLGATHER ? coll.bytes() * ranks : coll.bytes();
  }

  /** Whether what the caller is asked to read lies in a member's output. */
  boolean wantsOutput() {
    return wantsOutput;
  }

  // Members' memory

  /** Where in memory of a window bytes of a member's buffer lie; below zero: they are not in it. */
  private long placeIn(int member, int buffer, long from, long length) {
    MemorySegment window = windows[member * BUFFERS + buffer];
    if (window == null || (by(member, buffer) & BY_OFFSET) == 0) {
      return -1;
    }
    long place = start(member, buffer) + from - windowOffsets[member * BUFFERS + buffer];
    return place >= 0 && place < window.byteSize() && length <= window.byteSize() - place ? place : -1;
  }

  /** Whether a stretch of shared memory is to be mapped before bytes of it can be read here. */
  private boolean needsWindow(int member, int buffer, long from, long bytes) {
    return member != self && (by(member, buffer) & BY_OFFSET) != 0 && placeIn(member, buffer, from, bytes) < 0;
  }

  private boolean needsWindow(int member, int buffer) {
    return needsWindow(member, buffer, 0, coll.bytes());
  }

  private int askForWindow(int member, int buffer, long from, long bytes) {
    wanted = member * BUFFERS + buffer;
    return coll.ask(REACH, member, start(member, buffer) + from, bytes, by(member, buffer),
        tells(member, TELL_SEGMENT), 0, 0);
  }

  private int askForWindow(int member, int buffer) {
    return askForWindow(member, buffer, 0, coll.bytes());
  }

  int reach(long offset, MemorySegment memory, long from, long length) {
    if (from < offset || from - offset > memory.byteSize() || length > memory.byteSize() - (from - offset)) {
      return INVAL;
    }
    windows[wanted] = memory;
    windowOffsets[wanted] = offset;
    return 0;
  }

  /** Has the caller bring bytes of a member's buffer to the stages or, below zero, to the output. */
  private int bring(int member, int buffer, long from, long length, long target, long out) {
    if (!coll.asks()) {
      return NEXT;
    }
    wantsOutput = buffer == OUTPUT;
    return coll.ask(READ, member, start(member, buffer) + from, length, by(member, buffer),
        tells(member, TELL_SEGMENT), target, out);
  }

  private int fetchPiece(int member, int buffer, long from, long out, long bytes) {
    long left = bytes - position;
    int piece = (int) Math.min(left, PIECE);
    if (coll.hasOut()) {
      long place = placeIn(member, buffer, from + position, piece);
      if (place >= 0) {
        coll.drain(windows[member * BUFFERS + buffer], place, out + position, piece);
        position += piece;
        return NEXT;
      }
    }
    long request = Math.min(left, REQUEST);
    int status = bring(member, buffer, from + position, request, -1, out + position);
    position += status == NEXT ? request : 0;
    return status;
  }

  /**
   * Brings the next bytes of a stretch of a member's buffer to the output: NEXT, also when more are left, or what is to
   * be done first.
   */
  private int fetch(int member, int buffer, long from, long out, long bytes) {
    if (coll.hasOut() && needsWindow(member, buffer)) {
      return askForWindow(member, buffer);
    }
    return fetchPiece(member, buffer, from, out, bytes);
  }

  private int breaks(int member) {
    coll.waitFor(member);
    return BROKEN;
  }

  /** Has the caller write bytes of its input, or of its output, to a member's output. */
  private int hand(int member, int place, long from, long to, long length) {
    if (!coll.asks()) {
      return NEXT;
    }
    return coll.askToWrite(member, place, from, start(member, OUTPUT) + to, length, by(member, OUTPUT),
        tells(member, TELL_SEGMENT));
  }

  /**
   * Brings the next bytes of a block of the input to a member's output, which has been told of: NEXT, also when more
   * are left, what is to be done first, or BROKEN. {@link #hasFetched} is asked after each.
   */
  int putBlock(int member, long from, long to, long bytes) {
    if (coll.hasIn() && needsWindow(member, OUTPUT, to, bytes)) {
      return askForWindow(member, OUTPUT, to, bytes);
    }
    long left = bytes - position;
    int piece = (int) Math.min(left, PIECE);
    long place = coll.hasIn() ? placeIn(member, OUTPUT, to + position, piece) : -1;
    if (place >= 0) {
      if (!slot.beginWrite(member)) {
        return breaks(member);
      }
      try {
        coll.fill(windows[member * BUFFERS + OUTPUT], place, from + position, piece);
      } finally {
        slot.endWrite();
      }
      position += piece;
      return NEXT;
    }
    long request = Math.min(left, REQUEST);
    int status = hand(member, IN_INPUT, from + position, to + position, request);
    position += status == NEXT ? request : 0;
    return status;
  }

  /**
   * Brings the next bytes of a block of a member's input, which is shared, to the output: NEXT, also when more are
   * left, or what is to be done first. {@link #hasFetched} is asked after each.
   */
  int fetchBlock(int member, long from, long out, long bytes) {
    if (coll.hasOut() && needsWindow(member, INPUT, from, bytes)) {
      return askForWindow(member, INPUT, from, bytes);
    }
    return fetchPiece(member, INPUT, from, out, bytes);
  }

  /** Says that so many steps are taken. */
  private int say(int steps) {
    slot.publish(coll.sequence(), steps);
    coll.wakeAll();
    phase++;
    at = 0;
    position = 0;
    return NEXT;
  }

  private int see(int member, int steps) {
    if (slot.hasTaken(member, coll.sequence(), steps)) {
      return NEXT;
    }
    coll.waitFor(member);
    return AGAIN;
  }

  /** Every member is done with the others' memory. */
  private int seeAll(int steps) {
    for (; at < ranks; at++) {
      int status = at == self ? NEXT : see(at, steps);
      if (status != NEXT) {
        return status;
      }
    }
    return THROUGH;
  }

  /** Whether what was read of these members is what they gave: none had broken off. */
  private int trust(int first, int last) {
    int broken = slot.brokenOf(first, last);
    return broken == ranks ? NEXT : breaks(broken);
  }

  /** Whether what was read of a member is what it gave. */
  int trustBlock(int member) {
    return trust(member, member);
  }

  // The collectives

  /** Writes the giver's share of the others' outputs, and says so. */
  private int spread() {
    if (at == ranks - 1) {
      return say(1);
    }
    if (position == share) {
      position = 0;
      at++;
      return NEXT;
    }
    long place = coll.bytes() - share;
    return putBlock((self + 1 + at) % ranks, place, place, share);
  }

  /** Reads the rest of the giver's input, and says so. */
  private int takeRest(int from) {
    long rest = coll.bytes() - share;
    if (position < rest) {
      return fetch(from, INPUT, 0, 0, rest);
    }
    int status = trust(from, from);
    return status == NEXT ? say(1) : status;
  }

  /** Brings one member's input to the outputs of the others. */
  private int copy() {
    int from = giver();
    if (self == from) {
      return share > 0 && phase == 0 ? spread() : seeAll(1);
    }
    if (phase == 0) {
      return takeRest(from);
    }
    int status = share > 0 ? see(from, 1) : NEXT;
    return status == NEXT ? THROUGH : status;
  }

  /** Brings some of this member's part of an allgather from its input to its output. */
  private int keep() {
    long out = self * coll.bytes() + position;
    long left = coll.bytes() - position;
    if (coll.hasIn() && coll.hasOut()) {
      int piece = (int) Math.min(left, PIECE);
      coll.keep(position, out, piece);
      position += piece;
      return NEXT;
    }
    long request = Math.min(left, REQUEST);
    if (coll.asks()) {
      return coll.ask(KEEP, position, 0, out, request, false);
    }
    position += request;
    return NEXT;
  }

  /** Writes this member's input to the output of the other of two, says so, and brings it to its own. */
  private int giveAndKeep() {
    long bytes = coll.bytes();
    if (phase == 0) {
      return position == bytes ? say(1) : putBlock(1 - self, 0, self * bytes, bytes);
    }
    return position == bytes ? seeAll(1) : keep();
  }

  private int allgather() {
    if (writes) {
      return giveAndKeep();
    }
    if (phase > 0) {
      return seeAll(1);
    }
    if (at == ranks) {
      int status = trust(0, ranks - 1);
      return status == NEXT ? say(1) : status;
    }
    if (position == coll.bytes()) {
      position = 0;
      at++;
      return NEXT;
    }
    int member = (self + at) % ranks;
    return at == 0 ? keep() : fetch(member, INPUT, 0, member * coll.bytes(), coll.bytes());
  }

  /** Where the part of a member begins; that of the one behind the last is the end. */
  private long partOf(int member) {
    long elements = coll.bytes() / stages.unit();
    long each = ((elements + ranks - 1) / ranks + PART_ELEMENTS - 1) / PART_ELEMENTS;
    return Math.min(elements, member * each * PART_ELEMENTS) * stages.unit();
  }

  /** Whether one operand alone is brought to the stages, that of the other of two members. */
  private boolean bringsOne() {
    return ranks == 2 && coll.hasIn() && coll.op() != USER_OPERATOR;
  }

  /** Bytes of each operand that are combined at a time. */
  private int combinedAtOnce() {
    return (bringsOne() ? PIECE : OPERAND) / stages.unit() * stages.unit();
  }

  /**
   * Where in this member's quarter an operand goes that was brought: the first one where others are combined with it.
   */
  private long roomOf(int member) {
    return stages.quarter(self) + (member == 0 || bringsOne() ? 0 : OPERAND);
  }

  /** The memory that a member's operand lies in. */
  private MemorySegment memoryOf(int member) {
    if (member == self) {
      return coll.hasIn() ? coll.in() : stages.memory();
    }
    boolean isMapped = (by(member, INPUT) & BY_OFFSET) != 0;
    return isMapped ? windows[member * BUFFERS + INPUT] : stages.memory();
  }

  private long placeOf(int member, long from, int length) {
    if (member == self) {
      return coll.hasIn() ? coll.inOffset() + from : roomOf(member);
    }
    boolean isMapped = (by(member, INPUT) & BY_OFFSET) != 0;
    return isMapped ? placeIn(member, INPUT, from, length) : roomOf(member);
  }

  /** Sees to it that a member's operand can be combined here; an operator of the caller's finds all in the stages. */
  private int prepareOperand(int member, long from, int length) {
    if (needsWindow(member, INPUT)) {
      return askForWindow(member, INPUT);
    }
    boolean byUser = coll.op() == USER_OPERATOR;
    if (member == self) {
      return byUser || !coll.hasIn() ? coll.fill(stages.memory(), roomOf(member), from, length) : NEXT;
    }
    long place = placeIn(member, INPUT, from, length);
    if (place < 0) {
      return bring(member, INPUT, from, length, roomOf(member), -1);
    }
    if (byUser) {
      MemorySegment.copy(windows[member * BUFFERS + INPUT], place, stages.memory(), roomOf(member), length);
    }
    return NEXT;
  }

  /** {@code out}: where in this member's output the last operand's result goes. */
  private int combineNext(long from, long out, int length) {
    if (at == 0) {
      return NEXT;
    }
    long folded = stages.quarter(self);
    if (coll.op() == USER_OPERATOR) {
      return coll.asks() ? coll.ask(COMBINE, roomOf(at), folded, 0, length, true) : NEXT;
    }
    own = at == ranks - 1 && coll.hasOut();
    boolean hasLeft = at == 1;
    coll.combine(hasLeft ? memoryOf(0) : stages.memory(), hasLeft ? placeOf(0, from, length) : folded,
        memoryOf(at), placeOf(at, from, length), own ? null : stages.memory(), own ? out : folded, length);
    return NEXT;
  }

  /**
   * Combines one operand more of the next piece of the part that this member combines, from {@code begin} to
   * {@code end}: those of many members are more than a call may move.
   *
   * @param out where in its output the part begins
   */
  private int combinePiece(long begin, long end, long out) {
    long from = begin + position;
    long to = out + position;
    int length = (int) Math.min(combinedAtOnce(), end - from);
    if (at < ranks) {
      int status = brought ? NEXT : prepareOperand(at, from, length);
      if (status != NEXT) {
        return status;
      }
      brought = true;
      status = combineNext(from, to, length);
      if (status != NEXT) {
        return status;
      }
      brought = false;
      at++;
      return NEXT;
    }
    if (!own) {
      int status = coll.drain(stages.memory(), stages.quarter(self), to, length);
      if (status != NEXT) {
        return status;
      }
    }
    own = false;
    at = 0;
    position += length;
    return NEXT;
  }

  /** Writes what this member has combined of its part, from {@code begin} on, to the output of the other of two. */
  private int handCombined(long begin) {
    long from = begin + written;
    int status = hand(1 - self, IN_OUTPUT, from, from, position - written);
    written = status == NEXT ? position : written;
    return status;
  }

  /** Whether what this member has combined is to be written before it combines more. */
  private boolean isToBeWritten(long bytes) {
    long unwritten = position - written;
    return writes && unwritten > 0 && (unwritten >= STRETCH || position == bytes);
  }

  /** Combines a part of all inputs, and says that they were read, and that it is where else it belongs. */
  private int combinePart(long begin, long end, long out) {
    if (isToBeWritten(end - begin)) {
      return handCombined(begin);
    }
    if (position < end - begin) {
      return combinePiece(begin, end, out);
    }
    int status = trust(0, ranks - 1);
    return status == NEXT ? say(1) : status;
  }

  /** Reads the parts of the other members. */
  private int collect() {
    if (at == ranks - 1) {
      int status = trust(0, ranks - 1);
      return status == NEXT ? say(2) : status;
    }
    int owner = (self + 1 + at) % ranks;
    long begin = partOf(owner);
    long bytes = partOf(owner + 1) - begin;
    if (position == bytes) {
      position = 0;
      at++;
      return NEXT;
    }
    int status = position > 0 ? NEXT : see(owner, 1);
    return status == NEXT ? fetch(owner, OUTPUT, begin, begin, bytes) : status;
  }

  private int allreduce() {
    if (!stages.isReady()) {
      return stages.prepare();
    }
    long begin = whole ? 0 : partOf(self);
    long end = whole ? coll.bytes() : partOf(self + 1);
    if (phase == 0) {
      return combinePart(begin, end, begin);
    }
    if (whole || writes) {
      return seeAll(1);
    }
    return phase == 1 ? collect() : seeAll(2);
  }

  private int reduce() {
    if (!stages.isReady()) {
      return stages.prepare(); // member 0 makes those that the root needs
    }
    int root = coll.root();
    if (self != root) {
      int status = see(root, 1);
      return status == NEXT ? THROUGH : status;
    }
    return phase == 0 ? combinePart(0, coll.bytes(), 0) : THROUGH;
  }

  private int reduceScatter() {
    if (!stages.isReady()) {
      return stages.prepare();
    }
    long begin = lines.partAt(self);
    return phase == 0 ? combinePart(begin, begin + lines.partBytes(self), 0) : seeAll(1);
  }

  int advance() {
    return switch (coll.kind()) {
      case BCAST, EXSCAN -> copy();
      case ALLREDUCE -> allreduce();
      case REDUCE -> reduce();
      case REDUCE_SCATTER -> reduceScatter();
      default -> allgather();
    };
  }
}
