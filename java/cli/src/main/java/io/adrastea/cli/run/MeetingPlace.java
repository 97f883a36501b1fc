package io.adrastea.cli.run;

import io.adrastea.config.Tunable;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/** Where the ranks of a job on several hosts meet: an address of the first of them, and a port that is free there. */
final class MeetingPlace {
  /** Ports that the system gives to no connection: none of those takes one before rank 0 listens. */
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS_END = 32_000;
  private static final int ATTEMPTS = 200;

  private MeetingPlace() {}

  /**
   * Chooses, on the host of rank 0.
   *
   * @param connection what ssh says of the connection by which this process was started; null: nothing
   * @throws IllegalArgumentException when what was asked for is not of this host, or no port is free
   */
  static String choose(HostJob job, String connection) {
    String wanted = job.rendezvous();
    if (hasPort(wanted)) {
      return wanted;
    }
    InetAddress address = wanted.isEmpty() ? reached(job, connection) : ofThisHost(wanted, job.host());
    String name = wanted.isEmpty() ? written(address) : wanted;
    return name + ":" + freePort(address);
  }

  /** Whether this is a host and a port. */
  static boolean hasPort(String text) {
    try {
      Tunable.RENDEZVOUS.require(text, "--rendezvous");
      return !text.isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static InetAddress ofThisHost(String wanted, String host) {
    try {
      return Stream.of(InetAddress.getAllByName(wanted)).filter(MeetingPlace::isOwn).findFirst()
          .orElseThrow(() -> new IllegalArgumentException(
              "--rendezvous is '%s', which is no address of host %s, which has rank 0; it has %s"
                  .formatted(wanted, host, own().map(InetAddress::getHostAddress).toList())));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "--rendezvous is '%s', which host %s, which has rank 0, does not know; name an address".formatted(wanted,
              host),
          e);
    }
  }

  /**
   * The address by which other hosts reach this one: that of its name, unless it leads to this host alone; that by
   * which ssh came; or the first that it has.
   */
  private static InetAddress reached(HostJob job, String connection) {
    if (job.near()) {
      return InetAddress.getLoopbackAddress();
    }
    String[] words = connection == null ? new String[0] : connection.split(" ");
    return Stream.of(known(job.host()), known(words.length == 4 ? words[2] : ""), own())
        .flatMap(addresses -> addresses)
        .filter(address -> !address.isLoopbackAddress() && isOwn(address))
        .findFirst()
        .orElse(InetAddress.getLoopbackAddress());
  }

  private static Stream<InetAddress> known(String host) {
    try {
      return host.isEmpty() ? Stream.of() : Stream.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return Stream.of(); // a name that its agent alone knows
    }
  }

  private static boolean isOwn(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /** The addresses of interfaces that are up and lead to other hosts, those of IPv4 first. */
  private static Stream<InetAddress> own() {
    try {
      List<InetAddress> all = NetworkInterface.networkInterfaces().filter(MeetingPlace::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
          .toList();
      return all.stream();
    } catch (SocketException e) {
      return Stream.of();
    }
  }

  private static boolean isUp(NetworkInterface each) {
    try {
      return each.isUp();
    } catch (SocketException e) {
      return false;
    }
  }

  private static String written(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + text + "]" : text;
  }

  private static int freePort(InetAddress address) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, PORTS_END);
      try (ServerSocket socket = new ServerSocket(port, 1, address)) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // another process has it
      }
    }
    throw new IllegalArgumentException("no port from %d to %d is free at %s; name one by --rendezvous HOST:PORT"
        .formatted(FIRST_PORT, PORTS_END, address.getHostAddress()));
  }
}
