package io.adrastea.space;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Where the bytes of a message in several stretches lie. */
class AddressVectorTest {
  private final Exposure exposure = new Exposure();
  private final AddressVector stretches = exposure.vector();
  private final ExposureCursor cursor = new ExposureCursor();

  private void add(long... startsAndSizes) {
    for (int i = 0; i < startsAndSizes.length; i += 2) {
      stretches.add(startsAndSizes[i], startsAndSizes[i + 1]);
    }
  }

  private void lies(long position, long start, long bytes) {
    assertEquals(start, stretches.startAt(position), "start of byte " + position);
    assertEquals(start, cursor.startAt(exposure, position), "start of byte " + position);
    assertEquals(bytes, cursor.bytesAt(exposure, position), "bytes from byte " + position + " on");
  }

  @Test
  void findsEveryByteInAnyOrder() {
    add(1000, 10, 5000, 0, 2000, 1, 100, 0, 7000, 20);
    assertEquals(31, stretches.total());
    lies(0, 1000, 10);
    lies(9, 1009, 1);
    lies(10, 2000, 1);
    lies(11, 7000, 20);
    lies(30, 7019, 1);
    lies(10, 2000, 1);
    lies(3, 1003, 7);
  }

  @Test
  void aByteThatIsNotThereIsRefused() {
    add(1000, 10);
    for (long position : new long[] {10, Long.MAX_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class, () -> stretches.startAt(position));
      assertThrows(IndexOutOfBoundsException.class, () -> cursor.startAt(exposure, position));
      assertThrows(IndexOutOfBoundsException.class, () -> cursor.bytesAt(exposure, position));
    }
    lies(9, 1009, 1);
  }

  @Test
  void aCursorThatGoesFromOneExposureToAnotherStandsInThatOne() {
    add(1000, 10, 2000, 10);
    lies(15, 2005, 5);
    Exposure other = new Exposure();
    other.vector().add(70, 7);
    assertEquals(73, cursor.startAt(other, 3));
    lies(15, 2005, 5);
    stretches.clear();
    add(3000, 10, 4000, 10);
    lies(15, 4005, 5);
  }

  @Test
  void growsAndIsUsedAgain() {
    for (int i = 0; i < 300; i++) {
      add(i * 100L, 3);
    }
    assertEquals(900, stretches.total());
    lies(899, 299 * 100 + 2, 1);
    stretches.clear();
    assertEquals(0, stretches.total());
    add(5, 7);
    assertEquals(1, stretches.count());
    lies(6, 11, 1);
  }

  @Test
  void hasNoSumWhenAPeerTellsSizesThatCannotBe() {
    add(0, 5, 0, -1);
    assertTrue(stretches.total() < 0);
    stretches.clear();
    add(0, Long.MAX_VALUE, 0, 1);
    assertTrue(stretches.total() < 0);
    stretches.clear();
    add(0, Long.MAX_VALUE, 0, Long.MAX_VALUE, 0, 2); // comes round to 0
    assertTrue(stretches.total() < 0);
  }
}
