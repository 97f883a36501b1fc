package io.adrastea;

import static io.adrastea.Communicator.NO_RANK;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * Neighbour collectives on grids and graphs, of parts of all lengths in all kinds of memory, do what as many messages
 * do that MPI says they are equal to.
 */
@EverySharedCoreList
class NeighborCollectivesTest {
  private static final int[] NONE = {};
  private static final byte UNTOUCHED = 0x55;
  private static final int TAG = 9;

  @Parameter
  String cores;

  /** A topology of one rank, and what it knows of the edges of the others. */
  private interface Edges {
    RankTopology topology();

    int[] sources();

    int[] destinations();

    /** Which edge of that source, in its order, one from it is. */
    int atSource(int edge);

    /** Sends and receives, as MPI says. */
    void exchange(byte[][] in, byte[][] out);
  }

  private record OnGrid(CartesianTopology topology) implements Edges {
    @Override
    public int[] sources() {
      return topology.neighbors();
    }

    @Override
    public int[] destinations() {
      return topology.neighbors();
    }

    @Override
    public int atSource(int edge) {
      return edge ^ 1;
    }

    /** MPI 4.1, example 8.10. */
    @Override
    public void exchange(byte[][] in, byte[][] out) {
      Communicator ranks = topology.communicator();
      for (int d = 0; d < topology.dims().length; d++) {
        CartesianTopology.Shift shift = topology.shift(d, 1);
        sendrecv(ranks, in[2 * d], shift.source(), out[2 * d + 1], shift.destination());
        sendrecv(ranks, in[2 * d + 1], shift.destination(), out[2 * d], shift.source());
      }
    }

    private static void sendrecv(Communicator ranks, byte[] in, int to, byte[] out, int from) {
      ranks.sendrecv(Data.of(in), to, TAG, Data.of(out), from, TAG);
    }
  }

  private record OnGraph(GraphTopology topology, List<int[]> edges) implements Edges {
    @Override
    public int[] sources() {
      return topology.sources();
    }

    @Override
    public int[] destinations() {
      return topology.destinations();
    }

    @Override
    public int atSource(int edge) {
      int from = topology.sources()[edge];
      int self = topology.communicator().rank();
      long before = Arrays.stream(topology.sources()).limit(edge).filter(source -> source == from).count();
      int[] theirs = edges.stream().filter(one -> one[0] == from).mapToInt(one -> one[1]).toArray();
      return IntStream.range(0, theirs.length).filter(i -> theirs[i] == self).skip(before).findFirst().getAsInt();
    }

    @Override
    public void exchange(byte[][] in, byte[][] out) {
      List<Request> requests = new ArrayList<>();
      Communicator ranks = topology.communicator();
      for (int i = 0; i < out.length; i++) {
        requests.add(ranks.irecv(Data.of(out[i]), topology.sources()[i], TAG));
      }
      for (int i = 0; i < in.length; i++) {
        requests.add(ranks.isend(Data.of(in[i]), topology.destinations()[i], TAG));
      }
      Request.waitAll(requests.toArray(Request[]::new));
    }
  }

  @Test
  void onGrids() throws Exception {
    int[][] all = {{1}, {2}, {1, 2}, {4}, {3, 2}, {1, 3, 1}};
    for (int ranks : new int[] {2, 6}) {
      Ranks.run(cores, ranks, job -> {
        int seed = 0;
        for (int[] dims : all) {
          int size = Arrays.stream(dims).reduce(1, (a, b) -> a * b);
          for (int open = 0; open < 2 && size <= ranks && size > ranks / 3; open++) {
            boolean[] periodic = new boolean[dims.length];
            Arrays.fill(periodic, open, dims.length, true);
            seed++;
            try (CartesianTopology grid = CartesianTopology.of(job.world(), dims, periodic, false)) {
              if (grid != null) {
                check(job, new OnGrid(grid), 2, seed);
              }
            }
          }
        }
      });
    }
  }

