package io.adrastea.link.tcp;

import io.adrastea.error.JoinException;
import io.adrastea.config.Tunable;
import io.adrastea.link.LinkPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** Where a rank listens for others, at each of its addresses, and the card that tells them so. */
final class TcpPort implements LinkPort {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final int BACKLOG = 4096; // more than ranks of a job; the system has a limit of its own

  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final List<TcpAddresses.Network> networks;
  private final TcpCard card;

  /**
   * Listens.
   *
   * @param addresses as {@link TcpAddresses#chosen}
   * @throws JoinException when it cannot, with the address
   */
  TcpPort(List<InetAddress> addresses, List<TcpAddresses.Network> networks) {
    this.networks = networks;
    List<InetSocketAddress> bound = new ArrayList<>();
    for (InetAddress address : addresses) {
      bound.add(listen(address));
    }
    byte[] key = new byte[TcpCard.KEY_BYTES];
    new SecureRandom().nextBytes(key);
    this.card = new TcpCard(ProcessHandle.current().pid(), key, TcpCard.plain(hostName()), bound);
  }

  /** Listens at the addresses that the setting says. */
  static TcpPort open() {
    try {
      List<TcpAddresses.Network> host = TcpAddresses.ofHost();
      return new TcpPort(TcpAddresses.chosen(Tunable.TCP_ADDRESSES.word(), host), host);
    } catch (IOException e) {
      throw new JoinException("tcp cannot list the addresses of this host: " + e.getMessage(), e);
    }
  }

  private InetSocketAddress listen(InetAddress address) {
    try {
      ServerSocketChannel listener = ServerSocketChannel.open();
      listeners.add(listener);
      listener.configureBlocking(false);
      listener.bind(new InetSocketAddress(address, 0), BACKLOG);
      return (InetSocketAddress) listener.getLocalAddress();
    } catch (UnsupportedAddressTypeException e) {
      close();
      throw new JoinException(
          "tcp cannot listen at %s, since this JVM has no IPv6; name other addresses in %s, or let the JVM use IPv6"
              .formatted(address.getHostAddress(), Tunable.TCP_ADDRESSES.property()),
          e);
    } catch (IOException e) {
      close();
      throw new JoinException(
          ("tcp cannot listen at %s of this host: %s; mend what is short (ulimit -n, the range of free ports), or name "
              + "other addresses in %s").formatted(address.getHostAddress(), e.getMessage(),
                  Tunable.TCP_ADDRESSES.property()),
          e);
    }
  }

  private static String hostName() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return ""; // no Linux: a card tells none
    }
  }

  TcpCard card() {
    return card;
  }

  List<ServerSocketChannel> listeners() {
    return listeners;
  }

  /** The networks that this host is in. */
  List<TcpAddresses.Network> networks() {
    return networks;
  }

  @Override
  public String words() {
    return card.words();
  }

  @Override
  public void close() {
    for (ServerSocketChannel listener : listeners) {
      try {
        listener.close();
      } catch (IOException e) {
        // nobody comes in any more in any case
      }
    }
  }
}
