package io.adrastea.engine.control;

import io.adrastea.link.Inbound;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.step.Stepper;
import io.adrastea.engine.step.Steppers;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.ControlType;
import io.adrastea.peers.FusedReceive;
import io.adrastea.link.Link;
import io.adrastea.peers.Peers;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/**
 * The control messages of a rank. They have a type of 8 bits, by which they go to the handler that is registered for
 * it, and go out at once or as soon as there is room; those to a rank keep their order. They belong to no communicator,
 * are matched by nothing, and do not queue behind sends, which may wait for what these bring about. Called inside the
 * gate.
 *
 * <p>
 * A type that nobody handles here is no corruption: its sender may know more than this rank. The message is taken off,
 * everything else goes on, and the program is told by an exception in a call that has nothing to lose by it.
 */
public final class ControlMessages implements Stepper {
  /** The match word of a control message: of no communicator. Its lower bits hold the type. */
  public static final long MATCH = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;

  /** The mask that matches control messages of any type. */
  private static final long MASK = ~0xFFL;

  /** The most bytes of a control message, where cells hold as many. */
  public static final int MOST_BYTES = 4096;

  private static final class Entry {
    int peer;
    int type;
    int bytes;
    final MemorySegment memory = MemorySegment.ofArray(new long[MOST_BYTES / Long.BYTES]);
    Entry next;
  }

  private final Peers peers;
  private final FusedReceive fused; // null: no link has it
  private final Liveness liveness;
  private final Steppers steppers;
  private final int stepper; // number of this one
  private final IntConsumer sent; // hears of each rank that a message went to
  private final ControlHandler[] handlers = new ControlHandler[ControlType.COUNT];
  private ControlHandler[] distinct = {};
  private final MemorySegment incoming = MemorySegment.ofArray(new long[MOST_BYTES / Long.BYTES]);
  private Entry first; // of those that wait, linked: a queue that grows could find no memory in the middle
  private Entry last;
  private int waiting;
  private Entry spent;
  private int spentCount;
  private final int[] stuckIn; // by rank: the number of the last pass in which it had no room
  private int pass;
  private int unknown; // messages of types that nobody handles, and that the program was not told of
  private String unknownNoun; // of the first of them
  private int unknownType;
  private IntPredicate known; // types of that noun
  private int unknownSource;

  /**
   * Makes the control messages of one rank.
   *
   * @param sent is told of each rank that a message went to
   */
  public ControlMessages(Peers peers, Liveness liveness, Steppers steppers, IntConsumer sent) {
    this.peers = peers;
    this.fused = peers.fused();
    this.liveness = liveness;
    this.steppers = steppers;
    this.stepper = steppers.register(this);
    this.sent = sent;
    this.stuckIn = new int[peers.size()];
  }

  /**
   * Names the handler that takes in the messages of a type.
   *
   * @throws IllegalArgumentException when there is no such type, or it has a handler
   */
  public void register(int type, ControlHandler handler) {
    if (type < 0 || type >= ControlType.COUNT) {
      throw new IllegalArgumentException(
          "control messages of type %d; allowed are types from 0 to %d".formatted(type, ControlType.COUNT - 1));
    }
    if (handlers[type] != null) {
      throw new IllegalArgumentException(
          "control messages of type %d have a handler; a type has one, take another type".formatted(type));
    }
    handlers[type] = handler;
    if (!Arrays.asList(distinct).contains(handler)) {
      distinct = Arrays.copyOf(distinct, distinct.length + 1);
      distinct[distinct.length - 1] = handler;
    }
  }

  // What comes

  /** Whether a match word is that of a control message. */
  public static boolean isControl(long match) {
    return match >>> 32 == MATCH >>> 32;
  }

  private static int type(long match) {
    return (int) match & 0xFF;
  }

  /** Takes in the control message that poll has found: memory first. */
  public void accept(Inbound piece) {
    int bytes = piece.length();
    if (piece.kind() != CellDescriptor.KIND_FIRST || bytes != piece.totalLength() || bytes > MOST_BYTES) {
      throw CoreStatus.corrupt(
          "rank %d sent a control message of %d bytes".formatted(piece.source(), piece.totalLength()));
    }
    int source = piece.source();
    int type = type(piece.match());
    ControlHandler handler = handlers[type];
    if (handler != null) {
      handler.reserve();
    }
    CoreStatus.checked(peers.take(incoming, 0, bytes));
    hand(source, type, bytes);
  }

  /**
   * Waits for a control message of {@code peer}, where receives are fused, and takes it in; false: nothing came, or
   * something else.
   */
  public boolean receive(int peer, int polls, Inbound inbound) {
    for (ControlHandler handler : distinct) {
      handler.reserve();
    }
    int bytes = fused.receive(MATCH, MASK, peer, incoming, 0, MOST_BYTES, polls, inbound);
    if (bytes >= 0) {
      hand(peer, type(inbound.match()), bytes);
    }
    return bytes >= 0;
  }

