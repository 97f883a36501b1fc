package io.adrastea.engine.active;

import static io.adrastea.layout.CellDescriptor.KIND_ABORT;
import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.CellDescriptor.KIND_NEXT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.adrastea.link.CopyInterrupt;
import io.adrastea.engine.control.ControlMessages;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Pending;
import io.adrastea.engine.operation.Pieces;
import io.adrastea.engine.resources.Resources;
import io.adrastea.engine.step.RankSet;
import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.AdrasteaException;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import io.adrastea.wait.Movement;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The active messages that go out from a rank, as far as there is room: one that fits a piece in one, a longer one in a
 * train, first its header alone and then its payload straight from where it lies. What is left waits in a queue per
 * destination. They do not queue behind sends, which may wait for what these bring about. Called inside the gate.
 */
final class ActiveSender implements Stepper {
  private final Pending.Owner<ActiveMessage> owner;
  private final Peers peers;
  private final Pieces pieces;
  private final Liveness liveness;
  private final Movement movement;
  private final Steppers steppers;
  private final int stepper; // number of this one
  private final IntConsumer sent; // hears of each rank that a piece went to
  private final MemorySegment piece; // where the first piece is put together
  private final ActiveMessage[] first; // of those that wait, per destination
  private final ActiveMessage[] last;
  private final RankSet waiting; // destinations for which some wait
  private ActiveMessage spent; // linked: a pool that grows could find no memory in the middle
  private int spentCount;

  /**
   * @param owner sees messages to their end
   * @param sent is told of each rank that a piece went to
   */
  ActiveSender(Resources resources, Steppers steppers, Pending.Owner<ActiveMessage> owner, IntConsumer sent) {
    this.owner = owner;
    this.peers = resources.peers();
    this.pieces = new Pieces(peers);
    this.liveness = resources.liveness();
    this.movement = resources.movement();
    this.steppers = steppers;
    this.stepper = steppers.register(this);
    this.sent = sent;
    this.piece = MemorySegment.ofArray(new long[ControlMessages.MOST_BYTES / Long.BYTES]);
    this.waiting = new RankSet(peers.size());
    this.first = new ActiveMessage[peers.size()];
    this.last = new ActiveMessage[peers.size()];
  }

  /** The most words that can head a message, whichever rank it is for: they go in one piece. */
  int mostWords() {
    return Math.min(ActiveWord.MOST_WORDS, peers.pieceBytes() / Long.BYTES);
  }

  /** Bytes of a message of one piece. */
  private int mostAtOnce(int peer) {
    return Math.min(peers.pieceBytes(peer), ControlMessages.MOST_BYTES);
  }

  /** A spent message, or a new one. */
  ActiveMessage take() {
    ActiveMessage message = spent;
    if (message == null) {
      return new ActiveMessage(owner);
    }
    spent = message.next;
    spentCount--;
    return message;
  }

  /** Takes a message back that is over. */
  void give(ActiveMessage message) {
    message.forget();
    message.next = spent;
    spent = message;
    spentCount++;
  }

  /** Takes memory now for so many messages. */
  void reserve(int messages) {
    while (spentCount < messages) {
      give(new ActiveMessage(owner));
    }
  }

  /** Sends a message that has begun, as far as there is room; what is left waits. */
  void start(ActiveMessage message) {
    int peer = message.peer();
    if (first[peer] == null && advance(message)) {
      settle(message);
    } else {
      message.next = null;
      if (first[peer] == null) {
        first[peer] = message;
      } else {
        last[peer].next = message;
      }
      last[peer] = message;
      waiting.add(peer);
      steppers.start(stepper);
    }
  }

  /** A message that is complete goes back by itself, if nobody has it; its end is told last, as that may send. */
  private void settle(ActiveMessage message) {
    if (message.isPosted()) {
      ActiveEnding ending = message.ending();
      RuntimeException failure = message.failure();
      give(message);
      ending.ended(failure);
    }
  }

  /** Sends until nothing of the message is left (true), or there is no room. */
  private boolean advance(ActiveMessage message) {
    boolean interrupted = false;
    try {
      while (message.failure() == null && (message.isUnsent() || message.cursor().left() > 0)) {
        interrupted = CopyInterrupt.isPending();
        int status = message.isUnsent() ? sendFirst(message) : sendNext(message);
        if (status == Link.GONE) {
          message.fail(liveness.failure(message.members(), message.peer(), message));
          return true;
        }
        if (isFull(status)) {
          return false;
        }
        message.sent();
        sent.accept(message.peer());
      }
    } catch (IllegalStateException | WrongThreadException e) {
      CopyInterrupt.forget(interrupted, e);
      message.loseMemory(e);
    }
    if (message.failure() != null && !message.isUnsent() && !callOff(message)) {
      return false;
    }
    message.complete();
    return true;
  }

