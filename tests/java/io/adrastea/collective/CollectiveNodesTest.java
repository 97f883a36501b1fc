package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.Request;
import io.adrastea.link.pipe.PipeLink;
import io.adrastea.link.pipe.PipeLinkProvider;
import java.util.Arrays;
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
}
