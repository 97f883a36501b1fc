package io.adrastea.engine.send;

import io.adrastea.core.Spaces;
import io.adrastea.engine.failure.Liveness;
import io.adrastea.engine.operation.CoreStatus;
import io.adrastea.engine.operation.Operation;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.AdrasteaException;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.link.Link;
import io.adrastea.link.Peers;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;
import io.adrastea.transfer.Wire;
import java.util.Arrays;

/**
 * What transfers need of the engine: their control messages are sent, at once or as soon as there is room, and their
 * operations end. Control messages to a rank keep their order. They do not queue behind sends, which may wait for what
 * these bring about.
 */
final class TransferWire implements Wire {
  /** The match word of a control message: of no communicator. Its lower bits hold the type. */
  static final long MATCH = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;

  /** The mask that matches control messages of any type. */
  static final long MASK = ~0xFFL;

  /** How many messages taking one in can bring about: a CTS, and the DONE of a transfer that is over at once. */
  private static final int RESERVED = 2;

  private static final class Entry {
    int peer;
    int type;
    final Cookie cookie = new Cookie();
    Entry next;
  }

  private final Peers peers;
  private final Bursts bursts;
  private final Liveness liveness;
  private Entry first; // of those that wait, linked: a queue that grows could find no memory in the middle
  private Entry last;
  private int waiting;
  private Entry spent;
  private int spentCount;
  private final boolean[] stuck; // ranks that had no room in this pass
  private Rendezvous.Receives receives;

  TransferWire(Peers peers, Bursts bursts, Liveness liveness) {
    this.peers = peers;
    this.bursts = bursts;
    this.liveness = liveness;
    this.stuck = new boolean[peers.size()];
  }

  /** Sets where messages go that were fetched ahead, and where offers wait that may be withdrawn. */
  void serve(Rendezvous.Receives receives) {
    this.receives = receives;
  }

  /** Whether a match word is that of a control message, rather than of an RTS. */
  static boolean isControl(long match) {
    return match >>> 32 == MATCH >>> 32;
  }

  static int type(long match) {
    return (int) match & 0xFF;
  }

  /**
   * Takes memory now, so that what the next message from a peer brings about takes none, even if the peer has no room
   * for it.
   */
  void reserve() {
    while (spentCount < RESERVED) {
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

  @Override
  public void send(int peer, int type, Cookie cookie) {
    if (first != null || !trySend(peer, type, cookie)) {
      Entry entry = take();
      entry.peer = peer;
      entry.type = type;
      entry.cookie.copy(cookie);
      add(entry);
    }
  }

  private boolean trySend(int peer, int type, Cookie cookie) {
    int bytes = cookie.bytes();
    int taken =
        peers.link(peer).trySend(peer, CellDescriptor.KIND_FIRST, MATCH | type, bytes, cookie.memory(), 0, bytes);
    if (taken == Link.GONE) {
      return true; // dropped; its transfer ends when the peer is found missing
    }
    if (taken < 0 && taken != Link.AGAIN && taken != Link.BUSY) {
      throw CoreStatus.corrupt("core error " + -taken);
    }
    if (taken == bytes) {
      bursts.sent(peer);
      bursts.show(); // the peer waits for it, whatever burst is open here
    }
    return taken == bytes;
  }

  /** Sends what can be sent. A message that must wait for room, or for one before it, stops only those to its rank. */
  boolean progress() {
    boolean any = false;
    Arrays.fill(stuck, false);
    for (int left = waiting; left > 0; left--) {
      Entry entry = poll();
      boolean over = liveness.isGone(entry.peer) || !stuck[entry.peer] && trySend(entry.peer, entry.type, entry.cookie);
      if (over) {
        spend(entry);
      } else {
        stuck[entry.peer] = true;
        add(entry);
      }
      any |= over;
    }
    return any;
  }

  boolean isIdle() {
    return first == null;
  }

  /** Checks whether the ranks that have no room are still there. */
  void check() {
    for (Entry entry = first; entry != null; entry = entry.next) {
      liveness.missing(entry.peer);
    }
  }

  @Override
  public void moved(int peer) {
    peers.link(peer).wake(peer);
  }

  @Override
  public boolean isGone(int peer) {
    return liveness.missing(peer) != Liveness.NONE;
  }

  @Override
  public boolean isEnding(int peer) {
    return liveness.isEnding(peer);
  }

  @Override
  public void finished(Transfer transfer) {
    if (transfer.owner == Transfers.ORPHAN) {
      return;
    }
    Operation operation = (Operation) transfer.owner;
    operation.transfer(null);
    operation.moveTo(Math.min(transfer.length(), operation.cursor().length()));
    if (transfer.status() == Transfers.WITHDRAWN) {
      operation.cancel();
    } else if (transfer.status() != 0) {
      operation.fail(failure(operation, transfer));
    } else if (operation instanceof Receive receive) {
      receive.finish();
    } else {
      operation.complete();
    }
    if (operation instanceof Receive receive && receive.partner() != null) {
      receives.fetched(receive);
    }
  }

  private RuntimeException failure(Operation operation, Transfer transfer) {
    int status = transfer.status();
    if (transfer.cause() != null && status == Transfers.CANCELED) {
      return new AdrasteaException(
          "the buffer of a %s cannot be used any more: %s".formatted(operation, transfer.cause().getMessage()),
          transfer.cause());
    }
    if (status == Spaces.SRCH || liveness.missing(transfer.peer()) != Liveness.NONE) {
      return liveness.failure(transfer.peer(), operation);
    }
    return new AdrasteaException(
        switch (status) {
          case Transfers.CANCELED, Spaces.FAULT ->
            "rank %d gave up its end of a %s: its buffer was closed, or its memory is gone".formatted(transfer.peer(),
                operation);
          case Transfers.NO_MEMORY ->
            ("a %s cannot be done: one of its ends has no memory for it, shared for a copy ring "
                + "(adrastea.ring.bytes) or on its heap (-Xmx)")
                .formatted(operation);
          default -> "a %s failed between the two ranks: error %d".formatted(operation, -status);
        },
        transfer.cause());
  }

  @Override
  public Transfer withdrawn(int peer, int number) {
    return receives.withdrawn(peer, number);
  }
}
