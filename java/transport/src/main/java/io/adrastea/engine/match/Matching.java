package io.adrastea.engine.match;

import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.OperationList;
import io.adrastea.engine.operation.Receive;
import io.adrastea.transfer.Transfer;
import java.util.List;

/**
 * Which message of a context is for which receive: by source and tag, with wildcards, in MPI's order. Keeps the
 * receives that wait for their message, and the messages that came before their receive, in the order of their arrival.
 *
 * <p>
 * Both lists are searched from their beginning. A search that has passed {@link #MOST_PASSED} without a match goes on
 * in an index of that list by source and tag, which is made then, kept as long as the list is not short again, and
 * never made where receives and messages come in the same order.
 */
public final class Matching {
  static final int MOST_PASSED = 16;

  private final OperationList<Receive> posted = new OperationList<>();
  private PostedIndex postedIndex; // null: no search was long
  private Receive trial; // takes the next message that fits if all of it is there; null: none does

  private UnexpectedMessage first;
  private UnexpectedMessage last;
  private UnexpectedIndex unexpectedIndex; // null: no search was long
  private int waiting; // receives that are posted, and unexpected messages
  private final UnexpectedMessage.Pool spent;

  Matching(UnexpectedMessage.Pool spent) {
    this.spent = spent;
  }

  /**
   * Whether a receive may wait for its message itself, without being posted [MPICH2 2007, 3.3]: no receive posted
   * earlier could match the same message, and none that has come already fits. A receive with a wildcard may not where
   * many are posted: which of them could match the same message is not worth a search.
   */
  public boolean isClear(int source, long match, long mask) {
    return waiting == 0 || !overlapsPosted(source, match, mask) && find(source, match, mask) == null;
  }

  /** Whether neither a receive nor a message waits. */
  public boolean isEmpty() {
    return waiting == 0;
  }

  /** The receive that was posted before all others; null: there is none. */
  public Receive firstPosted() {
    return posted.first();
  }

  /** The first posted receive that waits for a rank that is gone; null: none does. */
  public Receive firstStranded() {
    Receive receive = posted.first();
    while (receive != null && !receive.isStranded()) {
      receive = posted.next(receive);
    }
    return receive;
  }

  /**
   * Whether a message that has come now is the next one of its source for a receiver that takes any: no posted receive
   * is for it, and none of its source has come before that nobody has asked for.
   */
  public boolean isNext(int source, long match) {
    return waiting == 0
        || findPosted(source, match) == null && find(source, match, Context.mask(Operation.ANY)) == null;
  }

  /** Whether a posted receive is the first in turn for whatever comes. */
  public boolean isFirst(Receive receive) {
    return posted.first() == receive;
  }

  public void post(Receive receive) {
    posted.add(receive);
    waiting++;
    if (postedIndex != null) {
      postedIndex.add(receive);
    }
  }

  public void unpost(Receive receive) {
    posted.remove(receive);
    waiting--;
    if (postedIndex != null) {
      postedIndex.remove(receive);
    }
  }

  /** Takes out the posted receive that a message is for; null: nobody has asked for it. */
  public Receive takePosted(int source, long match) {
    Receive receive = findPosted(source, match);
    if (receive != null) {
      unpost(receive);
    }
    return receive;
  }

  private Receive findPosted(int source, long match) {
    Receive receive = posted.first();
    for (int passed = 0; receive != null && !receive.fits(source, match); passed++) {
      if (passed == MOST_PASSED && indexPosted()) {
        return postedIndex.first(source, (int) match);
      }
      receive = posted.next(receive);
    }
    return receive;
  }

