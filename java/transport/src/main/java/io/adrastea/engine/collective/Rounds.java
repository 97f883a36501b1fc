package io.adrastea.engine.collective;

import static io.adrastea.spread.Schedule.INPUT;
import static io.adrastea.spread.Schedule.OUTPUT;
import static io.adrastea.spread.Schedule.SCRATCH;
import static io.adrastea.spread.Schedule.STREAM;

import io.adrastea.coll.Choice;
import io.adrastea.coll.Combine;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.TruncationException;
import io.adrastea.spread.BlockStream;
import io.adrastea.spread.Schedule;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * How one call of one rank goes in messages: its schedule, and how far that is. All messages of a round are under way
 * at once. Contiguous memory is sent from and received to where it lies; scattered memory is packed before the first
 * round and unpacked after the last one. Mutable and reused, so that no call makes an object. Called inside the gate.
 */
final class Rounds {
  /** Bytes of memory that are kept for the next call. */
  private static final long KEPT = 1 << 20;

  /** Bytes of operands that are set aside at a time. */
  private static final long PIECE = 65_536;

  private static final MemorySegment NONE = MemorySegment.ofArray(new long[0]);
  private static final int BUFFERS = 3;

  /** What is known of a message that has not come or gone: nothing, or its other end was asked, or awaits it not. */
  private static final byte UNASKED = 0;
  private static final byte ASKED = 1;
  private static final byte UNWANTED = 2;

  private final Plans plans;
  private final Operations operations;
  private final Members members;
  private final Ending ending;
  private final int rank; // in the communicator
  private final int size;
  private final Combine combine = new Combine();
  private final Schedule schedule = new Schedule();
  private final MemorySegment[] memory = new MemorySegment[BUFFERS];
  private final long[] base = new long[BUFFERS]; // where a buffer begins in its memory
  private final MemorySegment[] own = {NONE, NONE, NONE}; // for what is packed, and for scratch
  private MemorySegment aside = NONE; // for operands of an operator of the program's own
  private Operation[] underWay = new Operation[8]; // by their place in the round; null: it is over
  private byte[] known = new byte[8]; // of each
  private int count; // of messages of the round
  private int left; // of these
  private int round;
  private boolean begun; // the messages of this round
  private long match; // of all messages of the call
  private long moves; // messages and rounds that are over

  Rounds(Plans plans, Operations operations, Members members, Ending ending, int rank) {
    this.plans = plans;
    this.operations = operations;
    this.members = members;
    this.ending = ending;
    this.rank = rank;
    this.size = members.numbering().size();
  }

  /** Begins a call, all messages of which have that match word. */
  void begin(Call call, long match) {
    this.match = match;
    plans.fill(schedule, call);
    round = 0;
    begun = false;
    left = 0;
    count = 0;
    memory[SCRATCH] = reserve(SCRATCH, schedule.scratchBytes());
    base[SCRATCH] = 0;
    placeOutput(call);
    placeInput(call);
  }

  private void placeInput(Call call) {
    memory[INPUT] = call.inputMemory();
    base[INPUT] = call.inputAt();
    if (!call.hasInput() && call.stays() && call.hasOutput()) { // it is this rank's block of the output
      memory[INPUT] = memory[OUTPUT];
      base[INPUT] = base[OUTPUT] + ownBlock(call);
    } else if (call.hasInput() && (memory[INPUT] == null || call.isOverwritten())) {
      memory[INPUT] = reserve(INPUT, call.inputBytes());
      base[INPUT] = 0;
      call.fill(memory[INPUT], 0, 0, call.inputBytes());
    }
    if (call.isByParts() && call.stays() && call.hasInput() && !Choice.hasSeveralBlocks(call.kind())) {
      base[INPUT] += call.rows().givenAt(rank); // the input is all of the output
    }
    if (isOutputInInput(call)) {
      memory[OUTPUT] = memory[INPUT]; // this rank's block of the input, or all of that
      base[OUTPUT] = base[INPUT] + (call.stays() ? ownBlock(call) : 0);
    }
  }

  private static boolean isOutputInInput(Call call) {
    return !call.hasOutput() && call.hasInput() && (call.stays() || call.kind() == SlotMember.BCAST);
  }

