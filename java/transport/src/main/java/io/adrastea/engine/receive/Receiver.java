package io.adrastea.engine.receive;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;

import io.adrastea.engine.active.ActiveReceiver;
import io.adrastea.engine.active.ActiveWord;
import io.adrastea.link.Inbound;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.control.ControlHandler;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.group.Members;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.match.Contexts;
import io.adrastea.engine.match.Matching;
import io.adrastea.engine.match.UnexpectedMessage;
import io.adrastea.engine.operation.Chunk;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Receive;
import io.adrastea.engine.operation.SentSignature;
import io.adrastea.engine.send.PieceWord;
import io.adrastea.engine.send.Rendezvous;
import io.adrastea.layout.ControlType;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import io.adrastea.transfer.Transfer;
import io.adrastea.wait.Movement;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The receiving side of a rank: takes in what comes, in pieces or by rendezvous, and starts and ends receives, from
 * what is there already or by posting them.
 *
 * <p>
 * Pieces of one source never interleave, so one message per source is under way at most: {@link Inflow}. The first
 * piece matches the message with its receive. Without one the pieces are copied out of their cells at once [MPICH2
 * 2007, 3.1], since cells are few.
 */
public final class Receiver implements Rendezvous.Receives, ControlHandler {
  private final Peers peers;
  private final Rendezvous rendezvous;
  private final Movement movement;
  private final ControlMessages control;
  private final ActiveReceiver active;
  private final Liveness liveness;
  private final Delivery delivery;
  private final Contexts contexts;
  private final Inbound inbound = new Inbound();
  private final Inflow[] inflows;
  private long scan; // number of the scan of unexpected messages

  /**
   * Where the pieces of the message under way from one source go: to a receive, to an unexpected message, or nowhere.
   */
  private static final class Inflow {
    final SentSignature next; // of the message that begins next; null: the job does not check types
    Receive receive;
    UnexpectedMessage message;
    long remaining; // bytes still to come; 0: nothing under way
    long passedOver; // number of the last scan that found a message of this source which is not all there

    Inflow(boolean checksTypes) {
      this.next = checksTypes ? new SentSignature() : null;
    }

    void clear() {
      receive = null;
      message = null;
    }

    /** The message that was told of has begun. */
    void forgetNext() {
      if (next != null) {
        next.clear();
      }
    }
  }

  public Receiver(Resources resources, Rendezvous rendezvous, ControlMessages control, ActiveReceiver active) {
    this.peers = resources.peers();
    this.rendezvous = rendezvous;
    this.movement = resources.movement();
    this.control = control;
    this.active = active;
    this.liveness = resources.liveness();
    this.delivery = new Delivery(peers, rendezvous, resources.checksTypes());
    this.contexts = new Contexts(resources.checksTypes());
    this.inflows = new Inflow[resources.ranks()];
    for (int source = 0; source < inflows.length; source++) {
      inflows[source] = new Inflow(resources.checksTypes());
    }
    control.register(ControlType.SIGNATURE.number(), this);
    rendezvous.serve(this);
  }

  /** Where the receives of the context of {@code receive} wait, and the messages that came before theirs. */
  public Matching matching(Receive receive) {
    return contexts.of(receive.match()).matching();
  }

  public Delivery delivery() {
    return delivery;
  }

  // What comes

  /** Takes one piece in, from {@code first} rather than from others; false: there is none. */
  public boolean progress(int first) {
    return takeIn(peers.poll(first, inbound));
  }

  private boolean takeIn(int status) {
    if (CoreStatus.checkedOrAgain(status) == Link.AGAIN) {
      return false;
    }
    accept();
    return true;
  }

  /** Takes one piece in, on the links that neither a fused receive nor a batch polls; false: there is none. */
  boolean progressBeside() {
    return takeIn(peers.pollBeside(inbound));
  }

  // The types of messages: a control message tells those of the message that its source begins next

  @Override
  public void reserve() {} // what is told is kept in place of what was told before

  @Override
  public boolean received(int source, int type, MemorySegment memory, int bytes) {
    SentSignature next = inflows[source].next;
    return next == null || next.set(memory, bytes);
  }

  private static boolean refuses(Receive receive, SentSignature signature) {
    return signature != null && receive.refuses(signature);
  }

