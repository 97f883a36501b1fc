package io.adrastea.engine.window;

import io.adrastea.coll.ElementKind;
import io.adrastea.coll.Operator;
import io.adrastea.engine.active.ActiveEnding;
import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Typed;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * What a rank asks other members of a window to do in their memory, where it does not reach that itself: accesses that
 * go out in pieces, several of them under way at a time, and what comes back. Accesses to one member keep their order.
 * It knows to which members something was sent that is not known to be done.
 *
 * <p>
 * Calls enter the gate by themselves, but where it says otherwise.
 */
final class WindowMessages implements Pending.Owner<EmulatedAccess> {
  /** What is asked for. The number stands in messages. */
  enum Call {
    PUT, GET, ACCUMULATE, GET_ACCUMULATE,
    /** About one element, for which the header has room. */
    FETCH_AND_OP, COMPARE_AND_SWAP, FLUSH,
    /** The answer to any of them. */
    REPLY;

    private static final Call[] ALL = values();

    String words() {
      return switch (this) {
        case GET_ACCUMULATE -> "getAccumulate";
        case FETCH_AND_OP -> "fetchAndOp";
        case COMPARE_AND_SWAP -> "compareAndSwap";
        default -> name().toLowerCase(Locale.ROOT);
      };
    }

    static Call of(long number) {
      return number >= 0 && number < ALL.length ? ALL[(int) number] : null;
    }
  }

  // The words of a header
  static final int WHAT = 0; // the window in the lower half, the call in the upper one
  static final int AT = 1; // in bytes
  static final int BYTES = 2; // of data
  static final int OPERATOR = 3; // its number, and that of the kind of elements in bits 15-8
  static final int TAG = 4; // of the answer
  static final int BLOCKS = 5; // which head the payload; 0: the data is contiguous at AT
  static final int VALUES = 6; // up to two words: what is expected and desired, or what was there
  static final int WORDS = 8;

  /** The most bytes of a message that is more than a copy to one place. */
  static final int MOST_STAGED = EmulatedAccess.MOST_BLOCKS * EmulatedAccess.BLOCK_BYTES + EmulatedAccess.PIECE;

  private static final int MOST_UNDER_WAY = 8; // pieces of one access
  private static final MemorySegment NO_ROOM = MemorySegment.NULL;
  private static final Payload NOTHING = new Contiguous();

  private final Gate gate;
  private final Waits waits;
  private final Liveness liveness;
  private final Movement movement;
  private final ActiveMessages active;
  private final Members members;
  private final int window;
  private final boolean mayAsk; // a member is reached by its handler, or by CMA
  private final Consumer<WindowMessages> holdsBack; // is told where a queue is left for the steps of progress
  private final Runnable wakeThread;
  private final boolean[] unflushed; // by member: something was asked for that may not be over there
  private final EmulatedAccess[] first; // by member: accesses of which pieces are to be made, the oldest first
  private final EmulatedAccess[] last;
  private int queues; // members that have such accesses
  private int piecesUnderWay;
  private final List<Piece> pieces = new ArrayList<>(); // by tag
  private final long[] header = new long[WORDS];
  private EmulatedAccess spent; // linked
  private final NoneUnderWay noneUnderWay = new NoneUnderWay();

  /**
   * A message of an access, and the answer to it, if there is one. It is over when its memory was read and its answer
   * is there. Reused.
   */
  final class Piece implements ActiveEnding {
    private final int tag;
    private final Contiguous message = new Contiguous();
    private final Contiguous answer = new Contiguous();
    private MemorySegment staged = NO_ROOM;
    private MemorySegment results = NO_ROOM;
    private EmulatedAccess access; // null: it is free
    private Payload payload;
    private Payload to; // where the data of the answer goes; null: none comes
    private long at; // of its data in that of the access
    private boolean isSent;
    private boolean isAnswered; // or nobody answers

    Piece(int tag) {
      this.tag = tag;
    }

    /** Room for a list of blocks and data. */
    MemorySegment staged() {
      if (staged == NO_ROOM) {
        staged = MemorySegment.ofArray(new long[MOST_STAGED / Long.BYTES]);
      }
      return staged;
    }

