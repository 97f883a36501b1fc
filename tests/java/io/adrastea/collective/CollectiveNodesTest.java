package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.error.CollectiveException;
import io.adrastea.link.pipe.PipeLink;
import io.adrastea.link.pipe.PipeLinkProvider;
import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages and bytes that collectives of ranks on several nodes send to other nodes, as the links there count them. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CollectiveNodesTest {
  /** A call of all ranks. */
  private interface Action {
    void run(Communicator world);
  }

  /** What one rank has sent to other nodes, and all of them together. */
  private record Sent(long most, long all, long bytes) {}

  /** Counts what a call sends; each rank reads its own counters before it goes on. */
  private static Sent sent(Communicator world, Action action) {
    int rank = world.rank();
    PipeLink link = PipeLinkProvider.opened(world.jobRank(rank));
    long messages = link.messages();
    long bytes = link.bytes();
    action.run(world);
    long[] own = {link.messages() - messages, link.bytes() - bytes};
    long[] all = new long[2 * world.size()];
    world.allgather(Data.of(own), Data.of(all));
    long most = 0;
    long sum = 0;
    long sumOfBytes = 0;
    for (int other = 0; other < world.size(); other++) {
      most = Math.max(most, all[2 * other]);
      sum += all[2 * other];
      sumOfBytes += all[2 * other + 1];
    }
    return new Sent(most, sum, sumOfBytes);
  }

  private static int levels(int nodes) {
    return 32 - Integer.numberOfLeadingZeros(nodes - 1);
  }

  /** Few bytes go in one message of each node to another one, many straight from each member to each. */
  private static void exchanges(Communicator world, int nodes, int bytes) {
    int ranks = world.size();
    int ofNode = ranks / nodes;
    boolean areFew = bytes == 8;
    byte[] own = block(bytes, world.rank(), 0);
    byte[] all = new byte[ranks * bytes];
    for (int root = 0; root < ranks; root++) {
      int to = root;
      Arrays.fill(all, (byte) -1);
      Sent gathered = sent(world, members -> members.gather(Data.of(own), Data.of(all), to));
      for (int rank = 0; root == world.rank() && rank < ranks; rank++) {
        assertArrayEquals(block(bytes, rank, 0), Arrays.copyOfRange(all, rank * bytes, (rank + 1) * bytes), "gather");
      }
      byte[] given = new byte[ranks * bytes];
      for (int rank = 0; rank < ranks; rank++) {
        System.arraycopy(block(bytes, to, rank), 0, given, rank * bytes, bytes);
      }
      byte[] taken = new byte[bytes];
      Sent scattered = sent(world, members -> members.scatter(Data.of(given), Data.of(taken), to));
      assertArrayEquals(block(bytes, root, world.rank()), taken, "scatter");
      if (areFew) {
        long sum = (ranks - ofNode) * (bytes + 4L);
        assertEquals(new Sent(1, nodes - 1, sum), gathered, "gather");
        assertEquals(new Sent(nodes - 1, nodes - 1, sum), scattered, "scatter");
      } else {
        long least = (long) (ranks - ofNode) * bytes;
        assertTrue(gathered.bytes() <= 1.05 * least && scattered.bytes() <= 1.05 * least, gathered + ", " + scattered);
      }
    }
    byte[] given = new byte[ranks * bytes];
    for (int rank = 0; rank < ranks; rank++) {
      System.arraycopy(block(bytes, world.rank(), rank), 0, given, rank * bytes, bytes);
    }
    Sent exchanged = sent(world, members -> members.alltoall(Data.of(given), Data.of(all)));
    for (int rank = 0; rank < ranks; rank++) {
      assertArrayEquals(
          block(bytes, rank, world.rank()), Arrays.copyOfRange(all, rank * bytes, (rank + 1) * bytes), "alltoall");
    }
    long least = (long) ranks * (ranks - ofNode) * bytes;
    if (areFew) {
      assertEquals(new Sent(nodes - 1, (long) nodes * (nodes - 1), least / bytes * (bytes + 4)), exchanged, "alltoall");
    } else {
      assertTrue(exchanged.bytes() <= 1.05 * least, exchanged::toString);
    }
  }

  /** What one rank gives another one. */
  private static byte[] block(int bytes, int from, int to) {
    byte[] block = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      block[i] = (byte) (31 * i + 7 * from + to);
    }
    return block;
  }

  @ParameterizedTest
  @CsvSource({"java+2nodes, 2, 4", "java+4nodes, 4, 8", "ffm+3nodes, 3, 9", "'ffm,java+2nodes', 2, 8"})
  void betweenNodesGoAsFewMessagesAndBytesAsCanBe(String cores, int nodes, int ranks) throws Exception {
    Ranks.run(cores, ranks, job -> {
      Communicator world = job.world();
      int levels = levels(nodes);
      world.barrier();
      assertEquals(new Sent(levels, (long) nodes * levels, 0), sent(world, Communicator::barrier), "barrier");
      Sent started = sent(world, all -> all.ibarrier().await());
      assertEquals(new Sent(levels, (long) nodes * levels, 0), started, "a started barrier");
      double[] sum = new double[1];
      Request persistent = world.persistent().allreduce(Data.of(new double[] {1}), Data.of(sum), Op.SUM);
      Sent small = sent(world, all -> {
        persistent.start();
        persistent.await();
      });
      assertEquals(ranks, sum[0]);
      assertEquals(levels, small.most(), "allreduce of 8 bytes");
      assertEquals(nodes - 1, sent(world, all -> all.bcast(7L, ranks - 1)).all(), "bcast of 8 bytes");
      assertEquals(nodes - 1, sent(world, all -> all.reduce(1L, Op.SUM, 1)).all(), "reduce of 8 bytes");

      exchanges(world, nodes, 8);
      exchanges(world, nodes, 3 << 15);

      int count = 1 << 18;
      double[] values = new double[count];
      Arrays.fill(values, world.rank());
      Sent large = sent(world, all -> all.allreduce(Data.of(values), Op.SUM));
      assertEquals(ranks * (ranks - 1) / 2.0, values[count - 1]);
      long least = 2L * Double.BYTES * count * (nodes - 1); // of all nodes together
      if (world.rank() == 0) {
        System.out.printf(
            "%s: messages of a leader: %d in a barrier, %d in an allreduce of 8 bytes; one of 2 MiB sends %d bytes, "
                + "the least is %d%n",
            cores, levels, small.most(), large.bytes(), least);
      }
      assertTrue(large.bytes() <= 1.05 * least, large + ", least " + least);
      byte[] data = new byte[1 << 20];
      Arrays.fill(data, (byte) world.rank());
      assertEquals((nodes - 1L) * data.length, sent(world, all -> all.bcast(Data.of(data), 1)).bytes());
      byte[] expected = new byte[data.length];
      Arrays.fill(expected, (byte) 1);
      assertArrayEquals(expected, data);
      byte[] blocks = new byte[ranks << 17];
      Sent gathered = sent(world, all -> all.allgather(Data.of(new byte[1 << 17]), Data.of(blocks)));
      assertEquals((nodes - 1L) * blocks.length, gathered.bytes());
    });
  }

  /** What one rank calls, and all others. */
  private enum Wrong {
    KINDS(world -> world.allreduce(1, Op.SUM), Communicator::barrier), OPERATORS(world -> world.allreduce(1.0, Op.SUM),
        world -> world.allreduce(1.0, Op.MAX)), LENGTHS(world -> world.allreduce(longs(90_000), Op.SUM),
            world -> world.allreduce(longs(80_000), Op.SUM)), ROOTS(world -> world.bcast(longs(1), 0),
                world -> world.bcast(longs(1), 3)), ROOTS_OF_MUCH(world -> world.bcast(longs(90_000), 0),
                    world -> world.bcast(longs(90_000), 3)), ROOTS_OF_A_GATHER(
                        world -> world.gather(longs(1), longs(world.size()), 0),
                        world -> world.gather(longs(1), longs(world.size()), 3)), ROOTS_OF_A_SCATTER(
                            world -> world.scatter(longs(world.size()), longs(1), 0),
                            world -> world.scatter(longs(world.size()), longs(1), 3)), BLOCKS_OF_A_GATHER(
                                world -> world.gather(longs(2), longs(2 * world.size()), 0),
                                world -> world.gather(longs(1), longs(world.size()), 0)), LONG_BLOCKS_OF_A_GATHER(
                                    world -> world.gather(longs(9000), longs(9000 * world.size()), 0),
                                    world -> world.gather(longs(1), longs(world.size()), 0)), BLOCKS_OF_A_SCATTER(
                                        world -> world.scatter(longs(2 * world.size()), longs(2), 0),
                                        world -> world.scatter(longs(world.size()), longs(1),
                                            0)), LONG_BLOCKS_OF_A_SCATTER(
                                                world -> world.scatter(longs(world.size()), longs(1), 0),
                                                world -> world.scatter(longs(9000 * world.size()), longs(9000),
                                                    0)), BLOCKS_OF_AN_ALLTOALL(
                                                        world -> world.alltoall(longs(2 * world.size()),
                                                            longs(2 * world.size())),
                                                        world -> world.alltoall(longs(world.size()),
                                                            longs(world.size())));

    private final Action ofOne;
    private final Action ofOthers;

    Wrong(Action ofOne, Action ofOthers) {
      this.ofOne = ofOne;
      this.ofOthers = ofOthers;
    }
  }

  private static Data longs(int count) {
    return Data.of(new long[count]);
  }

  /** Whichever rank it is that calls another one, all are told in that call or the next. */
  @ParameterizedTest
  @CsvSource("'ffm,java+3nodes', 6, 5")
  void callsThatDoNotBelongTogetherFailOnAllRanks(String cores, int ranks, int which) throws Exception {
    CyclicBarrier failed = new CyclicBarrier(ranks);
    Ranks.run(cores, ranks, job -> {
      boolean isOne = job.world().rank() == which;
      for (Wrong wrong : Wrong.values()) {
        try (Communicator twin = job.world().dup()) {
          CollectiveException failure = assertThrows(CollectiveException.class, () -> {
            (isOne ? wrong.ofOne : wrong.ofOthers).run(twin);
            twin.barrier(); // some need not wait for anybody
          }, wrong::name);
          assertTrue(failure.getMessage().contains("rank " + failure.rank()), failure::getMessage);
          CollectiveException again = assertThrows(CollectiveException.class, twin::barrier);
          assertTrue(again.getMessage().contains("takes no more collectives"), again::getMessage);
          failed.await(30, TimeUnit.SECONDS);
        }
      }
    });
  }
}
