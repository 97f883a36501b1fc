package io.adrastea.core;

import static io.adrastea.layout.CellDescriptor.KIND_FIRST;
import static io.adrastea.layout.RankEntryDescriptor.DOORBELL_SLEEPING_OFFSET;
import static io.adrastea.layout.RankEntryDescriptor.DOORBELL_WORD_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How a rank says that it sleeps, and what wakes it. Rank 0 sleeps, rank 1 is the one that gives it something. A sleep
 * of a rank that was woken returns at once: were it not, these tests would take an hour each.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("pairs")
@Timeout(240)
class CoreSleepTest extends CoreBoxContract {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  /** Every pair whose sleeper has a futex; what one without says is CoreNapTest's. */
  static Stream<CorePair> pairs() {
    return CorePair.all().filter(pair -> hasFutex(pair.even()));
  }

  private int sleeping(int rank) {
    return Words.load(memory, geometry.rankEntryOffset(rank) + DOORBELL_SLEEPING_OFFSET);
  }

  private int word(int rank) {
    return Words.load(memory, geometry.rankEntryOffset(rank) + DOORBELL_WORD_OFFSET);
  }

  private static boolean hasFutex(CoreProvider core) {
    return !core.name().equals("java");
  }

  /** Rank 0 announces; what it may sleep on. */
  private long announce() {
    long word = core(0).sleeper().announceSleep();
    assertEquals(1, sleeping(0));
    assertEquals(word(0), word);
    return word;
  }

  /** What rank 1 did woke rank 0, if its core can wake. */
  private void assertWoken(long word) {
    if (hasFutex(pair.odd())) {
      assertEquals(0, sleeping(0));
      assertEquals(word + 1, word(0));
      assertEquals(0, core(0).sleeper().sleep(word, HOUR));
    } else {
      assertEquals(1, sleeping(0), "this core wakes nobody, and its rank says so in the rank table");
    }
  }

  private void assertNotWoken(long word) {
    assertEquals(1, sleeping(0));
    assertEquals(word, word(0));
  }

  @Test
  void whoCanWakeSaysSoWhenItsProcessIsPrepared() {
    assertEquals(hasFutex(pair.odd()), pair.odd().prepareToWake());
  }

  @Test
  void aMessageByCellWakes() {
    long word = announce();
    assertEquals(1, send(1, 0, 1, "x"));
    assertWoken(word);
    assertTakes(0, "x");
  }

  @Test
  void aMessageByFastboxWakesThoughItsMarkWasThere() {
    connect(1, 0);
    assertEquals(1, send(1, 0, 1, "x"));
    assertTakes(0, "x");
    assertEquals(1 << 1, marks(0));
    long word = announce();
    assertEquals(0, marks(0));
    assertEquals(1, send(1, 0, 1, "y"));
    assertWoken(word);
    assertEquals(1 << 1, marks(0));
    assertTakes(0, "y");
  }

  @Test
  void whatCameBeforeIsFoundByTheLookAfterTheAnnouncement() {
    connect(1, 0);
    assertEquals(1, send(1, 0, 1, "x"));
    announce();
    assertTakes(0, "x");
  }

  @Test
  void aWishForAFastboxStaysAndWakes() {
    for (int i = 1; i < THRESHOLD; i++) {
      assertEquals(1, send(1, 0, 1, "x"));
      assertTakes(0, "x");
    }
    long word = announce();
    assertEquals(1, send(1, 0, 1, "x"));
    assertWoken(word);
    announce();
    assertEquals(1 << 1, marks(0));
    int found = core(0).poll(-1, in); // the message and the wish, in either order
    assertTakesOrOpens(found);
    assertTakesOrOpens(found == Core.PIECE ? Core.WANTED : Core.PIECE);
    assertNothing(0);
  }

