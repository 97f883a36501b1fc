package io.adrastea.bench.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Opens pipes and sockets; both sides meet in a directory that is theirs alone. */
final class Streams {
  private Streams() {}

  /** Two FIFOs, {@code to0} and {@code to1}, that stand in the directory already. */
  static Link pipe(Path directory, int side) throws IOException {
    // Opening waits for the other end, so both sides open in the same order.
    FileChannel first = FileChannel.open(directory.resolve("to1"), openAs(side == 0));
    FileChannel second = FileChannel.open(directory.resolve("to0"), openAs(side == 1));
    return side == 0 ? new StreamLink(second, first) : new StreamLink(first, second);
  }

  private static StandardOpenOption openAs(boolean writer) {
    return writer ? StandardOpenOption.WRITE : StandardOpenOption.READ;
  }

  static Link unix(Path directory, int side) throws IOException {
    Path path = directory.resolve("socket");
    if (side == 1) {
      Meeting.await(directory.resolve("listening"));
      return link(SocketChannel.open(UnixDomainSocketAddress.of(path)));
    }
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      announce(directory, "unix");
      return link(server.accept());
    }
  }

  /** Over loopback. */
  static Link tcp(Path directory, int side) throws IOException {
    return link(connected(directory, side, InetAddress.getLoopbackAddress()));
  }

  /**
   * Reads and writes that find nothing to do are made again at once.
   *
   * @param address of the host of side 0
   */
  static Link spinningTcp(Path directory, int side, String address) throws IOException {
    SocketChannel channel = connected(directory, side, InetAddress.getByName(address));
    channel.configureBlocking(false);
    return link(channel);
  }

  /** At a port that the system chooses. */
  private static SocketChannel connected(Path directory, int side, InetAddress address) throws IOException {
    if (side == 1) {
      String port = Files.readString(Meeting.await(directory.resolve("listening")));
      return withoutDelay(SocketChannel.open(new InetSocketAddress(address, Integer.parseInt(port))));
    }
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(address, 0));
      announce(directory, "" + ((InetSocketAddress) server.getLocalAddress()).getPort());
      return withoutDelay(server.accept());
    }
  }

  private static SocketChannel withoutDelay(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    return channel;
  }

  private static Link link(SocketChannel channel) {
    return new StreamLink(channel, channel);
  }

  /** Writes the file {@code listening} so that it appears complete. */
  private static void announce(Path directory, String text) throws IOException {
    Path draft = Files.writeString(directory.resolve("draft"), text);
    Files.move(draft, directory.resolve("listening"), StandardCopyOption.ATOMIC_MOVE);
  }
}
