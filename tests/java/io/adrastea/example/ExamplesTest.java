package io.adrastea.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What pages of Javadoc show does what they say. */
class ExamplesTest {
  private static final int RANKS = 3;

  @Test
  void ofAJobGreets() throws Exception {
    Job.runThreads(RANKS, Examples::greet);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true));
    try {
      Examples.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    assertTrue(printed.toString().contains("rank 0 of 1"), printed::toString);
  }

  @Test
  void ofACommunicatorAddsUp() {
    Job.runThreads(
        RANKS,
        job -> {
          Communicator world = job.world();
          assertEquals(world.rank() == 0 ? 1 + 2 : world.rank(), Examples.total(world));
        });
  }

  @Test
  void ofAWindowCountsRanks() {
    Job.runThreads(RANKS, job -> assertEquals(RANKS, Examples.window(job.world())));
  }

  @Test
  void ofTopologiesKnowNeighbours() {
    Job.runThreads(
        RANKS,
        job -> {
          int[] halo = {-1};
          Examples.cartesian(job.world(), Data.of(new int[] {job.world().rank()}), Data.of(halo));
          assertEquals((job.world().rank() + RANKS - 1) % RANKS, halo[0]);
          Examples.graph(job.world());
          Examples.duplicate(job.world());
        });
  }

  @Test
  void ofDatatypesPackColumns() {
    double[] matrix = {0, 1, 2, 3, 4, 5};
    byte[] packed = new byte[4 * Double.BYTES];
    Examples.datatypes(matrix, 2, 3, packed);
    double[] columns = MemorySegment.ofArray(packed).toArray(ValueLayout.JAVA_DOUBLE_UNALIGNED);
    assertArrayEquals(new double[] {0, 3, 1, 4}, columns);
  }

  @Test
  void ofDataSendsAndReceivesStretches() {
    Job.runThreads(
        2,
        job -> {
          Communicator world = job.world();
          MemorySegment memory = Arena.ofAuto().allocate(300);
          if (world.rank() == 0) {
            Examples.data(world, memory);
          } else {
            assertEquals(160, world.recv(memory, 0, 7).bytes());
            assertEquals(40, world.recv(memory, 0, 7).bytes());
            world.send(memory, 0, 160, 0, 7);
            assertEquals(160 + 300, world.recv(Data.of(new byte[500]), 0, 7).bytes());
          }
        });
  }

  @Test
  void ofAPollAddsUpWhatOthersSend() {
    Job.runThreads(
        RANKS,
        job -> {
          Communicator world = job.world();
          if (world.rank() == 0) {
            assertEquals(100 * (1 + 2), Examples.eventLoop(world, 200));
          } else {
            for (int i = 0; i < 100; i++) {
              world.send(Data.of(new long[] {world.rank()}), 0, i);
            }
          }
        });
  }

  @Test
  void ofABurstSendsBoth() {
    Job.runThreads(
        2,
        job -> {
          Communicator world = job.world();
          long[] received = new long[2];
          if (world.rank() == 0) {
            Examples.burst(world, Data.of(new long[] {12}), Data.of(new long[] {100}));
          } else {
            world.recv(Data.of(received), 0, 1, 0, 7);
            world.recv(Data.of(received), 1, 1, 0, 7);
            assertArrayEquals(new long[] {12, 100}, received);
          }
        });
  }

  @Test
  void ofAVectorPutsEachInItsPlace() {
    Job.runThreads(
        2,
        job -> {
          double[] values = new double[12];
          Arrays.fill(values, job.world().rank() == 0 ? 1.5 : 0);
          MemorySegment header = MemorySegment.ofArray(new long[] {job.world().rank() == 0 ? 42 : 0});
          long bytes = Examples.vector(job.world(), header, values);
          if (job.world().rank() == 1) {
            assertEquals(8 + 80, bytes);
            assertEquals(42, header.get(ValueLayout.JAVA_LONG, 0));
            assertArrayEquals(new double[] {1.5, 0}, new double[] {values[9], values[10]});
          }
        });
  }

  @Test
  void ofRequestsReceivesFromAll() {
    Job.runThreads(RANKS, job -> assertEquals(10L * RANKS, Examples.bytesOfAll(job.world())));
  }

  @Test
  void serverAndClients() throws Exception {
    Job.runThreads(RANKS, job -> {
      int self = job.world().rank();
      double got = Examples.serverAndClients(job.world(), self == 0);
      assertTrue(self == 0 ? got > 0 : got == self * self, () -> "got " + got);
    });
  }

  @Test
  void ofAClaimSends() {
    Job.runThreads(
        2,
        job -> {
          Communicator world = job.world();
          Examples.inPlace(world, 1 - world.rank());
          world.recv(1 - world.rank(), 7, message -> assertEquals(42, message.getLong(0)));
        });
  }

  @Test
  void ofAMessageReceivesAsMuchAsThereIs() {
    Job.runThreads(
        1,
        job -> {
          job.world().send(Data.of(new double[] {1.5, 2.5}), 0, 2, 0, 7);
          assertArrayEquals(new double[] {1.5, 2.5}, Examples.ofAnyLength(job.world()));
        });
  }
}