  private static void keep(UnexpectedMessage message, SentSignature signature) {
    if (signature != null) {
      message.signature().set(signature);
    }
  }

  /** Memory first, then the piece: when there is none, nothing has changed, and the next poll finds the piece again. */
  private void accept() {
    boolean marked = Rendezvous.isMessage(inbound.match());
    if (marked && ControlMessages.isControl(inbound.match())) {
      if (ActiveWord.isActive(inbound.match())) {
        active.accept(inbound);
      } else if (PieceWord.isPiece(inbound.match())) {
        rendezvous.acceptPiece(inbound);
      } else {
        control.accept(inbound);
      }
      return;
    }
    Context context = contexts.reserve(inbound.match());
    if (marked) {
      accept(context, rendezvous.accept(inbound));
    } else {
      accept(context == null ? null : context.matching(), inbound);
    }
  }

  /**
   * A large message waits at its sender. One that the rank sends to itself, and that nobody has asked for, is copied
   * aside, unless its send is synchronous.
   *
   * @param context null: it has ended
   */
  private void accept(Context context, Transfer transfer) {
    Inflow inflow = inflows[transfer.peer()];
    if (context == null) {
      rendezvous.refuse(transfer);
      inflow.forgetNext();
      return;
    }
    Matching matching = context.matching();
    Receive receive = matching.takePosted(transfer.peer(), transfer.match());
    if (receive == null) {
      Receive trial = matching.takeTrial(transfer.peer(), transfer.match());
      receive = trial != null && rendezvous.lies(trial, transfer) ? trial : null;
    }
    if (receive == null) {
      UnexpectedMessage message = matching.add(transfer.peer(), transfer.match(), transfer.length());
      message.offered(transfer);
      keep(message, inflow.next);
      if (rendezvous.isBuffered(transfer)) {
        fetch(message, context.members());
      }
    } else {
      begin(receive, transfer, inflow.next);
    }
    inflow.forgetNext();
  }

  /**
   * Takes the piece at hand in; memory for a copy of it first, as {@link #accept()} does.
   *
   * @param matching null: the context of its message has ended, which is dropped
   */
  private void accept(Matching matching, Inbound piece) {
    Inflow inflow = inflows[piece.source()];
    boolean first = piece.kind() == KIND_FIRST;
    if (first != (inflow.remaining == 0) || (!first && piece.length() > inflow.remaining)) {
      throw CoreStatus.corrupt("rank %d sent a piece of kind %d out of turn".formatted(piece.source(), piece.kind()));
    }
    if (piece.kind() == KIND_ABORT) {
      peers.release();
      abort(inflow);
      return;
    }
    boolean opens = first && matching != null;
    Receive receive = opens ? match(matching, piece) : inflow.receive;
    boolean aside = receive == null && (opens || inflow.message != null);
    Chunk room = aside ? delivery.room(piece) : null;
    if (first) {
      begin(inflow, matching, receive, piece);
    } else {
      movement.message(piece.source());
    }
    inflow.remaining -= piece.length();
    put(inflow, piece, room);
    if (inflow.remaining == 0) {
      inflow.clear();
      if (receive != null) {
        receive.finish();
      }
    }
  }

  /** The receive that the message at hand is for; null: nobody has asked for it. */
  private static Receive match(Matching matching, Inbound piece) {
    Receive posted = matching.takePosted(piece.source(), piece.match());
    if (posted != null) {
      return posted;
    }
    Receive trial = matching.takeTrial(piece.source(), piece.match());
    return piece.length() == piece.totalLength() ? trial : null;
  }

  private void begin(Inflow inflow, Matching matching, Receive receive, Inbound piece) {
    rendezvous.surprised();
    inflow.remaining = piece.totalLength();
    inflow.receive = receive;
    if (receive == null && matching != null) {
      inflow.message = matching.add(piece.source(), piece.match(), piece.totalLength());
      keep(inflow.message, inflow.next);
    } else if (receive != null) {
      receive.matched(piece.source(), piece.match(), piece.totalLength());
      refuses(receive, inflow.next);
    }
    inflow.forgetNext();
  }

  private void put(Inflow inflow, Inbound piece, Chunk room) {
    if (inflow.receive != null) {
      delivery.deliver(inflow.receive, piece);
    } else if (inflow.message != null) {
      delivery.store(inflow.message, piece, room);
    } else {
      peers.release();
    }
  }