  private void hand(int source, int type, int bytes) {
    ControlHandler handler = handlers[type];
    if (handler == null) {
      noteUnknown(source, "a control message", type, other -> handlers[other] != null);
    } else if (!handler.received(source, type, incoming, bytes)) {
      throw CoreStatus.corrupt("rank %d sent a malformed control message of type %d".formatted(source, type));
    }
  }

  /**
   * A message of a type that nobody handles has come, and was dropped.
   *
   * @param noun what it is, with its article
   * @param known tells which types have a handler
   */
  public void noteUnknown(int source, String noun, int type, IntPredicate known) {
    if (unknown++ == 0) {
      unknownSource = source;
      unknownNoun = noun;
      unknownType = type;
      this.known = known;
    }
  }

  /**
   * Tells the program of messages of unknown types. To be called where nothing is lost by an exception.
   *
   * @throws AdrasteaException when one has come, once
   */
  public void raise() {
    if (unknown != 0) {
      AdrasteaException exception = new AdrasteaException(describeUnknown());
      unknown = 0;
      throw exception;
    }
  }

  private String describeUnknown() {
    String more = unknown == 1 ? "" : " (and %d more of such types have come)".formatted(unknown - 1);
    return ("rank %d sent %s of type %d%s; this rank handles types %s; it was dropped and all else goes "
        + "on, but that rank may wait for an answer: run the same version in all ranks")
        .formatted(unknownSource, unknownNoun, unknownType, more, handled());
  }

  private String handled() {
    StringBuilder words = new StringBuilder();
    for (int type = 0; type < ControlType.COUNT; type++) {
      if (known.test(type)) {
        words.append(words.isEmpty() ? "" : ", ").append(type);
      }
    }
    return words.isEmpty() ? "none" : words.toString();
  }

  /** Adds what the program was not told of to {@code words}. */
  public void describe(List<String> words) {
    if (unknown != 0) {
      words.add(describeUnknown());
    }
  }

  // What goes out

  /**
   * Takes memory now, so that so many messages take none in the middle of what brings them about, even if there is no
   * room for them.
   */
  public void reserve(int messages) {
    while (spentCount < messages) {
      spend(new Entry());
    }
  }

  private void spend(Entry entry) {
    entry.next = spent;
    spent = entry;
    spentCount++;
  }

  private Entry take() {
    if (spent == null) {
      return new Entry();
    }
    Entry entry = spent;
    spent = entry.next;
    spentCount--;
    return entry;
  }

  private void add(Entry entry) {
    entry.next = null;
    if (first == null) {
      first = entry;
    } else {
      last.next = entry;
    }
    last = entry;
    waiting++;
  }

  private Entry poll() {
    Entry entry = first;
    first = entry.next;
    waiting--;
    return entry;
  }

  /**
   * Sends a message, now or as soon as there is room.
   *
   * @param memory holds it from the beginning on, until this returns
   * @param bytes at most {@link #MOST_BYTES}, and at most what a cell holds
   */
  public void send(int peer, int type, MemorySegment memory, int bytes) {
    if (first != null || !trySend(peer, type, memory, bytes)) {
      Entry entry = take();
      entry.peer = peer;
      entry.type = type;
      entry.bytes = bytes;
      MemorySegment.copy(memory, 0, entry.memory, 0, bytes);
      add(entry);
      steppers.start(stepper);
    }
  }

  private boolean trySend(int peer, int type, MemorySegment memory, int bytes) {
    int taken = peers.link(peer).trySend(peer, CellDescriptor.KIND_FIRST, MATCH | type, bytes, memory, 0, bytes);
    if (taken == Link.GONE) {
      return true; // dropped; what waits for its answer ends when the peer is found missing
    }
    if (taken < 0 && taken != Link.AGAIN && taken != Link.BUSY) {
      throw CoreStatus.corrupt("core error " + -taken);
    }
    if (taken == bytes) {
      sent.accept(peer);
    }
    return taken == bytes;
  }

  /** Sends what can be sent. A message that must wait for room, or for one before it, stops only those to its rank. */
  @Override
  public boolean step() {
    boolean any = false;
    pass++;
    for (int left = waiting; left > 0; left--) {
      Entry entry = poll();
      boolean over = liveness.isGone(entry.peer)
          || stuckIn[entry.peer] != pass && trySend(entry.peer, entry.type, entry.memory, entry.bytes);
      if (over) {
        spend(entry);
      } else {
        stuckIn[entry.peer] = pass;
        add(entry);
      }
      any |= over;
    }
    return any;
  }

  @Override
  public boolean isIdle() {
    return first == null;
  }

  /** Checks whether the ranks that have no room are still there. */
  public void check() {
    for (Entry entry = first; entry != null; entry = entry.next) {
      liveness.missing(entry.peer);
    }
  }

  /** Before the rank leaves: sends what others wait for, as far as there is room; whether that is all. */
  public boolean flush() {
    while (first != null) {
      check();
      if (!step()) {
        return false;
      }
    }
    return true;
  }
}