  private void placeOutput(Call call) {
    memory[OUTPUT] = call.outputMemory();
    base[OUTPUT] = call.outputAt();
    if (memory[OUTPUT] == null && !isOutputInInput(call)) {
      memory[OUTPUT] = reserve(OUTPUT, outputEnd());
      base[OUTPUT] = 0;
      if (call.hasOutput() && call.stays() && !call.hasInput()) {
        long block = ownBlock(call);
        long bytes = call.isByParts() ? call.rows().takenBytes(rank) : call.bytes();
        memory[OUTPUT] = reserve(OUTPUT, Math.max(outputEnd(), block + bytes));
        call.take(memory[OUTPUT], block, block, bytes);
      }
    }
  }

  /** Where this rank's block begins, on the side on which it stays. */
  private long ownBlock(Call call) {
    if (!call.isByParts()) {
      return rank * call.bytes();
    }
    return call.kind() == SlotMember.SCATTER ? call.rows().givenAt(rank) : call.rows().takenAt(rank);
  }

  /** Bytes of the output, as far as the schedule knows them. */
  private long outputEnd() {
    long end = 0;
    for (int step = 0; step < steps(); step++) {
      if (schedule.kind(step) != Schedule.SEND && schedule.to(step) == OUTPUT) {
        end = Math.max(end, schedule.toOffset(step) + schedule.length(step));
      }
      if (schedule.kind(step) != Schedule.RECEIVE && schedule.from(step) == OUTPUT) {
        end = Math.max(end, schedule.fromOffset(step) + schedule.length(step));
      }
    }
    return end;
  }

  private int steps() {
    return schedule.rounds() == 0 ? 0 : schedule.end(schedule.rounds() - 1);
  }

  private MemorySegment reserve(int buffer, long bytes) {
    own[buffer] = reserve(own[buffer], bytes);
    return own[buffer];
  }

  /** Memory for so many bytes: that which there is, where it is long enough. */
  private static MemorySegment reserve(MemorySegment found, long bytes) {
    return found.byteSize() >= bytes ? found
        : MemorySegment.ofArray(new long[Math.toIntExact((bytes + Long.BYTES - 1) / Long.BYTES)]);
  }

  /** Goes on; whether the call is over. */
  boolean step(Call call) {
    while (round < schedule.rounds()) {
      if (!begun) {
        beginRound();
      }
      if (left > 0 && !areOver(call)) {
        return false;
      }
      for (int step = schedule.firstLocal(round); step < schedule.end(round); step++) {
        local(call, step);
      }
      begun = false;
      round++;
      moves++;
    }
    if (call.hasOutput() && call.outputMemory() == null) {
      drain(call);
    }
    return true;
  }

  private void beginRound() {
    begun = true;
    int first = schedule.firstMessage(round);
    count = schedule.firstLocal(round) - first;
    if (count > underWay.length) {
      underWay = Arrays.copyOf(underWay, 2 * count);
      known = new byte[2 * count];
    }
    left = count;
    for (int i = 0; i < count; i++) { // receives first: what comes for them is not kept elsewhere
      known[i] = UNASKED;
      underWay[i] = operation(first + i);
    }
    beginAll(first, Schedule.RECEIVE);
    beginAll(first, Schedule.SEND);
  }

  private Operation operation(int step) {
    int peer = members.numbering().jobRank(schedule.peer(step));
    Operation operation;
    if (schedule.kind(step) == Schedule.SEND) {
      operation = operations.pool().send(members, peer, match);
      long at = schedule.fromOffset(step);
      boolean isStream = schedule.from(step) == STREAM;
      describe(
          operation, schedule.from(step), at,
          isStream ? BlockStream.bytes(memory[SCRATCH], at) : schedule.length(step));
    } else {
      operation = operations.pool().receive(members, peer, match, -1L);
      describe(operation, schedule.to(step), schedule.toOffset(step), schedule.length(step));
    }
    return operation;
  }

  private void describe(Operation operation, int buffer, long at, long length) {
    if (buffer == STREAM) {
      operation.describe(memory[SCRATCH], at + BlockStream.HEADER, length);
    } else if (length == 0) {
      operation.describe(NONE, 0, 0);
    } else {
      operation.describe(memory[buffer], base[buffer] + at, length);
    }
  }

