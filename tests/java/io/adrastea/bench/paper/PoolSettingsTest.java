package io.adrastea.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PoolSettingsTest {
  private static final PoolSettings DEFAULTS = new PoolSettings(8192, 1 << 20);

  private static List<PoolWay> ways(PoolSettings settings, int bytes) {
    return Stream.of(PoolWay.values()).filter(way -> settings.measures(way, bytes)).toList();
  }

  @Test
  void morePacketsForAControlMessageAreMeasuredWhereAMessageHasThem() {
    List<PoolWay> always = List.of(PoolWay.CELLS, PoolWay.BOXES, PoolWay.POOL1, PoolWay.OLDEST, PoolWay.PAIR);
    assertEquals(always, ways(DEFAULTS, 8192));
    assertTrue(ways(DEFAULTS, 8193).contains(PoolWay.POOL2));
    assertFalse(ways(DEFAULTS, 16384).contains(PoolWay.POOL4));
    assertTrue(ways(DEFAULTS, 16385).contains(PoolWay.POOL4));
    assertFalse(ways(DEFAULTS, 65536).contains(PoolWay.POOL16));
    assertEquals(List.of(PoolWay.values()), ways(DEFAULTS, 65537));
  }

  @Test
  void aMessageLongerThanThePairBufferHasNoFigureThere() {
    assertTrue(DEFAULTS.measures(PoolWay.PAIR, (1 << 20) - 64));
    assertFalse(DEFAULTS.measures(PoolWay.PAIR, (1 << 20) - 63));
  }

  @Test
  void sizesOutOfRangeAreRefused() {
    for (int cell : new int[] {63, 32769}) {
      assertThrows(IllegalArgumentException.class, () -> new PoolSettings(cell, 1 << 20));
    }
    for (int buffer : new int[] {2048, 5000, 128 << 20}) {
      assertThrows(IllegalArgumentException.class, () -> new PoolSettings(8192, buffer));
    }
  }

  @Test
  void memoryGrowsAsThePaperAndTheSegmentSay() {
    NodeMemory eight = NodeMemory.of(8, DEFAULTS);
    assertEquals(56L << 20, eight.pairs());
    assertEquals(8L * 128 * 8192 + 56 * 32768, eight.pools());
    assertEquals(eight.atMost(), eight.fromStart(), "jobs this small have all fastboxes from the start");
    NodeMemory many = NodeMemory.of(128, DEFAULTS);
    assertTrue(many.fromStart() < many.pools(), "fastboxes of the pairs that talk only");
    assertEquals(many.fromStart() + 128 * 128 * 65536, many.atMost(), "one of 64 KiB for each pair, and for itself");
    assertTrue(many.pools() < many.atMost(), "the paper's receive buffers are half as long");
    assertTrue(many.atMost() < many.pairs() / 8);
  }
}
