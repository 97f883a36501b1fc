package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Memory of another rank's process, without a transfer: by CMA, and by XPMEM on the stand-in for its kernel module. */
class SpaceIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @CsvSource({"CMA,ffm", "XPMEM,ffm", "XPMEM,jni"})
  void isReadAndWrittenUntilThatRankIsGone(String space, String core) throws Exception {
    Outcome outcome =
        Launch
            .adrastea(shm, "run", "-n", "2", "--keep-going", "--", "java", "-XX:+UseSerialGC",
                "io.adrastea.it.SpaceRank", space, core)
            .set("core", core)
            .set("lmt", "ring") // the ranks' own transfers use no space
            .set("library", CProgram.xpmemStandIn())
            .run();
    outcome.prints("rank 1 found what was written", "rank 0 goes on without rank 1");
    assertFalse(outcome.err().contains("InternalError"), outcome::toString);
  }
}
