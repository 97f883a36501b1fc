package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages from and into Agrona's own buffers, in a JVM with the flag that those need. */
class AgronaBuffersIT {
  @RegisterExtension
  final ShmDirectory shm = new ShmDirectory();

  @ParameterizedTest
  @ValueSource(strings = {"ffm", "java"})
  void buffersOfEveryKindAreSentAndReceivedAndNoneGrows(String core) throws Exception {
    Outcome outcome =
        Launch.java("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED")
            .add("-cp", Launch.jar() + ":" + Launch.classes(), "io.adrastea.agrona.AgronaMain")
            .set("shm.dir", shm.path())
            .set("core", core)
            .run()
            .exits(0);
    assertEquals(10, outcome.lines().size(), outcome::toString);
    assertTrue(outcome.lines().stream().allMatch(line -> line.startsWith("right ")), outcome::toString);
  }
}
