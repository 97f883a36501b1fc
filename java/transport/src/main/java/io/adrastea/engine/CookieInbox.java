package io.adrastea.engine;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.transfer.Cookie;
import io.adrastea.transfer.Transfer;
import io.adrastea.transfer.Transfers;

/** The messages of transfers that come in: looked for, checked, and handed on. */
final class CookieInbox {
  private final Core core;
  private final Transfers transfers;
  private final EagerRule rule;
  private final Cookie cookie = new Cookie();

  CookieInbox(Core core, Transfers transfers, EagerRule rule) {
    this.core = core;
    this.transfers = transfers;
    this.rule = rule;
  }

  /** As {@link Core#receive}, for a message of transfers; to be followed by {@link #taken}. */
  int receive(long match, long mask, int source, int looks, Inbound inbound) {
    return core.receive(match, mask, source, cookie.memory(), 0, cookie.memory().byteSize(), looks, inbound);
  }

  /** Takes what poll found in. The transfer of an RTS is to be matched; null: it was another. */
  Transfer accept(Inbound piece) {
    if (piece.kind() != CellDescriptor.KIND_FIRST
        || piece.length() != piece.totalLength()
        || piece.length() > cookie.memory().byteSize()) {
      throw CoreStatus.corrupt("rank %d sent a cookie of %d bytes".formatted(piece.source(), piece.totalLength()));
    }
    int source = piece.source();
    if (!rule.speaks(source)) {
      throw CoreStatus.corrupt("rank %d sent a tag below zero".formatted(source));
    }
    long match = piece.match();
    CoreStatus.checked(core.take(cookie.memory(), 0, piece.length()));
    return taken(source, match, piece.length());
  }

  /** The cookie is here. */
  Transfer taken(int source, long match, int bytes) {
    Transfer transfer = null;
    boolean sound = cookie.filled(bytes);
    if (sound && Controls.isControl(match)) {
      sound = transfers.received(source, Controls.type(match), cookie);
    } else if (sound) {
      transfer = transfers.offered(source, match & ~CellDescriptor.MATCH_TRANSFER, cookie);
      sound = transfer != null;
      rule.heardLarge(source);
    }
    if (!sound) {
      throw CoreStatus.corrupt("rank %d sent a cookie that is none".formatted(source));
    }
    return transfer;
  }
}
