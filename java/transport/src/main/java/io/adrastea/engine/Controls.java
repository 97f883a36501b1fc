package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.transfer.Cookie;
import java.util.Arrays;

/**
 * Messages of transfers to other ranks: sent at once, or as soon as there is room, in their order. They do not queue
 * behind sends, which may wait for what these bring about.
 */
final class Controls {
  /** Of no communicator; the type is in the lower bits. */
  static final long MATCH = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;

  /** Whatever the type. */
  static final long MASK = ~0xFFL;

  /** Messages that the taking in of one can bring about: a CTS, and the DONE of a transfer that is over at once. */
  private static final int RESERVED = 2;

  private static final class Entry {
    int peer;
    int type;
    final Cookie cookie = new Cookie();
    Entry next;
  }

  private final Core core;
  private final Bursts bursts;
  private final Liveness liveness;
  private Entry first; // of those that wait, linked: a queue that grows could find no memory in the middle
  private Entry last;
  private int waiting;
  private Entry spent;
  private int spentCount;
  private final boolean[] stuck; // ranks that had no room in this pass

  Controls(Core core, Bursts bursts, Liveness liveness, int ranks) {
    this.core = core;
    this.bursts = bursts;
    this.liveness = liveness;
    this.stuck = new boolean[ranks];
  }

  /** Whether a match word is that of a message from here, rather than of an RTS. */
  static boolean isControl(long match) {
    return match >>> 32 == MATCH >>> 32;
  }

  static int type(long match) {
    return (int) match & 0xFF;
  }

  /**
   * Sees to it that what the next message from a peer brings about takes no memory, though there be no room for it at
   * the peer.
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

  void send(int peer, int type, Cookie cookie) {
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
    int taken = core.trySend(peer, CellDescriptor.KIND_FIRST, MATCH | type, bytes, cookie.memory(), 0, bytes);
    if (taken == Core.GONE) {
      return true; // dropped; its transfer ends when the peer is found missing
    }
    if (taken < 0 && taken != Core.AGAIN && taken != Core.BUSY) {
      throw CoreStatus.corrupt("core error " + -taken);
    }
    if (taken == bytes) {
      bursts.sent(peer);
      bursts.show(); // the peer waits for it, whatever burst is open here
    }
    return taken == bytes;
  }

  /** Sends what can be sent; one that cannot, or must wait for one before it, does not stop those to other ranks. */
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

  /** Looks which of the ranks that have no room are still there. */
  void check() {
    for (Entry entry = first; entry != null; entry = entry.next) {
      liveness.missing(entry.peer);
    }
  }
}