  @Test
  void onGraphs() throws Exception {
    Ranks.run(cores, 4, job -> {
      int self = job.world().rank();
      for (int round = 0; round < 5; round++) {
        SplittableRandom random = new SplittableRandom(round);
        List<int[]> edges = new ArrayList<>();
        for (int i = random.nextInt(14); i > 0; i--) {
          edges.add(new int[] {random.nextInt(4), random.nextInt(4)});
        }
        int[] from = edges.stream().filter(edge -> edge[1] == self).mapToInt(edge -> edge[0]).toArray();
        int[] to = edges.stream().filter(edge -> edge[0] == self).mapToInt(edge -> edge[1]).toArray();
        try (GraphTopology graph = GraphTopology.adjacent(job.world(), from, to)) {
          check(job, new OnGraph(graph, edges), 3, round);
        }
      }
    });
  }

  @Test
  void onADistributedGraph() throws Exception {
    Ranks.run(cores, 3, job -> {
      boolean names = job.world().rank() == 1;
      int[] ends = {0, 2, 2, 0, 1, 2, 2};
      int[] sources = names ? new int[] {2, 0, 2} : NONE;
      int[] degrees = names ? new int[] {4, 1, 2} : NONE;
      List<int[]> edges = List.of(
          new int[] {2, 0}, new int[] {2, 2}, new int[] {2, 2}, new int[] {2, 0}, new int[] {0, 1}, new int[] {2, 2},
          new int[] {2, 2});
      try (GraphTopology graph = GraphTopology.distributed(
          job.world(), sources, degrees, names ? ends : NONE, names ? new int[ends.length] : NONE, true)) {
        check(job, new OnGraph(graph, edges), 4, 7);
      }
    });
  }

  private static void check(Job job, Edges edges, int rounds, long seed) {
    for (int round = 0; round < rounds; round++) {
      SplittableRandom same = new SplittableRandom(100 * seed + round); // at all ranks
      SplittableRandom own = new SplittableRandom(same.nextLong() + edges.topology().communicator().rank());
      new Exchange(job, edges, same.nextBoolean(), same.nextBoolean(), same.nextInt(4), same.nextInt(), own).check();
    }
  }

  /** One collective, and what it is to bring. */
  private static final class Exchange {
    private final Job job;
    private final Edges edges;
    private final boolean isAllgather;
    private final boolean isEqual; // parts of one length, one behind the other
    private final int form;
    private final int seed;
    private final SplittableRandom own;
    private final List<Runnable> checks = new ArrayList<>();

    Exchange(Job job, Edges edges, boolean isAllgather, boolean isEqual, int form, int seed, SplittableRandom own) {
      this.job = job;
      this.edges = edges;
      this.isAllgather = isAllgather;
      this.isEqual = isEqual;
      this.form = form;
      this.seed = seed;
      this.own = own;
    }

    void check() {
      int self = edges.topology().communicator().rank();
      int[] to = edges.destinations();
      int[] from = edges.sources();
      byte[][] in = new byte[to.length][];
      byte[][] out = new byte[from.length][];
      Arrays.setAll(in, edge -> Contents.of(length(self, edge), seed + 31L * self + (isAllgather ? 0 : edge)));
      Arrays.setAll(out, edge -> new byte[length(from[edge], edges.atSource(edge))]);
      Data gives = isAllgather ? place(Contents.of(length(self, 0), seed + 31L * self)) : parts(in, true, isEqual);
      for (byte[] part : out) {
        Arrays.fill(part, UNTOUCHED);
      }
      Data takes = parts(out, false, isEqual);
      edges.exchange(in, out); // the checks see what it has brought
      run(gives, takes);
      checks.forEach(Runnable::run);
    }

    /** Bytes of an edge at a rank that gives. */
    private int length(int giver, int edge) {
      SplittableRandom random =
          new SplittableRandom(isEqual ? seed : seed + 1000L * giver + (isAllgather ? 0 : edge));
      random.nextLong();
      return switch (random.nextInt(12)) {
        case 0 -> 0;
        case 1 -> 1;
        case 2, 3 -> random.nextInt(10);
        case 4, 5, 6, 7 -> random.nextInt(200);
        case 8, 9, 10 -> random.nextInt(9_000);
        default -> random.nextInt(300_000);
      };
    }