  private static void abort(Inflow inflow) {
    inflow.remaining = 0;
    if (inflow.message != null) {
      inflow.message.abort();
    }
    if (inflow.receive != null) {
      inflow.receive.callOff();
    }
    inflow.clear();
  }

  // Receives

  /** Starts a receive: from what is there already, or by posting it. */
  public void start(Receive receive) {
    Matching matching = matching(receive);
    UnexpectedMessage message = matching.find(receive);
    if (message == null) {
      matching.post(receive);
    } else {
      hand(matching, message, receive);
    }
  }

  /** Starts a receive if all of its message is there already; whether it is. */
  public boolean startWhole(Receive receive) {
    Matching matching = matching(receive);
    UnexpectedMessage message = matching.find(receive);
    boolean whole = message != null && (message.isWhole() || isFetched(message, receive));
    if (whole) {
      hand(matching, message, receive);
    }
    return whole;
  }

  /**
   * Starts a receive of any message with the first one that is all there already; whether one is. A message that is not
   * keeps those behind it from the same source waiting, and no others.
   */
  boolean startAnyWhole(Receive receive) {
    Matching matching = matching(receive);
    scan++;
    for (UnexpectedMessage message = matching.firstUnexpected(); message != null; message = matching.next(message)) {
      Inflow inflow = inflows[message.source()];
      if (inflow.passedOver != scan) {
        if (message.isWhole() || isFetched(message, receive)) {
          hand(matching, message, receive);
          return true;
        }
        inflow.passedOver = scan;
      }
    }
    return false;
  }

  /** Whether no message from this source is under way in pieces. */
  boolean isBetweenMessages(int source) {
    return inflows[source].remaining == 0;
  }

  /** A whole message that the core has found is for a poll. */
  void polled() {
    rendezvous.surprised();
  }

  /**
   * Hands an unexpected message, or what is there of it, to a receive.
   *
   * @param matching where it waits; null: the receive holds it
   */
  private void hand(Matching matching, UnexpectedMessage message, Receive receive) {
    if (message.transfer() != null || message.fetch() != null) {
      rendezvous.reserve(); // memory first, here too
      remove(matching, message);
      handLarge(message, receive);
      return;
    }
    receive.matched(message.source(), message.match(), message.length());
    refuses(receive, message.signature());
    delivery.deliver(receive, message);
    redirect(message, receive);
    boolean whole = message.isWhole();
    boolean aborted = message.isAborted();
    RuntimeException failure = message.isCutShort() ? cutShort(message, receive.members()) : null;
    remove(matching, message);
    if (failure != null) {
      receive.fail(failure);
    } else if (aborted) {
      receive.callOff();
    } else if (whole) {
      receive.finish();
    }
  }

  private void remove(Matching matching, UnexpectedMessage message) {
    if (matching == null) {
      contexts.held().remove(message);
    } else {
      matching.remove(message);
    }
  }

  /** What still comes of an unexpected message, if anything does, is for {@code receive}. */
  private void redirect(UnexpectedMessage message, Receive receive) {
    Inflow inflow = inflows[message.source()];
    if (inflow.message == message) {
      inflow.message = null;
      inflow.receive = message.isAborted() || message.isCutShort() ? null : receive;
    }
  }

  /** Completes a posted receive whose message the core has delivered. */
  void complete(Receive receive, int source, long match, long messageLength) {
    matching(receive).unpost(receive);
    receive.matched(source, match, messageLength);
    receive.moveTo(messageLength);
    receive.complete();
  }

  /** Takes a receive back that no message has matched; false: it is too late. */
  public boolean withdraw(Receive receive) {
    if (receive.isBegun()) {
      return false;
    }
    matching(receive).unpost(receive);
    return true;
  }

  /** Gives up a receive whose source is gone; pieces of its message that still come are dropped. */
  public void giveUp(Receive receive, RuntimeException cause) {
    if (!giveUpLarge(receive) && !withdraw(receive)) {
      Inflow inflow = inflows[receive.source()];
      inflow.receive = inflow.receive == receive ? null : inflow.receive;
    }
    receive.fail(cause);
  }

  /** Adds a description of each receive that is posted, or whose message is partly there, to {@code words}. */
  public void describeOutstanding(List<String> words) {
    for (int i = 0; i < contexts.count(); i++) {
      contexts.at(i).matching().describe(words);
    }
    for (Inflow inflow : inflows) {
      if (inflow.receive != null) {
        words.add(inflow.receive.toString());
      }
    }
  }

