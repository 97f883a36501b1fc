package io.adrastea.ranktable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.segment.ProcessIdentity;
import io.adrastea.segment.Segment;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose memory may be written where a rank says. */
class AddressablePidTest {
  private static final int OTHER_PROCESS = 1;

  @TempDir
  Path directory;

  private RankTable job(Segment segment, int flags) {
    RankTable table = new RankTable(segment);
    table.enter(0, 1, flags, 0, Cpus.of(0), new CpuQuota(0));
    table.enter(1, 1, flags, 0, Cpus.of(0), new CpuQuota(0));
    return table;
  }

  @Test
  void threadsOfOneProcessAddressIt() {
    try (Segment segment = GivenSegment.blank(directory, 2, 4, 512)) {
      RankTable table = job(segment, RankEntryDescriptor.FLAG_THREAD);
      assertEquals(ProcessIdentity.self().pid(), table.addressablePid(1, 0));
    }
  }

  @Test
  void aRankThatSaysItIsTheCallersProcessIsNotBelieved() {
    try (Segment segment = GivenSegment.blank(directory, 2, 4, 512)) {
      RankTable table = job(segment, 0);
      assertEquals(0, table.addressablePid(1, 0));
      assertEquals(ProcessIdentity.self().pid(), table.addressablePid(0, 0)); // nobody pretends to be itself
      long entry = segment.geometry().rankEntryOffset(1);
      Words.store(segment.memory(), entry + RankEntryDescriptor.PID_OFFSET, OTHER_PROCESS);
      assertEquals(OTHER_PROCESS, table.addressablePid(1, 0));
    }
  }
}
