package io.adrastea.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.Settings;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.segment.SegmentFile;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a launcher enters for ranks that have ended. */
class RollCallTest {
  private static final String JOB = "0123456789abcdef";
  private static final int RANKS = 3;

  @TempDir
  Path directory;

  private Path path() {
    return SegmentFile.path(directory, Long.parseUnsignedLong(JOB, 16), 0);
  }

  private void check(Runnable action) throws Exception {
    Settings.with(
        Map.of("adrastea.shm.dir", directory.toString()),
        () -> {
          action.run();
          return null;
        });
  }

  private static int stateOfRank0(Segment segment) {
    return new RankTable(segment).state(0);
  }

  @Test
  void standsInForRank0ThatLeftAnUnfinishedFile() throws Exception {
    Files.createFile(path(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    check(
        () -> {
          try (RollCall roll = new RollCall(JOB, 0, 0, RANKS)) {
            assertEquals(RollCall.Answer.UNKNOWN, roll.ended(0));
            roll.standIn();
            try (Segment segment = Segment.attach(path(), RANKS, Long.parseUnsignedLong(JOB, 16)).orElseThrow()) {
              assertEquals(RankEntryDescriptor.STATE_FAILED, stateOfRank0(segment));
            }
          }
        });
  }

  @Test
  void aRankThatDiedWhileItEnteredItselfIsMissedOnce() {
    try (Segment segment = GivenSegment.blank(directory, RANKS, 4, 512)) {
      RankTable table = new RankTable(segment);
      table.enter(1, 1, 0, 0, Cpus.of(0), new CpuQuota(0));
      table.state(1, RankEntryDescriptor.STATE_ABSENT); // its process number is there, and no more
      assertTrue(table.miss(1));
      assertEquals(RankEntryDescriptor.STATE_FAILED, table.state(1));
      assertFalse(table.miss(1));
    }
  }
}
