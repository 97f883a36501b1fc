package io.adrastea.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.adrastea.Ranks;
import io.adrastea.topology.Cpus;
import org.junit.jupiter.api.Test;

/** What a rank is told of the CPUs of its job. */
class JobTopologyTest {
  @Test
  void theTopologyIsThatOfAllCpusThatRanksMayUse() throws Exception {
    Cpus own = Cpus.ofThread();
    Ranks.run(
        "java",
        2,
        job -> {
          assertEquals(own, job.cpus(0));
          assertEquals(own, job.cpus(1));
          assertEquals(own, job.topology().allowed());
          assertFalse(job.topology().packages().isEmpty());
        });
  }

  @Test
  void aRankThatIsNoneIsRefused() throws Exception {
    Ranks.run(
        "java",
        2,
        job -> {
          for (int rank : new int[] {-1, 2}) {
            String said = assertThrows(IllegalArgumentException.class, () -> job.cpus(rank)).getMessage();
            assertEquals("there is no rank %d in this job; ranks are 0 to 1".formatted(rank), said);
          }
        });
  }
}
