package io.adrastea.transfer;

import static io.adrastea.transfer.Exposure.ADDRESS;
import static io.adrastea.transfer.Exposure.LASTING;
import static io.adrastea.transfer.Exposure.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which path one end copies through, by how the other end's buffer can be reached. */
class PathSelectorTest {
  private static final int ALL = Path.all();

  private static int without(Path... paths) {
    int set = ALL;
    for (Path path : paths) {
      set &= ~path.bit();
    }
    return set;
  }

  @Test
  void sharedAllocationsAreReadWhereTheyAreMapped() {
    assertEquals(Path.SHARED, PathSelector.reading(SHARED | LASTING, ALL));
    assertNull(PathSelector.reading(SHARED | LASTING, without(Path.SHARED)), "their stretches are no addresses");
  }

  @Test
  void addressesAreReadByTheFirstPathThatIsThere() {
    assertEquals(Path.XPMEM, PathSelector.reading(ADDRESS | LASTING, ALL));
    assertEquals(Path.CMA, PathSelector.reading(ADDRESS | LASTING, without(Path.XPMEM)));
    assertEquals(Path.CMA, PathSelector.reading(ADDRESS, without(Path.XPMEM)),
        "whether it lasted is asked afterwards");
    assertNull(PathSelector.reading(ADDRESS | LASTING, without(Path.XPMEM, Path.CMA)));
  }

  @Test
  void whatCannotBeReachedIsNot() {
    assertNull(PathSelector.reading(0, ALL));
    assertNull(PathSelector.reading(LASTING, ALL));
    assertNull(PathSelector.writing(0, ALL));
  }

  @Test
  void onlyMemoryThatLastsIsWrittenFromOutside() {
    assertNull(PathSelector.writing(ADDRESS, ALL));
    assertNull(PathSelector.writing(SHARED, ALL));
    assertEquals(Path.XPMEM, PathSelector.writing(ADDRESS | LASTING, ALL));
    assertEquals(Path.CMA, PathSelector.writing(ADDRESS | LASTING, without(Path.XPMEM)));
    assertEquals(Path.SHARED, PathSelector.writing(SHARED | LASTING, ALL));
  }
}
