package io.adrastea.engine.collective;

import io.adrastea.engine.active.ActiveHandler;
import io.adrastea.engine.active.ActiveMessages;
import io.adrastea.payload.Payload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The agreements by messages of one rank: it hands what comes to the communicator that it is for, also when no thread
 * of this rank is in a call of that communicator. What comes for one that this rank has not made yet is kept until
 * then; for one that it has closed, the sender is told. Called inside the gate.
 */
public final class AgreementMessages implements ActiveHandler {
  /** The type of the active messages. */
  static final int TYPE = 253;

  /** What takes in the messages of one communicator. */
  interface Taker {
    /** The number of its internal context. */
    int number();

    /** How many members it has. */
    int size();

    /** Takes in a message of a rank of the job. */
    void take(int source, long... words);

    /** Finds out about members that this one waits for. */
    void check();
  }

  // What messages say
  static final int VOTE = 1;
  static final int PROPOSE = 2;
  static final int ACCEPT = 3;
  static final int DECIDE = 4;
  static final int ASK = 5; // the coordinator waits for a vote
  static final int CLOSED = 6;
  static final int REVOKED = 7;

  // The words of a message
  static final int COMMUNICATOR = 0; // the number of its internal context
  static final int WHAT = 1;
  static final int SEQUENCE = 2; // the number of the agreement
  static final int KIND = 3; // of a vote the step, of what is proposed or decided its kind
  static final int WORD = 4; // of a vote flags, else what is proposed or decided
  static final int PROPOSER = 5; // the member by which it was proposed
  static final int BEFORE_KIND = 6; // of the decision of the agreement before
  static final int BEFORE_WORD = 7;
  static final int WORDS = 8;

  private final ActiveMessages active;
  private final IntPredicate isOver;
  private final List<Taker> open = new ArrayList<>();
  private final List<Early> early = new ArrayList<>();
  private final long[] answer = new long[WORDS];
  private int most; // members of one communicator

  private record Early(int source, long... words) {}

  /**
   * Makes those of one rank.
   *
   * @param isOver whether this rank has ended the context of that number, and so never makes it again
   */
  public AgreementMessages(ActiveMessages active, IntPredicate isOver) {
    this.active = active;
    this.isOver = isOver;
    active.register(TYPE, this);
  }

  /** A communicator takes what comes for it from now on, and what has come before. */
  void open(Taker taker) {
    open.add(taker);
    most = Math.max(most, taker.size());
    List<Early> all = List.copyOf(early);
    early.clear();
    for (Early one : all) {
      if (one.words[COMMUNICATOR] == taker.number()) {
        taker.take(one.source, one.words);
      } else if (!isOver.test((int) one.words[COMMUNICATOR])) {
        early.add(one);
      }
    }
  }

  /** The communicator is closed. */
  void close(Taker taker) {
    open.remove(taker);
  }

  void post(int peer, long... words) {
    active.post(peer, TYPE, words, NO_MEMORY);
  }

  /** Finds out about those that agreements wait for. */
  public void check() {
    for (int i = 0; i < open.size(); i++) {
      open.get(i).check();
    }
  }

  private Taker find(int number) {
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).number() == number) {
        return open.get(i);
      }
    }
    return null;
  }

  /** Whether the sender of a message waits for an answer. */
  private static boolean wantsAnswer(int what) {
    return what == VOTE || what == PROPOSE || what == ASK;
  }

  @Override
  public void reserve() {
    active.reserve(most);
  }

  @Override
  public Payload begin(int source, long[] header, long length) {
    int number = (int) header[COMMUNICATOR];
    if (find(number) != null || isOver.test(number)) {
      return NO_MEMORY;
    }
    early.add(new Early(source, header.clone()));
    return null;
  }

  @Override
  public void finished(int source, long[] header, Payload memory) {
    Taker taker = find((int) header[COMMUNICATOR]);
    if (taker != null) {
      taker.take(source, header);
    } else if (wantsAnswer((int) header[WHAT])) {
      answer[COMMUNICATOR] = header[COMMUNICATOR];
      answer[WHAT] = CLOSED;
      post(source, answer);
    }
  }

  /** A message without payload is there or is not. */
  @Override
  public void failed(int source, long[] header, Payload memory, RuntimeException cause) {}
}
