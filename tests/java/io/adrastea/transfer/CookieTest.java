package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.space.AddressVector;
import java.lang.foreign.ValueLayout;
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
    AddressVector list = new AddressVector();
    list.add(100, 5);
    list.add(200, 6);
    cookie.add(1);
    cookie.add(list);
    cookie.add(300);
    AddressVector read = new AddressVector();
    read.add(1, 1);
    cookie.read(1, read);
    assertEquals(2, read.count());
    assertEquals(200, read.start(1));
    assertEquals(6, read.size(1));
    cookie.read(400, read);
    assertEquals(0, read.count());
  }

  @Test
  void holdsAsManyStretchesAsACellLetsIt() {
    assertEquals(4, Cookie.mostEntries(Cookie.LEAST_BYTES));
    assertEquals((Cookie.MOST_WORDS - Cookie.WANTED) / 2, Cookie.mostEntries(1 << 20));
  }
}
