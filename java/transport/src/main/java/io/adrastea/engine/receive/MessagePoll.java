package io.adrastea.engine.receive;

import io.adrastea.core.Batch;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.match.Matching;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.send.Sender;
import io.adrastea.engine.step.Steppers;
import io.adrastea.peers.BatchPoll;
import io.adrastea.peers.Peers;
import io.adrastea.link.Link;

/**
 * Finds the messages of a context that are there, one after the other, for a handler that reads them where they lie:
 * those that nobody has asked for first, in the order of their arrival, then what the links have. Small messages that
 * lie behind each other in a fastbox are found in one crossing ({@link Batch}); everything else is taken in as by any
 * other step, which brings posted receives theirs. Called inside the gate.
 */
public final class MessagePoll {
  private static final int PIECES_BESIDE = 16; // taken in for others before a poll says that it has found nothing
  private static final int TURNS = 16; // of polls that have found something to one look at links without batches
  private static final int EMPTY_TURNS = 4; // that so many make up which have found nothing

  private final Receiver receiver;
  private final Sender sender;
  private final Steppers steppers;
  private final BatchPoll batches; // null: messages are found one at a time
  private final Batch batch;
  private final boolean mixed; // there are links that batches do not poll
  private int turns; // since the last look at those

  public MessagePoll(Peers peers, Receiver receiver, Sender sender, Steppers steppers) {
    this.receiver = receiver;
    this.sender = sender;
    this.steppers = steppers;
    this.batches = receiver.delivery().batches();
    this.batch = receiver.delivery().batch();
    this.mixed = batches != null && peers.isMixed();
  }

  /**
   * Goes on in a batch: its message is over, and the next one is what {@code receive} lies in now. False: nothing has
   * changed, since the batch has no more for this context, or something else was received meanwhile.
   */
  public boolean goOn(Context context, Receive receive) {
    if (!batch.isOpen(receive.batch()) || !batch.isNextWhole()) {
      return false;
    }
    long match = batch.nextMatch();
    if (!isOf(context, match) || !context.matching().isNext(batch.source(), match)) {
      return false;
    }
    batch.goOn();
    receive.goOn(batch);
    return true;
  }

  /** Whether a match word is that of a message of this context which is there with its bytes. */
  private static boolean isOf(Context context, long match) {
    return ((match ^ context.match(Operation.ANY)) & Context.mask(Operation.ANY)) == 0;
  }

  /** Finds the next message for {@code receive}, which is in place and active; false: none is there. */
  public boolean find(Context context, Receive receive) {
    if (!steppers.isIdle()) {
      sender.progress(); // messages that are always there must not keep pending sends waiting
      steppers.step();
    }
    for (int pieces = 0; pieces < PIECES_BESIDE; pieces++) {
      if (receiver.startAnyWhole(receive)) {
        return true;
      }
      if (batches != null) {
        if (isBesideDue()) {
          takeIn(context.matching(), receive, true);
          if (receive.isComplete() || receiver.startAnyWhole(receive)) {
            return true;
          }
        }
        if (CoreStatus.checkedOrAgain(batches.pollBatch(batch)) == Link.AGAIN) {
          turns += mixed ? TURNS / EMPTY_TURNS : 0;
          return false;
        }
        if (isNext(context)) {
          receiver.polled();
          receive.lies(batch);
          return true;
        }
      }
      if (!takeIn(context.matching(), receive, false)) {
        return false;
      }
      if (receive.isComplete()) {
        return true;
      }
    }
    return receiver.startAnyWhole(receive);
  }

  /** Whether the first message of a batch is the next one for a poll of this context. */
  private boolean isNext(Context context) {
    return batch.isWholeInBox()
        && isOf(context, batch.match())
        && receiver.isBetweenMessages(batch.source())
        && context.matching().isNext(batch.source(), batch.match());
  }

  /**
   * Whether it is time to look at links that batches do not poll, however busy that of the batches is: at one poll of
   * many, since a look may take as long as the poll.
   */
  private boolean isBesideDue() {
    if (!mixed || ++turns <= TURNS) {
      return false;
    }
    turns = 0;
    return true;
  }

  /**
   * Takes one piece in, as any step does; it is for {@code receive} if nobody else is first. False: there is none.
   *
   * @param beside whether only links are looked at that batches do not poll
   */
  private boolean takeIn(Matching matching, Receive receive, boolean beside) {
    matching.tryMatch(receive);
    try {
      return beside ? receiver.progressBeside() : receiver.progress(Operation.ANY);
    } finally {
      matching.tryMatch(null);
    }
  }
}
