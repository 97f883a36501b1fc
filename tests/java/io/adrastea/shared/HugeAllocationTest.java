package io.adrastea.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.adrastea.EverySharedCoreList;
import io.adrastea.Ranks;
import io.adrastea.segment.HugePages;
import io.adrastea.segment.SegmentFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/** Shared allocations on huge pages, on file systems that offer them. */
@EverySharedCoreList
class HugeAllocationTest {
  @Parameter
  String cores;
  private final HugePages offered = HugePages.of(SegmentFile.directory());

  @BeforeEach
  void requireHugePages() {
    assumeTrue(offered.bytes() != 0, () -> "no huge pages: " + offered.why());
    assumeFalse(cores.contains(","), "ranks of one process share the mapping, so one core decides for all");
    boolean unasked = offered.why().endsWith("always") || offered.why().endsWith("force");
    assumeTrue(unasked || !cores.equals("java"), "the core in Java alone cannot ask for huge pages: " + offered.why());
  }

  @Test
  void lieOnHugePagesWhereTheSystemOffersThem() throws Exception {
    Ranks.run(cores, 2, job -> check(job.allocate(3 * offered.bytes(), 8)));
  }

  private static void check(MemorySegment memory) {
    for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
      assertEquals(0, memory.get(ValueLayout.JAVA_LONG, at));
    }
    memory.fill((byte) 5);
    long huge = HugeMapping.bytes(memory);
    assertTrue(huge >= memory.byteSize(), "bytes on huge pages: " + huge);
  }
}
