package io.adrastea.engine.collective;

import io.adrastea.coll.Choice;
import io.adrastea.coll.ElementKind;
import io.adrastea.coll.ExchangeRoom;
import io.adrastea.coll.FoldRoom;
import io.adrastea.coll.Operator;
import io.adrastea.core.SlotMember;
import io.adrastea.engine.operation.Pending;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.ArgumentException.Reason;
import io.adrastea.error.ArgumentException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.LockSupport;

/**
 * One collective as one rank takes part in it: which one, with what memory, and how far it is. Mutable and reused, so
 * that no call makes an object. Contiguous memory goes to the core as it is; what is scattered is packed and unpacked
 * between the core's steps.
 *
 * <p>
 * Life: idle → waiting for a place at the member, or under way → complete. A persistent one goes through it again and
 * again. Called inside the gate.
 */
public final class Call implements Pending {
  /** Several calls, one behind the other, that are one for the program. */
  interface Sequence {
    /** It begins, perhaps again. */
    void begin();

    /** The call that comes before one of these; null: none does. */
    Call before(Call call);

    /**
     * Whether one of these can begin, for which something may be done here. Throws what ended the one before it, and
     * what an operator of the program's own throws.
     */
    boolean isReady(Call call);

    /** Bytes that this rank has combined between them. */
    long combined();

    /** Whether one of these is no collective, but a copy to its output. */
    boolean isCopy(Call call);

    /** Makes that copy. */
    void copy(Call call);
  }

  /** The root of a reduce_scatter whose parts are told to the core. */
  private static final int PARTS_TOLD = 1;

  private enum State {
    IDLE, WAITING, UNDER_WAY, COMPLETE
  }

  private final Owner<Call> owner;
  private final Form form;
  private final int rank; // in the communicator
  private final int size; // of that
  private State state = State.IDLE;
  private Throwable cause; // why it has ended in the middle; null: it has ended well, or not yet
  private long unreadSince; // in nanoseconds: memory of a member that is asked for cannot be reached; 0: it can
  private boolean writes; // that memory is to be written; else it is read
  private Thread sleeper; // waits for it, and leaves it to the progress thread; null: nobody does
  private int check; // number of the last check of liveness for it
  Call next; // in the list that it waits in, or of those that wait for a use

  private final Cursor inCursor = new Cursor();
  private final Cursor outCursor = new Cursor();
  private int kind;
  private int root;
  private long bytes;
  private int element;
  private int op;
  private MemorySegment in; // null: there is none, or a payload
  private long inOffset;
  private MemorySegment out; // likewise
  private long outOffset;
  private Payload inPayload; // null: contiguous
  private Payload outPayload; // null: contiguous
  private Folding folding; // of the program's own operator; null: the core combines
  private PartRows rows; // of an exchange by parts; null: there was none yet
  private Sequence sequence; // that this is a later part of; null: of none
  private final Contiguous contiguous = new Contiguous();
  private final Stretch stretch = new Stretch();
  private int which; // of those under way at the member
  private boolean moved; // the last look did something
  private int number; // among the collectives that go in messages
  private long checkWord; // by which members differ that have not called the same ones

  /**
   * @param rank in the communicator
   * @param size of that
   */
  Call(Owner<Call> owner, Form form, int rank, int size) {
    this.owner = owner;
    this.form = form;
    this.rank = rank;
    this.size = size;
  }

  @Override
  public <T> void start(Outcome<T> outcome, T subject) {
    owner.start(this, outcome, subject);
  }

  @Override
  public <T> boolean poll(Outcome<T> outcome, T subject) {
    return owner.poll(this, outcome, subject);
  }

  @Override
  public <T> void finish(long nanos, Outcome<T> outcome, T subject) {
    owner.finish(this, nanos, outcome, subject);
  }

  @Override
  public <T> void finishOrWithdraw(long nanos, Outcome<T> outcome, T subject) {
    owner.finishOrWithdraw(this, nanos, outcome, subject);
  }

