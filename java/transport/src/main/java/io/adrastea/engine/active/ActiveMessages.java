package io.adrastea.engine.active;

import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.CapabilityException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.TimeLimitException;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.peers.Peers;
import io.adrastea.payload.Payload;
import io.adrastea.ranktable.Capability;
import io.adrastea.ranktable.Waiting;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Movement;
import io.adrastea.wait.Waiter;
import io.adrastea.wait.Waits;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The active messages of one rank: a header of a few words and a payload of any length go to a rank, where the handler
 * of their type is told of them in a step of progress, without a receive of the program. They are for what ranks do in
 * each other's memory where they share none. Those to a rank keep their order, among each other and no more. An
 * application of [von Eicken 1992] as in MPICH ({@code am_isend}).
 *
 * <p>
 * {@link #start} and what a {@link Pending} offers enter the gate by themselves; all else is called inside it.
 */
public final class ActiveMessages implements Pending.Owner<ActiveMessage> {
  private static final ActiveEnding NOBODY = failure -> {};

  private final Gate gate;
  private final Peers peers;
  private final Liveness liveness;
  private final Movement movement;
  private final Members all; // ranks of the job
  private final boolean[] takers; // ranks that take active messages: all but those in C
  private final ActiveReceiver receiver;
  private final ActiveSender sender;
  private final Waits waits;
  private final Runnable wakeThread;

  /**
   * Makes those of one rank.
   *
   * @param all ranks of the job
   * @param sent is told of each rank that a piece went to
   * @param wakeThread is run when there is something for the progress thread
   */
  public ActiveMessages(Resources resources, Members all, ActiveReceiver receiver, Steppers steppers, Waits waits,
      IntConsumer sent, Runnable wakeThread) {
    this.gate = resources.gate();
    this.peers = resources.peers();
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.all = all;
    this.receiver = receiver;
    this.sender = new ActiveSender(resources, steppers, this, sent);
    this.waits = waits;
    this.wakeThread = wakeThread;
    this.takers = new boolean[peers.size()];
    for (int rank = 0; rank < takers.length; rank++) {
      takers[rank] = peers.abilities(rank).has(Capability.ACTIVE);
    }
  }

  /**
   * Names the handler that takes in the messages of a type.
   *
   * @throws IllegalArgumentException when there is no such type, or it has a handler
   */
  public void register(int type, ActiveHandler handler) {
    receiver.register(type, handler);
  }

  /**
   * Starts to send a message.
   *
   * @param members of the communicator that asks, by whose numbers ranks are told
   * @param peer job rank
   * @param header at most {@link ActiveWord#MOST_WORDS} words, which are copied
   * @param payload not to be changed until the message is complete
   * @return null: it has gone out
   * @throws CapabilityException when the peer is a rank in C, which takes no active messages
   * @throws IllegalArgumentException when there is no such type, or the header is too long
   */
  public ActiveMessage start(Members members, int peer, int type, long[] header, Payload payload) {
    gate.enter();
    try {
      ActiveMessage message = begin(members, peer, type, header, payload, null);
      if (!message.isComplete()) {
        wakeThread.run();
      } else if (message.failure() == null) {
        sender.give(message);
        return null;
      }
      return message;
    } finally {
      gate.exit();
    }
  }

  /**
   * Sends a message that nobody waits for, such as the answer of a handler: one to a rank that is gone is dropped.
   * Inside the gate. Parameters and exceptions are those of {@link #start}.
   */
  public void post(int peer, int type, long[] header, Payload payload) {
    post(all, peer, type, header, payload, NOBODY);
  }

  /**
   * Sends a message that nobody waits for, but somebody is told of the end of, also where its peer is gone. Inside the
   * gate. Other parameters and exceptions are those of {@link #start}.
   *
   * @param ending is told once, unless this throws
   */
  public void post(Members members, int peer, int type, long[] header, Payload payload, ActiveEnding ending) {
    begin(members, peer, type, header, payload, ending);
  }

  private ActiveMessage begin(
      Members members, int peer, int type, long[] header, Payload payload, ActiveEnding ending) {
    requireTaker(members, peer);
    if (type < 1 || type > ActiveWord.MOST_TYPE) {
      throw new IllegalArgumentException(
          "an active message of type %d; allowed are types from 1 to %d".formatted(type, ActiveWord.MOST_TYPE));
    }
    if (header.length > sender.mostWords()) {
      throw new IllegalArgumentException(
          ("an active message with a header of %d words; allowed are up to %d, which go in one cell "
              + "(adrastea.cell.bytes)")
              .formatted(header.length, sender.mostWords()));
    }
    ActiveMessage message = sender.take();
    message.begin(members, peer, type, header, payload, ending);
    sender.start(message);
    return message;
  }

  private void requireTaker(Members members, int peer) {
    if (!takers[peer]) {
      throw new CapabilityException(members.numbering().rankOf(peer), peer,
          "rank %s %s".formatted(members.name(peer), peers.abilities(peer).lack(Capability.ACTIVE)));
    }
  }

  /** Takes memory now, so that so many messages take none in the middle of what brings them about. */
  public void reserve(int messages) {
    sender.reserve(messages);
  }

  // What becomes of those that were started

  /** Each is sent once. */
  @Override
  public <T> void start(ActiveMessage message, Pending.Outcome<T> outcome, T subject) {
    throw new UnsupportedOperationException("an active message is sent once, and is not persistent; start another one");
  }

  @Override
  public <T> boolean poll(ActiveMessage message, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      boolean complete = message.isComplete() || completes(message);
      if (complete) {
        end(message, outcome, subject);
      }
      return complete;
    } finally {
      gate.exit();
    }
  }

  /** Moves things on; whether a message is complete then. */
  private boolean completes(ActiveMessage message) {
    waits.step();
    if (!message.isComplete() && message.enterCheck(waits.pollInVain())) {
      waits.check(this, message);
    }
    return message.isComplete();
  }

  @Override
  public <T> void finish(ActiveMessage message, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      settle(message, nanos);
      end(message, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private void settle(ActiveMessage message, long nanos) {
    if (message.isComplete()) {
      return;
    }
    Waiter waiter = waits.beginWait(message.peer());
    if (nanos != Long.MAX_VALUE) {
      waiter.limit(nanos);
    }
    try {
      waits.await(this, message, waiter);
    } finally {
      waiter.limitAt(0);
    }
  }

  @Override
  public <T> void finishOrWithdraw(ActiveMessage message, long nanos, Pending.Outcome<T> outcome, T subject) {
    gate.enter();
    try {
      settleOrWithdraw(message, nanos, outcome, subject);
      end(message, outcome, subject);
    } finally {
      gate.exit();
    }
  }

  private <T> void settleOrWithdraw(ActiveMessage message, long nanos, Pending.Outcome<T> outcome, T subject) {
    try {
      settle(message, nanos);
    } catch (InterruptedWaitException | TimeLimitException e) {
      if (sender.withdraw(message)) {
        end(message, outcome, subject);
      }
      throw e;
    }
  }

  /** Ends a message that is complete, once what has become of it is kept. */
  private <T> void end(ActiveMessage message, Pending.Outcome<T> outcome, T subject) {
    outcome.keep(subject, message);
    sender.give(message);
  }

  @Override
  public boolean withdraw(ActiveMessage message) {
    gate.enter();
    try {
      return sender.withdraw(message);
    } finally {
      gate.exit();
    }
  }

  @Override
  public boolean isMet(ActiveMessage message, int polls) {
    return message.isComplete();
  }

  @Override
  public boolean isHopeless(ActiveMessage message) {
    return liveness.isGone(message.peer());
  }

  @Override
  public int missing(ActiveMessage message) {
    return message.isComplete() ? NONE : liveness.missing(message.peer());
  }

  @Override
  public void fail(ActiveMessage message, int gone) {
    if (!message.isComplete()) {
      sender.fail(message, liveness.failure(message.members(), gone, message));
    }
  }

  @Override
  public long moves(ActiveMessage message) {
    return movement.ofMessages(message.peer());
  }

  @Override
  public Waiting waiting(ActiveMessage message) {
    int peer = message.peer();
    return new Waiting(RankEntryDescriptor.IN_SEND, peer, ActiveWord.type(message.match()),
        peers.whereabouts(message.members().name(peer), peer));
  }

  @Override
  public String words(ActiveMessage message) {
    return peers.whereabouts("for an " + message, message.peer());
  }

  // What the engine asks

  /** Fails the messages that wait for room at ranks that are gone. */
  public void check() {
    sender.check();
  }

  /** As {@link ActiveReceiver#cutShort}. */
  public int cutShort() {
    return receiver.cutShort();
  }

  /** As {@link ActiveReceiver#endCutShort}. */
  public void endCutShort(int gone) {
    receiver.endCutShort(gone);
  }

  /** Adds a description of each message that the program has started, and that is not complete, to {@code words}. */
  public void describe(List<String> words) {
    sender.describe(words);
  }

  /** Before the rank leaves: sends what others wait for, as far as there is room; whether that is all. */
  public boolean flush() {
    return sender.flush();
  }

  /** The rank leaves: what is not complete fails, here and at handlers, also when one of these throws. */
  public void close() {
    try {
      receiver.close();
    } finally {
      sender.close();
    }
  }
}