    private void run(Data in, Data out) {
      RankTopology topology = edges.topology();
      switch (form) {
        case 0 -> {
          if (isAllgather) {
            topology.neighborAllgather(in, out);
          } else {
            topology.neighborAlltoall(in, out);
          }
        }
        case 1 -> (isAllgather ? topology.ineighborAllgather(in, out) : topology.ineighborAlltoall(in, out)).await();
        case 2 -> {
          Request mine = new Request();
          assertEquals(mine, isAllgather
              ? topology.started(mine).neighborAllgather(in, out)
              : topology.started(mine).neighborAlltoall(in, out));
          topology.communicator().ibarrier().await();
          mine.await();
        }
        default -> {
          Request prepared =
              isAllgather ? topology.neighborAllgatherInit(in, out) : topology.neighborAlltoallInit(in, out);
          for (int i = 0; i < 3; i++) {
            prepared.start();
            prepared.await();
          }
        }
      }
    }

    /** Data of a part for each edge; a check for those that are taken. */
    private Data parts(byte[][] parts, boolean areGiven, boolean lieTogether) {
      if (lieTogether) {
        Data data = place(joined(parts));
        checkLater(data, areGiven, () -> joined(parts));
        return data;
      }
      if (own.nextBoolean()) {
        Data[] each = new Data[parts.length];
        for (int i = 0; i < parts.length; i++) {
          byte[] part = parts[i];
          each[i] = place(part);
          checkLater(each[i], areGiven, () -> part);
        }
        return Data.parts(each);
      }
      return inAWhole(parts, areGiven);
    }