    /** Room for the data of an answer. */
    MemorySegment results() {
      if (results == NO_ROOM) {
        results = MemorySegment.ofArray(new long[EmulatedAccess.PIECE / Long.BYTES]);
      }
      return results;
    }

    Payload message(MemorySegment memory, long offset, long bytes) {
      return message.set(memory, offset, bytes);
    }

    Payload answer(MemorySegment memory, long offset, long bytes) {
      return answer.set(memory, offset, bytes);
    }

    /** What it brings, and where its answer goes. */
    void is(long at, Payload payload, Payload to) {
      this.at = at;
      this.payload = payload == null ? NOTHING : payload;
      this.to = to;
    }

    long at() {
      return at;
    }

    long bytes() {
      return answer.bytes();
    }

    /** Whether its answer comes to room of its own. */
    boolean isStaged() {
      return to == answer && answer.memory() == results;
    }

    @Override
    public void ended(RuntimeException failure) {
      isSent = true;
      if (failure != null) {
        access.fail(failure);
        isAnswered = true;
      }
      settle();
    }

    void answered(RuntimeException failure, long value) {
      isAnswered = true;
      if (failure != null) {
        access.fail(failure);
      } else {
        boolean interrupted = CopyInterrupt.isPending();
        try {
          access.answered(this, value);
        } catch (IllegalStateException | WrongThreadException e) {
          CopyInterrupt.forget(interrupted, e);
          access.loseMemory(e);
        }
      }
      settle();
    }

    /** Nobody answers any more. */
    void giveUp() {
      isAnswered = true;
      settle();
    }

    private void settle() {
      if (isSent && isAnswered) {
        EmulatedAccess of = access;
        free();
        of.pieceOver();
      }
    }

    private void free() {
      piecesUnderWay--;
      access = null;
      payload = null;
      to = null;
      message.set(MemorySegment.NULL, 0, 0);
      answer.set(MemorySegment.NULL, 0, 0);
    }
  }

  /**
   * @param holdsBack is told, inside the gate, where {@link #step} is to be asked from now on
   * @param wakeThread is run when there is something for the progress thread
   */
  WindowMessages(Resources resources, Waits waits, ActiveMessages active, Members members, int window,
      boolean mayAsk, Consumer<WindowMessages> holdsBack, Runnable wakeThread) {
    this.gate = resources.gate();
    this.waits = waits;
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.active = active;
    this.members = members;
    this.window = window;
    this.mayAsk = mayAsk;
    this.holdsBack = holdsBack;
    this.wakeThread = wakeThread;
    int size = members.numbering().size();
    this.unflushed = new boolean[size];
    this.first = new EmulatedAccess[size];
    this.last = new EmulatedAccess[size];
  }

  private int jobRank(int member) {
    return members.numbering().jobRank(member);
  }

  // Accesses

  /**
   * Copies to or from a member's memory.
   *
   * @param near data of this rank
   * @param at in bytes, of the first byte or of the origin of the first element
   * @param far elements there; null: bytes, one after the other
   * @param in from the member to this rank
   * @param isAwaited whether it is over when this returns; else a request tells of it
   * @return what is not over; null: nothing
   */
  Pending copy(Payload near, int member, long at, Typed far, boolean in, boolean isAwaited) {
    gate.enter();
    try {
      EmulatedAccess access = take();
      access.describe(in ? Call.GET : Call.PUT, member, in ? null : near, in ? near : null, at, near.bytes());
      if (far != null) {
        access.elements(far);
      }
      return go(access, isAwaited);
    } finally {
      gate.exit();
    }
  }

  /**
   * Combines elements of a member's memory; parameters and result beside these as of {@link #copy}.
   *
   * @param near operands; null: the operator reads none
   * @param result where goes what was there; null: nobody wants it
   */
  Pending accumulate(Operator op, ElementKind kind, Payload near, Payload result, int member, long at, Typed far,
      long bytes, boolean isAwaited) {
    gate.enter();
    try {
      EmulatedAccess access = take();
      access.describe(result == null ? Call.ACCUMULATE : Call.GET_ACCUMULATE, member, near, result, at, bytes);
      access.combines(word(op, kind), kind.bytes());
      if (far != null) {
        access.elements(far);
      }
      return go(access, isAwaited);
    } finally {
      gate.exit();
    }
  }

