package io.adrastea.engine.operation;

import io.adrastea.engine.group.Members;
import io.adrastea.error.AdrasteaException;
import io.adrastea.payload.Contiguous;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.transfer.Transfer;
import java.lang.foreign.MemorySegment;

/**
 * A send or receive on its way. Pooled, and linked into the list that it waits in. It keeps the caller's memory
 * reachable until it is over.
 *
 * <p>
 * Life: idle → active (posted, or pending, or partly moved) → complete. A persistent operation goes through it again
 * and again.
 */
public abstract sealed class Operation implements Pending, Transfer.Owner permits Send, Receive {
  /** Any source, any tag. */
  public static final int ANY = -1;

  /** No rank: what goes there is dropped, and what comes from there is empty. */
  public static final int NO_RANK = -2;

  /** What an operation does. */
  public enum Kind {
    SEND,
    /** A send that is complete only when a receive has matched it. */
    SYNCHRONOUS_SEND, RECEIVE
  }

  private enum State {
    IDLE, ACTIVE, COMPLETE
  }

  /** The caller's object for a message in place, or for the room of one. */
  public interface View {
    /** The memory belongs to the view no longer: its rank has left the job. */
    void lost();
  }

  /** Carries the bytes of large messages, and sees to what follows when they are there. */
  public interface Carrier {
    /** The transfer of an operation is over. */
    void finished(Operation operation, Transfer transfer);
  }

  private final Owner<Operation> owner; // null: no request tells of it
  private boolean persistent; // else it goes back to the pool
  private Members members;
  private int peer;
  private long match;
  private boolean inPlace;
  private final Contiguous own = new Contiguous(); // its payload, unless the caller brings one
  private Payload payload = own;
  private final Cursor cursor = new Cursor();
  private boolean awaited;

  private State state = State.IDLE;
  private boolean begun; // a piece was sent, or a message was matched
  private boolean abandoned; // the buffer failed in the middle: the rest is dropped, or called off
  private boolean cancelled;
  private RuntimeException failure;
  private int check; // number of the last check of its peer
  private Transfer transfer; // of a large message, once its RTS is sent or matched; null: there is none
  private Carrier carrier; // of that transfer
  private View view; // kept through the pool

  Operation previous; // in the list that it waits in
  Operation next;

  Operation(Owner<Operation> owner) {
    this.owner = owner;
  }

  /** It stays its caller's when it is complete, and is started again. */
  void persist() {
    persistent = true;
  }

  /** Whether it stays its caller's, and never goes to the pool. */
  public final boolean isPersistent() {
    return persistent;
  }

  @Override
  public final <T> void start(Outcome<T> outcome, T subject) {
    owner.start(this, outcome, subject);
  }

  @Override
  public final <T> boolean poll(Outcome<T> outcome, T subject) {
    return owner.poll(this, outcome, subject);
  }

  @Override
  public final <T> void finish(long nanos, Outcome<T> outcome, T subject) {
    owner.finish(this, nanos, outcome, subject);
  }

  @Override
  public final <T> void finishOrWithdraw(long nanos, Outcome<T> outcome, T subject) {
    owner.finishOrWithdraw(this, nanos, outcome, subject);
  }

  @Override
  public final boolean withdraw() {
    return owner.withdraw(this);
  }

  @Override
  public final int missing() {
    return owner.missing(this);
  }

  @Override
  public final void fail(int gone) {
    owner.fail(this, gone);
  }

  @Override
  public final long moves() {
    return owner.moves(this);
  }

  /**
   * What is asked for; the mask holds the bits of the match word that matter to a receive.
   *
   * @param members of the communicator that asks, by whose numbers ranks are told
   * @param peer job rank, or any
   */
  public void ask(Members members, int peer, long match, long mask) {
    this.members = members;
    this.peer = peer;
    this.match = match;
  }

  /** It is about {@code length} bytes of contiguous memory. */
  public final void describe(MemorySegment memory, long offset, long length) {
    inPlace = false;
    lies(memory, offset, length);
  }

  /** It is about a payload, which is not to be changed from {@link #activate} until it is complete. */
  public final void describe(Payload payload) {
    inPlace = false;
    this.payload = payload;
    cursor.begin(payload.bytes());
  }

  /**
   * A receive that leaves its message where it lies, or a send with room for {@code length} bytes that the caller fills
   * in. The memory is known later.
   */
  public final void describeInPlace(long length) {
    inPlace = true;
    lies(null, 0, length);
  }

