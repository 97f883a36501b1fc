package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Windows between processes, by each way to the memory of others; XPMEM on the stand-in for its kernel module. With
 * both compilers of HotSpot where the memory belongs to the window from the start and all ranks are of Java, with the
 * first alone elsewhere.
 */
class WindowIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"2,ffm,allocated,auto,direct", "3,'ffm,java,jni',shared,auto,direct",
    "2,'jna,java',allocated,direct,direct",
    "2,ffm,mapped,auto,xpmem", "3,'jni,ffm,jna',mapped,xpmem,xpmem", "2,'ffm,jni',private,cma,cma",
    "2,ffm,allocated,handler,handler", "3,'java,ffm',private,handler,handler"})
  void everyEpochDoesWhatItSaysByEachWay(int ranks, String cores, String memory, String setting, String way)
      throws Exception {
    check(ranks, way, ranks(ranks, cores, setting, "java", "-XX:+UseSerialGC").add(memory).run());
  }

  private Launch ranks(int ranks, String cores, String setting, String... java) {
    return Launch.adrastea(shm, "run", "-n", "" + ranks, "--core", cores, "--label", "never", "--")
        .add(java)
        .add("io.adrastea.it.WindowRank")
        .set("window", setting)
        .set("library", CProgram.xpmemStandIn());
  }

  private static void check(int ranks, String way, Outcome outcome) {
    outcome.exits(0).saysNothing();
    assertEquals(ranks, outcome.lines().stream().filter(line -> line.endsWith("has checked all")).count(),
        outcome::toString);
    for (int rank = 0; rank < ranks; rank++) {
      StringBuilder ways = new StringBuilder("rank " + rank + " reaches");
      for (int other = 0; other < ranks; other++) {
        ways.append(other == rank ? " direct" : " " + way);
      }
      assertTrue(outcome.lines().contains(ways.toString()), outcome::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({"3,'ffm,java,jni',shared,auto,direct", "2,'ffm,jna',mapped,auto,xpmem",
    "3,'jni,ffm,jni',private,cma,cma", "2,'java,ffm',private,handler,handler"})
  void everyEpochDoesWhatItSaysInMemoryThatIsAttached(int ranks, String cores, String memory, String setting,
      String way) throws Exception {
    check(ranks, way, ranks(ranks, cores, setting, "java").add(memory, "dynamic").run());
  }

  /** A dynamic window of a communicator with C ranks is refused by name at all of them. */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void ranksOfCTakeNoPartInDynamicWindows(boolean isFirst) throws Exception {
    Launch launch = Launch.adrastea(shm, "run", "--label", "never");
    for (int rank = 0; rank < 2; rank++) {
      if (rank > 0) {
        launch.add(":");
      }
      if (isFirst == (rank == 0)) {
        launch.add("--", CProgram.of("window"));
      } else {
        launch.add("--core", "ffm", "--", "java", "io.adrastea.it.WindowRank", "shared", "dynamic");
      }
    }
    Outcome outcome = launch.run();
    assertNotEquals(0, outcome.code(), outcome::toString);
    assertTrue(outcome.toString().contains("C ranks take no part"), outcome::toString);
  }

  /** C ranks and Java ranks share a window that both have allocated. */
  @ParameterizedTest
  @CsvSource({"'c,c'", "'java,c'", "'c,jni,c'"})
  void ranksOfCAndOfJavaShareAWindow(String members) throws Exception {
    Launch launch = Launch.adrastea(shm, "run", "--label", "never");
    String[] kinds = members.split(",");
    for (int rank = 0; rank < kinds.length; rank++) {
      if (rank > 0) {
        launch.add(":");
      }
      if (kinds[rank].equals("c")) {
        launch.add("--", CProgram.of("window"));
      } else {
        launch.add("--core", kinds[rank], "--", "java", "io.adrastea.it.WindowRank", "allocated");
      }
    }
    Outcome outcome = launch.run().exits(0);
    outcome.saysNothing();
    assertEquals(kinds.length, outcome.lines().stream().filter(line -> line.endsWith("has checked all")).count(),
        outcome::toString);
  }
}
