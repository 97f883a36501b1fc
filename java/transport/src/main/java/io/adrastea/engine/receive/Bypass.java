package io.adrastea.engine.receive;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.link.Inbound;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.match.Matching;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Pieces;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.engine.send.Sender;
import io.adrastea.engine.step.Steppers;
import io.adrastea.peers.FusedReceive;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import io.adrastea.payload.Payload;
import io.adrastea.wait.Gate;
import io.adrastea.wait.Waits;
import io.adrastea.wait.Waiter;
import java.lang.foreign.MemorySegment;

/**
 * Receives whose message the core finds and delivers, straight from fastbox or queue, in one crossing [MPICH2 2007,
 * 3.3]. Only while no other thread can come in, and only where no other receive or message is in the way. Called inside
 * the gate.
 */
public final class Bypass {
  private static final int MOST_BESIDE = 64; // messages for other receives, in the wait of one
  private static final int LOOKS_SKIPPED = 7; // after one that found nothing
  private static final int TURNS = 64; // of fused receives from one rank to one look at other links: a power of two
  private static final int TURNS_OF_ANY = 16; // of those from any rank, likewise
  private static final int PIECES_BESIDE = 16; // in one look
  private static final int POLLS_BESIDE = 25; // at a stretch, where the message may come on another link, too

  private final Peers peers;
  private final FusedReceive fused; // null: no link has it
  private final Pieces pieces;
  private final Receiver receiver;
  private final Sender sender;
  private final Rendezvous rendezvous;
  private final Steppers steppers;
  private final Waits waits;
  private final Gate gate;
  private final boolean mixed; // there are links beside that of the fused receive
  private final boolean enabled; // else every receive is posted, and every message polled for
  private int polls; // of a receive whose wait has not begun, as of the last wait; 0: its wait begins first
  private final Inbound inbound = new Inbound();
  private int cookieBytes; // of the RTS that was found
  private boolean behind; // messages were there for all receives that were posted: perhaps there are more
  private int skips; // looks for messages of other receives that are still to be left out
  private int turns; // of receives that asked whether to look at other links

  public Bypass(Resources resources, Receiver receiver, Sender sender, Rendezvous rendezvous,
      Steppers steppers, Waits waits) {
    this.peers = resources.peers();
    this.fused = peers.fused();
    this.pieces = new Pieces(peers);
    this.mixed = peers.isMixed();
    this.gate = resources.gate();
    this.receiver = receiver;
    this.sender = sender;
    this.rendezvous = rendezvous;
    this.steppers = steppers;
    this.waits = waits;
    // where types are checked, a message is found behind what is told of it
    this.enabled =
        resources.settings().bypass() && gate.isExclusive() && fused != null && !resources.checksTypes();
    countPolls();
  }

  /** A receive begins its wait: what that one knows of the CPUs decides how often the next receive polls before. */
  public void countPolls() {
    polls = enabled ? gate.waiter().pollsAtOnce() : 0;
  }

  /** Whether a receive may take its message from the core itself, without being posted. */
  public boolean mayReceive(Context context, int source, int tag) {
    return enabled && mayFuse(source) && context.matching().isClear(source, context.match(tag), Context.mask(tag));
  }

  private boolean mayFuse(int source) {
    return !mixed || peers.mayFuse(source);
  }

  /**
   * Sends what waits to go out; false: with transfers under way, a receive is one that moves them on between its polls.
   */
  private boolean mayReceiveNow() {
    if (!steppers.isIdle()) {
      if (!steppers.hasMessagesAtMost()) {
        return false;
      }
      sender.progress(); // a message that is always there must not keep pending sends waiting
    }
    return true;
  }

  private void sendPending() {
    if (!steppers.isIdle()) {
      sender.progress(); // a message that is always there must not keep pending sends waiting
    }
  }

  /**
   * What comes on links that the fused receive does not poll is taken in all the same, however busy its own is: at one
   * receive of many, since a look at a link may take as long as the receive.
   *
   * @return whether something was, which may be for the receive at hand if that is from any rank
   */
  private boolean takeInBeside(int source) {
    return mixed && (++turns & (source < 0 ? TURNS_OF_ANY : TURNS) - 1) == 0 && lookBeside();
  }

