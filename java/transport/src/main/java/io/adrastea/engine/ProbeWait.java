package io.adrastea.engine;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.match.UnexpectedMessage;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.receive.Receiver;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Peers;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Condition;
import io.adrastea.wait.Movement;

/**
 * A message is there that a receive would take, and stays there; the receive is not started. Called inside the gate.
 */
final class ProbeWait implements Condition<Receive> {
  private final Peers peers;
  private final Receiver receiver;
  private final Liveness liveness;
  private final Movement movement;

  ProbeWait(Peers peers, Receiver receiver, Liveness liveness, Movement movement) {
    this.peers = peers;
    this.receiver = receiver;
    this.liveness = liveness;
    this.movement = movement;
  }

  /** Whether a message is there; {@code result} tells what. A program that has been told may rely on receiving it. */
  boolean find(Context context, int source, int tag, Receive.Result result) {
    UnexpectedMessage message = context.matching().find(source, context.match(tag), Context.mask(tag));
    if (message == null) {
      return false;
    }
    message.probed();
    result.set(message.source(), (int) message.match(), message.length());
    return true;
  }

  @Override
  public boolean isMet(Receive wanted, int polls) {
    return receiver.matching(wanted).find(wanted.peer(), wanted.match(), wanted.mask()) != null;
  }

  @Override
  public int missing(Receive wanted) {
    return liveness.missing(wanted.members(), wanted.peer());
  }

  @Override
  public void fail(Receive wanted, int gone) {
    throw liveness.failure(wanted.members(), gone, wanted.peer(), "probe");
  }

  @Override
  public long moves(Receive wanted) {
    return movement.ofMessages(wanted.peer());
  }

  @Override
  public Waiting waiting(Receive wanted) {
    return Completion.waiting(peers, RankEntryDescriptor.IN_PROBE, wanted, wanted.peer(), wanted.wantedTag());
  }
}