  private static long word(Operator op, ElementKind kind) {
    return op.number() | kind.number() << Byte.SIZE;
  }

  /** Changes one element of a member's memory; gives what was there. Elements are told by their bits. */
  long change(Call call, Operator op, ElementKind kind, long firstValue, long secondValue, int member, long at) {
    gate.enter();
    try {
      EmulatedAccess access = take();
      access.describe(call, member, null, null, at, kind.bytes());
      access.combines(word(op, kind), kind.bytes());
      access.values(firstValue, secondValue);
      complete(access);
      long was = access.value();
      give(access);
      return was;
    } finally {
      gate.exit();
    }
  }

  private EmulatedAccess take() {
    EmulatedAccess access = spent;
    if (access == null) {
      return new EmulatedAccess(this);
    }
    spent = access.next;
    access.next = null;
    return access;
  }

  private void give(EmulatedAccess access) {
    access.forget();
    access.next = spent;
    spent = access;
  }

  private Pending go(EmulatedAccess access, boolean isAwaited) {
    if (isAwaited) {
      complete(access);
    } else {
      begin(access);
      if (!access.isComplete() || access.failure() != null) {
        return access;
      }
    }
    give(access);
    return null;
  }

  /** Begins an access, waits for its end, and throws its failure, behind which it is free. */
  private void complete(EmulatedAccess access) {
    access.await();
    begin(access);
    if (!access.isComplete()) {
      waits.await(this, access, waits.beginWait(jobRank(access.member())));
    }
    RuntimeException failure = access.failure();
    if (failure != null) {
      give(access);
      throw failure;
    }
  }

  /** Accesses to one member go out in their order: those behind one that has pieces left wait in a queue. */
  private void begin(EmulatedAccess access) {
    int member = access.member();
    unflushed[member] |= !access.isAwaited() || !access.isAnswered();
    access.begin();
    if (first[member] == null) {
      first[member] = access;
      queues++;
    } else {
      last[member].next = access;
    }
    last[member] = access;
    advance(member);
    if (first[member] != null) {
      holdsBack.accept(this);
    }
    if (!access.isComplete()) {
      wakeThread.run();
    }
  }

  /** Makes pieces for a member as far as few enough are under way; whether any was made. */
  private boolean advance(int member) {
    boolean any = false;
    for (EmulatedAccess access = first[member]; access != null; access = first[member]) {
      while (!access.isCut() && access.outstanding() < MOST_UNDER_WAY) {
        send(access);
        any = true;
      }
      if (!access.isCut()) {
        return any;
      }
      first[member] = access.next;
      access.next = null;
      if (first[member] == null) {
        queues--;
      }
      access.leaveQueue();
    }
    return any;
  }

  private void send(EmulatedAccess access) {
    Piece piece = freePiece();
    piecesUnderWay++;
    piece.access = access;
    piece.isSent = false;
    piece.isAnswered = !access.isAnswered();
    header[WHAT] = Integer.toUnsignedLong(window) | (long) access.call().ordinal() << Integer.SIZE;
    header[TAG] = piece.tag;
    boolean interrupted = CopyInterrupt.isPending();
    try {
      access.cut(piece, header);
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      piece.free();
      access.loseMemory(e);
      return;
    }
    boolean posted = false;
    try {
      active.post(members, jobRank(access.member()), Windows.TYPE, header, piece.payload, piece);
      posted = true;
    } finally {
      if (!posted && piece.access == access) { // there is no memory, or the shared memory is corrupt: nothing of the
                                               // piece was sent
        access.fail(new AdrasteaException("a %s could not go on".formatted(access)));
        piece.isSent = true;
        piece.giveUp();
      }
    }
  }

  private Piece freePiece() {
    for (int tag = 0; tag < pieces.size(); tag++) {
      if (pieces.get(tag).access == null) {
        return pieces.get(tag);
      }
    }
    Piece piece = new Piece(pieces.size());
    pieces.add(piece);
    return piece;
  }

  /** Whether no access waits for others of its own to be over. */
  boolean isIdle() {
    return queues == 0;
  }

