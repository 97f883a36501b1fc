package io.adrastea.it;

import io.adrastea.link.pipe.PipeDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes whose ranks reach each other by sockets, alone and beside shared memory. */
class PipesIT {
  private static final int RANKS = 3;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  private List<Child> start(PipeDirectory directory, String kind, String part) throws Exception {
    String[] flags =
        directory.settings(kind).entrySet().stream().map(entry -> "-D" + entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new);
    List<Child> ranks = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      ranks.add(
          Launch.rank(shm, job, rank, RANKS, "io.adrastea.PipesRank", part)
              .flags(flags)
              .set("core", rank == 1 ? "java" : "ffm")
              .start());
    }
    return ranks;
  }

  @ParameterizedTest
  @ValueSource(strings = {"pipes", "mixed"})
  void exchangeMessagesOfEverySize(String kind) throws Exception {
    try (PipeDirectory directory = PipeDirectory.create()) {
      List<Child> ranks = start(directory, kind, "exchange");
      try {
        ranks.get(0).await().exits(0).prints("sources add up to 3", "rank 0 done");
        ranks.get(1).await().exits(0).prints("rank 1 done");
        ranks.get(2).await().exits(0).prints("rank 2 done");
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"pipes", "mixed"})
  void aKilledOneFailsWhatWaitsForItAndTheOthersGoOn(String kind) throws Exception {
    try (PipeDirectory directory = PipeDirectory.create()) {
      List<Child> ranks = start(directory, kind, "survive");
      try {
        ranks.get(2).awaitOutput("^ready$");
        ranks.get(2).signal("KILL");
        ranks.get(0).await().exits(0).prints("told of 2", "rank 0 done");
        ranks.get(1).await().exits(0).prints("told of 2", "rank 1 done");
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }
}
