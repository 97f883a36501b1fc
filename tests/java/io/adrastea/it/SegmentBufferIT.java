package io.adrastea.it;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A buffer over a segment does what Agrona's own does, which needs a JVM with a flag. */
class SegmentBufferIT {
  private static final String COMPARISON = "io.adrastea.agrona.BufferComparison";

  @TestFactory
  Stream<DynamicTest> everyMethodDoesWhatAgronasOwnBufferDoes() throws Exception {
    Outcome outcome =
        Launch.java("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED")
            .add("-cp", Launch.jar() + ":" + Launch.classes(), COMPARISON)
            .run()
            .exits(0);
    List<String> lines = outcome.lines();
    assertTrue(lines.size() > 100, () -> "too few methods: " + outcome);
    return lines.stream().map(line -> dynamicTest(line, () -> assertTrue(line.startsWith("same "), line)));
  }
}
