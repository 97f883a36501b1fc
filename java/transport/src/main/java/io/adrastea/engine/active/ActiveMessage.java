package io.adrastea.engine.active;

import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Pending;
import io.adrastea.error.AdrasteaException;
import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;

/**
 * An active message on its way out: it is complete when all of it was given to the link, so that its memory can be used
 * again, or when it has failed. Pooled, and linked into the queue that it waits in.
 */
public final class ActiveMessage implements Pending {
  private enum State {
    UNSENT, BEGUN, COMPLETE
  }

  private final Owner<ActiveMessage> owner;
  private final long[] header = new long[ActiveWord.MOST_WORDS];
  private final Cursor cursor = new Cursor();
  private Members members;
  private int peer;
  private long match;
  private Payload payload;
  private ActiveEnding ending; // of one that goes back to the pool by itself; null: somebody has it
  private State state = State.COMPLETE;
  private boolean cancelled;
  private RuntimeException failure;
  private int check; // number of the last check of its peer

  ActiveMessage next; // in the queue, or in the pool

  ActiveMessage(Owner<ActiveMessage> owner) {
    this.owner = owner;
  }

  void begin(Members members, int peer, int type, long[] words, Payload payload, ActiveEnding ending) {
    this.members = members;
    this.peer = peer;
    this.match = ActiveWord.of(type, words.length);
    System.arraycopy(words, 0, header, 0, words.length);
    this.payload = payload;
    this.ending = ending;
    this.state = State.UNSENT;
    this.cancelled = false;
    this.failure = null;
    payload.retain();
    cursor.begin(payload.bytes());
  }

  /** A piece is out. */
  void sent() {
    state = State.BEGUN;
  }

  /** The rest cannot be read: the message fails once its receiver, if it has seen the beginning, was told. */
  void loseMemory(RuntimeException cause) {
    failure =
        new AdrasteaException(
            "the memory of an %s cannot be used any more: %s".formatted(this, cause.getMessage()), cause);
  }

  void complete() {
    state = State.COMPLETE;
    payload.release();
  }

  void fail(RuntimeException cause) {
    failure = cause;
    complete();
  }

  void cancel() {
    cancelled = true;
    complete();
  }

  /** Drops all that it refers to, before it goes to the pool. */
  void forget() {
    members = null;
    payload = null;
    ending = null;
    failure = null;
  }

  long match() {
    return match;
  }

  long[] header() {
    return header;
  }

  int words() {
    return ActiveWord.words(match);
  }

  Payload payload() {
    return payload;
  }

  Cursor cursor() {
    return cursor;
  }

  int peer() {
    return peer;
  }

  Members members() {
    return members;
  }

  boolean isPosted() {
    return ending != null;
  }

  ActiveEnding ending() {
    return ending;
  }

  boolean isUnsent() {
    return state == State.UNSENT;
  }

  /** Whether its peer was not checked in the check of that number, which it is now. */
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
    return state == State.COMPLETE;
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
    return cancelled;
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
    return "active message of type %d to rank %s, %d of %d bytes".formatted(
        ActiveWord.type(match), members.name(peer), cursor.position(), cursor.length());
  }
}