  @Override
  public boolean withdraw() {
    return owner.withdraw(this);
  }

  @Override
  public int missing() {
    return owner.missing(this);
  }

  @Override
  public void fail(int gone) {
    owner.fail(this, gone);
  }

  @Override
  public long moves() {
    return owner.moves(this);
  }

  /** What is to be done, and with what operator of the program's own; null: it is one that the core knows. */
  void describe(int kind, int root, long bytes, int element, int op, Folding folding) {
    this.kind = kind;
    this.root = root;
    this.bytes = bytes;
    this.element = element;
    this.op = op;
    this.folding = folding;
    this.sequence = null;
  }

  /** What is to be exchanged by parts, as {@link PartRows#set} tells. */
  void describeParts(
      int kind, int root, long bytes, int purpose, boolean stays, Blocks gives, Blocks takes) {
    if (rows == null) {
      rows = new PartRows(rank, size);
    }
    rows.set(kind, bytes, gives, takes, stays);
    requireBlock(kind, purpose, rows.longest(), rank, size);
    if (rows.given() > SlotMember.MOST_BYTES) {
      throw new ArgumentException(Reason.COUNT,
          "%s of %d bytes of rank %d; allowed are 0 to %d: take several".formatted(name(kind, purpose), rows.given(),
              rank, SlotMember.MOST_BYTES));
    }
    describe(kind, root, rows.given(), purpose, SlotMember.BY_PARTS | (stays ? SlotMember.STAYS : 0), null);
  }

  /** Refuses a block of an exchange that takes more rounds than the core counts. */
  static void requireBlock(int kind, int purpose, long bytes, int rank, int size) {
    if (!ExchangeRoom.takes(kind, size, bytes)) {
      throw new ArgumentException(Reason.COUNT,
          "%s of rank %d with a block of %d bytes; allowed are 0 to %d among %d ranks: take several"
              .formatted(name(kind, purpose), rank, bytes, ExchangeRoom.mostOfBlock(kind, size), size));
    }
  }

  /** It is a later part of a sequence, and begins when that has the input ready. */
  void follow(Sequence sequence) {
    this.sequence = sequence;
  }

  /** The sequence that this is a later part of; null: of none. */
  Sequence sequence() {
    return sequence;
  }

  /** The call that is to be complete before this one can begin; null: there is none. */
  Call before() {
    return sequence == null ? null : sequence.before(this);
  }

  /** Whether it comes behind another one of the same sequence. */
  boolean follows(Call other) {
    Call before = before();
    return before != null && (before == other || before.follows(other));
  }

  /** What is to be combined and scattered by parts, which lie one behind the other. */
  void describeParts(Blocks parts, long bytes, int element, int op, Folding folding) {
    if (rows == null) {
      rows = new PartRows(rank, size);
    }
    rows.set(parts);
    requireRounds(rows.rounds(elementBytes(element, op)), elementBytes(element, op));
    describe(SlotMember.REDUCE_SCATTER, PARTS_TOLD, bytes, element, op, folding);
  }

  /** Refuses parts of a reduce_scatter that take more rounds than the core counts. */
  private void requireRounds(long rounds, int unit) {
    if (rounds > FoldRoom.MOST_ROUNDS) {
      throw new ArgumentException(Reason.COUNT,
          ("reduceScatter of rank %d with parts that take %d rounds of %d bytes of each; allowed are 0 to %d among %d "
              + "ranks: take several, of shorter parts")
              .formatted(rank, rounds, FoldRoom.stretch(size, unit), FoldRoom.MOST_ROUNDS, size));
    }
  }

  /** Where the input lies, from the byte {@code at} of a payload on; null: there is none. */
  void input(Payload payload, long at) {
    in = Contiguous.memoryOf(payload);
    inOffset = Contiguous.offsetOf(payload) + at;
    inPayload = in == null ? payload : null;
    if (inPayload != null) {
      inCursor.begin(inPayload.bytes());
    }
  }

