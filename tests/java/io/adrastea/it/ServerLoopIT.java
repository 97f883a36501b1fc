package io.adrastea.it;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The server loop of the guide ends with its last client: of these, in Java and C, some end well, one throws, one gives
 * up and one is killed.
 */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerLoopIT {
  private static final int SIZE = 6;
  private static final String RANK = "io.adrastea.it.ServerLoopRank";

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  @ParameterizedTest
  @CsvSource({"ffm,java", "java,jni", "jna,ffm"})
  void endsWithItsLastClient(String server, String client) throws Exception {
    List<Child> ranks = new ArrayList<>();
    try {
      ranks.add(rank(0, server, "").start());
      for (String way : List.of("leave", "throw", "fail", "wait")) {
        ranks.add(rank(ranks.size(), client, way).start());
      }
      ranks.add(CProgram.rank(shm, job, SIZE - 1, SIZE, "server").start()); // it leaves once it is answered
      ranks.get(4).awaitOutput("^answered 42$");
      ranks.get(4).signal("KILL");
      ranks.get(5).awaitOutput("^ready$");
      ranks.get(5).input("").await().exits(0).prints("ready\nanswered 42");
      ranks.get(0).await().exits(0).prints("answers 5");
      ranks.get(1).await().exits(0).prints("answered 42");
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private Launch rank(int rank, String core, String way) {
    return Launch.rank(shm, job, rank, SIZE, RANK, way).set("core", core);
  }
}