  /** Goes on with accesses that have pieces left; whether any went out. */
  boolean step() {
    boolean any = false;
    for (int member = 0; queues != 0 && member < first.length; member++) {
      any |= first[member] != null && advance(member);
    }
    return any;
  }

  // Completion at the members

  /** Begins a flush of a member, behind all that was asked for before; null: nothing is to be flushed there. */
  private EmulatedAccess beginFlush(int member) {
    if (!unflushed[member]) {
      return null;
    }
    EmulatedAccess flush = take();
    flush.describe(Call.FLUSH, member, null, null, 0, 0);
    flush.await();
    begin(flush);
    unflushed[member] = false; // also where the member is gone: it does nothing any more
    return flush;
  }

  /** Waits until a flush is over; its failure, if its member is gone; null: it has done what it is for. */
  private RuntimeException awaitFlush(EmulatedAccess flush) {
    if (!flush.isComplete()) {
      waits.await(this, flush, waits.beginWait(jobRank(flush.member())));
    }
    RuntimeException failure = flush.failure();
    give(flush);
    return failure;
  }

  /** Waits until what this rank has asked a member for is done there, and here. */
  void flush(int member) {
    if (!mayAsk) {
      return;
    }
    gate.enter();
    try {
      EmulatedAccess flush = beginFlush(member);
      RuntimeException failure = flush == null ? null : awaitFlush(flush);
      if (failure != null) {
        throw failure;
      }
    } finally {
      gate.exit();
    }
  }

  /** Waits until all that was asked for is done, or its member is gone, which is thrown behind that. */
  void flushAll() {
    if (!mayAsk) {
      return;
    }
    gate.enter();
    try {
      EmulatedAccess[] flushes = null;
      for (int member = 0; member < unflushed.length; member++) {
        EmulatedAccess flush = beginFlush(member);
        if (flush != null) {
          flushes = flushes == null ? new EmulatedAccess[unflushed.length] : flushes;
          flushes[member] = flush;
        }
      }
      RuntimeException failure = null;
      for (int member = 0; flushes != null && member < flushes.length; member++) {
        RuntimeException one = flushes[member] == null ? null : awaitFlush(flushes[member]);
        failure = failure == null ? one : failure;
      }
      if (failure != null) {
        throw failure;
      }
    } finally {
      gate.exit();
    }
  }

  /** Waits until no memory of this rank's program is used by an access any more. */
  void awaitAll() {
    if (!mayAsk) {
      return;
    }
    gate.enter();
    try {
      if (!noneUnderWay.isMet(this, 1)) {
        waits.await(noneUnderWay, this, waits.beginWait(Operation.ANY));
      }
    } finally {
      gate.exit();
    }
  }

  // What comes back, inside the gate

  /** Where the data of an answer goes; null: nobody waits for it. */
  Payload answered(int source, long[] header) {
    Piece piece = piece(source, header);
    return piece == null ? null : piece.to == null ? ActiveHandler.NO_MEMORY : piece.to;
  }

  private Piece piece(int source, long[] header) {
    long tag = header[TAG];
    Piece piece = tag >= 0 && tag < pieces.size() ? pieces.get((int) tag) : null;
    boolean isAwaited = piece != null && piece.access != null && !piece.isAnswered
        && jobRank(piece.access.member()) == source;
    return isAwaited ? piece : null;
  }

  /** All of an answer is there, or it has failed. */
  void finished(int source, long[] header, RuntimeException failure) {
    Piece piece = piece(source, header);
    if (piece != null) {
      piece.answered(failure, header[VALUES]);
    }
  }

  // What becomes of accesses that were started

  /** Each is made once. */
  @Override
  public <T> void start(EmulatedAccess access, Pending.Outcome<T> outcome, T subject) {
    throw new UnsupportedOperationException("an access to a window is not persistent; start another one");
  }

