package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.core.CoreProvider;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The right to the memory of other processes is lost while it is in use. */
class PermissionLostIT {
  private static final long CHECKED = 4 * 3 * (9000L + 32_769 + 300_001 + 3_000_007);

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();
  @TempDir
  Path services;

  /** The rest of the message, and all others, arrive all the same. It is said once by each rank that has lost it. */
  @ParameterizedTest
  @CsvSource({"losing,losing,1,1", "losing,ffm,1,0", "ffm,losing,0,1"})
  void theRestGoesThroughTheRingAndThatIsSaidOnce(String first, String second, int firstSays, int secondSays)
      throws Exception {
    Path list = services.resolve("META-INF/services").resolve(CoreProvider.class.getName());
    Files.createDirectories(list.getParent());
    Files.writeString(list, LosingCoreProvider.class.getName());
    String job = UUID.randomUUID().toString().replace("-", "").substring(0, 16);
    List<Child> ranks = new ArrayList<>();
    try {
      ranks.add(rank(job, 0).set("core", first).start());
      ranks.add(rank(job, 1).set("core", second).start());
      check(ranks.get(0).await().exits(0), first, firstSays, 1);
      check(ranks.get(1).await().exits(0), second, secondSays, 0);
    } finally {
      ranks.forEach(Child::close);
    }
  }

  private static void check(Outcome outcome, String core, int warnings, int peer) {
    assertEquals("%s checked %d bytes%n".formatted(core, CHECKED), outcome.out(), outcome::toString);
    String said =
        "WARNING: large messages with rank %d go through the copy ring: CMA is refused by the system (error 1)"
            .formatted(peer);
    assertEquals(warnings, outcome.err().lines().filter(said::equals).count(), outcome::toString);
    assertEquals(warnings, outcome.err().lines().filter(line -> line.startsWith("WARNING")).count(), outcome::toString);
  }

  private Launch rank(String job, int rank) {
    String path =
        String.join(File.pathSeparator, Launch.jar().toString(), Launch.classes().toString(), services.toString());
    return Launch.java("--enable-native-access=ALL-UNNAMED", "-cp", path, "io.adrastea.it.LargeRank")
        .add("exchange", "native", "array")
        .set("shm.dir", shm.path())
        .set("job", job)
        .set("rank", rank)
        .set("size", 2)
        .set("lmt", "cma");
  }
}
