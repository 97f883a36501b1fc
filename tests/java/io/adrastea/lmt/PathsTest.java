package io.adrastea.lmt;

import static io.adrastea.lmt.Exposure.ADDRESS;
import static io.adrastea.lmt.Exposure.LASTING;
import static io.adrastea.lmt.Exposure.SHARED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which mechanism one end copies through, by how the other end's buffer can be reached. */
class PathsTest {
  private static final int ALL = Mechanism.all();

  private static int without(Mechanism... mechanisms) {
    int set = ALL;
    for (Mechanism mechanism : mechanisms) {
      set &= ~mechanism.bit();
    }
    return set;
  }

  @Test
  void sharedAllocationsAreReadWhereTheyAreMapped() {
    assertEquals(Mechanism.SHARED, Paths.reading(SHARED | LASTING, ALL));
    assertNull(Paths.reading(SHARED | LASTING, without(Mechanism.SHARED)), "their stretches are no addresses");
  }

  @Test
  void addressesAreReadByTheFirstMechanismThatIsThere() {
    assertEquals(Mechanism.XPMEM, Paths.reading(ADDRESS | LASTING, ALL));
    assertEquals(Mechanism.CMA, Paths.reading(ADDRESS | LASTING, without(Mechanism.XPMEM)));
    assertEquals(Mechanism.CMA, Paths.reading(ADDRESS, without(Mechanism.XPMEM)),
        "whether it lasted is asked afterwards");
    assertNull(Paths.reading(ADDRESS | LASTING, without(Mechanism.XPMEM, Mechanism.CMA)));
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
    assertEquals(Mechanism.XPMEM, Paths.writing(ADDRESS | LASTING, ALL));
    assertEquals(Mechanism.CMA, Paths.writing(ADDRESS | LASTING, without(Mechanism.XPMEM)));
    assertEquals(Mechanism.SHARED, Paths.writing(SHARED | LASTING, ALL));
  }
}
