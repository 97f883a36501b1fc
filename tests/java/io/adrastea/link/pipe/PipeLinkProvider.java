package io.adrastea.link.pipe;

import io.adrastea.link.JobRank;
import io.adrastea.link.Link;
import io.adrastea.link.LinkProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/**
 * Brings links by sockets in a directory that all ranks of a job know: from all to all and to themselves, or, mixed,
 * between those whose numbers add up to an odd one, so that any two of three ranks have another way between them; or
 * between nodes, where shared memory tells nothing of the ranks at their other ends. Found by the service loader;
 * without a directory these links reach nobody.
 */
public final class PipeLinkProvider implements LinkProvider {
  /** The property that names the directory. */
  static final String DIRECTORY = "adrastea.test.pipes";

  /** The property that is {@code true} where they are mixed with shared memory. */
  static final String MIXED = "adrastea.test.pipes.mixed";

  /** The property that is {@code true} where they are between nodes alone. */
  static final String NODES = "adrastea.test.pipes.nodes";

  /** The property that tells the most bytes of a piece; without it they are those of shared memory. */
  public static final String PIECE_BYTES = "adrastea.test.pipes.bytes";

  private static final int HELLO_BYTES = 12; // rank and process

  private static final long PATIENCE_NANOS = 120_000_000_000L;
  private static final Map<Integer, PipeLink> OPENED = new ConcurrentHashMap<>();

  /** The link that a rank of this JVM has opened last. */
  public static PipeLink opened(int rank) {
    return OPENED.get(rank);
  }

  @Override
  public String name() {
    return "pipes";
  }

  @Override
  public int preference() {
    return SHARED_MEMORY_PREFERENCE - 1;
  }

  @Override
  public boolean reaches(JobRank self, int rank) {
    return System.getProperty(DIRECTORY) != null
        && (!Boolean.getBoolean(MIXED) || (self.rank() + rank) % 2 == 1)
        && (!Boolean.getBoolean(NODES) || self.node(rank) != self.node(self.rank()));
  }

  @Override
  public Link open(JobRank self, BitSet ranks) {
    Link table = self.sharedMemory();
    boolean nodes = Boolean.getBoolean(NODES);
    RankEnds ends = nodes ? new RankEnds.ByConnection() : new RankEnds.ByTable(table);
    PipeLink link = new PipeLink(self.rank(), self.size(), Integer.getInteger(PIECE_BYTES, table.pieceBytes()), ends,
        ranks);
    try {
      connect(link, self.rank(), ranks, nodes ? rank -> true : table::isPresent);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    link.start();
    OPENED.put(self.rank(), link);
    return link;
  }

  private static UnixDomainSocketAddress address(int rank) {
    return UnixDomainSocketAddress.of(Path.of(System.getProperty(DIRECTORY), Integer.toString(rank)));
  }

  private static void connect(PipeLink link, int self, BitSet ranks, IntPredicate isPresent) throws IOException {
    BitSet missing = (BitSet) ranks.clone();
    missing.clear(self);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address(self));
      server.configureBlocking(false);
      for (int rank = 0; rank < self; rank++) {
        if (missing.get(rank)) {
          call(link, rank, self, isPresent);
          missing.clear(rank);
        }
      }
      accept(server, link, missing, isPresent);
    }
  }

  private static void call(PipeLink link, int rank, int self, IntPredicate isPresent) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        channel.connect(address(rank));
        channel.write(ByteBuffer.allocate(HELLO_BYTES).putInt(0, self).putLong(4, ProcessHandle.current().pid()));
        link.connect(rank, read(channel).getLong(4), channel);
        return;
      } catch (IOException e) { // it is not there yet
        channel.close();
        if (!isPresent.test(rank)) {
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

  private static void accept(ServerSocketChannel server, PipeLink link, BitSet missing, IntPredicate isPresent)
      throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    for (int rank = missing.nextSetBit(0); rank >= 0; rank = missing.nextSetBit(0)) {
      SocketChannel channel = server.accept();
      if (channel != null) {
        ByteBuffer hello = read(channel);
        int caller = hello.getInt(0);
        channel.write(ByteBuffer.allocate(HELLO_BYTES).putLong(4, ProcessHandle.current().pid()));
        link.connect(caller, hello.getLong(4), channel);
        missing.clear(caller);
      } else if (!isPresent.test(rank)) {
        link.missed(rank);
        missing.clear(rank);
      } else if (System.nanoTime() - deadline > 0) {
        throw new IOException("rank %d did not connect".formatted(rank));
      } else {
        pause();
      }
    }
  }

  private static ByteBuffer read(SocketChannel channel) throws IOException {
    ByteBuffer hello = ByteBuffer.allocate(HELLO_BYTES);
    while (hello.hasRemaining() && channel.read(hello) >= 0) {
      Thread.onSpinWait();
    }
    return hello;
  }

  private static void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
