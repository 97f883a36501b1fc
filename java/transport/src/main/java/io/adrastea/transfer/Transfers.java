package io.adrastea.transfer;

import io.adrastea.core.Spaces;
import io.adrastea.shared.SharedHeap;
import io.adrastea.shared.SharedReach;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;

/**
 * The large messages of one rank on their way, at either end: rendezvous with the LMT interface (000 section 3.2). The
 * engine matches; here the way is chosen, both ends are told of it, and the bytes move on at each {@link #progress}.
 */
public final class Transfers {
  /** There is no shared memory for a ring. */
  public static final int NO_MEMORY = -12;

  /** The peer's buffer was closed. */
  public static final int CANCELED = Copying.CANCELED;

  /** The receiver has let go of the offer, as asked: it never had the message. */
  public static final int WITHDRAWN = Endings.WITHDRAWN;

  /** Owner of a transfer whose own has given it up. */
  public static final Object ORPHAN = new Object();

  private static final Queue<MemorySegment> PINNED = new ConcurrentLinkedQueue<>();

  private final Node node;
  private final Wire wire;
  private final Endings endings;
  private final SendingEnd sending;
  private final ReceivingEnd receiving;
  private final TransferTable table = new TransferTable();
  private final ActiveTransfers active;

  /**
   * Those of one rank.
   *
   * @param cellPayload most bytes of a cookie; at least {@link Cookie#LEAST_BYTES}
   * @param pids of the ranks' processes; 0: it cannot be addressed from here
   * @throws IllegalArgumentException when the settings ask for a path that this rank does not have
   */
  public Transfers(
      Spaces spaces, SharedHeap heap, SharedReach reach, TransferSettings settings, Wire wire, int cellPayload,
      int[] pids) {
    this.node = new Node(spaces, heap, reach, settings, wire, cellPayload, pids);
    this.wire = wire;
    Ways ways = new Ways(node);
    this.endings = new Endings(wire, ways);
    Invitations invitations = new Invitations(wire, ways);
    this.active = new ActiveTransfers(wire, table, invitations, endings);
    int able = node.able();
    PathSelector selector = new PathSelector(node, settings.paths() & able);
    this.sending = new SendingEnd(node, ways, selector, table, active);
    this.receiving = new ReceivingEnd(node, ways, selector, invitations, table, active);
    settings.requireAble(able, spaces);
  }

  /**
   * Begins to send: the engine sends the RTS with the cookie, and calls {@link #drop} when that is not possible now.
   *
   * @param owner what the transfer belongs to
   */
  public Transfer send(Object owner, Payload payload, int peer, long length, Cookie rts) {
    return sending.offer(owner, payload, peer, length, rts);
  }

  /** Takes a transfer back that nobody has heard of. */
  public void drop(Transfer transfer) {
    table.give(transfer, false);
  }

  /** Whether no more can be on their way; some must end first. */
  public boolean isFull() {
    return table.isFull();
  }

  /**
   * Takes memory for the next transfer that is offered, before its message is taken: there may be none.
   *
   * @param bytes most of its RTS
   */
  public void reserve(int bytes) {
    table.reserve(Cookie.offeredEntries(bytes));
    active.reserve();
  }

  /** An RTS came: null, it cannot be one. The transfer waits to be matched. */
  public Transfer offered(int peer, long match, Cookie rts) {
    return receiving.offered(peer, match, rts);
  }

  /** The message is matched: its bytes go to {@code payload}, as many as it takes. */
  public void receive(Object owner, Payload payload, long capacity, Transfer transfer) {
    receiving.receive(owner, payload, capacity, transfer);
  }

  /**
   * Asks the receiver of a message to let go of it, unless it has begun to take it. The transfer ends with
   * {@link #WITHDRAWN}, or as if nothing was asked.
   */
  public void withdraw(Transfer transfer) {
    if (transfer.sending && !transfer.started && !transfer.peerDone && !transfer.withdrawn) {
      endings.withdraw(transfer);
    }
  }

  /** Tells the sender of a message that was offered, and not matched, that it was let go of. */
  public void letGo(Transfer transfer) {
    endings.letGo(transfer);
    table.give(transfer, false);
  }

  /** A message of a transfer came. Those of transfers that are over are of no interest; false: it cannot be. */
  public boolean received(int source, int type, Cookie cookie) {
    if (type == Cookie.WITHDRAW) {
      Transfer offer = wire.withdrawn(source, cookie.high(Cookie.TARGET));
      if (offer != null) {
        letGo(offer);
      }
      return true;
    }
    Transfer transfer = table.find(source, cookie.low(Cookie.TARGET));
    if (transfer == null) {
      return true;
    }
    switch (type) {
      case Cookie.CTS, Cookie.COOKIE -> {
        return transfer.sending && sending.told(transfer, type, cookie);
      }
      case Cookie.DONE -> endings.heard(transfer, node.pair(transfer), cookie);
      default -> {
        return false;
      }
    }
    active.progress(transfer);
    return true;
  }

  /** Moves all on; whether anything moved. */
  public boolean progress() {
    return active.progress();
  }

  /** Moves those with one rank on; whether any moved. */
  public boolean progressWith(int peer) {
    return active.progressWith(peer);
  }

  /** Whether any is to be moved on. */
  public boolean isIdle() {
    return active.isEmpty();
  }

  /**
   * Where a message that was offered lies, when it can be read in place: in one stretch of the sender's shared
   * allocations. Then it is the caller's until {@link #release}. Null: it is to be received.
   */
  public SharedReach.Mapping inPlace(Transfer transfer) {
    return receiving.inPlace(transfer);
  }

  /** Where in that mapping it begins. */
  public static long offsetIn(SharedReach.Mapping mapping, Transfer transfer) {
    return transfer.remote.startAt(0) - mapping.offset();
  }

  /** A message read in place is given back to its sender. */
  public void release(Transfer transfer) {
    endings.tell(transfer);
    table.give(transfer, true);
  }

  /** Ends those that nobody owns any more and whose peer is gone. */
  public void reap(IntPredicate gone) {
    active.reap(gone);
  }

  /**
   * Keeps the memory of all that are not over for good, as far as their peers know its addresses: they may still use it
   * when this rank has left.
   */
  public void pin() {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && (transfer.own.flags & Exposure.ADDRESS) != 0) {
        pin(transfer.payload);
      }
    }
  }

  private static void pin(Payload payload) {
    Payload.Entry entry = new Payload.Entry();
    for (int i = 0; i < payload.entries(); i++) {
      payload.entry(i, entry);
      PINNED.add(entry.memory); // alone: what else hangs on the payload may be collected
    }
  }

  /** Adds a description of each whose bytes are not all there to {@code words}. */
  public void describe(List<String> words) {
    for (int slot = 0; slot < table.size(); slot++) {
      Transfer transfer = table.at(slot);
      if (transfer != null && transfer.owner != ORPHAN) {
        words.add(transfer.owner.toString());
      }
    }
  }

  /**
   * Ends a transfer whose owner gives it up.
   *
   * @param gone so is the peer; else the transfer goes on to its end as one that has failed, without its owner
   */
  public void giveUp(Transfer transfer, boolean gone) {
    if (gone) {
      active.end(transfer);
    } else {
      transfer.owner = ORPHAN;
      transfer.fail(CANCELED, null);
      active.add(transfer);
    }
  }
}
