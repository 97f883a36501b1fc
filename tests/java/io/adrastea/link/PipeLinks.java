package io.adrastea.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Connects the ranks of a job by sockets in a directory that all of them know: all with all and with themselves, or,
 * mixed, those whose numbers add up to an odd one, so that any two of three ranks have another way between them.
 */
public record PipeLinks(Path directory, boolean mixed) implements LinkFactory {
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  @Override
  public Link[] links(int self, int size, Link shm) {
    boolean[] reaches = new boolean[size];
    Link[] links = new Link[size];
    Arrays.fill(links, shm);
    for (int rank = 0; rank < size; rank++) {
      reaches[rank] = !mixed || (self + rank) % 2 == 1;
    }
    if (mixed && size == 1) {
      return links;
    }
    PipeLink link = new PipeLink(self, size, shm, reaches);
    try {
      connect(link, self, reaches, shm);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    link.start();
    for (int rank = 0; rank < size; rank++) {
      links[rank] = reaches[rank] ? link : shm;
    }
    return links;
  }

  private UnixDomainSocketAddress address(int rank) {
    return UnixDomainSocketAddress.of(directory.resolve(Integer.toString(rank)));
  }

  private void connect(PipeLink link, int self, boolean[] reaches, Link table) throws IOException {
    boolean[] missing = reaches.clone();
    missing[self] = false;
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address(self));
      server.configureBlocking(false);
      for (int rank = 0; rank < self; rank++) {
        if (missing[rank]) {
          call(link, rank, self, table);
          missing[rank] = false;
        }
      }
      accept(server, link, missing, table);
    }
  }

  private void call(PipeLink link, int rank, int self, Link table) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(address(rank));
        channel.write(ByteBuffer.allocate(4).putInt(0, self));
        link.connect(rank, channel);
        return;
      } catch (IOException e) { // it is not there yet
        channel.close();
        if (!table.isPresent(rank)) {
          link.missed(rank);
          return;
        }
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
      }
      pause();
    }
  }

  private static void accept(ServerSocketChannel server, PipeLink link, boolean[] missing, Link table)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int rank = next(missing); rank >= 0; rank = next(missing)) {
      SocketChannel channel = server.accept();
      if (channel != null) {
        ByteBuffer hello = ByteBuffer.allocate(4);
        while (hello.hasRemaining() && channel.read(hello) >= 0) {
          Thread.onSpinWait();
        }
        int caller = hello.getInt(0);
        link.connect(caller, channel);
        missing[caller] = false;
      } else if (!table.isPresent(rank)) {
        link.missed(rank);
        missing[rank] = false;
      } else if (System.nanoTime() - deadline > 0) {
        throw new IOException("rank %d did not connect".formatted(rank));
      } else {
        pause();
      }
    }
  }

  private static int next(boolean[] missing) {
    for (int rank = 0; rank < missing.length; rank++) {
      if (missing[rank]) {
        return rank;
      }
    }
    return -1;
  }

  private static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
