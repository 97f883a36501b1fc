package io.adrastea.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinNoticeTest {
  private static final long SECOND = 1_000_000_000;
  private static final int RANKS = 4;
  private static final int JAVA = 5; // the core of that name

  @TempDir
  Path directory;

  private final Logger logger = Logger.getLogger("io.adrastea");
  private final List<String> told = new ArrayList<>();
  private final Handler listener =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          told.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };
  private long now = -2 * SECOND;

  @BeforeEach
  void listen() {
    logger.addHandler(listener);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(listener);
    logger.setUseParentHandlers(true);
  }

  @Test
  void whoWaitsIsToldOnceAfterFiveSeconds() {
    JoinNotice notice = new JoinNotice(() -> now);
    for (int second = 0; second < 20; second++) {
      String what = "after " + second;
      notice.look(() -> what);
      now += SECOND;
    }
    assertEquals(List.of("after 5"), told);
  }

  @Test
  void theLowestRankThatHasComeAndIsNoCRankTells() {
    try (Segment segment = GivenSegment.blank(directory, RANKS, 4, 512)) {
      RankTable table = new RankTable(segment);
      come(table, 2, JAVA);
      assertTrue(JoinNotice.isSpeaker(table, 2));
      come(table, 0, RankEntryDescriptor.CORE_C);
      assertTrue(JoinNotice.isSpeaker(table, 2));
      come(table, 1, JAVA);
      assertFalse(JoinNotice.isSpeaker(table, 2));
      assertTrue(JoinNotice.isSpeaker(table, 1));
    }
  }

  private static void come(RankTable table, int rank, int core) {
    table.enter(rank, core, 0, 0, Cpus.of(0), new CpuQuota(0));
    table.state(rank, RankEntryDescriptor.STATE_ATTACHED);
  }
}
