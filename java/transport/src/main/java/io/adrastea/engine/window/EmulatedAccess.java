package io.adrastea.engine.window;

import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.window.WindowMessages.Call;
import io.adrastea.error.AdrasteaException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import io.adrastea.payload.Typed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One access to a member's memory that its rank makes: what is asked for, and how far it is. It is cut into pieces,
 * each a message of its own, and counts those that are not over: when all are cut and the count falls to zero, it is
 * complete [Nemesis 2006, 2.3]. Pooled. Called inside the gate.
 */
final class EmulatedAccess implements Pending {
  /** Bytes of data, at most, of a piece that is more than a copy of contiguous memory. */
  static final int PIECE = 1 << 15;

  /** Blocks that head one. */
  static final int MOST_BLOCKS = 512;

  static final int BLOCK_BYTES = 2 * Long.BYTES;

  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  private final Owner<EmulatedAccess> owner;
  private final Contiguous nearMemory = new Contiguous();
  private final Contiguous resultMemory = new Contiguous();
  private final Cursor nearCursor = new Cursor();
  private final Cursor farCursor = new Cursor();
  private final Cursor resultCursor = new Cursor();
  private final Stretch stretch = new Stretch();
  private final long[] values = new long[2];
  private Call call;
  private int member;
  private long operator; // its number, and that of the kind of elements, as in a header
  private int element; // bytes; pieces have whole ones
  private Payload near; // what is put, or the operands; null: nothing is
  private Payload result; // what is filled; null: nothing is
  private long at; // in the member's memory
  private long bytes;
  private Typed far; // elements there; null: bytes, one after the other
  private boolean awaited; // by a call that returns when it is over
  private boolean queued; // in the queue of its member
  private boolean isCut; // no more pieces are made
  private long cut; // bytes that pieces were made for
  private int outstanding; // pieces that are not over
  private boolean complete;
  private RuntimeException failure; // null: there is none
  private int check; // number of the last check of its member

  EmulatedAccess next; // in the queue of its member, or in the pool

  EmulatedAccess(Owner<EmulatedAccess> owner) {
    this.owner = owner;
  }

  // What it is

  /**
   * Describes an access without elements of a datatype, or any data. What is said of contiguous memory is copied, so
   * that the caller may describe other memory by the same object when this returns.
   *
   * @param near what is put, or the operands; null: nothing is
   * @param result what is filled; null: nothing is
   * @param at in the member's memory, in bytes
   * @param bytes there
   */
  void describe(Call call, int member, Payload near, Payload result, long at, long bytes) {
    this.call = call;
    this.member = member;
    this.near = copy(near, nearMemory);
    this.result = copy(result, resultMemory);
    this.at = at;
    this.bytes = bytes;
    this.operator = 0;
    this.element = 1;
    this.far = null;
    this.awaited = false;
    this.isCut = false;
    this.cut = 0;
    this.complete = false;
    this.failure = null;
  }

  private static Payload copy(Payload payload, Contiguous own) {
    return payload instanceof Contiguous one ? own.set(one.memory(), one.offset(), one.bytes()) : payload;
  }

  /** It is about elements of a datatype at the member, by the place of the first one. */
  void elements(Typed elements) {
    far = elements;
    farCursor.begin(bytes);
  }

  /** It combines elements of so many bytes. */
  void combines(long operator, int element) {
    this.operator = operator;
    this.element = element;
  }

  /** What an access to one element brings along. */
  void values(long first, long second) {
    values[0] = first;
    values[1] = second;
  }

  /** What was there, of an access to one element. */
  long value() {
    return values[0];
  }

  int member() {
    return member;
  }

  Call call() {
    return call;
  }

  /** A call waits for it, which leaves nothing behind: memory of the caller is in use until it is over. */
  void await() {
    awaited = true;
  }

  boolean isAwaited() {
    return awaited;
  }

  // Its pieces

  /** It is in the queue of its member; the memory of the program is kept as it is until the access is complete. */
  void begin() {
    queued = true;
    if (near != null) {
      near.retain();
      nearCursor.begin(near.bytes());
    }
    if (result != null) {
      result.retain();
      resultCursor.begin(result.bytes());
    }
  }

  boolean isCut() {
    return isCut;
  }

  /** Whether its messages are answered. */
  boolean isAnswered() {
    return call != Call.PUT && call != Call.ACCUMULATE;
  }

  /** Whether all of it goes in one message, whose data comes or goes where it lies. */
  private boolean isWhole() {
    return switch (call) {
      case PUT, GET -> far == null;
      case ACCUMULATE, GET_ACCUMULATE -> false;
      default -> true;
    };
  }

