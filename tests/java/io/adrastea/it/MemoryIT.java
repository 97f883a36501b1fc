package io.adrastea.it;

import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank whose heap has no room for what comes in. */
class MemoryIT {
  private static final String MESSAGES = "3000"; // twice what there is memory for

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void noMessageIsLostForWhichThereWasNoMemoryAtFirst(String core) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    try (Child sender = launch(job, 0, core).start();
        Child receiver = launch(job, 1, core).start()) {
      receiver.await().exits(0).prints("memory ran out: true, received %s of %s".formatted(MESSAGES, MESSAGES));
      sender.await().exits(0);
    }
  }

  private Launch launch(String job, int rank, String core) {
    return Launch.rank(shm, job, rank, 2, "-Xmx40m", "io.adrastea.it.ScarceRank", MESSAGES).set("core", core);
  }
}
