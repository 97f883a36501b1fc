package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A rank that waits leaves its CPU to others, in whatever it waits: its thread is seen asleep. How little of a CPU it
 * takes is measured by {@code bench waiting}.
 */
class IdleIT {
  private static final List<String> WAITS = List.of("recv", "any", "probe", "barrier", "waitany", "send", "large");

  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "jni", "java", "ffm,java", "java,ffm"})
  void aRankThatWaitsSleeps(String cores) throws Exception {
    Outcome outcome =
        Launch.adrastea(shm, "run", "-n", "2", "--core", cores, "--", "java", "io.adrastea.it.IdleRank").run().exits(0);
    List<String> asleep = WAITS.stream().map(wait -> "[0] " + wait + " asleep").toList();
    assertEquals(asleep, outcome.lines().stream().filter(line -> line.startsWith("[0] ")).toList());
  }
}