  /**
   * Makes the next piece: what its message says and brings, and where the data of the answer goes.
   *
   * @param header with what it is about, but for the tag
   */
  void cut(WindowMessages.Piece piece, long[] header) {
    header[WindowMessages.AT] = at + (far == null ? cut : 0);
    header[WindowMessages.OPERATOR] = operator;
    header[WindowMessages.BLOCKS] = 0;
    header[WindowMessages.VALUES] = values[0];
    header[WindowMessages.VALUES + 1] = values[1];
    if (isWhole()) {
      header[WindowMessages.BYTES] = bytes;
      piece.is(cut, near, result);
      isCut = true;
    } else {
      cutData(piece, header);
    }
    outstanding++;
  }

  private void cutData(WindowMessages.Piece piece, long[] header) {
    long most = PIECE - PIECE % element;
    int head = 0;
    long some = Math.min(most, bytes - cut);
    if (far != null) {
      head = describeBlocks(piece.staged(), most, header);
      some = header[WindowMessages.BYTES];
    }
    header[WindowMessages.BYTES] = some;
    Payload message;
    if (near == null) {
      message = head == 0 ? null : piece.message(piece.staged(), 0, head);
    } else if (head == 0 && near instanceof Contiguous one) {
      message = piece.message(one.memory(), one.offset() + cut, some);
    } else {
      near.pack(nearCursor, piece.staged(), head, some);
      message = piece.message(piece.staged(), 0, head + some);
    }
    Payload to = null;
    if (result != null) {
      to = result instanceof Contiguous one ? piece.answer(one.memory(), one.offset() + cut, some)
          : piece.answer(piece.results(), 0, some);
    }
    piece.is(cut, message, to);
    cut += some;
    isCut = cut == bytes;
  }

  /** Lists the next blocks of the member's memory, and moves on behind them; returns the bytes of the list. */
  private int describeBlocks(MemorySegment staged, long most, long[] header) {
    long data = 0;
    int blocks = 0;
    while (blocks < MOST_BLOCKS && data < most && farCursor.position() < bytes) {
      far.stretch(farCursor, stretch);
      long some = Math.min(most - data, stretch.bytes());
      staged.set(LONG, (long) blocks * BLOCK_BYTES, stretch.offset());
      staged.set(LONG, (long) blocks * BLOCK_BYTES + Long.BYTES, some);
      far.seek(farCursor, farCursor.position() + some);
      data += some;
      blocks++;
    }
    stretch.clear();
    header[WindowMessages.BYTES] = data;
    header[WindowMessages.BLOCKS] = blocks;
    return blocks * BLOCK_BYTES;
  }

  /** The answer to a piece is there. */
  void answered(WindowMessages.Piece piece, long first) {
    values[0] = first;
    if (failure == null && result != null && piece.isStaged()) {
      result.seek(resultCursor, piece.at());
      result.unpack(resultCursor, piece.results(), 0, piece.bytes());
    }
  }

  /** It has left the queue. */
  void leaveQueue() {
    queued = false;
    settle();
  }

  /** A piece is over; the last one completes the access. */
  void pieceOver() {
    outstanding--;
    settle();
  }

  /** It fails once nothing of it is under way. */
  void fail(RuntimeException cause) {
    if (!complete) {
      failure = failure == null ? cause : failure;
      isCut = true;
      settle();
    }
  }

  /** Memory of one of its ends cannot be used any more. */
  void loseMemory(RuntimeException cause) {
    fail(new AdrasteaException("the memory of a %s cannot be used any more: %s".formatted(this, cause.getMessage()),
        cause));
  }

  private void settle() {
    if (!complete && isCut && !queued && outstanding == 0) {
      complete = true;
      if (near != null) {
        near.release();
      }
      if (result != null) {
        result.release();
      }
    }
  }

  int outstanding() {
    return outstanding;
  }

  /** Drops all that it refers to, before it goes to the pool. */
  void forget() {
    near = null;
    result = null;
    nearMemory.set(MemorySegment.NULL, 0, 0);
    resultMemory.set(MemorySegment.NULL, 0, 0);
    far = null;
    failure = null;
  }

  // What a request asks

  /** Whether its member was not checked in the check of that number, which it is now. */
  boolean enterCheck(int number) {
    boolean isNew = check != number;
    check = number;
    return isNew;
  }

  @Override
  public <T> void start(Outcome<T> outcome, T subject) {
    owner.start(this, outcome, subject);
  }

  @Override
  public boolean isComplete() {
    return complete;
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
  public RuntimeException failure() {
    return failure;
  }

  @Override
  public boolean isCancelled() {
    return false;
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

  @Override
  public String toString() {
    return call == Call.FLUSH ? "flush at rank %d of a window".formatted(member)
        : "%s of %d bytes at rank %d of a window, %d pieces under way".formatted(call.words(), bytes, member,
            outstanding);
  }
}