  private boolean lookBeside() {
    int pieces = 0;
    while (pieces < PIECES_BESIDE && receiver.progressBeside()) {
      pieces++;
    }
    return pieces > 0;
  }

  /** How often the core may poll at a stretch for a receive from a rank, -1: from any. */
  private int polls(int source, int most) {
    return mixed && source < 0 ? Math.min(most, POLLS_BESIDE) : most;
  }

  /**
   * Receives a message that is there, or comes at once. False: no such message is there, or something else is next.
   */
  public boolean receiveAtOnce(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length, Receive.Result result) {
    return polls != 0
        && context.matching().isClear(source, context.match(tag), Context.mask(tag))
        && receive(polls, context, source, tag, buffer, offset, length, result);
  }

  /**
   * Receives such a message into memory that is not contiguous: one of a single piece is unpacked from where it lies.
   */
  public boolean receiveAtOnce(Context context, int source, int tag, Payload payload, Receive.Result result) {
    long match = context.match(tag);
    long mask = Context.mask(tag);
    if (polls == 0
        || !context.matching().isClear(source, match, mask)
        || !mayFuse(source)
        || rendezvous.expects(payload.bytes())
        || !mayReceiveNow()
        || takeInBeside(source) && source < 0) {
      return false;
    }
    int status = pieces.receive(fused, match, mask, source, payload, polls(source, polls), inbound);
    boolean received =
        status >= 0
            || status == Link.NOMSG && isNext(source, match, mask, payload.bytes()) && pieces.unpack(payload, inbound);
    if (received) {
      result.set(inbound.source(), (int) inbound.match(), status >= 0 ? status : inbound.length());
    }
    return received;
  }

  /** Whether the next piece is a whole message for such a receive; else it is left to the next poll. */
  private boolean isNext(int source, long match, long mask, long capacity) {
    return peers.poll(source, inbound) >= 0
        && inbound.kind() == KIND_FIRST
        && inbound.length() == inbound.totalLength()
        && inbound.length() <= capacity
        && Receive.fits(source, match, mask, inbound.source(), inbound.match());
  }

  /**
   * Receives a message that is there, for a receive that nobody waits for yet. Not looked for unless one is likely to
   * be there: a look takes a crossing, and most receives are posted before their message comes.
   */
  public boolean receiveIfThere(
      Context context, int source, int tag, MemorySegment buffer, long offset, long length, Receive.Result result) {
    if (!behind || !context.matching().isEmpty()) {
      return false;
    }
    behind = receive(1, context, source, tag, buffer, offset, length, result);
    return behind;
  }

  /** Receives a message that is there, for a receive that was just posted. */
  public boolean receiveIfThere(Operation posted) {
    if (!behind || !(posted instanceof Receive)) {
      return false;
    }
    behind = receivePosted(posted, 1);
    return behind;
  }

  private boolean receive(int polls, Context context, int source, int tag, MemorySegment buffer, long offset,
      long length, Receive.Result result) {
    if (!mayFuse(source) || rendezvous.expects(length) || !mayReceiveNow() || takeInBeside(source) && source < 0) {
      return false;
    }
    int status = fused.receive(
        context.match(tag), Context.mask(tag), source, buffer, offset, length, polls(source, polls), inbound);
    if (status < 0) {
      return false;
    }
    result.set(inbound.source(), (int) inbound.match(), status);
    return true;
  }

