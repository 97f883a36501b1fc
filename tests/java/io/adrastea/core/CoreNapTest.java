package io.adrastea.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.adrastea.atomic.Words;
import io.adrastea.core.pure.PureCoreProvider;
import io.adrastea.layout.RankEntryDescriptor;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The core {@code java} has no futex: a rank that waits on it naps, and it wakes nobody. It says so. */
class CoreNapTest {
  @TempDir
  Path directory;

  @Test
  void saysThatItCanNeitherSleepNorWake() {
    CoreProvider java = new PureCoreProvider();
    assertFalse(java.prepareToWake());
    try (CorePair.Ranks ranks = new CorePair(java, java, false).open(directory, 2, 4, 256)) {
      Core core = ranks.core(0);
      assertEquals(Core.NOSYS, core.sleeper().announceSleep());
      assertEquals(Core.NOSYS, core.sleeper().sleep(0, 1));
      assertEquals(Core.NOSYS, core.sleeper().wake(1));
      assertEquals(0, core.sleeper().endSleep());
      long entry = ranks.segment().geometry().rankEntryOffset(0);
      assertEquals(0, Words.load(ranks.segment().memory(), entry + RankEntryDescriptor.DOORBELL_SLEEPING_OFFSET));
    }
  }
}