  /** Where the output goes; null: there is none. */
  void output(Payload payload) {
    out = Contiguous.memoryOf(payload);
    outOffset = Contiguous.offsetOf(payload);
    outPayload = out == null ? payload : null;
    if (outPayload != null) {
      outCursor.begin(outPayload.bytes());
    }
  }

  /** It begins, or will: its payloads are not to be changed until it is complete. */
  void start() {
    state = State.WAITING;
    cause = null;
    unreadSince = 0;
    moved = false;
    if (inPayload != null) {
      inPayload.retain();
      inCursor.begin(inPayload.bytes());
    }
    if (outPayload != null) {
      outPayload.retain();
      outCursor.begin(outPayload.bytes());
    }
  }

  /** Whether it can begin: its input is there. Throws why it will never be. */
  boolean isReady() {
    return sequence == null || sequence.isReady(this);
  }

  /** Begins; {@code SlotMember}'s answer. */
  int begin(SlotMember member, int polls) {
    if (isCopy()) {
      sequence.copy(this);
      return 0;
    }
    if (isByParts()) {
      rows.tell(member);
    }
    return member.begin(kind, root, bytes, element, op, in, inOffset, out, outOffset, polls);
  }

  /** Whether it is no collective, but a copy to its output. */
  boolean isCopy() {
    return sequence != null && sequence.isCopy(this);
  }

  /** Makes that copy. */
  void copy() {
    sequence.copy(this);
  }

  /** Its number among the collectives of the communicator that go in messages. */
  int number() {
    return number;
  }

  void number(int number) {
    this.number = number;
  }

  /** A word in which members differ that have not called the same ones. */
  long check() {
    return checkWord;
  }

  void check(long word) {
    checkWord = word;
  }

  /** It has begun, as this one of those under way at the member. */
  void begun(int which) {
    this.which = which;
    state = State.UNDER_WAY;
  }

  int which() {
    return which;
  }

