package io.adrastea.link.tcp;

import java.net.InetSocketAddress;
import java.util.List;

/** A rank's attempts to connect to another one, at each of its addresses in turn. Guarded by the link. */
final class Call {
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long MOST_PAUSE_NANOS = 1_000_000_000;

  final Connection connection;
  private final List<InetSocketAddress> addresses;
  private final long begun;
  private int next;
  private boolean nobodyThere = true; // all addresses of this round said so
  private String why = "";
  private long pause = FIRST_PAUSE_NANOS;
  long resumeAt; // with the next address
  Handshake handshake; // the attempt that is under way; null: none

  Call(Connection connection, List<InetSocketAddress> addresses, long now) {
    this.connection = connection;
    this.addresses = addresses;
    this.begun = now;
    this.resumeAt = now;
  }

  InetSocketAddress address() {
    return addresses.get(next);
  }

  /**
   * An attempt has failed.
   *
   * @param isNobody whether what was met says that the rank does not listen there any more
   * @param mostNanos how long to go on where nothing says so
   * @return why the rank is not reached; null: it goes on
   */
  String failed(String reason, boolean isNobody, long now, long mostNanos) {
    handshake = null;
    resumeAt = now;
    nobodyThere &= isNobody;
    why += "%s%s: %s".formatted(why.isEmpty() ? "" : ", ", TcpCard.text(address()), reason);
    if (++next < addresses.size()) {
      return null;
    }
    if (nobodyThere || now - begun > mostNanos) {
      return "nobody answers for it on host %s (%s)".formatted(connection.card.host(), why);
    }
    next = 0;
    nobodyThere = true;
    why = "";
    resumeAt = now + pause;
    pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
    return null;
  }
}
