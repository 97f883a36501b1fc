package io.adrastea.bench.copy;

import static io.adrastea.bench.copy.GivenCopies.results;
import static io.adrastea.bench.copy.GivenCopies.series;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.bench.measure.Results;
import io.adrastea.bench.page.Grid;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CacheEffectTest {
  private static final int BYTES = 1 << 20;

  private static List<Grid> grids() {
    Map<CopyTest, Results> results = new EnumMap<>(CopyTest.class);
    for (CopyTest walk : List.of(CopyTest.WALK, CopyTest.APART)) {
      long past = walk == CopyTest.WALK ? 140_000 : 500_000;
      results.put(
          walk,
          results(
              walk,
              series(walk, "untouched", BYTES, 100_000),
              series(walk, "regular", BYTES, 500_000),
              series(walk, "nontemporal", BYTES, past)));
    }
    CopyTest hand = CopyTest.HAND;
    results.put(hand,
        results(hand, series(hand, "regular", BYTES, 100_000), series(hand, "nontemporal", BYTES, 200_000)));
    return new CacheEffect(List.of(BYTES), Map.of(BYTES, "wide-nt"), results).grids(3 << 20);
  }

  @Test
  void whatNontemporalStoresSaveIsAPartOfWhatRegularOnesCost() {
    assertEquals(List.of("1048576", "100.0", "500.0", "140.0", "360.0", "90 %"), grids().get(0).rows().get(0));
    assertEquals("0 %", grids().get(1).rows().get(0).get(5));
    assertTrue(grids().get(0).caption().contains("3072 KiB"), grids().get(0)::caption);
  }

  @Test
  void whereRegularStoresCostNothingThereIsNothingToSave() {
    assertEquals("-", CacheEffect.saved(100, 109, 100));
    assertEquals("100 %", CacheEffect.saved(100, 120, 100));
  }

  @Test
  void theMessageItselfStandsBesideWithWhatTheLibraryTakes() {
    assertEquals("wide-nt", grids().get(2).rows().get(0).get(4));
    assertEquals("0.50", grids().get(2).rows().get(0).get(3));
  }
}