  /** Whether the posted receives are indexed now; if there is no memory for that, their list is searched on. */
  private boolean indexPosted() {
    try {
      postedIndex = postedIndex == null ? new PostedIndex(posted) : postedIndex;
      return postedIndex.begin();
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  private boolean overlapsPosted(int source, long match, long mask) {
    if (source != Operation.ANY && Receive.wantedTag(match, mask) != Operation.ANY) {
      return findPosted(source, match) != null;
    }
    Receive receive = posted.first();
    for (int passed = 0; receive != null && !receive.overlaps(source, match, mask); passed++) {
      if (passed == MOST_PASSED) {
        return true;
      }
      receive = posted.next(receive);
    }
    return receive != null;
  }

  /**
   * Lets a receive have the next message that fits, if all of it is there at once and no posted receive takes it.
   *
   * @param receive not posted; null: the trial is over
   */
  public void tryMatch(Receive receive) {
    trial = receive != null && find(receive) != null ? null : receive;
  }

  /**
   * Ends the trial if a message fits, since none behind it may overtake it, and tells whose it was; null: the message
   * does not fit.
   */
  public Receive takeTrial(int source, long match) {
    Receive receive = trial;
    if (receive == null || !receive.fits(source, match)) {
      return null;
    }
    trial = null;
    return receive;
  }

  /** The first unexpected message that fits a receive; null: there is none. */
  public UnexpectedMessage find(Receive receive) {
    return find(receive.peer(), receive.match(), receive.mask());
  }

  /** The first unexpected message that fits, for a caller without an operation; null: there is none. */
  public UnexpectedMessage find(int source, long match, long mask) {
    UnexpectedMessage message = first;
    for (int passed = 0; message != null
        && !Receive.fits(source, match, mask, message.source(), message.match()); passed++) {
      if (passed == MOST_PASSED && indexUnexpected(source, Receive.wantedTag(match, mask))) {
        return unexpectedIndex.first(source, Receive.wantedTag(match, mask));
      }
      message = message.next;
    }
    return message;
  }

  /** Whether the unexpected messages are indexed for this kind of receive; else their list is searched on. */
  private boolean indexUnexpected(int source, int tag) {
    try {
      unexpectedIndex = unexpectedIndex == null ? new UnexpectedIndex() : unexpectedIndex;
      return unexpectedIndex.begin(source, tag, first);
    } catch (OutOfMemoryError e) {
      return false;
    }
  }

  /** The first unexpected message of all; null: there is none. */
  public UnexpectedMessage firstUnexpected() {
    return first;
  }

  /** The one behind {@code message}; null: it is the last. */
  public UnexpectedMessage next(UnexpectedMessage message) {
    return message.next;
  }

  /**
   * Takes out an offer that its sender takes back; null: it is not here. One that a probe has shown stays, as if it was
   * matched: a program that has seen it may rely on receiving it.
   */
  public Transfer takeOffer(int source, int number) {
    UnexpectedMessage message = first;
    while (message != null && !message.isOffer(source, number)) {
      message = message.next;
    }
    if (message == null) {
      return null;
    }
    Transfer transfer = message.transfer();
    remove(message);
    return transfer;
  }

  /** A message has come for which nobody has asked. */
  public UnexpectedMessage add(int source, long match, long messageLength) {
    UnexpectedMessage message = spent.take();
    waiting++;
    message.begin(source, match, messageLength);
    message.previous = last;
    message.next = null;
    if (last == null) {
      first = message;
    } else {
      last.next = message;
    }
    last = message;
    if (unexpectedIndex != null) {
      unexpectedIndex.add(message);
    }
    return message;
  }

  /** An unexpected message goes to its receive. */
  public void remove(UnexpectedMessage message) {
    take(message);
    spent.give(message);
  }

  /** Takes an unexpected message out of the list, to be kept elsewhere. */
  void take(UnexpectedMessage message) {
    waiting--;
    if (message.previous == null) {
      first = message.next;
    } else {
      message.previous.next = message.next;
    }
    if (message.next == null) {
      last = message.previous;
    } else {
      message.next.previous = message.previous;
    }
    message.previous = null;
    message.next = null;
    if (unexpectedIndex != null) {
      unexpectedIndex.remove(message, first);
    }
  }

  /** Null: no search among posted receives was long. */
  PostedIndex postedIndex() {
    return postedIndex;
  }

  /** Null: no search among unexpected messages was long. */
  UnexpectedIndex unexpectedIndex() {
    return unexpectedIndex;
  }

  public void describe(List<String> words) {
    posted.describe(words);
  }
}