  // Messages that a matched probe has taken, and that are not received yet

  /** Takes the first message that fits, for this receive and no other; false: there is none. */
  public boolean hold(Receive receive) {
    Matching matching = matching(receive);
    UnexpectedMessage message = matching.find(receive);
    if (message == null) {
      return false;
    }
    contexts.held().add(matching, message, receive);
    receive.matched(message.source(), message.match(), message.length());
    return true;
  }

  /** Starts the receive of the message that it holds. */
  public void startHeld(Receive receive) {
    hand(null, contexts.held().of(receive), receive);
  }

  /** Lets go of the message that a receive holds, if it holds one: its sender is done with it. */
  public boolean letGo(Receive receive) {
    UnexpectedMessage message = contexts.held().of(receive);
    if (message == null) {
      return false;
    }
    rendezvous.reserve(); // memory first, here too
    passOver(message);
    contexts.held().remove(message);
    return true;
  }

  /** A message that has had its turn is over for its sender, and nobody receives it. */
  private void passOver(UnexpectedMessage message) {
    if (message.transfer() != null) {
      rendezvous.transfers().release(message.transfer());
    } else if (message.fetch() != null && !message.fetch().isComplete()) {
      rendezvous.forsake(message.fetch());
    } else {
      drop(message);
    }
  }

  /** Takes all from the caller, for their senders; adds a description of each to {@code words}. */
  public void takeHeldBack(List<String> words) {
    for (Receive receive = contexts.held().anyHolder(); receive != null; receive = contexts.held().anyHolder()) {
      words.add(
          "message of %d bytes from rank %s with tag %d, matched and not received"
              .formatted(receive.messageLength(), receive.members().name(receive.source()), receive.tag()));
      receive.loseView();
      letGo(receive);
    }
  }

  /** Takes all from the caller and gives nothing back: the rank fails. */
  public void loseHeld() {
    contexts.held().loseViews();
  }

  // Large messages, which are still at their sender when they are matched

  /** The message of a transfer is for {@code receive}, which is not posted. */
  void begin(Receive receive, Transfer transfer) {
    begin(receive, transfer, null);
  }

  private void begin(Receive receive, Transfer transfer, SentSignature signature) {
    receive.matched(transfer.peer(), transfer.match(), transfer.length());
    if (refuses(receive, signature)) {
      rendezvous.transfers().release(transfer); // its sender is done with it
      receive.finish();
      return;
    }
    if (receive.transfer() == transfer || delivery.staysAtSender(receive, transfer)) {
      receive.finish(); // read where the sender has it
      return;
    }
    if (receive.isAbandoned()) {
      receive.lies(null, 0, 0); // no memory for a copy: the sender need not wait
    }
    rendezvous.receive(receive, transfer);
  }

  /** A large unexpected message, taken off its list, is for a receive. */
  private void handLarge(UnexpectedMessage message, Receive receive) {
    if (message.transfer() != null) {
      begin(receive, message.transfer(), message.signature());
      return;
    }
    receive.matched(message.source(), message.match(), message.length());
    if (refuses(receive, message.signature())) {
      passOver(message);
      receive.finish();
    } else if (message.fetch().isComplete()) {
      finishFetched(message.fetch(), receive);
    } else {
      receive.join(message.fetch());
    }
  }

  /**
   * For a receive in place that does not wait: whether a large message can be read. One that cannot be read at its
   * sender begins to be fetched to a private copy.
   */
  private boolean isFetched(UnexpectedMessage message, Receive receive) {
    if (message.fetch() == null) {
      if (message.transfer() == null) {
        return false;
      }
      if (rendezvous.lies(receive, message.transfer())) {
        return true;
      }
      fetch(message, receive.members());
    }
    return message.fetch().isComplete();
  }

  private void fetch(UnexpectedMessage message, Members members) {
    rendezvous.reserve();
    Receive fetch = new Receive();
    fetch.ask(members, message.source(), message.match(), -1L);
    fetch.describeInPlace(0);
    fetch.activate();
    begin(fetch, message.fetchedBy(fetch));
  }

