package io.adrastea.engine.window;

import io.adrastea.accumulate.Accumulate;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.engine.active.ActiveEnding;
import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.window.WindowMessages.Call;
import io.adrastea.error.SegmentException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.IoEntries;
import io.adrastea.payload.Payload;
import io.adrastea.space.Exposed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a rank does in its own memory of a window for members that do not reach it [SCI-MPICH 2002, 4.2]: the handler of
 * their messages, inside of steps of progress. It writes what it is asked for straight into the memory of the asking
 * rank's program, as an answer (remote-put). Its atomics are those of direct accesses.
 *
 * <p>
 * From one rank one message is under way at a time, so each has memory of its own here.
 */
final class WindowService {
  private static final int BLOCK_BYTES = 2 * Long.BYTES;
  private static final long NOWHERE = -1;

  // What an answer says in the place of the blocks' number
  /** What was asked for is done. */
  static final int NO_REFUSAL = 0;

  /** What was asked for is not done: the target's memory does not hold the place. */
  static final int REFUSED = -1;

  /** Something that came before, and is not answered itself, is not done for that reason. */
  static final int REFUSED_BEFORE = -2;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /** What is under way from one rank. */
  private static final class Inflow {
    private final Contiguous payload = new Contiguous();
    private final Contiguous operands = new Contiguous(); // in that
    private final Contiguous elements = new Contiguous(); // of the window
    private MemorySegment staged = MemorySegment.NULL;
    private long refused = NOWHERE; // where something was refused that is not answered

    Payload stage(long bytes) {
      if (staged.byteSize() < bytes) {
        staged = MemorySegment.ofArray(new long[(int) (bytes + Long.BYTES - 1 >>> 3)]);
      }
      return payload.set(staged, 0, bytes);
    }
  }

  /** The data of an answer, until all of it has gone out; reused. */
  private final class Reply implements ActiveEnding {
    private final Contiguous data = new Contiguous();
    private MemorySegment room = MemorySegment.NULL; // for what was there before elements were changed
    private Reply next; // of those that are free

    MemorySegment room(long bytes) {
      if (room.byteSize() < bytes) {
        room = MemorySegment.ofArray(new long[(int) (bytes + Long.BYTES - 1 >>> 3)]);
      }
      return room;
    }

    @Override
    public void ended(RuntimeException failure) {
      data.set(MemorySegment.NULL, 0, 0);
      if (free < MOST_FREE) {
        next = firstFree;
        firstFree = this;
        free++;
      }
    }
  }

  private static final int MOST_FREE = 16; // replies that are kept

  private final ActiveMessages active;
  private final Members members;
  private final int window;
  private final int rank;
  private final Exposed.Part all; // memory of this rank
  private final Stretches stretches; // null: it is that; else it was attached
  private final WindowAtomics atomics;
  private final Inflow[] inflows; // by job rank; null: nothing has come from it
  private final long[] answer = new long[WindowMessages.WORDS];
  private long asked = NOWHERE; // the place that was looked at last
  private Reply firstFree; // null: there is none
  private int free;

  WindowService(Resources resources, ActiveMessages active, Members members, int window, int rank, Exposed.Part all,
      Stretches stretches, WindowAtomics atomics) {
    this.active = active;
    this.members = members;
    this.window = window;
    this.rank = rank;
    this.all = all;
    this.stretches = stretches;
    this.atomics = atomics;
    this.inflows = new Inflow[resources.ranks()];
  }

  private Inflow inflow(int source) {
    Inflow inflow = inflows[source];
    if (inflow == null) {
      inflow = new Inflow();
      inflows[source] = inflow;
    }
    return inflow;
  }

  /** Where what has come goes: straight into the window where it is a copy to one place. */
  Payload begin(int source, long[] header, long length) {
    Call call = call(source, header);
    if (call == Call.PUT && header[WindowMessages.BLOCKS] == 0) {
      return straight(inflow(source), source, header[WindowMessages.AT], length);
    }
    if (length > WindowMessages.MOST_STAGED) {
      throw broken(source, "%d bytes beside a copy to one place".formatted(length));
    }
    return inflow(source).stage(length);
  }

  private Payload straight(Inflow inflow, int source, long at, long length) {
    try {
      Exposed.Part part = inside(source, at, length);
      return inflow.payload.set(part.memory(), at - part.first(), length);
    } catch (IndexOutOfBoundsException e) {
      inflow.refused = at;
      return null;
    }
  }

  private static Call call(int source, long... header) {
    Call call = Call.of(header[WindowMessages.WHAT] >>> Integer.SIZE);
    if (call == null) {
      throw broken(source, "a call that this version does not know");
    }
    return call;
  }

  /**
   * The memory of this rank that holds some bytes. A place beyond the memory of the window is one that no sound rank
   * asks for; one in no stretch that is attached may be so, where it was detached meanwhile.
   */
  private Exposed.Part inside(int source, long at, long bytes) {
    asked = at;
    Exposed.Part part = stretches == null ? all : stretches.own(at, bytes);
    if (part == null) {
      throw new IndexOutOfBoundsException("%d bytes at displacement %d are not attached".formatted(bytes, at));
    }
    requireIn(part, source, at, bytes);
    return part;
  }