  @Override
  public <T> boolean poll(EmulatedAccess access, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      boolean isOver = access.isComplete() || completes(access);
      if (isOver) {
        end(access, outcome, subject);
      }
      return isOver;
    } finally {
      gate.exit();
    }
  }

  /** Moves things on; whether an access is complete then. */
  private boolean completes(EmulatedAccess access) {
    waits.step();
    if (!access.isComplete() && access.enterCheck(waits.pollInVain())) {
      waits.check(this, access);
    }
    return access.isComplete();
  }

  @Override
  public <T> void finish(EmulatedAccess access, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      if (!access.isComplete()) {
        settle(access, nanos);
      }
      end(access, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private void settle(EmulatedAccess access, long nanos) {
    Waiter waiter = waits.beginWait(jobRank(access.member()));
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    try {
      waits.await(this, access, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  /** It goes on in any case. */
  @Override
  public <T> void finishOrWithdraw(EmulatedAccess access, long nanos, Pending.Outcome<T> outcome, T subject) {
    finish(access, nanos, outcome, subject);
  }

  @Override
  public boolean withdraw(EmulatedAccess access) {
    throw new UnsupportedOperationException(
        "an access to a window cannot be cancelled, since its target may be at it; await or test its request");
  }

  /** Ends an access that is complete, once what has become of it is kept. */
  private <T> void end(EmulatedAccess access, Pending.Outcome<T> outcome, T subject) {
    outcome.keep(subject, access);
    give(access);
  }

  @Override
  public boolean isMet(EmulatedAccess access, int polls) {
    return access.isComplete();
  }

  @Override
  public int missing(EmulatedAccess access) {
    return access.isComplete() ? NONE : liveness.missing(jobRank(access.member()));
  }

  /** All that its member was asked for fails: it answers nothing any more. What has not gone out fails by itself. */
  @Override
  public void fail(EmulatedAccess access, int lost) {
    int member = access.member();
    for (EmulatedAccess queued = first[member]; queued != null; queued = queued.next) {
      lose(queued, lost);
    }
    for (int tag = 0; tag < pieces.size(); tag++) {
      Piece piece = pieces.get(tag);
      if (piece.access != null && piece.access.member() == member) {
        lose(piece.access, lost);
        piece.giveUp();
      }
    }
    advance(member);
  }

  private void lose(EmulatedAccess access, int lost) {
    if (!access.isComplete()) {
      access.fail(liveness.failure(members, lost, access));
    }
  }

  @Override
  public long moves(EmulatedAccess access) {
    return movement.ofMessages(jobRank(access.member()));
  }

  @Override
  public Waiting waiting(EmulatedAccess access) {
    return new Waiting(RankEntryDescriptor.IN_WINDOW, jobRank(access.member()), 0);
  }

  @Override
  public String words(EmulatedAccess access) {
    return "for the %s in %s".formatted(access, members.label());
  }

  /**
   * An interrupt does not end the wait of a call that returns when its access is over: memory of the caller is in use
   * until then, and an epoch that had not ended for it would keep its lock from all others. Those of a request end.
   */
  @Override
  public boolean endures(EmulatedAccess access) {
    return access.isAwaited();
  }

  @Override
  public boolean losesNothing(EmulatedAccess access) {
    return !access.isAwaited();
  }

  /** No access is under way: one after the other they end, or their members are gone. */
  private final class NoneUnderWay implements Condition<WindowMessages> {
    @Override
    public boolean isMet(WindowMessages messages, int polls) {
      return queues == 0 && piecesUnderWay == 0;
    }

    /** The first one of an access that is under way, and gone. */
    @Override
    public int missing(WindowMessages messages) {
      for (Piece piece : pieces) {
        int gone = piece.access == null ? NONE : WindowMessages.this.missing(piece.access);
        if (gone != NONE) {
          return gone;
        }
      }
      return NONE;
    }

    @Override
    public void fail(WindowMessages messages, int lost) {
      for (int tag = 0; tag < pieces.size(); tag++) {
        EmulatedAccess access = pieces.get(tag).access;
        if (access != null && jobRank(access.member()) == lost) {
          WindowMessages.this.fail(access, lost);
        }
      }
    }

    @Override
    public long moves(WindowMessages messages) {
      return movement.ofMessages(Operation.ANY);
    }

    @Override
    public Waiting waiting(WindowMessages messages) {
      return new Waiting(RankEntryDescriptor.IN_WINDOW, Operation.ANY, 0);
    }

    @Override
    public String words(WindowMessages messages) {
      return "for accesses to %s".formatted(members.label());
    }

    @Override
    public boolean endures(WindowMessages messages) {
      return true;
    }
  }
}