  private void beginAll(int first, int kind) {
    for (int i = 0; i < count; i++) {
      if (schedule.kind(first + i) == kind) {
        operations.begin(underWay[i]);
      }
    }
  }

  /** Whether all messages of the round are over, of which those are ended that are; throws why one has failed. */
  private boolean areOver(Call call) {
    for (int i = 0; i < count; i++) {
      if (underWay[i] != null && underWay[i].isComplete()) {
        end(call, i);
      }
    }
    return left == 0;
  }

  private void end(Call call, int i) {
    Operation operation = underWay[i];
    RuntimeException failure = operation.failure();
    int step = schedule.firstMessage(round) + i;
    long length = operation instanceof Receive receive ? receive.messageLength() : 0;
    underWay[i] = null;
    left--;
    moves++;
    int peer = operation.peer();
    operations.pool().give(operation);
    if (failure instanceof RankFailedException) {
      throw ending.gone(peer, call.name());
    }
    if (failure != null && !(failure instanceof TruncationException)) {
      throw failure;
    }
    if (schedule.kind(step) == Schedule.SEND) {
      return;
    }
    if (schedule.to(step) == STREAM && length <= schedule.length(step)) {
      BlockStream.received(memory[SCRATCH], schedule.toOffset(step), length);
    } else if (length != schedule.length(step)) {
      throw ending.mismatch(call, schedule.peer(step), length, schedule.length(step));
    }
  }

  private void local(Call call, int step) {
    MemorySegment from = memory[schedule.from(step)];
    long fromAt = base[schedule.from(step)] + schedule.fromOffset(step);
    MemorySegment to = memory[schedule.to(step)];
    long toAt = base[schedule.to(step)] + schedule.toOffset(step);
    long length = schedule.length(step);
    switch (schedule.kind(step)) {
      case Schedule.COPY -> copy(from, fromAt, to, toAt, length);
      case Schedule.BEGIN -> BlockStream.clear(to, toAt);
      case Schedule.PUT -> BlockStream.put(to, toAt, from, fromAt, length);
      case Schedule.PUT_LENGTH -> BlockStream.putLength(to, toAt, length);
      case Schedule.PASS -> requireBlock(call, step, BlockStream.pass(from, fromAt, toAt, length) ? length : -1);
      case Schedule.TAKE -> requireBlock(call, step, BlockStream.take(from, fromAt, true, to, toAt, length));
      case Schedule.TAKE_LENGTH -> requireBlock(call, step, BlockStream.take(from, fromAt, false, to, toAt, length));
      case Schedule.COMBINE -> {
        if (call.folding() == null) {
          combine.combine(call.op(), call.element() & 0xFF, to, toAt, to, toAt, from, fromAt, length);
        } else {
          call.folding().fold(to, toAt, from, fromAt, length);
        }
      }
      default -> combineLeft(call, from, fromAt, to, toAt, length);
    }
  }

  /** Refuses a block that is not as long as this rank, or a member that passes it on, expects. */
  private void requireBlock(Call call, int step, long told) {
    if (told < 0) {
      throw ending.malformed(call, schedule.peer(step));
    }
    if (told != schedule.length(step)) {
      throw ending.mismatch(call, schedule.peer(step), told, schedule.length(step));
    }
  }

  private static void copy(MemorySegment from, long fromAt, MemorySegment to, long toAt, long length) {
    if (from != to || fromAt != toAt) {
      MemorySegment.copy(from, fromAt, to, toAt, length);
    }
  }

  private void combineLeft(Call call, MemorySegment from, long fromAt, MemorySegment to, long toAt, long length) {
    if (call.folding() == null) {
      combine.combine(call.op(), call.element() & 0xFF, to, toAt, from, fromAt, to, toAt, length);
      return;
    }
    long piece = Math.max(1, PIECE / call.unit()) * call.unit();
    aside = reserve(aside, Math.min(piece, length));
    for (long done = 0; done < length; done += piece) { // the operator leaves its result on the left
      long here = Math.min(piece, length - done);
      MemorySegment.copy(from, fromAt + done, aside, 0, here);
      call.folding().fold(aside, 0, to, toAt + done, here);
      MemorySegment.copy(aside, 0, to, toAt + done, here);
    }
  }

