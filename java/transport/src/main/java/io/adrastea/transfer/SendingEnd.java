package io.adrastea.transfer;

import io.adrastea.error.SegmentException;

/** Large messages at their senders: what an RTS offers, and what a receiver's CTS or COOKIE brings about. */
final class SendingEnd {
  private final Node node;
  private final Ways ways;
  private final PathSelector selector;
  private final TransferTable table;
  private final ActiveTransfers active;

  SendingEnd(Node node, Ways ways, PathSelector selector, TransferTable table, ActiveTransfers active) {
    this.node = node;
    this.ways = ways;
    this.selector = selector;
    this.table = table;
    this.active = active;
  }

  /** As {@link Transfers#send}. */
  Transfer offer(Object owner, Payload payload, int peer, long length, Cookie rts) {
    Transfer transfer = table.take();
    transfer.remote.reserve(node.mostEntries); // for the CTS: it is lost if there is no memory then
    transfer.begin(true, peer, length);
    transfer.pid = node.pair(transfer).pid;
    table.enter(transfer);
    transfer.owner = owner;
    transfer.payload = payload;
    rts.clear();
    rts.add(length);
    rts.add(0);
    rts.add(0);
    ways.get.preSend(transfer, rts);
    transfer.ownSegment = (transfer.own.flags & Exposure.ADDRESS) != 0 ? node.segment() : 0;
    rts.set(Cookie.SEGMENT, transfer.ownSegment);
    rts.set(Cookie.SENDER, Cookie.pack(transfer.id, selector.offers(transfer)));
    transfer.mechanism = ways.get; // until the receiver says otherwise
    return transfer;
  }

  /** The receiver says how the bytes are to go; false: it cannot be. */
  boolean told(Transfer transfer, int type, Cookie cookie) {
    int way = cookie.low(Cookie.WAY);
    Path writing = Path.of(way >>> 8 & 0xFF);
    transfer.peerId = cookie.high(Cookie.TARGET);
    transfer.wanted = cookie.word(Cookie.TO);
    cookie.read(Cookie.WANTED, transfer.remote);
    if (!isSound(transfer, way & 0xFF, cookie.word(Cookie.FROM), writing)) {
      transfer.fail(Copying.CORRUPT, null); // what it was told before is lost
      transfer.copied = true;
      return false;
    }
    transfer.writing = writing;
    transfer.mechanism.postSend(transfer);
    transfer.mechanism = ways.of(way & 0xFF);
    transfer.copied = false;
    transfer.told = false;
    transfer.peerDone = false;
    transfer.participates = false;
    transfer.missingTo = transfer.missingFrom;
    start(transfer, type, cookie);
    active.add(transfer);
    active.progress(transfer);
    return true;
  }

  private boolean isSound(Transfer transfer, int way, long from, Path writing) {
    long to = transfer.wanted;
    boolean direct = way == Cookie.GET || way == Cookie.PUT;
    boolean reachable = way == Cookie.RING || direct && transfer.remote.total() == to && node.memory(writing) != null;
    return from >= 0 && to <= transfer.length && from < to && writing != null && reachable;
  }

  /** What a broken peer says, or want of memory, ends this transfer, not those with others. */
  private void start(Transfer transfer, int type, Cookie cookie) {
    try {
      if (type == Cookie.COOKIE) {
        transfer.mechanism.handleCookie(transfer, cookie);
      } else {
        transfer.mechanism.startSend(transfer, cookie);
      }
    } catch (IllegalArgumentException | IllegalStateException | SegmentException e) {
      transfer.fail(Copying.CORRUPT, e);
      transfer.copied = true;
    } catch (OutOfMemoryError e) {
      // The ring has lost a stretch of its stream.
      transfer.fail(transfer.mechanism == ways.ring ? Copying.CORRUPT : Transfers.NO_MEMORY, null);
      transfer.copied = true;
      transfer.participates = true; // so that the receiver is told
    }
  }
}
