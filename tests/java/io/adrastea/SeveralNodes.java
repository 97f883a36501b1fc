package io.adrastea;

import io.adrastea.link.pipe.PipeDirectory;
import io.adrastea.peers.Nodes;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The nodes on which the ranks of a test are, by a name such as {@code nodes}, {@code nodes.round} or
 * {@code 4nodes.random}: how many there are, two if nothing is said, and how ranks are dealt to them: in blocks if
 * nothing is said, round, or at random by the seed of the tests. With fewer ranks there are fewer nodes. Each node has
 * a segment of its own; between nodes are the links through sockets of the tests, or with {@code .tcp} at the end that
 * of the library.
 */
final class SeveralNodes {
  private static final String WORD = "nodes";
  private static final String TCP = ".tcp";
  private static final int TWO = 2;

  private SeveralNodes() {}

  /** Whether a name is one of those. */
  static boolean is(String name) {
    return name.contains(WORD);
  }

  /** Whether they reach each other by the link of the library itself. */
  static boolean isTcp(String name) {
    return name.endsWith(TCP);
  }

  /** The settings of jobs on them. */
  static Map<String, String> settings(String name, PipeDirectory directory) {
    return isTcp(name)
        ? Map.of("adrastea.links", "shm,tcp", "adrastea.tcp.addresses", "127.0.0.1", "adrastea.tcp.buffer", "65536")
        : directory.settings(WORD);
  }

  /** The nodes of so many ranks. */
  static Nodes of(String list, int ranks) {
    String name = isTcp(list) ? list.substring(0, list.length() - TCP.length()) : list;
    int at = name.indexOf(WORD);
    int count = Math.min(ranks, at == 0 ? TWO : Integer.parseInt(name.substring(0, at)));
    int[] blocks = IntStream.range(0, ranks).map(rank -> (int) ((long) rank * count / ranks)).toArray();
    return switch (name.substring(at + WORD.length())) {
      case "" -> Nodes.of(blocks);
      case ".round" -> Nodes.of(IntStream.range(0, ranks).map(rank -> rank % count).toArray());
      case ".random" -> Nodes.of(mixed(blocks));
      default -> throw new IllegalArgumentException(
          "nodes are dealt as 'nodes', 'nodes.round' or 'nodes.random', not '" + name + "'");
    };
  }

  private static int[] mixed(int[] nodes) {
    SplittableRandom random = new SplittableRandom(Integer.getInteger("adrastea.test.seed", 1));
    int[] mixed = Arrays.copyOf(nodes, nodes.length);
    for (int i = mixed.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int node = mixed[i];
      mixed[i] = mixed[other];
      mixed[other] = node;
    }
    return mixed;
  }
}