  @Test
  void theFirstMessageInAFastboxThatWasOpenedInTheLastLookWakes() {
    for (int i = 0; i < THRESHOLD; i++) {
      assertEquals(1, send(1, 0, 1, "x"));
    }
    long word = announce();
    for (int found = core(0).poll(-1, in); found != Core.AGAIN; found = core(0).poll(-1, in)) {
      assertTakesOrOpens(found);
    }
    assertTrue(core(1).claim(0, KIND_FIRST, 7, 1, 1) > 0, "a cell; by the way the sender finds the box");
    assertEquals(0, core(1).abort(0));
    assertNotWoken(word);
    assertEquals(1, send(1, 0, 1, "y"));
    assertWoken(word);
    assertTakes(0, "y");
  }

  private void assertTakesOrOpens(int found) {
    if (found == Core.PIECE) {
      assertTakes(0, "x");
    } else {
      assertEquals(Core.WANTED, core(0).poll(-1, in));
      assertEquals(1, in.source());
      segment.reserveBox(0, 1);
      assertEquals(0, core(0).openBox(1));
    }
  }

  @Test
  void aCellThatComesBackWakesItsOwner() {
    assertEquals(1, send(0, 1, 1, "x"));
    long word = announce();
    assertTakes(1, "x");
    assertNothing(1); // by which the cell goes back
    assertWoken(word);
  }

  @Test
  void roomInAFastboxWakesItsWriter() {
    connect(0, 1);
    byte[] message = pattern(LIMIT);
    int sent = 0;
    while (RING - sent * (LIMIT + 16) > LIMIT + 16) {
      assertEquals(LIMIT, sendBytes(0, 1, 1, message));
      sent++;
    }
    long word = announce();
    for (int i = 0; i < sent; i++) {
      assertTakesBytes(1, 0, message);
    }
    assertWoken(word);
  }

  @Test
  void theLastOneAtTheBarrierWakes() {
    assertEquals(0, core(0).barrierArrive());
    assertEquals(0, core(2).barrierArrive());
    long word = announce();
    assertEquals(Core.AGAIN, core(0).barrierWait(1));
    assertEquals(0, core(1).barrierArrive());
    assertWoken(word);
    assertEquals(0, core(0).barrierWait(1));
  }

  @Test
  void whoArrivesBeforeTheLastOneWakesNobody() {
    assertEquals(0, core(0).barrierArrive());
    long word = announce();
    assertEquals(0, core(1).barrierArrive());
    assertNotWoken(word);
  }

  @Test
  void wakingWithoutAMessageIsForWhoWasGivenSomethingOtherwise() {
    long word = announce();
    assertEquals(hasFutex(pair.odd()) ? 0 : Core.NOSYS, core(1).sleeper().wake(0));
    assertWoken(word);
    assertEquals(hasFutex(pair.odd()) ? Core.INVAL : Core.NOSYS, core(1).sleeper().wake(RANKS));
  }

  @Test
  void nobodyIsWokenWhoIsAwake() {
    announce();
    assertEquals(0, core(0).sleeper().endSleep());
    int word = word(0);
    assertEquals(1, send(1, 0, 1, "x"));
    assertEquals(word, word(0));
    assertTakes(0, "x");
  }

  @Test
  void messagesToOthersDoNotWake() {
    long word = announce();
    assertEquals(1, send(1, 2, 1, "x"));
    assertNotWoken(word);
  }

  @Test
  void aSleepEndsWithItsTime() {
    long word = announce();
    assertEquals(Core.TIMEDOUT, core(0).sleeper().sleep(word, 1));
    assertNotWoken(word);
  }

  @Test
  void aThreadThatSleepsIsWoken() throws InterruptedException {
    long word = announce();
    Thread sleeper = Thread.ofPlatform().start(() -> core(0).sleeper().sleep(word, HOUR));
    Thread.sleep(20); // most likely it sleeps by now; if not, it is not to
    core(0).sleeper().wake(0); // as another thread of its own does
    sleeper.join();
    assertEquals(word + 1, word(0));
  }
}
