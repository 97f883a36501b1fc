package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The barrier between processes. */
class BarrierIT {
  private static final int ROUNDS = 5000;

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path directory;

  @ParameterizedTest
  @CsvSource({"1,ffm", "1,java", "2,ffm", "2,java", "2,'ffm,java'", "3,'java,ffm'", "4,'ffm,java'"})
  void nobodyLeavesBeforeAllHaveWrittenWhatOthersRead(int ranks, String cores) throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "" + ranks, "--core", cores, "--")
            .add("java", "-XX:+UseSerialGC", "io.adrastea.it.BarrierRank")
            .add(directory.resolve("arrays").toString(), "" + ROUNDS)
            .run()
            .exits(0);
    String said = ": %d rounds".formatted(ROUNDS);
    long good = outcome.lines().stream().filter(line -> line.endsWith(said)).count();
    assertEquals(ranks, good, outcome::toString);
  }
}
