package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.space.Exposure;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What rides on the messages of a transfer. */
class CookieTest {
  private final Cookie cookie = new Cookie();

  @Test
  void isWhatWasPutIn() {
    cookie.add(6);
    cookie.add(Cookie.pack(-1, 7));
    assertEquals(6, cookie.word(0));
    assertEquals(-1, cookie.low(1));
    assertEquals(7, cookie.high(1));
    assertEquals(16, cookie.bytes());
    Cookie copy = new Cookie();
    assertTrue(copy.fill(cookie.memory(), cookie.bytes()));
    cookie.clear();
    assertEquals(0, cookie.word(1));
    assertEquals(7, copy.high(1));
  }

  @Test
  void isMadeOfWholeWordsAndOfAtLeastOne() {
    for (long bytes : new long[] {0, 1, 7, 9, Cookie.MOST_WORDS * 8L + 1, Cookie.MOST_WORDS * 8L + 8, Long.MAX_VALUE}) {
      assertFalse(cookie.filled(bytes), bytes + " bytes");
    }
    assertTrue(cookie.filled(8));
    assertTrue(cookie.filled(Cookie.MOST_WORDS * 8L));
  }

  @Test
  void hasZerosBehindItsEnd() {
    cookie.memory().set(ValueLayout.JAVA_LONG, 8, 99);
    assertTrue(cookie.filled(8));
    assertEquals(0, cookie.word(1));
    assertEquals(0, cookie.word(Cookie.MOST_WORDS));
  }

  @Test
  void carriesStretchesAndLeavesOutHalfOfOne() {
    Exposure told = new Exposure();
    told.vector().add(100, 5);
    told.vector().add(200, 6);
    cookie.add(1);
    cookie.add(told);
    cookie.add(300);
    Exposure read = new Exposure();
    read.vector().add(1, 1);
    cookie.read(1, read);
    assertEquals(2, read.vector().count());
    assertEquals(200, read.vector().start(1));
    assertEquals(6, read.vector().size(1));
    cookie.read(400, read);
    assertEquals(0, read.vector().count());
  }

  @Test
  void carriesOneStretchOfElementsAndWhereTheirProgramIs() {
    Exposure told = new Exposure();
    told.typed(true);
    told.vector().add(-100, 5000);
    told.elements(7, 8, 9, 10);
    cookie.add(1);
    cookie.add(told);
    cookie.add(300);
    Exposure read = new Exposure();
    read.typed(true);
    cookie.read(1, read);
    assertEquals(1, read.vector().count());
    assertEquals(-100, read.vector().start(0));
    assertEquals(5000, read.vector().total());
    assertEquals(List.of(7L, 8L, 9L, 10L), List.of(read.elements(), read.checksum(), read.place(), read.words()));
    cookie.read(400, read);
    assertEquals(0, read.vector().total());
    assertEquals(0, read.words());
  }

  @Test
  void holdsAsManyStretchesAsACellLetsIt() {
    assertEquals(4, Cookie.mostEntries(Cookie.LEAST_BYTES));
    assertEquals((Cookie.MOST_WORDS - Cookie.WANTED) / 2, Cookie.mostEntries(1 << 20));
  }
}
