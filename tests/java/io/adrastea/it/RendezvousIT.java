package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ranks that no launcher has started and that meet at an address, in Java, in C and both in one job.
 */
class RendezvousIT {
  private static final String ROUNDS = "20";
  private static final int SHORT_MILLIS = 1500;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @TempDir
  Path directory;

  private final int port = FreePort.find();

  /** Which programs are the ranks; in a mixed job those with an even number are Java's. */
  enum Ranks {
    JAVA, C, MIXED
  }

  /** A rank that is told all but its number. */
  private Launch process(boolean ofJava, int size) throws Exception {
    String file = directory.resolve("array").toString();
    Launch launch = ofJava
        ? Launch.java("--enable-native-access=ALL-UNNAMED", "-cp", Launch.jar() + File.pathSeparator + Launch.classes())
            .flags(ClassArchive.flags(Launch.jar()).toArray(String[]::new))
            .add("io.adrastea.it.BarrierRank", file, ROUNDS)
        : Launch.command(CProgram.of("barrier"), file, ROUNDS);
    return launch.set("shm.dir", shm.path()).set("rendezvous", "127.0.0.1:" + port).set("size", size);
  }

  private Launch rank(Ranks ranks, int rank, int size) throws Exception {
    return process(ranks == Ranks.JAVA || ranks == Ranks.MIXED && rank % 2 == 0, size).set("rank", rank);
  }

  /** Starts them all, the one with the greatest number first, and lets them end. */
  private static List<Outcome> run(Launch... launches) throws Exception {
    List<Child> children = new ArrayList<>();
    try {
      for (int i = launches.length - 1; i >= 0; i--) {
        children.addFirst(launches[i].start());
      }
      List<Outcome> outcomes = new ArrayList<>();
      for (Child child : children) {
        outcomes.add(child.input("").await());
      }
      return outcomes;
    } finally {
      children.forEach(Child::close);
    }
  }

  private static void checkMet(List<Outcome> outcomes) {
    for (Outcome outcome : outcomes) {
      outcome.exits(0).saysNothing().prints(": 20 rounds");
    }
  }

  @ParameterizedTest
  @EnumSource
  void ranksMeetAtAHostWithANameAndSeveralAddresses(Ranks ranks) throws Exception {
    Launch[] three = {rank(ranks, 0, 3), rank(ranks, 1, 3), rank(ranks, 2, 3)};
    for (Launch each : three) {
      each.set("rendezvous", "localhost:" + port);
    }
    checkMet(run(three));
  }

  @ParameterizedTest
  @EnumSource
  void podsOfAnIndexedJobMeet(Ranks ranks) throws Exception {
    Launch[] pods = new Launch[2];
    for (int pod = 0; pod < pods.length; pod++) {
      pods[pod] = rank(ranks, pod, pods.length).set("rank", "").variable("JOB_COMPLETION_INDEX", pod);
    }
    checkMet(run(pods));
  }

  /** As containers of a pod have, or pods that share a directory. */
  @Test
  void ranksInPidNamespacesOfTheirOwnMeet() throws Exception {
    checkMet(run(rank(Ranks.MIXED, 0, 2).under(NamespaceIT.unshare()),
        rank(Ranks.MIXED, 1, 2).under(NamespaceIT.unshare())));
  }

  @ParameterizedTest
  @EnumSource
  void ranksThatDoNotComeAreNamedToAll(Ranks ranks) throws Exception {
    List<Outcome> outcomes = run(
        rank(ranks, 0, 3).set("join.timeout", SHORT_MILLIS),
        rank(ranks, 1, 3)); // whose patience is longer: it hears from rank 0
    for (Outcome outcome : outcomes) {
      outcome.exits(1).says("rank 0 waited 1500 ms at 127.0.0.1:" + port + " for all 3 ranks: rank(s) [2] "
          + "have not come; were all started? (ADRASTEA_JOIN_TIMEOUT)");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"JAVA", "C"})
  void rankZeroIsNamedByThoseWhoWaitForIt(Ranks ranks) throws Exception {
    rank(ranks, 1, 2).set("join.timeout", SHORT_MILLIS).run().exits(1)
        .says("rank 1 waited 1500 ms for rank 0 at 127.0.0.1:" + port + ": Connection refused");
  }