  /** Refuses bytes that do not lie in some memory of this rank as those before do. */
  private void requireIn(Exposed.Part part, int source, long at, long bytes) {
    asked = at;
    long from = at - part.first();
    if (from < 0 || bytes < 0 || bytes > part.bytes() - from) {
      throw broken(source, "%d bytes at byte %d, of %d".formatted(bytes, from, part.bytes()));
    }
  }

  private static SegmentException broken(int source, String what) {
    return new SegmentException("job rank %d asks for %s in a window; it is broken".formatted(source, what));
  }

  /** All of a message is there: does what it asks for, or says that it is refused. */
  void finished(int source, long... header) {
    Inflow inflow = inflow(source);
    Call call = call(source, header);
    try {
      switch (call) {
        case PUT -> scatter(source, inflow, header);
        case GET -> give(source, inflow, header);
        case ACCUMULATE, GET_ACCUMULATE -> accumulate(source, inflow, header);
        case FETCH_AND_OP -> fetchAndOp(source, header);
        case COMPARE_AND_SWAP -> compareAndSwap(source, header);
        case FLUSH -> answerFlush(source, inflow, header);
        default -> throw broken(source, "an answer");
      }
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      if (call == Call.PUT || call == Call.ACCUMULATE) {
        inflow.refused = asked;
      } else {
        refuse(source, header, REFUSED, asked);
      }
    }
  }

  private void answerFlush(int source, Inflow inflow, long... header) {
    if (inflow.refused == NOWHERE) {
      reply(source, header, 0);
    } else {
      refuse(source, header, REFUSED_BEFORE, inflow.refused);
      inflow.refused = NOWHERE;
    }
  }

  private void refuse(int source, long[] asked, int refusal, long at) {
    long[] refused = answer(asked, 0);
    refused[WindowMessages.BLOCKS] = refusal;
    refused[WindowMessages.AT] = at;
    active.post(source, Windows.TYPE, refused, ActiveHandler.NO_MEMORY);
  }

  /** What an answer says was refused; {@link #NO_REFUSAL}: nothing. */
  static int refusal(long... header) {
    return header[WindowMessages.BLOCKS] < 0 ? (int) header[WindowMessages.BLOCKS] : NO_REFUSAL;
  }

  private static long blockAt(Inflow inflow, int block) {
    return inflow.staged.get(LONG, (long) block * BLOCK_BYTES);
  }

  private static long blockBytes(Inflow inflow, int block) {
    return inflow.staged.get(LONG, (long) block * BLOCK_BYTES + Long.BYTES);
  }

  private static int blocks(int source, Inflow inflow, long... header) {
    long blocks = header[WindowMessages.BLOCKS];
    if (blocks < 0 || blocks * BLOCK_BYTES > inflow.payload.bytes()) {
      throw broken(source, "a list of %d blocks that has not come".formatted(blocks));
    }
    return (int) blocks;
  }

  private void scatter(int source, Inflow inflow, long... header) {
    int blocks = blocks(source, inflow, header);
    long from = (long) blocks * BLOCK_BYTES;
    for (int block = 0; block < blocks; block++) {
      long at = blockAt(inflow, block);
      long bytes = blockBytes(inflow, block);
      Exposed.Part part = inside(source, at, bytes);
      MemorySegment.copy(inflow.staged, from, part.memory(), at - part.first(), bytes);
      from += bytes;
    }
  }

  private void give(int source, Inflow inflow, long... header) {
    int blocks = blocks(source, inflow, header);
    Exposed.Part part = memory(source, inflow, blocks, header);
    Reply reply = takeReply();
    reply(source, header, elements(source, part, reply.data, inflow, blocks, header), reply);
  }

  /** The memory of this rank that a message's data is to lie in. */
  private Exposed.Part memory(int source, Inflow inflow, int blocks, long... header) {
    return blocks == 0 ? inside(source, header[WindowMessages.AT], header[WindowMessages.BYTES])
        : inside(source, blockAt(inflow, 0), blockBytes(inflow, 0));
  }

  private Reply takeReply() {
    Reply reply = firstFree;
    if (reply == null) {
      return new Reply();
    }
    firstFree = reply.next;
    free--;
    return reply;
  }

  /** That data: in one piece, or in the blocks that the message lists. */
  private Payload elements(int source, Exposed.Part part, Contiguous whole, Inflow inflow, int blocks,
      long... header) {
    if (blocks == 0) {
      return whole.set(part.memory(), header[WindowMessages.AT] - part.first(), header[WindowMessages.BYTES]);
    }
    IoEntries entries = new IoEntries(blocks);
    for (int block = 0; block < blocks; block++) {
      requireIn(part, source, blockAt(inflow, block), blockBytes(inflow, block));
      entries.add(part.memory(), blockAt(inflow, block) - part.first(), blockBytes(inflow, block));
    }
    return entries;
  }

