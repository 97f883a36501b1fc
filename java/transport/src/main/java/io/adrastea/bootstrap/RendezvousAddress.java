package io.adrastea.bootstrap;

import io.adrastea.config.Tunable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The address at which ranks meet, host:port. Twin of {@code bootstrap/adr_rendezvous_address.h}.
 *
 * @param host name or address
 * @param port from 1 to 65535
 * @param words as it was given, cut off where it is long, for messages
 */
record RendezvousAddress(String host, int port, String words) {
  /**
   * Reads a host's name or address, IPv6 in brackets, and a port.
   *
   * @throws IllegalArgumentException when it is not so
   */
  static RendezvousAddress parse(String text) {
    Tunable.RENDEZVOUS.require(text, Tunable.RENDEZVOUS.origin());
    int colon = text.lastIndexOf(':');
    boolean bracketed = text.startsWith("[");
    String host = bracketed ? text.substring(1, colon - 1) : text.substring(0, colon);
    return new RendezvousAddress(host, Integer.parseInt(text.substring(colon + 1)), "%.128s".formatted(text));
  }

  /**
   * Looks the host up, which takes as long as the system's resolver waits. What is unknown stays unknown for some
   * seconds ({@code networkaddress.cache.negative.ttl}).
   *
   * @throws UnknownHostException when there is no such host
   */
  List<InetSocketAddress> resolve() throws UnknownHostException {
    return Stream.of(InetAddress.getAllByName(host)).map(address -> new InetSocketAddress(address, port)).toList();
  }
}
