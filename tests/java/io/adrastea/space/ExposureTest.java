package io.adrastea.space;

import static io.adrastea.space.Exposure.ADDRESS;
import static io.adrastea.space.Exposure.LASTING;
import static io.adrastea.space.Exposure.SHARED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

/** Which space memory is read and written through, by how its owner lets it be reached. */
class ExposureTest {
  @Test
  void hasAKeyOfAnyLengthWhichNobodyChanges() {
    Exposure exposure = new Exposure();
    assertArrayEquals(new byte[0], exposure.key());
    byte[] key = new byte[1000];
    key[999] = 7;
    exposure.key(key);
    key[999] = 8;
    exposure.key()[999] = 9;
    assertEquals(7, exposure.key()[999]);
    exposure.clear();
    assertArrayEquals(new byte[0], exposure.key());
  }

  private static final int ALL = Space.all();

  private static int without(Space... spaces) {
    int set = ALL;
    for (Space space : spaces) {
      set &= ~space.bit();
    }
    return set;
  }

  @Test
  void sharedAllocationsAreReadWhereTheyAreMapped() {
    assertEquals(Space.SHARED, Exposure.reader(SHARED | LASTING, ALL));
    assertNull(Exposure.reader(SHARED | LASTING, without(Space.SHARED)), "their stretches are no addresses");
  }

  @Test
  void addressesAreReadByTheFirstSpaceThatIsThere() {
    assertEquals(Space.XPMEM, Exposure.reader(ADDRESS | LASTING, ALL));
    assertEquals(Space.CMA, Exposure.reader(ADDRESS | LASTING, without(Space.XPMEM)));
    assertEquals(Space.CMA, Exposure.reader(ADDRESS, without(Space.XPMEM)),
        "whether it lasted is asked afterwards");
    assertNull(Exposure.reader(ADDRESS | LASTING, without(Space.XPMEM, Space.CMA)));
  }

  @Test
  void whatCannotBeReachedIsNot() {
    assertNull(Exposure.reader(0, ALL));
    assertNull(Exposure.reader(LASTING, ALL));
    assertNull(Exposure.writer(0, ALL));
  }

  @Test
  void onlyMemoryThatLastsIsWrittenFromOutside() {
    assertNull(Exposure.writer(ADDRESS, ALL));
    assertNull(Exposure.writer(SHARED, ALL));
    assertEquals(Space.XPMEM, Exposure.writer(ADDRESS | LASTING, ALL));
    assertEquals(Space.CMA, Exposure.writer(ADDRESS | LASTING, without(Space.XPMEM)));
    assertEquals(Space.SHARED, Exposure.writer(SHARED | LASTING, ALL));
  }
}
