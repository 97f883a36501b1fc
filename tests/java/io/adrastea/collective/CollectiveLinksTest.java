package io.adrastea.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.error.CapabilityException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that do not all share memory have the barrier, which passes messages, and are refused all other collectives.
 */
class CollectiveLinksTest {
  @ParameterizedTest
  @ValueSource(strings = {"java+pipes", "ffm+mixed"})
  void ranksThatShareNoMemoryAreRefusedCollectives(String cores) throws Exception {
    Ranks.run(
        cores,
        3,
        job -> {
          Communicator world = job.world();
          Data data = Data.of(new double[3]);
          refused(world, "bcast", () -> world.bcast(data, 0));
          refused(world, "allreduce", () -> world.allreduce(data, Op.SUM));
          refused(world, "allreduce", () -> world.allreduce(1.0, Op.SUM));
          refused(world, "allgather", () -> world.allgather(Data.of(new double[1]), data));
          refused(world, "gather", () -> world.gather(Data.of(new double[1]), data, 0));
          refused(world, "scatter", () -> world.scatter(data, Data.of(new double[1]), 0));
          refused(world, "alltoall", () -> world.alltoall(data, Data.of(new double[3])));
          world.barrier();
        });
  }

  private static void refused(Communicator world, String call, Runnable collective) {
    CapabilityException refusal = assertThrows(CapabilityException.class, collective::run);
    assertTrue(refusal.getMessage().startsWith(call + " with rank "), refusal::getMessage);
    assertTrue(refusal.getMessage().contains("shares no memory with this one"), refusal::getMessage);
    assertEquals(refusal.rank(), refusal.jobRank());
    assertTrue(refusal.rank() != world.rank(), refusal::getMessage);
  }
}
