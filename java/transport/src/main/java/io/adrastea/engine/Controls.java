package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.lmt.Cookie;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * Messages of transfers to other ranks: sent at once, or as soon as there is room, in their order. They do not queue behind sends, which
 * may wait for what these bring about.
 */
final class Controls {
  /** Of no communicator; the type is in the lower bits. */
  static final long MATCH = 0xFFFF_FFFFL << 32 | CellDescriptor.MATCH_TRANSFER;

  /** Whatever the type. */
  static final long MASK = ~0xFFL;

  private static final class Entry {
    int peer;
    int type;
    final Cookie cookie = new Cookie();
  }

  private final Core core;
  private final Bursts bursts;
  private final Liveness liveness;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final ArrayDeque<Entry> spent = new ArrayDeque<>();
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

  void send(int peer, int type, Cookie cookie) {
    if (!waiting.isEmpty() || !trySend(peer, type, cookie)) {
      Entry entry = spent.isEmpty() ? new Entry() : spent.pop();
      entry.peer = peer;
      entry.type = type;
      entry.cookie.copy(cookie);
      waiting.add(entry);
    }
  }

  private boolean trySend(int peer, int type, Cookie cookie) {
    int bytes = cookie.bytes();
    int taken = core.trySend(peer, CellDescriptor.KIND_FIRST, MATCH | type, bytes, cookie.memory(), 0, bytes);
    if (taken == Core.GONE) {
      return true; // dropped; its transfer ends when the peer is found missing
    }
    if (taken < 0 && taken != Core.AGAIN && taken != Core.BUSY) {
      throw Receiver.corrupt("core error " + -taken);
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
    for (int left = waiting.size(); left > 0; left--) {
      Entry entry = waiting.poll();
      boolean over = liveness.isGone(entry.peer) || !stuck[entry.peer] && trySend(entry.peer, entry.type, entry.cookie);
      if (over) {
        spent.push(entry);
      } else {
        stuck[entry.peer] = true;
        waiting.add(entry);
      }
      any |= over;
    }
    return any;
  }

  boolean isIdle() {
    return waiting.isEmpty();
  }

  /** Looks which of the ranks that have no room are still there. */
  void check() {
    for (Entry entry : waiting) {
      liveness.missing(entry.peer);
    }
  }
}
