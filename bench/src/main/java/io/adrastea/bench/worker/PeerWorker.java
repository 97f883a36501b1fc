package io.adrastea.bench.worker;

import io.adrastea.core.CoreProvider;
import io.adrastea.core.Cores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * One side of a link. It reads the bench's commands, one a line; side 0 answers with the time of each batch, side 1
 * with {@code done}. Between commands it waits in a read.
 */
public final class PeerWorker {
  /** The first line, once the link stands. */
  public static final String READY = "ready";

  /** The longest message over Agrona and Aeron. */
  public static final int MAX_BYTES = 1 << 20;

  private final Runner runner;

  private PeerWorker(Link link, int side) {
    this.runner = new Runner(link, side);
  }

  /**
   * Opens the link and serves commands until there are no more.
   *
   * @param args the kind of link (pipe, unix, tcp, spinning-tcp, agrona, aeron), the side (0 or 1), the directory where
   * both meet, the CPU (-1: none), and of spinning-tcp the address of side 0
   * @throws IOException when the link or the input breaks
   */
  public static void main(String[] args) throws IOException {
    int side = Integer.parseInt(args[1]);
    try (Link link = open(args, Path.of(args[2]), side)) {
      pin(Integer.parseInt(args[3])); // after the link's own threads: they inherit no CPU
      new PeerWorker(link, side).serve();
    }
  }

  private static Link open(String[] args, Path directory, int side) throws IOException {
    return switch (args[0]) {
      case "pipe" -> Streams.pipe(directory, side);
      case "unix" -> Streams.unix(directory, side);
      case "tcp" -> Streams.tcp(directory, side);
      case "spinning-tcp" -> Streams.spinningTcp(directory, side, args[4]);
      case "agrona" -> new RingLink(directory, side);
      case "aeron" -> new AeronLink(directory, side);
      default -> throw new IllegalArgumentException("unknown link '" + args[0] + "'");
    };
  }

  private static void pin(int cpu) {
    for (CoreProvider provider : Cores.all()) {
      if (cpu >= 0 && provider.unavailabilityCause().isEmpty() && provider.bindThread(cpu) == 0) {
        return;
      }
    }
  }

  private void serve() throws IOException {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    answer(READY);
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ");
      answer(
          runner.run(
              words[0],
              Integer.parseInt(words[1]),
              Integer.parseInt(words[2]),
              Integer.parseInt(words[3])));
    }
  }

  private static void answer(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
