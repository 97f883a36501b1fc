package io.adrastea.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a message that two ends take: each byte once, by one of them. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SplitTest {
  private static final int TAG = 0xABCD;

  private final MemorySegment word = Arena.ofAuto().allocate(128, 128);

  private long take(long bytes, boolean fromBack, boolean rest) {
    return Split.take(word, 0, TAG, bytes, fromBack, rest);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4095, 4096, 4097, 32_768, 32_769, 1_000_003, 5L << 30, Split.MOST_BYTES})
  void givesTheFrontAndTheBackUntilTheyMeet(long bytes) {
    Split.reset(word, 0, TAG);
    long front = 0;
    long back = bytes;
    for (int i = 0; front < back; i++) {
      boolean fromBack = i % 3 == 1;
      long part = take(bytes, fromBack, false);
      assertTrue(Split.start(part) < Split.end(part, bytes));
      if (fromBack) {
        assertEquals(back, Split.end(part, bytes));
        back = Split.start(part);
      } else {
        assertEquals(front, Split.start(part));
        front = Split.end(part, bytes);
      }
    }
    assertEquals(front, back);
    assertEquals(Split.NOTHING, take(bytes, true, false));
    assertEquals(Split.NOTHING, take(bytes, false, true));
  }

  @Test
  void givesTwoThreadsEveryPageOnce() throws Exception {
    int pages = 5000;
    long bytes = pages * Split.PAGE - 1;
    CyclicBarrier start = new CyclicBarrier(2);
    for (int round = 0; round < 200; round++) {
      Split.reset(word, 0, round);
      AtomicIntegerArray taken = new AtomicIntegerArray(pages);
      int tag = round;
      Thread back = Thread.ofPlatform().start(() -> takeAll(start, tag, bytes, true, taken));
      takeAll(start, tag, bytes, false, taken);
      back.join();
      for (int page = 0; page < pages; page++) {
        assertEquals(1, taken.get(page), "page " + page);
      }
    }
  }

  private void takeAll(CyclicBarrier start, int tag, long bytes, boolean fromBack, AtomicIntegerArray taken) {
    try {
      start.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    long part = Split.take(word, 0, tag, bytes, fromBack, false);
    while (part != Split.NOTHING) {
      for (long at = Split.start(part); at < Split.end(part, bytes); at += Split.PAGE) {
        taken.incrementAndGet((int) (at / Split.PAGE));
      }
      part = Split.take(word, 0, tag, bytes, fromBack, false);
    }
  }

  @Test
  void givesNothingToOneThatComesWithTheTagOfAnEarlierMessage() {
    Split.reset(word, 0, TAG);
    assertEquals(Split.NOTHING, Split.take(word, 0, TAG - 1, 1 << 20, true, false));
    assertEquals(Split.NOTHING, Split.take(word, 0, TAG - 1, 1 << 20, true, true));
    assertEquals(Split.NOTHING, Split.take(word, 0, 0, 1 << 20, true, true));
    long all = take(1 << 20, false, true);
    assertEquals(0, Split.start(all));
    assertEquals(1 << 20, Split.end(all, 1 << 20));
    assertFalse(Split.hasBack(word, 0));
  }

  @Test
  void givesAllThatIsLeftToOneThatStopsTheOther() {
    long bytes = 3_000_001;
    Split.reset(word, 0, TAG);
    long front = take(bytes, false, false);
    assertFalse(Split.hasBack(word, 0));
    long back = take(bytes, true, false);
    assertTrue(Split.hasBack(word, 0));
    long rest = take(bytes, true, true);
    assertEquals(Split.end(front, bytes), Split.start(rest));
    assertEquals(Split.start(back), Split.end(rest, bytes));
    assertEquals(Split.NOTHING, take(bytes, false, false));
  }
}
