package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PEs of OpenSHMEM in processes of their own, on all cores; and some that are killed at random with a lock, or while
 * they wait for it. {@code -Dadrastea.test.kills=N}: about so many kills instead of 12, {@code -Dadrastea.seed=N}: the
 * same pauses as a run before.
 */
class ShmemIT {
  private static final int VICTIMS = 3; // of one job
  private static final int MOST_PAUSE = 100; // milliseconds before a kill
  private static final String[] CORES = {"ffm", "java", "jni", "java", "ffm"};

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  private final int kills = Integer.getInteger("adrastea.test.kills", 12);
  private final long seed = Long.getLong("adrastea.seed", System.nanoTime());

  /** Starts PEs of a core; empty: of several; "c": every other one is of C, beside those of several cores. */
  private List<Child> start(int size, String core, String what, List<Child> ranks) throws Exception {
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    for (int rank = 0; rank < size; rank++) {
      if (core.equals("c") && rank % 2 == 1) {
        ranks.add(CProgram.rank(shm, job, rank, size, "shmem", what).start());
        continue;
      }
      ranks.add(Launch.rank(shm, job, rank, size, "io.adrastea.it.ShmemRank").add(what)
          .set("core", core.isEmpty() || core.equals("c") ? CORES[rank % CORES.length] : core).start());
    }
    return ranks;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java", "jni", ""})
  void pesInProcessesWorkTogether(String core) throws Exception {
    List<Child> ranks = new ArrayList<>();
    try {
      start(3, core, "works", ranks);
      for (Child rank : ranks) {
        rank.awaitOutput("^worked$");
        rank.await().exits(0);
      }
    } finally {
      ranks.forEach(Child::close);
    }
  }

  /** C PEs and Java PEs share a heap, locks, signals and collectives. */
  @ParameterizedTest
  @ValueSource(strings = {"c,c", "c,jni,c", "ffm,c,java"})
  void pesOfCAndOfJavaWorkTogether(String members) throws Exception {
    Launch launch = Launch.adrastea(shm, "run", "--label", "never");
    String[] kinds = members.split(",");
    for (int rank = 0; rank < kinds.length; rank++) {
      if (rank > 0) {
        launch.add(":");
      }
      if (kinds[rank].equals("c")) {
        launch.add("--", CProgram.of("shmem"), "shares");
      } else {
        launch.add("--core", kinds[rank], "--", "java", "-XX:+UseSerialGC", "io.adrastea.it.ShmemRank", "shares");
      }
    }
    Outcome outcome = launch.run().exits(0);
    outcome.saysNothing();
    assertEquals(kinds.length, outcome.lines().stream().filter(line -> line.equals("shared")).count(),
        outcome::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c"})
  void pesKilledWithALockLeaveItToOthers(String core) throws Exception {
    System.out.printf("ShmemIT: %d kills, -Dadrastea.seed=%d%n", kills / 2, seed);
    Random random = new Random(seed);
    for (int done = 0; done < kills / 2; done += VICTIMS) {
      List<Child> ranks = new ArrayList<>();
      try {
        start(ShmemRank.SURVIVORS + VICTIMS, core, "survives", ranks);
        for (Child rank : ranks) {
          rank.awaitOutput("^ready$");
        }
        for (int victim = 0; victim < VICTIMS; victim++) {
          Thread.sleep(random.nextInt(MOST_PAUSE));
          ranks.get(ShmemRank.SURVIVORS + victim).signal("KILL");
        }
        for (int rank = 0; rank < ShmemRank.SURVIVORS; rank++) {
          ranks.get(rank).awaitOutput("^survived, told [0-9]+$");
          ranks.get(rank).await().exits(0);
        }
      } finally {
        ranks.forEach(Child::close);
      }
    }
  }
}
