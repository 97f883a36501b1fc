package io.adrastea.engine.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Queues of entries by key. */
class MatchIndexTest {
  private static final int ANY = Operation.ANY;
  private static final int BOTH = 0;

  private final MatchIndex<Integer> index = new MatchIndex<>();

  private static long key(int source, int tag) {
    return MatchIndex.key(BOTH, source, tag);
  }

  private MatchIndex.Entry<Integer> add(long key, int owner) {
    MatchIndex.Entry<Integer> entry = new MatchIndex.Entry<>(owner);
    index.add(key, entry);
    return entry;
  }

  @Test
  void anyTagAndAnySourceHaveKeysOfTheirOwn() {
    for (int kind = 0; kind < MatchIndex.KINDS; kind++) {
      for (int other = 0; other < kind; other++) {
        assertNotEquals(MatchIndex.key(kind, 0, 0), MatchIndex.key(other, 0, 0));
        assertNotEquals(
            MatchIndex.key(kind, Integer.MAX_VALUE, Integer.MAX_VALUE),
            MatchIndex.key(other, Integer.MAX_VALUE, Integer.MAX_VALUE));
      }
    }
    assertEquals(MatchIndex.ANYTHING, MatchIndex.kind(ANY, ANY));
    assertEquals(MatchIndex.key(MatchIndex.kind(ANY, 7), ANY, 7), MatchIndex.key(MatchIndex.kind(ANY, 7), 3, 7));
    assertEquals(MatchIndex.key(MatchIndex.kind(3, ANY), 3, ANY), MatchIndex.key(MatchIndex.kind(3, ANY), 3, 7));
  }

  @Test
  void theFirstOfAKeyIsTheOneAddedFirst() {
    MatchIndex.Entry<Integer> first = add(key(1, 2), 0);
    MatchIndex.Entry<Integer> second = add(key(1, 2), 1);
    MatchIndex.Entry<Integer> third = add(key(1, 2), 2);
    assertTrue(first.isBefore(third));
    assertSame(first, index.first(key(1, 2)));
    index.remove(second);
    index.remove(first);
    assertSame(third, index.first(key(1, 2)));
    index.add(key(1, 2), first);
    assertTrue(third.isBefore(first), "what is added again is the last");
    index.remove(third);
    assertSame(first, index.first(key(1, 2)));
    index.remove(first);
    assertNull(index.first(key(1, 2)));
    assertTrue(index.isEmpty());
  }

  /** Random keys, few enough to meet again and many enough to make the array grow and its slots collide. */
  @Test
  void findsWhatQueuesInAMapFind() {
    Random random = new Random(5);
    Map<Long, Deque<MatchIndex.Entry<Integer>>> queues = new HashMap<>();
    List<MatchIndex.Entry<Integer>> entries = new ArrayList<>();
    List<Long> keys = new ArrayList<>();
    for (int step = 0; step < 200_000; step++) {
      boolean grows = step / 20_000 % 2 == 0;
      long key = key(random.nextInt(3), random.nextInt(2000));
      if (entries.isEmpty() || random.nextInt(5) < (grows ? 3 : 2)) {
        MatchIndex.Entry<Integer> entry = add(key, step);
        queues.computeIfAbsent(key, k -> new ArrayDeque<>()).add(entry);
        entries.add(entry);
        keys.add(key);
      } else {
        int at = random.nextInt(entries.size());
        MatchIndex.Entry<Integer> entry = entries.set(at, entries.getLast());
        long removed = keys.set(at, keys.getLast());
        entries.removeLast();
        keys.removeLast();
        index.remove(entry);
        queues.get(removed).remove(entry);
      }
      Deque<MatchIndex.Entry<Integer>> queue = queues.get(key);
      assertSame(queue == null ? null : queue.peek(), index.first(key));
      assertEquals(entries.size(), index.size());
    }
  }

  @Test
  void aSearchLooksAtFewSlotsWhateverTheStrideOfTags() {
    for (int stride : new int[] {1, 2, 64, 1000, 1 << 12, 1 << 16}) {
      MatchIndex<Integer> strided = new MatchIndex<>();
      int count = 30_000;
      for (int i = 0; i < count; i++) {
        strided.add(key(i % 4, i / 4 * stride), new MatchIndex.Entry<>(i));
      }
      long looks = 0;
      for (int i = 0; i < count; i++) {
        looks += strided.looks(key(i % 4, i / 4 * stride));
      }
      assertTrue(looks < 2L * count, "stride %d: %d looks".formatted(stride, looks));
    }
  }

  @Test
  void droppedEntriesAreForgotten() {
    MatchIndex.Entry<Integer> entry = add(key(1, 2), 0);
    add(key(1, 3), 0);
    index.drop();
    assertTrue(index.isEmpty());
    assertNull(index.first(key(1, 2)));
    index.add(key(1, 3), entry);
    assertSame(entry, index.first(key(1, 3)));
    assertEquals(1, index.size());
  }
}
