package io.adrastea.link.tcp;

import io.adrastea.config.Tunable;
import io.adrastea.error.JoinException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which addresses of this host a rank listens at, and in which order it tries those of another. */
final class TcpAddresses {
  /** Most addresses of a rank: a card has room for so many. */
  static final int MOST = 8;

  private TcpAddresses() {}

  /**
   * An address of this host, or a part of all that there are.
   *
   * @param address any of the network
   * @param bits leading bits that all of the network have in common
   */
  record Network(InetAddress address, int bits) {
    boolean contains(InetAddress other) {
      byte[] one = address.getAddress();
      byte[] two = other.getAddress();
      if (one.length != two.length) {
        return false;
      }
      int bytes = bits / Byte.SIZE;
      int rest = bits % Byte.SIZE;
      return Arrays.equals(one, 0, bytes, two, 0, bytes)
          && (rest == 0 || ((one[bytes] ^ two[bytes]) & 0xFF) >>> Byte.SIZE - rest == 0);
    }

    private boolean isOneOfLoopback() {
      return address.isLoopbackAddress() && bits == address.getAddress().length * Byte.SIZE;
    }

    /** Reads {@code address} or {@code address/bits}. */
    static Network read(String text) {
      String[] words = text.split("/", 2);
      try {
        InetAddress address = InetAddress.ofLiteral(words[0]);
        int most = address.getAddress().length * Byte.SIZE;
        int bits = words.length == 1 ? most : Integer.parseInt(words[1]);
        if (bits >= 0 && bits <= most) {
          return new Network(address, bits);
        }
      } catch (IllegalArgumentException e) {
        // as one with too many bits
      }
      throw new JoinException(("%s has '%s'; allowed are IP addresses and networks such as 10.1.0.0/16 and fd00::/8, "
          + "with commas between them").formatted(Tunable.TCP_ADDRESSES.property(), text));
    }
  }

  /** The addresses of this host that are up, each with its network, as the system lists them. */
  static List<Network> ofHost() throws IOException {
    List<Network> all = new ArrayList<>();
    for (NetworkInterface device : NetworkInterface.networkInterfaces().toList()) {
      if (device.isUp()) {
        for (InterfaceAddress address : device.getInterfaceAddresses()) {
          if (!address.getAddress().isLinkLocalAddress() && !address.getAddress().isMulticastAddress()) {
            all.add(new Network(address.getAddress(), address.getNetworkPrefixLength()));
          }
        }
      }
    }
    return all;
  }

  /**
   * The addresses that a rank listens at.
   *
   * @param setting addresses and networks with commas between them; {@code auto}: all but loopback, or loopback where
   * there is no other
   * @param host as {@link #ofHost} lists them
   * @throws JoinException when it names none of this host
   */
  static List<InetAddress> chosen(String setting, List<Network> host) {
    List<InetAddress> all = host.stream().map(Network::address).toList();
    if (setting.equals("auto")) {
      List<InetAddress> outside = all.stream().filter(address -> !address.isLoopbackAddress()).toList();
      return (outside.isEmpty() ? all : outside).stream().limit(MOST).toList();
    }
    List<Network> named = Stream.of(setting.split(",")).map(Network::read).toList();
    List<InetAddress> chosen = named.stream()
        .flatMap(network -> network.isOneOfLoopback()
            ? Stream.of(network.address) // all of 127.0.0.0/8 are this host's, and one is listed
            : all.stream().filter(network::contains))
        .distinct().limit(MOST).toList();
    if (chosen.isEmpty()) {
      throw new JoinException(
          "%s is '%s', and this host has none of these; it has %s: name some that it has, or leave the setting out"
              .formatted(Tunable.TCP_ADDRESSES.property(), setting,
                  all.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "))));
    }
    return chosen;
  }

  /**
   * The addresses of another rank in the order in which they are tried: first those of a network that this host is in,
   * last those that are this host's own, such as that of a bridge which each host has, unless both are on one host.
   */
  static List<InetSocketAddress> inOrder(TcpCard other, String ownHost, List<Network> host) {
    boolean isHere = other.host().equals(ownHost);
    return other.addresses().stream()
        .sorted(Comparator.comparingInt(address -> rating(address.getAddress(), isHere, host))).toList();
  }

  private static int rating(InetAddress address, boolean isHere, List<Network> host) {
    boolean own = address.isLoopbackAddress() || host.stream().anyMatch(it -> it.address.equals(address));
    if (own) {
      return isHere ? 0 : 3;
    }
    return host.stream().anyMatch(network -> network.contains(address)) ? 1 : 2;
  }
}