  /** Unpacks what was put to the output, and nothing else. */
  private void drain(Call call) {
    long lastAt = -1;
    long lastLength = 0;
    for (int step = 0; step < steps(); step++) {
      long at = schedule.toOffset(step);
      long length = schedule.length(step);
      boolean puts = schedule.kind(step) != Schedule.SEND && schedule.to(step) == OUTPUT && length > 0;
      if (puts && (at != lastAt || length != lastLength)) {
        call.drain(memory[OUTPUT], at, at, length);
        lastAt = at;
        lastLength = length;
      }
    }
  }

  /** Whether messages of that kind with a member are still to come. */
  boolean awaits(int kind, int member) {
    int begin = round < schedule.rounds() ? schedule.firstMessage(round) : steps();
    for (int step = begin; step < steps(); step++) {
      int i = step - begin;
      boolean over = begun && i < count && underWay[i] == null;
      if (!over && schedule.kind(step) == kind && schedule.peer(step) == member) {
        return true;
      }
    }
    return false;
  }

  /** The next message that is under way and of which nobody was asked, by its place in the round; -1: none. */
  int ask() {
    for (int i = 0; begun && i < count; i++) {
      if (underWay[i] != null && !underWay[i].isComplete() && known[i] == UNASKED) {
        known[i] = ASKED;
        return i;
      }
    }
    return -1;
  }

  int kindOf(int i) {
    return schedule.kind(schedule.firstMessage(round) + i);
  }

  int peerOf(int i) {
    return schedule.peer(schedule.firstMessage(round) + i);
  }

  /** A member has said that it awaits no message of this rank, or sends none. */
  void unwanted(int kind, int member) {
    for (int i = 0; begun && i < count; i++) {
      if (underWay[i] != null && kindOf(i) == kind && peerOf(i) == member) {
        known[i] = UNWANTED;
      }
    }
  }

  /** Throws when a message is under way of which the other end knows nothing. */
  void requireWanted(Call call) {
    for (int i = 0; begun && i < count; i++) {
      if (underWay[i] != null && !underWay[i].isComplete() && known[i] == UNWANTED
          && !(underWay[i] instanceof Receive receive && receive.isBegun())) {
        long length = schedule.length(schedule.firstMessage(round) + i);
        throw kindOf(i) == Schedule.SEND ? ending.untaken(call, peerOf(i), length)
            : ending.mismatch(call, peerOf(i), 0, length);
      }
    }
  }

  /** A member that a message of this round is with; -1: none is under way. */
  int awaited() {
    for (int i = 0; begun && i < count; i++) {
      if (underWay[i] != null && !underWay[i].isComplete()) {
        return peerOf(i);
      }
    }
    return -1;
  }

  /** Whether a message of this round with a member is under way. */
  boolean isUnderWayWith(int member) {
    for (int i = 0; begun && i < count; i++) {
      if (underWay[i] != null && !underWay[i].isComplete() && peerOf(i) == member) {
        return true;
      }
    }
    return false;
  }

  /** The job rank whose absence keeps the round from its end; none. */
  int missing(Liveness liveness) {
    int missing = Liveness.NONE;
    for (int i = 0; begun && i < count && missing == Liveness.NONE; i++) {
      if (underWay[i] != null && !underWay[i].isComplete()) {
        missing = liveness.missing(underWay[i].peer());
      }
    }
    return missing;
  }

  /** Counts the messages and rounds that are over. */
  long moves() {
    return moves;
  }

  /** Ends what is under way, since the call has ended in the middle. */
  void abandon(Throwable cause) {
    for (int i = 0; begun && i < count; i++) {
      Operation operation = underWay[i];
      underWay[i] = null;
      if (operation != null && (operation.isComplete() || !operation.isActive()
          || operations.abandon(operation, cause))) {
        operations.pool().give(operation);
      }
    }
    begun = false;
    forget();
  }

  /** Lets go of the memory of the program, and of what is too long to be kept. */
  void forget() {
    for (int buffer = 0; buffer < BUFFERS; buffer++) {
      memory[buffer] = null;
      own[buffer] = own[buffer].byteSize() > KEPT ? NONE : own[buffer];
    }
  }
}