  /**
   * Receives without posting, in a wait that has begun. False: something else is next; the receive is to be posted.
   *
   * @param large the RTS of a large message is wanted, rather than a message: {@link #begin} goes on with it
   */
  public boolean receive(
      Waiter waiter,
      boolean large,
      Context context,
      int source,
      int tag,
      MemorySegment buffer,
      long offset,
      long length,
      Receive.Result result) {
    long match = context.match(tag);
    long mask = Context.mask(tag);
    sendPending();
    while (true) {
      boolean tookBeside = source >= 0 ? takeInBeside(source) : mixed && lookBeside();
      if (tookBeside && source < 0) {
        return false; // it may be there by now
      }
      int polls = polls(source, polls(waiter));
      int status =
          large
              ? rendezvous.receiveOffer(match, mask, source, polls, inbound)
              : fused.receive(match, mask, source, buffer, offset, length, polls, inbound);
      if (status >= 0) {
        cookieBytes = status;
        result.set(inbound.source(), (int) inbound.match(), status); // a large one sets it anew when it is there
        return true;
      }
      if (status != Link.AGAIN) {
        return false; // another message, or an error that the next poll tells
      }
      moveOn();
      if (waiter.isDrowsy(false)) {
        return false; // to be posted: a rank that sleeps is to find whatever comes
      }
      waits.pause(waiter);
      gate.requireOpen();
      if (waiter.isTimeToCheck()) {
        return false; // to be posted: a rank that waits that long checks liveness
      }
    }
  }

  /** How often the core may poll at a stretch: what else is to be moved on is not to wait. */
  private int polls(Waiter waiter) {
    return steppers.hasMessagesAtMost() ? waiter.polls() : 1;
  }

  private void moveOn() {
    if (!steppers.isIdle()) {
      sender.progress();
      steppers.step();
    }
  }

  /** Begins with the large message whose RTS was found, for {@code operation}. */
  public void begin(Receive operation) {
    receiver.begin(operation, rendezvous.taken(inbound.source(), inbound.match(), cookieBytes));
  }

  /**
   * Waits for the message of a posted receive, if no receive posted earlier could take it. False: nothing came, or
   * something else.
   */
  public boolean receivePosted(Operation wanted, int polls) {
    if (!(wanted instanceof Receive operation && mayReceive(operation))) {
      return false;
    }
    sendPending();
    if (takeInBeside(operation.peer()) && operation.peer() < 0) {
      return operation.isComplete();
    }
    boolean large = rendezvous.expects(operation.cursor().length());
    int most = polls(operation.peer(), polls);
    int status = large ? receiveOffer(operation, most) : Pieces.receive(fused, operation, most, inbound);
    if (status < 0) {
      return false;
    }
    if (large) {
      receiver.matching(operation).unpost(operation);
      receiver.begin(operation, rendezvous.taken(inbound.source(), inbound.match(), status));
      return operation.isComplete();
    }
    receiver.complete(operation, inbound.source(), inbound.match(), status);
    return true;
  }

  /** Receives the message of a posted receive that is there, or comes at once. False: as {@link #receivePosted}. */
  public boolean receiveAtOnce(Operation posted) {
    if (polls == 0 || !steppers.hasMessagesAtMost() || !receivePosted(posted, polls)) {
      return false;
    }
    if (skips == 0) {
      receiveOthers(receiver.matching((Receive) posted));
    } else {
      skips--;
    }
    return true;
  }

  /**
   * Receives what is there already for the receives that are posted behind one whose message was there. When that is
   * something for all of them, their receiver is behind, and those that it starts next find their messages too.
   */
  private void receiveOthers(Matching matching) {
    int found = 0;
    Receive next = matching.firstPosted();
    while (next != null && found < MOST_BESIDE && receivePosted(next, 1)) {
      found++;
      next = matching.firstPosted();
    }
    behind = next == null && found > 0;
    skips = found == 0 ? LOOKS_SKIPPED : 0;
  }

  private boolean mayReceive(Receive operation) {
    return enabled
        && mayFuse(operation.peer())
        && !operation.isInPlace()
        && !operation.isBegun()
        && receiver.matching(operation).isFirst(operation);
  }

  private int receiveOffer(Receive operation, int polls) {
    return rendezvous.receiveOffer(operation.match(), operation.mask(), operation.peer(), polls, inbound);
  }

  /** Waits for what the peer says of a large message; whether it said something. */
  public boolean hear(Operation operation, int polls) {
    return enabled
        && operation.transfer() != null
        && mayFuse(operation.transfer().peer())
        && rendezvous.receiveControl(operation, polls, inbound);
  }
}
