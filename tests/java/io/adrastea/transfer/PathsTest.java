package io.adrastea.transfer;

import static io.adrastea.transfer.Exposure.ADDRESS;
import static io.adrastea.transfer.Exposure.LASTING;
import static io.adrastea.transfer.Exposure.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which path one end copies through, by how the other end's buffer can be reached. */
class PathsTest {
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
    assertEquals(Path.SHARED, Paths.reading(SHARED | LASTING, ALL));
    assertNull(Paths.reading(SHARED | LASTING, without(Path.SHARED)), "their stretches are no addresses");
  }

  @Test
  void addressesAreReadByTheFirstMechanismThatIsThere() {
    assertEquals(Path.XPMEM, Paths.reading(ADDRESS | LASTING, ALL));
    assertEquals(Path.CMA, Paths.reading(ADDRESS | LASTING, without(Path.XPMEM)));
    assertEquals(Path.CMA, Paths.reading(ADDRESS, without(Path.XPMEM)),
        "whether it lasted is asked afterwards");
    assertNull(Paths.reading(ADDRESS | LASTING, without(Path.XPMEM, Path.CMA)));
  }

  @Test
  void whatCannotBeReachedIsNot() {
    assertNull(Paths.reading(0, ALL));
    assertNull(Paths.reading(LASTING, ALL));
    assertNull(Paths.writing(0, ALL));
  }

  @Test
  void onlyMemoryThatLastsIsWrittenFromOutside() {
    assertNull(Paths.writing(ADDRESS, ALL));
    assertNull(Paths.writing(SHARED, ALL));
    assertEquals(Path.XPMEM, Paths.writing(ADDRESS | LASTING, ALL));
    assertEquals(Path.CMA, Paths.writing(ADDRESS | LASTING, without(Path.XPMEM)));
    assertEquals(Path.SHARED, Paths.writing(SHARED | LASTING, ALL));
  }
}