  public void activate() {
    state = State.ACTIVE;
    begun = false;
    abandoned = false;
    cancelled = false;
    transfer = null;
    failure = null;
    if (payload != own) { // else nobody else has it
      payload.retain();
    }
    cursor.begin(payload.bytes());
  }

  /** A piece of it is out, or a message has matched it. */
  public final void begin() {
    begun = true;
  }

  public final void complete() {
    if (payload != own && state == State.ACTIVE) {
      payload.release();
    }
    state = State.COMPLETE;
  }

  /** Its peer is no rank: it is over, and nothing has moved. */
  public void completeWithNobody() {
    complete();
  }

  public final void fail(RuntimeException cause) {
    failure = cause;
    complete();
  }

  public void cancel() {
    cancelled = true;
    complete();
  }

  /** What is left of the message is dropped or called off, and the operation fails when that is done. */
  public final void abandon(RuntimeException failure) {
    this.abandoned = true;
    this.failure = failure;
  }

  public final void loseBuffer(RuntimeException cause) {
    abandon(
        new AdrasteaException(
            "the buffer of a %s cannot be used any more: %s".formatted(this, cause.getMessage()), cause));
  }

  /** Makes a complete persistent operation idle. */
  public final void end() {
    failure = null;
    state = State.IDLE;
  }

  /** Drops all that it refers to, before it goes to the pool. */
  void forget() {
    state = State.IDLE;
    transfer = null;
    failure = null;
    awaited = false;
    dropMemory();
  }

  /** In place: the message, or the room for it, lies in {@code memory} at {@code offset}. */
  public final void lies(MemorySegment memory, long offset, long length) {
    payload = own.set(memory, offset, length);
    cursor.begin(length);
  }

  /** In place, and complete: the message is another one, in the same memory. */
  final void liesAt(long offset, long length) {
    own.move(offset, length);
  }

  /** Drops what the caller owns. */
  public final void dropMemory() {
    payload = own.set(null, 0, 0);
  }

  /** In place: where the message, or the room for it, lies; null: it is still to be found. */
  public final MemorySegment memory() {
    return own.memory();
  }

  /** In place: where in that memory it begins. */
  public final long offset() {
    return own.offset();
  }

  /** Whether the caller reads or fills in the message where it lies. */
  public final boolean isInPlace() {
    return inPlace;
  }

  /** Whether it is in place and its memory is still to be found. */
  public final boolean isWithoutMemory() {
    return inPlace && own.memory() == null;
  }

  public final long match() {
    return match;
  }

  public final Payload payload() {
    return payload;
  }

  public final Cursor cursor() {
    return cursor;
  }

  /** Somebody else has moved the first {@code bytes} bytes. */
  public final void moveTo(long bytes) {
    payload.seek(cursor, bytes);
  }

  public final boolean isBegun() {
    return begun;
  }

  public final boolean isAbandoned() {
    return abandoned;
  }

  @Override
  public final RuntimeException failure() {
    return failure;
  }

  public final Transfer transfer() {
    return transfer;
  }

  public final void transfer(Transfer transfer) {
    this.transfer = transfer;
  }

  /** Its bytes go by a transfer; the carrier hears when that is over. */
  public final void carriedBy(Carrier carrier, Transfer transfer) {
    this.carrier = carrier;
    this.transfer = transfer;
  }

  @Override
  public final void finished(Transfer over) {
    carrier.finished(this, over);
  }

  /** A thread waits for it inside a call. */
  public final void await() {
    awaited = true;
  }

  public final boolean isAwaited() {
    return awaited;
  }

  /** Whether its peer was not checked in the check of that number, which it is now. */
  public final boolean enterCheck(int number) {
    boolean isNew = check != number;
    check = number;
    return isNew;
  }

  /** The caller's object for a message in place; null: none was made yet. */
  public final View view() {
    return view;
  }

  public final void view(View view) {
    this.view = view;
  }

  /** Tells the caller's object, if there is one, that the memory is gone. */
  public final void loseView() {
    if (view != null) { // null: the job is closed by one thread while another is about to get it
      view.lost();
    }
  }

  @Override
  public final boolean isComplete() {
    return state == State.COMPLETE;
  }

  public final boolean isActive() {
    return state == State.ACTIVE;
  }

  @Override
  public final boolean isCancelled() {
    return cancelled;
  }

  /** The ranks of the communicator that asks. */
  public final Members members() {
    return members;
  }

  /** The job rank that was asked for. */
  public final int peer() {
    return peer;
  }

  /** How much has moved, in words. */
  final String extent() {
    return "%d of %d bytes".formatted(cursor.position(), cursor.length());
  }
}
