package io.adrastea.link.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.core.Core;
import io.adrastea.core.Cores;
import io.adrastea.link.Inbound;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.layout.RankEntryDescriptor;
import io.adrastea.link.Link;
import io.adrastea.ranktable.RankTable;
import io.adrastea.segment.Segment;
import io.adrastea.topology.CpuQuota;
import io.adrastea.topology.Cpus;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two ranks of a node that the job calls 5 and 3: everything above the link calls them so. */
class ShmLinkTest {
  private static final int[] JOB_RANKS = {5, 3};
  private static final long MATCH = 7;

  @TempDir
  Path directory;

  private RankTable table;
  private ShmLink five;
  private ShmLink three;

  private void open(String core) {
    Segment segment = GivenSegment.formatted(directory, 2, 8, 256);
    table = new RankTable(segment);
    for (int rank = 0; rank < 2; rank++) {
      table.enter(rank, Cores.choose(core).number(), RankEntryDescriptor.FLAG_THREAD, 0, Cpus.of(0), new CpuQuota(0));
      table.state(rank, RankEntryDescriptor.STATE_ATTACHED);
    }
    five = new ShmLink(Cores.choose(core).open(segment, 0), table, segment, 0, JOB_RANKS, 6);
    three = new ShmLink(Cores.choose(core).open(segment, 1), table, segment, 1, JOB_RANKS, 6);
  }

  private static int send(Link from, int to, long value) {
    MemorySegment word = MemorySegment.ofArray(new long[] {value});
    return from.trySend(to, CellDescriptor.KIND_FIRST, MATCH, 8, word, 0, 8);
  }

  private static Inbound polled(Link link, int first) {
    Inbound inbound = new Inbound();
    assertEquals(Core.PIECE, link.poll(first, inbound));
    return inbound;
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void aPieceTellsTheJobsRankAndWhereItLies(String core) {
    open(core);
    assertEquals(8, send(five, 3, 42));
    Inbound inbound = polled(three, 5);
    assertEquals(5, inbound.source());
    assertEquals(42, inbound.memory().get(ValueLayout.JAVA_LONG, inbound.payload()));
    long[] taken = new long[1];
    assertEquals(0, three.take(MemorySegment.ofArray(taken), 0, 8));
    assertEquals(42, taken[0]);
    assertEquals(Link.AGAIN, three.poll(-1, inbound));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void aFusedReceiveAsksForAndTellsTheJobsRank(String core) {
    open(core);
    send(three, 5, 43);
    long[] taken = new long[1];
    Inbound inbound = new Inbound();
    assertSame(five, five.fused());
    assertEquals(8, five.receive(MATCH, -1, 3, MemorySegment.ofArray(taken), 0, 8, 1, inbound));
    assertEquals(43, taken[0]);
    assertEquals(3, inbound.source());
    send(three, 5, 44);
    assertEquals(8, five.receive(MATCH, -1, -1, MemorySegment.ofArray(taken), 0, 8, 1, inbound));
    assertEquals(3, inbound.source());
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void claimsBurstsAndRetainedPiecesGoByTheJobsRank(String core) {
    open(core);
    assertEquals(0, five.beginBurst(3));
    long room = five.claim(3, CellDescriptor.KIND_FIRST, MATCH, 8, 8);
    five.room(3).set(ValueLayout.JAVA_LONG, room, 45);
    assertEquals(Link.BUSY, send(five, 3, 1));
    assertEquals(0, five.commit(3));
    assertEquals(0, five.endBurst(3));
    Inbound inbound = polled(three, -1);
    long place = inbound.place();
    while (three.retain() == Link.AGAIN) {
      Thread.onSpinWait();
    }
    assertEquals(45, inbound.memory().get(ValueLayout.JAVA_LONG, inbound.payload()));
    assertEquals(0, three.releaseRetained(5, place));
    assertTrue(five.claim(3, CellDescriptor.KIND_FIRST, MATCH, 8, 8) >= 0);
    assertEquals(0, five.abort(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void whoIsThereIsToldByTheJobsRank(String core) {
    open(core);
    assertTrue(five.isPresent(3));
    table.failing(1, "no licence", false);
    table.depart(1, RankEntryDescriptor.STATE_FAILED);
    assertFalse(five.isPresent(3));
    assertTrue(five.hasFailed(3));
    assertEquals("no licence", five.reason(3));
    assertTrue(five.isPresent(5));
    assertTrue(five.repair() >= 0);
    assertEquals(Link.GONE, send(five, 3, 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "ffm"})
  void theBarrierIsThatOfTheNode(String core) {
    open(core);
    assertTrue(five.arrive() >= 0);
    assertEquals(Link.AGAIN, five.await(1));
    assertTrue(three.arrive() >= 0);
    assertEquals(0, three.await(1));
    assertEquals(0, five.await(1));
  }
}