  /** It is over; the thread that has left it to others goes on. */
  void complete(Throwable cause) {
    if (state != State.COMPLETE) {
      release();
    }
    this.cause = cause;
    state = State.COMPLETE;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
      sleeper = null;
    }
  }

  /** The calling thread waits for it, and may park until it is complete. */
  void leave() {
    sleeper = Thread.currentThread();
  }

  private void release() {
    if (state != State.IDLE && inPayload != null) {
      inPayload.release();
    }
    if (state != State.IDLE && outPayload != null) {
      outPayload.release();
    }
  }

  /** It can be started again, or described anew. */
  void end() {
    state = State.IDLE;
    cause = null;
    if (form != Form.PREPARED) {
      forget();
    }
  }

  Form form() {
    return form;
  }

  @Override
  public boolean isComplete() {
    return state == State.COMPLETE;
  }

  boolean isWaiting() {
    return state == State.WAITING;
  }

  boolean isUnderWay() {
    return state == State.UNDER_WAY;
  }

  boolean isIdle() {
    return state == State.IDLE;
  }

  /** Whether it has not ended well. */
  boolean hasFailed() {
    return cause != null;
  }

  /** Throws why it has not ended well, if so. */
  void rethrow() {
    if (cause instanceof RuntimeException exception) {
      throw exception;
    }
    if (cause instanceof Error error) {
      throw error;
    }
  }

  /** What a request tells: the call, where its exception does not, as of memory that was closed. */
  @Override
  public RuntimeException failure() {
    return cause == null || cause instanceof AdrasteaException
        ? (AdrasteaException) cause
        : new AdrasteaException(
            "%s of rank %d, which was started, ended in the middle: %s".formatted(this, rank, why(cause)), cause);
  }

  /** In words, what has ended it in the middle. */
  String why(Throwable cause) {
    return cause instanceof AdrasteaException || !isFreed()
        ? cause.toString()
        : "the arena of its memory was closed, which is to stay open until the collective is complete";
  }

  /** It cannot be taken back. */
  static UnsupportedOperationException isCounted() {
    return new UnsupportedOperationException(
        "a started collective cannot be cancelled, since other ranks take part in it; await or test it");
  }

  /** False: others count on it. */
  @Override
  public boolean isCancelled() {
    return false;
  }

  /** Whether it was not checked in the check of liveness of that number, which it is now. */
  boolean enterCheck(int number) {
    boolean isNew = check != number;
    check = number;
    return isNew;
  }

  long unreadSince() {
    return unreadSince;
  }

  void unreadSince(long nanos) {
    unreadSince = nanos;
  }

  boolean writes() {
    return writes;
  }

  void writes(boolean does) {
    writes = does;
  }

  /** Goes on; {@code SlotMember}'s answer. */
  int step(SlotMember member, int polls) {
    return member.step(which, in, inOffset, out, outOffset, polls);
  }

  /** Brings bytes of the input to shared memory. */
  void fill(MemorySegment area, long at, long position, long length) {
    if (inPayload == null) {
      MemorySegment.copy(in, inOffset + position, area, at, length);
    } else {
      inPayload.seek(inCursor, inOffset + position);
      inPayload.pack(inCursor, area, at, length);
    }
  }

  /** Brings bytes of shared memory to the output. */
  void drain(MemorySegment area, long at, long position, long length) {
    if (outPayload == null) {
      MemorySegment.copy(area, at, out, outOffset + position, length);
    } else {
      outPayload.seek(outCursor, position);
      outPayload.unpack(outCursor, area, at, length);
    }
  }

  /** Brings bytes of the output to shared memory. */
  void take(MemorySegment area, long at, long position, long length) {
    if (outPayload == null) {
      MemorySegment.copy(out, outOffset + position, area, at, length);
    } else {
      outPayload.seek(outCursor, position);
      outPayload.pack(outCursor, area, at, length);
    }
  }

  /** Brings bytes of the input to the output. */
  void keep(long position, long to, long length) {
    if (inPayload == null) {
      drain(in, inOffset + position, to, length);
    } else if (outPayload == null) {
      fill(out, outOffset + to, position, length);
    } else {
      keepScattered(position, to, length);
    }
  }

  private void keepScattered(long position, long to, long length) {
    for (long done = 0; done < length;) {
      inPayload.seek(inCursor, inOffset + position + done);
      inPayload.stretch(inCursor, stretch);
      long here = Math.min(length - done, stretch.bytes());
      drain(stretch.memory(), stretch.offset(), to + done, here);
      done += here;
    }
    stretch.clear();
  }

  /** The input as a payload of this call; null: there is none, or it is not all of one. */
  Payload input() {
    if (inPayload != null) {
      return inOffset == 0 ? inPayload : null;
    }
    return in == null ? null : contiguous.set(in, inOffset, inputBytes());
  }

  /** The first bytes of the output, likewise. */
  Payload output(long length) {
    return outPayload != null || out == null ? outPayload : contiguous.set(out, outOffset, length);
  }

  /** Combines whole elements in shared memory. */
  void fold(MemorySegment area, long target, long source, long length) {
    folding.fold(area, target, area, source, length);
  }

  int kind() {
    return kind;
  }

  int root() {
    return root;
  }

  int op() {
    return op;
  }

  /** The program's own operator; null: it is one that the core knows, or there is none. */
  Folding folding() {
    return folding;
  }

  /** Bytes of an element of a reduction. */
  int unit() {
    return kind == SlotMember.ALLREDUCE && root > 0 ? root : elementBytes(element, op);
  }

  /** The blocks of one by parts. */
  PartRows rows() {
    return rows;
  }

  /** Whether this rank's own block lies where it is to be. */
  boolean stays() {
    return Choice.isExchange(kind) && (op & SlotMember.STAYS) != 0;
  }

  /** The memory of the input; null: it is scattered, or there is none. */
  MemorySegment inputMemory() {
    return in;
  }

  /** Where in its memory, or its payload, the input begins. */
  long inputAt() {
    return inOffset;
  }

  boolean hasInput() {
    return in != null || inPayload != null;
  }

  /** The memory of the output; null: it is scattered, or there is none. */
  MemorySegment outputMemory() {
    return out;
  }

  /** Where in its memory the output begins. */
  long outputAt() {
    return outOffset;
  }

  boolean hasOutput() {
    return out != null || outPayload != null;
  }

  int element() {
    return element;
  }

  String name() {
    return name(kind, element);
  }

  long bytes() {
    return bytes;
  }

  /** Bytes of the input, from the first to behind the last one that another member reads. */
  long inputBytes() {
    return isByParts() ? rows.inputEnd() : Choice.hasSeveralBlocks(kind) ? bytes * size : bytes;
  }

  /** Bytes of the output, as far as others may read or write there; 0: they do not, or it lies in parts. */
  long outputBytes() {
    return switch (kind) {
      case SlotMember.ALLREDUCE, SlotMember.BCAST, SlotMember.EXSCAN -> bytes;
      case SlotMember.ALLGATHER -> bytes * size;
      case SlotMember.GATHER, SlotMember.ALLTOALL -> isByParts() ? 0 : bytes * size;
      default -> 0;
    };
  }

  /** Whether what others give goes over what this member gives: nobody may read that where it lies. */
  boolean isOverwritten() {
    return kind == SlotMember.ALLTOALL && (op & SlotMember.STAYS) != 0;
  }

  boolean isByParts() {
    return Choice.isExchange(kind)
        ? (op & SlotMember.BY_PARTS) != 0
        : kind == SlotMember.REDUCE_SCATTER && root == PARTS_TOLD;
  }

  boolean hasMoved() {
    return moved;
  }

  void moved(boolean did) {
    moved = did;
  }

  /** Whether the program has closed an arena of its memory. */
  boolean isFreed() {
    return isFreed(in, inPayload) || isFreed(out, outPayload);
  }

  private static boolean isFreed(MemorySegment memory, Payload payload) {
    boolean freed = memory != null && !memory.scope().isAlive();
    for (int i = 0; payload != null && i < payload.memories(); i++) {
      freed |= !payload.memory(i).scope().isAlive();
    }
    return freed;
  }

  /** Lets go of the memory of the program. */
  private void forget() {
    input(null, 0);
    output(null);
    folding = null;
    sequence = null;
    contiguous.set(MemorySegment.NULL, 0, 0);
  }

  /** The call in words: "bcast of 8 bytes from root 1". */
  @Override
  public String toString() {
    return words(kind, root, bytes, element, op);
  }

  /** The call of another member in words, as its line tells of it. */
  static String words(long[] told) {
    long head = told[SlotMember.HEAD];
    long what = told[SlotMember.WHAT];
    return words(
        (int) (head >>> 24) & 0xFF, (int) (head >>> 8) & 0xFFFF, what >>> 16, (int) (what >>> 8) & 0xFF,
        (int) what & 0xFF);
  }

  /** A call in words, as it was described. */
  static String words(int kind, int root, long bytes, int element, int op) {
    String name = name(kind, element);
    if (isPart(kind, element)) {
      return name;
    }
    return switch (kind) {
      case SlotMember.BARRIER -> name;
      case SlotMember.BCAST -> "%s of %d bytes from root %d".formatted(name, bytes, root);
      case SlotMember.ALLREDUCE -> "%s of %d bytes, %s".formatted(name, bytes, operator(element, op, root));
      case SlotMember.REDUCE ->
        "%s of %d bytes to root %d, %s".formatted(name, bytes, root, operator(element, op));
      case SlotMember.SCAN, SlotMember.EXSCAN, SlotMember.REDUCE_SCATTER ->
        "%s of %d bytes, %s".formatted(name, bytes, operator(element, op));
      case SlotMember.GATHER -> "%s at root %d".formatted(name, root); // each gives as many bytes as it likes
      case SlotMember.SCATTER -> "%s from root %d".formatted(name, root);
      case SlotMember.ALLTOALL -> root == 0 ? name : "%s, %s".formatted(name, agreed(root >> Byte.SIZE, root & 0xFF));
      case SlotMember.ALLGATHERV -> name;
      default -> "%s of %d bytes".formatted(name, bytes);
    };
  }

  /**
   * An operator in words, where the kind of element tells its bytes, or they stand beside it, or in the line in its
   * place.
   */
  private static String operator(int element, int op) {
    return operator(element, op, elementBytes(element, op));
  }

  /** Bytes of an element, which stand beside its kind or are those of the kind. */
  private static int elementBytes(int element, int op) {
    int beside = element >> Byte.SIZE;
    return beside > 0 ? beside : Operator.elementBytes(element, op);
  }

  /** The operator of a reduction between groups in words; where a rank may have no elements, no kind is told. */
  private static String agreed(int op, int element) {
    Operator known = Operator.of(op);
    String name = known == null ? "an operator of its own" : known.toString();
    ElementKind kind = element == 0 ? null : ElementKind.of(element);
    return kind == null ? name : "%s on elements of type %s".formatted(name, kind);
  }

  private static String operator(int element, int op, int elementBytes) {
    ElementKind kind = ElementKind.of(element);
    Operator known = Operator.of(op);
    return known != null ? "%s of elements of type %s".formatted(known, kind)
        : "an operator of its own on elements of %d bytes".formatted(elementBytes);
  }

  /** Whether the collective is a part of a call that makes a communicator. */
  private static boolean isPart(int kind, int element) {
    return kind == SlotMember.BCAST
        && (element == SlotMember.FOR_DUP || element == SlotMember.FOR_INTERCOMMUNICATOR)
        || kind == SlotMember.ALLGATHER
            && (element == SlotMember.FOR_DUP || element == SlotMember.FOR_SPLIT
                || element == SlotMember.FOR_INTERCOMMUNICATOR);
  }

  /** The call of the program that this is, or is a part of. */
  public static String name(int kind, int element) {
    if (isPart(kind, element)) {
      return switch (element) {
        case SlotMember.FOR_DUP -> "dup";
        case SlotMember.FOR_SPLIT -> "split";
        default -> "Intercommunicator.create";
      };
    }
    if (kind >= SlotMember.ALLTOALL && element >= SlotMember.FOR_GROUPS) {
      return name(element - SlotMember.FOR_GROUPS, 0);
    }
    return switch (kind) {
      case SlotMember.BARRIER -> "barrier";
      case SlotMember.BCAST -> "bcast";
      case SlotMember.ALLREDUCE -> "allreduce";
      case SlotMember.ALLGATHER -> "allgather";
      case SlotMember.REDUCE -> "reduce";
      case SlotMember.SCAN -> "scan";
      case SlotMember.EXSCAN -> "exscan";
      case SlotMember.REDUCE_SCATTER -> "reduceScatter";
      case SlotMember.GATHER -> "gather";
      case SlotMember.SCATTER -> "scatter";
      case SlotMember.ALLTOALL -> switch (element) {
        case SlotMember.FOR_NEIGHBOR_ALLTOALL -> "neighborAlltoall";
        case SlotMember.FOR_NEIGHBOR_ALLGATHER -> "neighborAllgather";
        default -> "alltoall";
      };
      case SlotMember.ALLGATHERV -> "allgather by parts";
      default -> "collective of kind %d".formatted(kind);
    };
  }
}
