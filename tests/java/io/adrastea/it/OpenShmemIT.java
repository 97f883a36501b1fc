package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C programs that include {@code shmem.h} are PEs of jobs, by themselves and beside PEs of Java. */
class OpenShmemIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"'c,c'", "'c,ffm'", "'java,c'", "'c,jni,c'"})
  void pesOfCAndOfJavaShareAHeap(String members) throws Exception {
    Launch launch = Launch.adrastea(shm, "run", "--label", "never");
    String[] kinds = members.split(",");
    for (int pe = 0; pe < kinds.length; pe++) {
      if (pe > 0) {
        launch.add(":");
      }
      if (kinds[pe].equals("c")) {
        launch.add("--", CProgram.of("openshmem"));
      } else {
        launch.add("--core", kinds[pe], "--", "java", "-XX:+UseSerialGC", "io.adrastea.it.OpenShmemRank");
      }
    }
    Outcome outcome = launch.run().exits(0);
    outcome.saysNothing();
    assertEquals(kinds.length, outcome.lines().stream().filter("has checked all"::equals).count(), outcome::toString);
  }

  /** One PE calls {@code shmem_global_exit(0)}, and the others compute and wait for nobody. */
  @Test
  void aPeEndsAllByCodeZero() throws Exception {
    Launch launch = Launch.adrastea(shm, "run", "-n", "3", "--", CProgram.of("openshmem"), "end");
    launch.run().exits(0).saysNothing();
  }
}