  /** Rank 0 is there as soon as it listens; a rank that has connected is among its connections. */
  private void awaitConnections(int count) throws Exception {
    Pattern line = Pattern.compile("\\s*\\d+: 0100007F:%04X [0-9A-F]+:[0-9A-F]+ 01 .*".formatted(port));
    Deadline.await("connected", () -> lines(line) == count, () -> "connections: " + lines(line));
  }

  /** Ranks of Java listen at addresses of IPv4 in the form of IPv6. */
  private static long lines(Pattern line) {
    try {
      List<String> all = new ArrayList<>(Files.readAllLines(Path.of("/proc/net/tcp")));
      for (String each : Files.readAllLines(Path.of("/proc/net/tcp6"))) {
        all.add(each.replace("0000000000000000FFFF0000", ""));
      }
      return all.stream().filter(each -> line.matcher(each).matches()).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRankThatIsKilledWhileItWaitsMayComeAgain(Ranks ranks) throws Exception {
    try (Child zero = rank(ranks, 0, 3).start()) {
      try (Child first = rank(ranks, 1, 3).start()) {
        awaitConnections(1);
        first.signal("KILL");
        first.awaitNobody();
      }
      awaitConnections(0);
      try (Child one = rank(ranks, 1, 3).start(); Child two = rank(ranks, 2, 3).start()) {
        checkMet(List.of(zero.input("").await(), one.input("").await(), two.input("").await()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRankWaitsForARankZeroThatIsStartedAgain(Ranks ranks) throws Exception {
    try (Child first = rank(ranks, 0, 3).start()) {
      try (Child one = rank(ranks, 1, 3).start()) {
        awaitConnections(1);
        first.signal("KILL");
        first.awaitNobody();
        checkMet(run(rank(ranks, 0, 3), rank(ranks, 2, 3)));
        checkMet(List.of(one.input("").await()));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoOfOneRankAreRefused(Ranks ranks) throws Exception {
    for (Outcome outcome : run(rank(ranks, 0, 3), rank(ranks, 1, 3), rank(ranks, 2, 3).set("rank", 1))) {
      outcome.exits(1).says("two processes say that they are rank 1; each process of a job needs a rank of its own");
    }
  }

  @ParameterizedTest
  @EnumSource
  void ranksThatShareNoDirectoryAreRefusedByName(Ranks ranks) throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    for (Outcome outcome : run(rank(ranks, 0, 2).set("links", "shm"),
        rank(ranks, 1, 2).set("links", "shm").set("shm.dir", other))) {
      outcome.exits(1).says("rank 1 shares no memory with rank 0: the one is on node ",
          "let ADRASTEA_SHM_DIR name one directory that all of them see");
    }
    assertEquals(List.of(), shm.files());
  }

  @ParameterizedTest
  @EnumSource(names = {"JAVA", "C"})
  void whatIsMissingIsNamed(Ranks ranks) throws Exception {
    rank(ranks, 0, 2).set("rank", "").run().exits(1).says("ADRASTEA_RENDEZVOUS=127.0.0.1:" + port
        + " needs ADRASTEA_RANK (or JOB_COMPLETION_INDEX) and ADRASTEA_SIZE too; missing: ADRASTEA_RANK");
  }

  @Test
  void ourLauncherCountsBeforeARendezvous() throws Exception {
    Launch.adrastea(shm, "run", "-n", "2", "--label", "never", "--", CProgram.of("barrier"),
        directory.resolve("array").toString(), ROUNDS)
        .set("rendezvous", "127.0.0.1:" + port)
        .run()
        .exits(0)
        .prints("c: 20 rounds");
  }

  @Test
  void infoTellsTheAddress() throws Exception {
    Launch.adrastea(shm, "info").set("rendezvous", "127.0.0.1:" + port).set("rank", 1).set("size", 3)
        .run().exits(0)
        .prints("rank 1 of 3 by rendezvous (ADRASTEA_RENDEZVOUS=127.0.0.1:%d, ADRASTEA_RANK=1, ADRASTEA_SIZE=3)"
            .formatted(port));
  }
}
