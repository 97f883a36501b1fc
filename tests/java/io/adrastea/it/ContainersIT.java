package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each rank in a container of its own: process 1 of its PID namespace, in a user, IPC and mount namespace of its own.
 * All that they share is the directory of segments. No rank may look at another's memory, or send it a signal.
 */
class ContainersIT {
  private static final String[] CONTAINER = {
    "unshare", "--user", "--map-root-user", "--pid", "--fork", "--ipc", "--mount", "--mount-proc", "--kill-child"
  };
  private static final String[] USER_ALONE = {"unshare", "--user", "--map-root-user"};

  /** The last three go by rendezvous. */
  private static final long[] SIZES = {0, 8, 8193, 65_537, 1_048_576, 5_242_880};

  private static final long SHARED_BYTES = 2 * 8 * (1L + 8 + 127 + 4096 + 10_001 + 300_000 + (1 << 20) + 5_000_000);

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  private final String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);

  private static void requireNamespaces(String... words) throws Exception {
    boolean permitted;
    try {
      permitted = Launch.command(words).add("true").run().code() == 0;
    } catch (IOException e) {
      permitted = false; // there is no unshare
    }
    assumeTrue(permitted, "this system makes no such namespaces: " + String.join(" ", words));
  }

  /** {@code c} is the program in C, anything else the one in Java on that core. */
  private Launch rank(int rank, List<String> kinds, String ofC, String ofJava, String... words) {
    String kind = kinds.get(rank);
    return kind.equals("c")
        ? CProgram.rank(shm, job, rank, kinds.size(), ofC, words)
        : Launch.rank(shm, job, rank, kinds.size(), "io.adrastea.it." + ofJava).add(words).set("core", kind)
            .flags("-XX:-UsePerfData"); // whose file in the /tmp of all has the number of the process for its name
  }

  /** Runs a job to its end, each rank under these words; nothing may stand on standard error. */
  private List<Outcome> run(String[] container, List<String> kinds, String ofC, String ofJava, String... words)
      throws Exception {
    List<Child> ranks = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    try {
      for (int rank = 0; rank < kinds.size(); rank++) {
        ranks.add(rank(rank, kinds, ofC, ofJava, words).under(container).start());
      }
      for (Child rank : ranks) {
        outcomes.add(rank.input("").await().exits(0).saysNothing());
      }
    } finally {
      ranks.forEach(Child::close);
    }
    return outcomes;
  }

  private static String[] exchange() {
    return LongStream.concat(LongStream.of(-1), LongStream.of(SIZES))
        .mapToObj(size -> size < 0 ? "blocking,nonblocking" : Long.toString(size)).toArray(String[]::new);
  }

  private static void checkExchange(List<String> kinds, List<Outcome> outcomes) {
    String said = "blocking on %1$s checked %2$d bytes%nnonblocking on %1$s checked %2$d bytes%n";
    for (int rank = 0; rank < kinds.size(); rank++) {
      assertEquals(said.formatted(kinds.get(rank), LongStream.of(SIZES).sum()), outcomes.get(rank).out());
    }
  }

  @ParameterizedTest
  @CsvSource({"ffm,ffm", "ffm,java", "c,ffm", "java,c", "c,c", "jni,jna"})
  void messagesOfAllSizesArriveWithoutAWord(String first, String second) throws Exception {
    requireNamespaces(CONTAINER);
    List<String> kinds = List.of(first, second);
    checkExchange(kinds, run(CONTAINER, kinds, "exchange", "ExchangeRank", exchange()));
  }

  /** A rank finds the number of the other one there, and the system refuses it the memory. */
  @ParameterizedTest
  @CsvSource({"ffm,ffm", "c,ffm"})
  void messagesOfAllSizesArriveWhereTheUserNamespacesAloneDiffer(String first, String second) throws Exception {
    requireNamespaces(USER_ALONE);
    List<String> kinds = List.of(first, second);
    checkExchange(kinds, run(USER_ALONE, kinds, "exchange", "ExchangeRank", exchange()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm,ffm,java", "c,c,c", "ffm,c,java"})
  void collectivesHaveTheirResults(String members) throws Exception {
    requireNamespaces(CONTAINER);
    List<String> kinds = List.of(members.split(","));
    List<Outcome> outcomes = run(CONTAINER, kinds, "collective", "CollectiveRank", "mixed", "50", "survivors");
    IntStream.range(0, kinds.size()).forEach(
        rank -> assertEquals("%1$s: 50 rounds%n%1$s: survived%n".formatted(kinds.get(rank)),
            outcomes.get(rank).out()));
  }

  @ParameterizedTest
  @CsvSource({"ffm,java", "c,ffm", "c,c"})
  void whatOneWritesTheOtherReads(String first, String second) throws Exception {
    requireNamespaces(CONTAINER);
    List<String> kinds = List.of(first, second);
    for (Outcome outcome : run(CONTAINER, kinds, "shared", "SharedRank", "exchange")) {
      outcome.prints(" checked " + SHARED_BYTES + " bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm,ffm,ffm", "java,ffm,java", "ffm,c,ffm"})
  void theOthersHearOfTheDeathOfOneAndGoOn(String members) throws Exception {
    requireNamespaces(CONTAINER);
    List<String> kinds = List.of(members.split(","));
    try (Child first = lingering(0, kinds); Child killed = lingering(1, kinds); Child third = lingering(2, kinds)) {
      for (Child rank : List.of(first, killed, third)) {
        rank.awaitOutput("^ready");
      }
      killed.signal("KILL"); // unshare, which takes what it has started with it
      first.await().exits(0).saysNothing().prints("recv failed: rank 1", "went on: 43");
      third.await().exits(0).saysNothing().prints("went on: 43");
    }
  }

  /** The victim may be of C; it waits for ever, as that in Java does. */
  private Child lingering(int rank, List<String> kinds) throws IOException {
    boolean ofC = kinds.get(rank).equals("c");
    String[] words = ofC ? new String[] {"0", "nothing"} : new String[] {"watch", "recv"};
    return rank(rank, kinds, "linger", "LingerRank", words).under(CONTAINER).start();
  }

  @Test
  void aRankInCHearsOfTheDeathOfOneInC() throws Exception {
    requireNamespaces(CONTAINER);
    List<String> kinds = List.of("c", "c");
    try (Child first = rank(0, kinds, "linger", "", "1").under(CONTAINER).start();
        Child killed = rank(1, kinds, "linger", "", "0").under(CONTAINER).start()) {
      first.awaitOutput("^ready 1$"); // its number, which all have
      killed.awaitOutput("^ready 1$");
      killed.signal("KILL");
      first.await().exits(0).saysNothing().prints("wait failed: rank 1");
    }
  }

  /** Our launcher starts containers as it starts programs; their variables tell the ranks the rest. */
  @Test
  void theLauncherOutsideStartsThem() throws Exception {
    requireNamespaces(CONTAINER);
    Outcome outcome = Launch.adrastea(shm, "run", "-n", "2", "--").add(CONTAINER)
        .add(CProgram.of("barrier"), directory.resolve("array").toString(), "20").run().exits(0).saysNothing();
    assertEquals(List.of("[0] c: 20 rounds", "[1] c: 20 rounds"), outcome.lines().stream().sorted().toList());
  }

  @Test
  void theLauncherOutsideNamesTheOneThatWasKilled() throws Exception {
    requireNamespaces(CONTAINER);
    try (Child run = Launch.adrastea(shm, "run", "-n", "2", "--").add(CONTAINER)
        .add(CProgram.of("linger"), "1", "any").start()) {
      run.awaitOutput("(?s)ready 1.*ready 1");
      Processes.signal("KILL", rankOf(run));
      Outcome outcome = run.await().exits(137);
      outcome.says("rank 1");
      run.awaitNobody();
    }
  }

  /** The process outside that is rank 1: it has the variable, and no child of it is a rank. */
  private static long rankOf(Child run) {
    return run.living().stream()
        .filter(pid -> Processes.with("ADRASTEA_RANK", "1").contains(pid))
        .filter(pid -> Processes.commandLine(pid).contains("linger_rank")
            && !Processes.commandLine(pid).startsWith("unshare"))
        .findFirst().orElseThrow();
  }
}
