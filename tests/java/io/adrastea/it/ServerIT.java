package io.adrastea.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A server of any client, some of which are killed: it acknowledges their failures and serves the others, whatever the
 * cores.
 */
class ServerIT {
  private static final String C = "c";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  /** Ranks 1 and 2 are killed one after the other, and rank 3 is served in between, rank 4 afterwards. */
  @ParameterizedTest
  @CsvSource({"ffm,java,c,ffm,c", "java,c,ffm,c,java", "jni,ffm,java,jna,c", "jna,jni,c,java,ffm", "c,ffm,c,java,c"})
  void goesOnWithoutClientsThatWereKilled(String server, String first, String second, String third, String fourth)
      throws Exception {
    List<Child> ranks = new ArrayList<>();
    Launch serving = rank(server, 0);
    Looks looks = Looks.of(serving, directory);
    try {
      ranks.add(serving.start());
      for (String kind : List.of(first, second, third, fourth)) {
        ranks.add(rank(kind, ranks.size()).start());
      }
      for (Child rank : ranks) {
        rank.awaitOutput("^ready$");
      }
      ranks.get(1).signal("KILL");
      serveTheNext(ranks, looks, "^acknowledged 1$", 3);
      ranks.get(2).signal("KILL");
      serveTheNext(ranks, looks, "^acknowledged 1 2$", 4);
      ranks.get(0).await().exits(0).prints("served 2, failures 2\nalone");
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private static void serveTheNext(List<Child> ranks, Looks looks, String acknowledged, int client) throws Exception {
    ranks.get(0).awaitOutput(acknowledged);
    looks.awaitTwoMore(client, ranks.get(0));
    ranks.get(client).input("").await().exits(0).prints("answered 42");
  }

  private Launch rank(String kind, int rank) {
    return kind.equals(C)
        ? CProgram.rank(shm, job, rank, 5, "server")
        : Launch.rank(shm, job, rank, 5, "io.adrastea.it.ServerRank").set("core", kind);
  }
}
