package io.adrastea.it;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Agrona's ring buffer between processes, in memory that the job shares, in JVMs without flags but that for native
 * access.
 */
class RingBufferIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"2,ffm,ffm", "2,ffm,java", "3,java,java"})
  void carriesMessagesBetweenProcesses(int ranks, String consumer, String producers) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    List<Child> children = new ArrayList<>();
    try {
      for (int rank = 0; rank < ranks; rank++) {
        children.add(
            Launch.rank(shm, job, rank, ranks, "io.adrastea.it.RingBufferRank")
                .set("core", rank == 0 ? consumer : producers)
                .start());
      }
      children.getFirst().await().exits(0)
          .prints("%d messages from %d ranks".formatted((ranks - 1) * 100_000, ranks - 1));
      for (Child child : children.subList(1, ranks)) {
        child.await().exits(0);
      }
    } finally {
      children.forEach(Child::close);
    }
  }
}