  private void accumulate(int source, Inflow inflow, long... header) {
    Operator op = Operator.of((int) header[WindowMessages.OPERATOR] & 0xFF);
    ElementKind kind = ElementKind.of((int) header[WindowMessages.OPERATOR] >>> Byte.SIZE & 0xFF);
    long bytes = header[WindowMessages.BYTES];
    if (op == null || kind == null || bytes < 0 || bytes % kind.bytes() != 0 || !op.combines(kind)) {
      throw broken(source, "an operator on elements that it has no meaning for");
    }
    int blocks = blocks(source, inflow, header);
    long from = (long) blocks * BLOCK_BYTES;
    boolean reads = inflow.payload.bytes() > from;
    if (reads && inflow.payload.bytes() - from < bytes || bytes > EmulatedAccess.PIECE) {
      throw broken(source, "an accumulate of %d bytes with %d of operands".formatted(bytes,
          inflow.payload.bytes() - from));
    }
    Payload operands = reads ? inflow.operands.set(inflow.staged, from, bytes) : null;
    if (call(source, header) == Call.ACCUMULATE) {
      accumulate(source, inflow, op, kind, blocks, operands, null, header);
      return;
    }
    Reply reply = takeReply();
    reply.data.set(reply.room(bytes), 0, bytes);
    try {
      accumulate(source, inflow, op, kind, blocks, operands, reply.data, header);
    } catch (RuntimeException e) {
      reply.ended(e);
      throw e;
    }
    reply(source, header, reply.data, reply);
  }

  private void accumulate(int source, Inflow inflow, Operator op, ElementKind kind, int blocks, Payload operands,
      Contiguous was, long... header) {
    if (WindowAtomics.isInstruction(op, kind)) {
      accumulateBlocks(source, inflow, op, kind, blocks, operands != null, Contiguous.memoryOf(was), header);
      return;
    }
    long bytes = header[WindowMessages.BYTES];
    Exposed.Part part = memory(source, inflow, blocks, header);
    Payload elements = elements(source, part, inflow.elements, inflow, blocks, header);
    if (elements.bytes() != bytes) {
      throw broken(source, "%d bytes in blocks of %d".formatted(bytes, elements.bytes()));
    }
    atomics.accumulateUnderStripes(op, kind, rank, elements, part.first(), operands, was, bytes);
  }

  private void accumulateBlocks(int source, Inflow inflow, Operator op, ElementKind kind, int blocks, boolean reads,
      MemorySegment was, long... header) {
    long done = 0;
    long bytes = header[WindowMessages.BYTES];
    for (int block = 0; block < Math.max(1, blocks); block++) {
      long at = blocks == 0 ? header[WindowMessages.AT] : blockAt(inflow, block);
      long some = blocks == 0 ? bytes : blockBytes(inflow, block);
      Exposed.Part part = inside(source, at, some);
      if (some > bytes - done) {
        throw broken(source, "more than the %d bytes that were told".formatted(bytes));
      }
      atomics.accumulate(op, kind, rank, part.memory(), at - part.first(), reads ? inflow.staged : null,
          (long) blocks * BLOCK_BYTES + done, was, done, some, false, false);
      done += some;
    }
  }

  private void fetchAndOp(int source, long... header) {
    Operator op = Operator.of((int) header[WindowMessages.OPERATOR] & 0xFF);
    ElementKind kind = ElementKind.of((int) header[WindowMessages.OPERATOR] >>> Byte.SIZE & 0xFF);
    if (op == null || kind == null || !Accumulate.allows(op, kind)) {
      throw broken(source, "a fetchAndOp by an operator that has no meaning for the element");
    }
    Exposed.Part part = inside(source, header[WindowMessages.AT], kind.bytes());
    long was = Accumulate.fetchAndOp(op, kind, part.memory(), header[WindowMessages.AT] - part.first(),
        header[WindowMessages.VALUES]);
    reply(source, header, was);
  }

  private void compareAndSwap(int source, long... header) {
    ElementKind kind = ElementKind.of((int) header[WindowMessages.OPERATOR] >>> Byte.SIZE & 0xFF);
    if (kind == null) {
      throw broken(source, "a compareAndSwap of elements that there are not");
    }
    Exposed.Part part = inside(source, header[WindowMessages.AT], kind.bytes());
    long was = Accumulate.compareAndSwap(kind, part.memory(), header[WindowMessages.AT] - part.first(),
        header[WindowMessages.VALUES], header[WindowMessages.VALUES + 1]);
    reply(source, header, was);
  }

  private void reply(int source, long[] asked, long value) {
    active.post(source, Windows.TYPE, answer(asked, value), ActiveHandler.NO_MEMORY);
  }

  private void reply(int source, long[] asked, Payload data, Reply reply) {
    active.post(members, source, Windows.TYPE, answer(asked, 0), data, reply);
  }

  private long[] answer(long[] asked, long value) {
    answer[WindowMessages.WHAT] = Integer.toUnsignedLong(window) | (long) Call.REPLY.ordinal() << Integer.SIZE;
    answer[WindowMessages.TAG] = asked[WindowMessages.TAG];
    answer[WindowMessages.BLOCKS] = NO_REFUSAL;
    answer[WindowMessages.VALUES] = value;
    return answer;
  }
}
