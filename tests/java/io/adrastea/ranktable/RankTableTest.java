package io.adrastea.ranktable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.segment.Segment;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many CPUs the ranks of a job have together; twin of {@code tests/c/rank_table_test.c}. */
class RankTableTest {
  @TempDir
  Path directory;

  private Segment segment;
  private RankTable table;

  private void newJob(int ranks) {
    segment = GivenSegment.blank(directory, ranks, 4, 512);
    table = new RankTable(segment);
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private void enter(int rank, String cpus, int quota) {
    table.enter(rank, 1, 0, 0, Cpus.parse(cpus), new CpuQuota(quota));
  }

  @Test
  void anEntryHoldsWhatItsRankSaid() {
    newJob(2);
    enter(0, "62-65,1023", 150);
    enter(1, "7", 0);
    assertEquals(Cpus.parse("62-65,1023"), table.cpus(0));
    assertEquals(Cpus.of(7), table.cpus(1));
    assertEquals(Cpus.parse("7,62-65,1023"), table.cpus());
  }

  @Test
  void whatARankLacksIsToldByName() {
    newJob(3);
    table.enter(1, RankEntryDescriptor.CORE_C, 0, 0, Cpus.of(0), new CpuQuota(0));
    int some = Capability.bits(Capability.RENDEZVOUS, Capability.MATCHING);
    table.enter(2, 5, 0, some, Cpus.of(0), new CpuQuota(0));
    assertFalse(table.abilities(1).has(Capability.SYNCHRONOUS));
    assertEquals(
        "is a C rank of job.h, which has no synchronous sends; allowed with it are messages by send and receive, the "
            + "barrier and shared memory",
        table.abilities(1).lack(Capability.SYNCHRONOUS));
    assertEquals(
        "is a Java rank, which has no windows; allowed with it are messages by send and receive, the barrier and "
            + "shared memory, matching by source and tag, rendezvous of large messages",
        table.abilities(2).lack(Capability.WINDOWS));
  }

  @Test
  void eachCapabilityIsOneOfItsOwn() {
    newJob(Capability.values().length);
    for (Capability one : Capability.values()) {
      int rank = one.ordinal();
      table.enter(rank, 5, 0, Capability.bits(one), Cpus.of(0), new CpuQuota(0));
      for (Capability other : Capability.values()) {
        assertEquals(one == other, table.abilities(rank).has(other), one + " and " + other);
      }
    }
  }

  @Test
  void cpusThatSeveralRanksShareCountOnce() {
    newJob(3);
    enter(0, "0-1", 0);
    enter(1, "1", 0);
    enter(2, "0-1", 0);
    assertEquals(2, table.usableCpus());
    assertTrue(table.isOversubscribed());
  }

  @Test
  void ranksWithCpusOfTheirOwnAreNotOversubscribed() {
    newJob(3);
    enter(0, "0", 0);
    enter(1, "70", 0);
    enter(2, "1023", 0);
    assertEquals(3, table.usableCpus());
    assertFalse(table.isOversubscribed());
  }

  @Test
  void ranksOnDifferentHalvesHaveTheWhole() {
    newJob(2);
    enter(0, "0-3", 0);
    enter(1, "4-7", 0);
    assertEquals(8, table.usableCpus());
  }

  @Test
  void theLeastQuotaLimitsAll() {
    newJob(3);
    enter(0, "0-7", 0);
    enter(1, "0-7", 400);
    enter(2, "0-7", 150);
    assertEquals(2, table.usableCpus());
    assertTrue(table.isOversubscribed());
  }

  @Test
  void aQuotaOfLessThanACpuIsOne() {
    newJob(1);
    enter(0, "0-7", 5);
    assertEquals(1, table.usableCpus());
    assertFalse(table.isOversubscribed());
  }

  @Test
  void cpusThatTheMaskCannotNameCountByNumber() {
    newJob(2);
    enter(0, "2000-2003", 0);
    enter(1, "2000-2003", 0);
    assertEquals(4, table.usableCpus());
    assertEquals(Cpus.of(), table.cpus());
  }
}
