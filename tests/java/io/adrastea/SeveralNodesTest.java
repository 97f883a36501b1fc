package io.adrastea;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.CapabilityException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import io.adrastea.error.RankLeftException;
import io.adrastea.link.pipe.PipeLinkProvider;
import io.adrastea.peers.Nodes;
import io.adrastea.rma.Window;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program sees of a job whose ranks are on several nodes: all of it goes by ranks of the job. */
@Timeout(240)
class SeveralNodesTest {
  private static final String TWO = "java+nodes.round";
  private static final int RANKS = 8;

  @Test
  void ranksAreDealtToNodesByTheNameOfTheList() {
    assertEquals(Nodes.of(0, 0, 1, 1), SeveralNodes.of("nodes", 4));
    assertEquals(Nodes.of(0, 1, 0), SeveralNodes.of("nodes.round", 3));
    assertEquals(Nodes.of(0, 0, 1, 1, 2, 2, 3, 3), SeveralNodes.of("4nodes", RANKS));
    assertEquals(Nodes.of(0, 1), SeveralNodes.of("4nodes", 2));
    Nodes random = SeveralNodes.of("4nodes.random", RANKS);
    assertEquals(4, random.count());
    for (int node = 0; node < 4; node++) {
      assertEquals(2, random.ranksOf(node).length);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes", "4nodes", "4nodes.round", "4nodes.random", "4nodes.tcp"})
  void everyRankReachesEveryOther(String name) throws Exception {
    Nodes nodes = SeveralNodes.of(name, RANKS);
    Ranks.run("ffm,java+" + name, RANKS, job -> {
      Communicator world = job.world();
      for (int rank = 0; rank < RANKS; rank++) {
        assertEquals(nodes.node(rank), world.node(rank));
      }
      Data[] words = new Data[RANKS];
      Request[] sends = new Request[RANKS];
      for (int to = 0; to < RANKS; to++) {
        words[to] = Data.of(new int[] {world.rank() * RANKS + to});
        sends[to] = world.isend(words[to], to, 0);
      }
      int[] word = new int[1];
      boolean[] heard = new boolean[RANKS];
      for (int i = 0; i < RANKS; i++) {
        int source = world.recv(Data.of(word), Communicator.ANY_SOURCE, 0).source();
        assertEquals(source * RANKS + world.rank(), word[0]);
        assertFalse(heard[source]);
        heard[source] = true;
      }
      Request.waitAll(sends);
      world.barrier();
      long[] large = new long[1 << 15];
      Arrays.fill(large, world.rank());
      Request sent = world.isend(Data.of(large), (world.rank() + 1) % RANKS, 1);
      long[] came = new long[large.length];
      int before = (world.rank() + RANKS - 1) % RANKS;
      world.recv(Data.of(came), before, 1);
      sent.await();
      assertTrue(Arrays.stream(came).allMatch(value -> value == before));
    });
  }

  @Test
  void cpusAndSharedMemoryAreThoseOfRanksOfTheNode() throws Exception {
    Ranks.run(TWO, 4, job -> { // 0 and 2, 1 and 3
      Communicator world = job.world();
      int rank = world.rank();
      int near = rank ^ 2;
      int far = rank ^ 1;
      assertEquals(job.cpus(rank), job.cpus(near)); // threads of one process
      MemorySegment own = job.allocate(8, 8);
      own.set(ValueLayout.JAVA_LONG, 0, rank);
      long[] offset = new long[1];
      world.sendrecv(Data.of(new long[] {job.offset(own)}), near, 0, Data.of(offset), near, 0);
      assertEquals(near, job.shared(near, offset[0], 8).get(ValueLayout.JAVA_LONG, 0));
      assertTrue(said(() -> job.shared(near, 1L << 50, 8)).startsWith("rank " + near + " has no shared memory"));
      assertTrue(said(() -> job.shared(far, offset[0], 8)).contains("rank %d is on node %d".formatted(far, far % 2)));
      assertTrue(said(() -> job.cpus(far)).contains("known to the ranks of its node alone"));
      assertTrue(said(() -> job.cpus(4)).contains("there is no rank 4 in this job; ranks are 0 to 3"));
      assertTrue(said(() -> world.node(4)).contains("ranks 0 to 3"));
      world.barrier();
    });
  }

  /** Rank 1 breaks the allreduce after the gather off, and has told that before rank 2 comes to the gather. */
  @Test
  void aLaterCollectiveThatBreaksKeepsNobodyFromTheEndOfAnEarlierOne() throws Exception {
    Ranks.run("java+4nodes", 3, job -> {
      Communicator world = job.world();
      int rank = world.rank();
      if (rank == 2) {
        world.recv(Data.of(new byte[1]), 1, 0);
      }
      long[] all = new long[3];
      world.gather(Data.of(new long[] {rank}), Data.of(all), 0);
      assertArrayEquals(rank == 0 ? new long[] {0, 1, 2} : new long[3], all);
      if (rank == 1) {
        Thread.currentThread().interrupt();
        assertThrows(InterruptedWaitException.class, () -> world.allreduce(1.0, Op.SUM));
        assertTrue(Thread.interrupted());
        world.send(Data.of(new byte[1]), 2, 0);
      } else {
        assertEquals(1, assertThrows(CollectiveException.class, () -> world.allreduce(1.0, Op.SUM)).rank());
      }
    });
  }

  private enum Asking {
    A_RANK_OF_THE_NODE, ANY_RANK, BY_POLLS
  }

  /** Messages of the node are there whenever the rank asks; one that looked at nothing else would never end here. */
  @ParameterizedTest
  @EnumSource
  void messagesOfTheNodeThatAreAlwaysThereHideNoOthers(Asking asking) throws Exception {
    AtomicBoolean taken = new AtomicBoolean();
    Ranks.run("ffm+nodes", 2, job -> {
      Communicator world = job.world();
      Data word = Data.of(new byte[8]);
      Data large = Data.of(new byte[1 << 20]);
      if (world.rank() == 1) {
        if (asking == Asking.A_RANK_OF_THE_NODE) {
          world.ssend(large, 0, 1);
          taken.set(true);
        } else {
          world.send(word, 0, 1);
        }
        return;
      }
      Request receive = asking == Asking.A_RANK_OF_THE_NODE ? world.irecv(large, 1, 1) : null;
      boolean[] heard = new boolean[1];
      while (!heard[0]) {
        world.send(word, 0, 0);
        switch (asking) {
          case A_RANK_OF_THE_NODE -> {
            world.recv(word, 0, 0);
            heard[0] = taken.get();
          }
          case ANY_RANK -> heard[0] = world.recv(word, Communicator.ANY_SOURCE, Communicator.ANY_TAG).source() == 1;
          case BY_POLLS -> world.poll(message -> heard[0] |= message.source() == 1, 1);
        }
      }
      if (receive != null) {
        receive.await();
      }
    });
  }

  @Test
  void aNetworkWithShortPiecesCutsNoMessageOfTheNode() throws Exception {
    Settings.with(Map.of(PipeLinkProvider.PIECE_BYTES, "256"), () -> {
      Ranks.run(TWO, 4, job -> { // 0 and 2, 1 and 3
        Communicator world = job.world();
        int rank = world.rank();
        int near = rank ^ 2;
        int far = rank ^ 1;
        Claim claim = world.claim(near, 0, Ranks.CELL_BYTES);
        claim.putByte(Ranks.CELL_BYTES - 1, (byte) rank);
        claim.commit();
        byte[] came = new byte[Ranks.CELL_BYTES];
        world.recv(Data.of(came), near, 0);
        assertEquals(near, came[came.length - 1]);
        assertTrue(said(() -> world.claim(far, 0, 257)).startsWith("a claim of 257 bytes; allowed are 0 to 256, "));
        world.claim(far, 0, 256).commit();
        world.recv(Data.of(came), far, 0);
        byte[] sent = new byte[came.length];
        Arrays.fill(sent, (byte) rank);
        world.sendrecv(Data.of(sent), far, 1, Data.of(came), far, 1);
        Arrays.fill(sent, (byte) far);
        assertArrayEquals(sent, came);
      });
      return null;
    });
  }

  private static String said(Executable call) {
    return assertThrows(IllegalArgumentException.class, call).getMessage();
  }

  @Test
  void aRankOfAnotherNodeThatFailsSaysWhy() throws Exception {
    Ranks.run(TWO, 4, job -> {
      Communicator world = job.world();
      Data word = Data.of(new byte[1]);
      if (world.rank() == 3) {
        job.fail("no\nlicense");
        return;
      }
      RankFailedException failure = assertThrows(RankFailedException.class, () -> world.recv(word, 3, 0));
      assertEquals(3, failure.rank());
      String process = "rank 3 (process %d) has failed: no license; ".formatted(ProcessHandle.current().pid());
      assertTrue(failure.getMessage().startsWith(process), failure.getMessage());
      assertEquals(List.of(3), job.failedRanks());
      assertFalse(job.leftRanks().contains(3));
    });
  }

  @Test
  void aRankOfAnotherNodeThatLeavesHasNotFailed() throws Exception {
    Ranks.run(TWO, 4, job -> {
      Communicator world = job.world();
      byte[] bytes = {0};
      Data word = Data.of(bytes);
      if (world.rank() == 2) {
        world.send(Data.of(new byte[] {7}), 1, 0);
        world.send(Data.of(new byte[] {7}), 3, 0);
        return;
      }
      if (world.rank() != 0) {
        world.recv(word, 2, 0); // sent before it left
        assertEquals(7, bytes[0]);
        assertEquals(2, assertThrows(RankLeftException.class, () -> world.recv(word, 2, 0)).rank());
        assertTrue(job.leftRanks().contains(2));
        assertEquals(List.of(), job.failedRanks());
      }
    });
  }

  @Test
  void whatNeedsSharedMemoryIsRefusedByTheNameOfARankOfAnotherNode() throws Exception {
    Ranks.run(TWO, 3, job -> {
      Communicator world = job.world();
      CapabilityException refused =
          assertThrows(CapabilityException.class, () -> Window.allocate(world, Long.BYTES, Long.BYTES));
      assertTrue(world.node(refused.rank()) != world.node(world.rank()), refused::getMessage);
      world.barrier();
    });
  }
}
