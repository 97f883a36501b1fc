package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages in place, in parts and in bursts between two processes, for every pair of cores. */
class InPlaceIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @MethodSource("io.adrastea.it.CoreMatrix#pairs")
  void messagesOfAllKindsArriveInOrder(String first, String second) throws Exception {
    List<Outcome> ranks = Launch.pair(shm, first, second, "io.adrastea.it.InPlaceRank");
    String said = "in place on %s checked 1000 messages";
    assertEquals(List.of(said.formatted(first)), ranks.get(0).lines());
    assertEquals(List.of(said.formatted(second)), ranks.get(1).lines());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void messagesHeldOutliveTheirSenderAndItsOpenClaimIsNeverSeen(String core) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    try (Child sender = rank(job, 0, core);
        Child receiver = rank(job, 1, core)) {
      sender.await().exits(9);
      receiver.await().exits(0).prints("rank 0 failed, 10 messages checked");
    }
  }

  private Child rank(String job, int rank, String core) throws Exception {
    return Launch.rank(shm, job, rank, 2, "io.adrastea.it.InPlaceRank", "die").set("core", core).start();
  }
}