  @Override
  public void fetched(Receive fetch) {
    Receive receive = fetch.partner();
    receive.leavePartner();
    finishFetched(fetch, receive);
  }

  private void finishFetched(Receive fetch, Receive receive) {
    if (fetch.failure() != null) {
      receive.fail(fetch.failure());
    } else {
      delivery.deliver(receive, fetch);
      receive.finish();
    }
  }

  /** Gives up a receive whose bytes are on their way, to itself or to a copy; whether it was one. */
  private boolean giveUpLarge(Receive receive) {
    Receive moving = receive.partner() == null ? receive : receive.partner();
    if (moving != receive) {
      receive.leavePartner();
    }
    if (moving.transfer() != null) {
      rendezvous.giveUp(moving);
      return true;
    }
    return moving != receive;
  }

  @Override
  public Transfer withdrawn(int source, int number) {
    Transfer offer = null;
    for (int i = 0; offer == null && i < contexts.count(); i++) {
      offer = contexts.at(i).matching().takeOffer(source, number);
    }
    return offer;
  }

  // Messages that nobody has asked for yet, and whose senders are gone before all was sent: a receive of one hears of
  // it, and those behind it are not kept waiting

  /** A rank that is gone, of which a message is not all there; {@link Liveness#NONE}: there is no such rank. */
  public int cutShort() {
    int gone = Liveness.NONE;
    for (int i = 0; gone == Liveness.NONE && liveness.isAnyGone() && i < contexts.count(); i++) {
      gone = cutShort(contexts.at(i).matching());
    }
    return gone;
  }

  private int cutShort(Matching matching) {
    UnexpectedMessage message = matching.firstUnexpected();
    while (message != null && !(liveness.isGone(message.source()) && message.lacksBytes())) {
      message = matching.next(message);
    }
    return message == null ? Liveness.NONE : message.source();
  }

  /** All that this rank had sent is in. The receive of each message that lacks something fails. */
  public void endCutShort(int gone) {
    for (int i = 0; i < contexts.count(); i++) {
      Matching matching = contexts.at(i).matching();
      for (UnexpectedMessage message = matching.firstUnexpected(); message != null; message = matching.next(message)) {
        if (message.source() == gone && message.lacksBytes()) {
          endCutShort(message);
        }
      }
    }
  }

  private void endCutShort(UnexpectedMessage message) {
    Receive fetch = message.fetch();
    if (fetch == null) {
      message.cutShort();
    } else {
      giveUpLarge(fetch);
      fetch.fail(cutShort(message, fetch.members()));
    }
  }

  private RuntimeException cutShort(UnexpectedMessage message, Members members) {
    String receive =
        "receive of its message of %d bytes with tag %d".formatted(message.length(), (int) message.match());
    return liveness.failure(members, message.source(), receive);
  }

  // Contexts

  /** The contexts of this rank. */
  public Contexts contexts() {
    return contexts;
  }

  /** Makes a context of this number; messages for it may have come before. */
  public Context open(int number, Members members) {
    Context context = contexts.open(number, members);
    for (Context missed = contexts.missed(); missed != null; missed = contexts.missed()) {
      close(missed);
    }
    return context;
  }

  /** As {@link Contexts#isOver}. */
  public boolean isOver(int number) {
    return contexts.isOver(number);
  }

  /** Drops the messages of a context that nobody has received, and refuses large ones: their senders wait. */
  public void empty(Context context) {
    Matching matching = context.matching();
    for (UnexpectedMessage message = matching.firstUnexpected(); message != null; message =
        matching.firstUnexpected()) {
      rendezvous.reserve(); // memory first, here too
      drop(message);
      matching.remove(message);
    }
  }

  /** Ends a context that is {@link #empty}. */
  public void close(Context context) {
    contexts.close(context);
  }

  private void drop(UnexpectedMessage message) {
    if (message.transfer() != null) {
      rendezvous.refuse(message.transfer());
    } else if (message.fetch() != null) {
      drop(message.fetch());
    } else {
      Inflow inflow = inflows[message.source()];
      inflow.message = inflow.message == message ? null : inflow.message;
      delivery.drop(message);
    }
  }

  private void drop(Receive fetch) {
    if (!fetch.isComplete()) {
      giveUpLarge(fetch);
      fetch.complete();
    } else if (fetch.failure() == null) {
      delivery.release(fetch);
    }
  }
}
