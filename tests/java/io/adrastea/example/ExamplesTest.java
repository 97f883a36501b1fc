package io.adrastea.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Job;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
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
  void ofRequestsReceivesFromAll() {
    Job.runThreads(RANKS, job -> assertEquals(10L * RANKS, Examples.bytesOfAll(job.world())));
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
}