    /** Places the parts in any order, with gaps between them. */
    private Data inAWhole(byte[][] parts, boolean areGiven) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, parts.length).boxed().toList());
      Collections.shuffle(order, new Random(own.nextLong()));
      int[] counts = Arrays.stream(parts).mapToInt(part -> part.length).toArray();
      int[] firsts = new int[parts.length];
      int next = 0;
      for (int part : order) {
        next += own.nextInt(2) * own.nextInt(70);
        firsts[part] = next;
        next += counts[part];
      }
      int bytes = next;
      Data whole = place(spread(parts, firsts, bytes));
      checkLater(whole, areGiven, () -> spread(parts, firsts, bytes));
      return Data.parts(whole, counts, firsts);
    }

    private static byte[] spread(byte[][] parts, int[] firsts, int bytes) {
      byte[] all = new byte[bytes];
      Arrays.fill(all, UNTOUCHED);
      for (int i = 0; i < parts.length; i++) {
        System.arraycopy(parts[i], 0, all, firsts[i], parts[i].length);
      }
      return all;
    }

    private static byte[] joined(byte[][] parts) {
      byte[] all = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
      int next = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, all, next, part.length);
        next += part.length;
      }
      return all;
    }

    private interface Bytes {
      byte[] get();
    }

    private void checkLater(Data data, boolean isGiven, Bytes expected) {
      if (!isGiven) {
        checks.add(() -> {
          byte[] got = new byte[(int) data.bytes()];
          data.placement().copyTo(job.world().engine().spaces(), MemorySegment.ofArray(got), 0);
          assertArrayEquals(expected.get(), got, () -> "%s of parts %s, form %d".formatted(
              isAllgather ? "neighborAllgather" : "neighborAlltoall", Arrays.toString(edges.sources()), form));
        });
      }
    }

    /** These bytes in any kind of memory. */
    private Data place(byte[] bytes) {
      Data data = switch (own.nextInt(4)) {
        case 0 -> Data.of(new byte[bytes.length]);
        case 1 -> Data.of(Arena.ofAuto().allocate(bytes.length + 1), 1, bytes.length);
        case 2 -> Data.of(job.allocate(bytes.length + 1, 64), 0, bytes.length);
        default -> Data.of(Arena.ofAuto().allocate(3L * bytes.length + 1), 0, bytes.length,
            Datatype.BYTE.resized(0, 3));
      };
      data.placement().copyFrom(job.world().engine().spaces(), MemorySegment.ofArray(bytes), 0, bytes.length);
      return data;
    }
  }

  /** Parts beyond the border are neither sent nor written, wherever they lie. */
  @Test
  void partsWithoutANeighborAreLeftAlone() throws Exception {
    Ranks.run(cores, 2, job -> {
      try (CartesianTopology line =
          CartesianTopology.of(job.world(), new int[] {2, 1}, new boolean[] {false, true}, false)) {
        int self = line.communicator().rank();
        int[] neighbors = line.neighbors();
        assertArrayEquals(self == 0 ? new int[] {NO_RANK, 1, 0, 0} : new int[] {0, NO_RANK, 1, 1}, neighbors);
        long[] in = {10 * self + 1, 10 * self + 2, 10 * self + 3, 10 * self + 4};
        long[] out = {-1, -1, -1, -1};
        line.neighborAlltoall(Data.of(in), Data.of(out));
        assertArrayEquals(self == 0 ? new long[] {-1, 11, 4, 3} : new long[] {2, -1, 14, 13}, out);
        line.neighborAllgather(Data.of(new long[] {7 + self}), Data.of(out));
        assertArrayEquals(self == 0 ? new long[] {-1, 8, 7, 7} : new long[] {7, -1, 8, 8}, out);
      }
    });
  }

  /** Nobody waits for ranks that are not its neighbours. */
  @Test
  void ranksThatAreNoNeighborsNeedNotBeThere() throws Exception {
    Ranks.run(cores, 3, job -> {
      try (CartesianTopology line = CartesianTopology.of(job.world(), new int[] {3}, new boolean[1], false)) {
        Communicator ranks = line.communicator();
        int self = ranks.rank();
        byte[] word = {(byte) self};
        byte[] halo = new byte[2];
        if (self == 2) {
          ranks.recv(Data.of(word), 0, TAG); // comes once rank 0 has ended the first
          word[0] = 2;
        }
        line.neighborAlltoall(Data.of(new byte[] {word[0], word[0]}), Data.of(halo));
        if (self == 0) {
          ranks.send(Data.of(word), 2, TAG);
        }
        assertArrayEquals(self == 0 ? new byte[] {0, 1} : self == 1 ? new byte[] {0, 2} : new byte[] {1, 0}, halo);
      }
    });
  }

  /** In a ring of two both blocks are the same neighbour's, and come in the other order. */
  @Test
  void anIoVectorMayHaveOtherEntriesInEachCall() throws Exception {
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      CartesianTopology ring = CartesianTopology.of(world, new int[] {2}, new boolean[] {true}, false);
      IoVector gives = new IoVector();
      IoVector takes = new IoVector();
      IoVector takesToo = new IoVector();
      for (byte round = 0; round < 5; round++) {
        byte mine = (byte) (10 * round + world.rank());
        byte theirs = (byte) (10 * round + 1 - world.rank());
        byte[] out = new byte[4];
        byte[] outToo = new byte[4];
        byte[] in = {mine, 2, 3, (byte) -mine};
        fill(gives, in, 1 + round % 3);
        fill(takes, out, 2);
        fill(takesToo, outToo, 1 + round % 2);
        Request first = ring.ineighborAlltoall(Data.of(gives), Data.of(takes));
        Request second = ring.ineighborAlltoall(Data.of(gives), Data.of(takesToo));
        Request.waitAll(second, first);
        assertArrayEquals(new byte[] {3, (byte) -theirs, theirs, 2}, out);
        assertArrayEquals(out, outToo);
      }
    });
  }

  private static void fill(IoVector vector, byte[] bytes, int first) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    vector.clear().add(memory, 0, first).add(memory, first, bytes.length - first);
  }
}