  /** Whether there is no room now: a claim may be in the way, too. */
  private static boolean isFull(int status) {
    return status == Link.BUSY || CoreStatus.checkedOrAgain(status) == Link.AGAIN;
  }

  private int sendFirst(ActiveMessage message) {
    int header = message.words() * Long.BYTES;
    long total = header + message.payload().bytes();
    int bytes = total <= mostAtOnce(message.peer()) ? (int) total : header;
    MemorySegment.copy(message.header(), 0, piece, JAVA_LONG, 0, message.words());
    if (bytes > header) {
      message.payload().pack(message.cursor(), piece, header, bytes - header);
    }
    int peer = message.peer();
    int taken = peers.link(peer).trySend(peer, KIND_FIRST, message.match(), total, piece, 0, bytes);
    if (taken < 0) {
      message.cursor().begin(message.payload().bytes());
    }
    return taken;
  }

  private int sendNext(ActiveMessage message) {
    int taken = pieces.send(message.peer(), KIND_NEXT, message.match(), message.payload(), message.cursor());
    if (taken >= 0) {
      movement.message(message.peer());
    }
    return taken;
  }

  /** Tells the receiver, which has seen the beginning, that no more comes; false: there is no room. */
  private boolean callOff(ActiveMessage message) {
    int peer = message.peer();
    int status = peers.link(peer).trySend(peer, KIND_ABORT, message.match(), 0, MemorySegment.NULL, 0, 0);
    return status == Link.GONE || !isFull(status);
  }

  // What waits

  @Override
  public boolean step() {
    boolean any = false;
    for (int place = waiting.count() - 1; place >= 0; place--) {
      any |= step(waiting.at(place)); // what is told of an end may end messages to others, too: then nothing is there
    }
    return any;
  }

  private boolean step(int peer) {
    boolean any = false;
    for (ActiveMessage message = first[peer]; message != null; message = first[peer]) {
      boolean unsent = message.isUnsent();
      long before = message.cursor().position();
      boolean over = advance(message);
      any |= over || message.isUnsent() != unsent || message.cursor().position() != before;
      if (!over) {
        return any;
      }
      remove(message);
      settle(message);
    }
    return any;
  }

  private void remove(ActiveMessage message) {
    int peer = message.peer();
    ActiveMessage before = null;
    for (ActiveMessage at = first[peer]; at != message; at = at.next) {
      before = at;
    }
    if (before == null) {
      first[peer] = message.next;
    } else {
      before.next = message.next;
    }
    if (last[peer] == message) {
      last[peer] = before;
    }
    message.next = null;
    if (first[peer] == null) {
      waiting.remove(peer);
    }
  }

  /** Takes a message back of which nothing was sent; false: it is too late. */
  boolean withdraw(ActiveMessage message) {
    if (!message.isUnsent()) {
      return false;
    }
    remove(message);
    message.cancel();
    return true;
  }

  /** A message that waits fails. */
  void fail(ActiveMessage message, RuntimeException cause) {
    remove(message);
    message.fail(cause);
    settle(message);
  }

  /** Fails the messages that wait for room at ranks that are gone. */
  void check() {
    for (int place = waiting.count() - 1; place >= 0; place--) {
      int peer = waiting.at(place);
      while (first[peer] != null && liveness.missing(peer) != Liveness.NONE) {
        fail(first[peer], liveness.failure(first[peer].members(), peer, first[peer]));
      }
    }
  }

  /** Adds a description of each message that waits, and that the program has, to {@code words}. */
  void describe(List<String> words) {
    for (ActiveMessage queue : first) {
      for (ActiveMessage message = queue; message != null; message = message.next) {
        if (!message.isPosted()) {
          words.add(message.toString());
        }
      }
    }
  }

  /** Before the rank leaves: sends what others wait for, as far as there is room; whether that is all. */
  boolean flush() {
    while (waiting.count() != 0) {
      check();
      if (!step()) {
        return waiting.count() == 0;
      }
    }
    return true;
  }

  /** The rank leaves: what still waits fails. */
  void close() {
    while (waiting.count() != 0) {
      int peer = waiting.at(waiting.count() - 1);
      while (first[peer] != null) {
        fail(first[peer], new AdrasteaException("this rank has left the job before all of an %s was sent"
            .formatted(first[peer])));
      }
    }
  }

  @Override
  public boolean isIdle() {
    return waiting.count() == 0;
  }
}
