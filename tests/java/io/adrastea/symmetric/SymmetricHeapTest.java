package io.adrastea.symmetric;

import static io.adrastea.symmetric.SymmetricHeap.GRAIN;
import static io.adrastea.symmetric.SymmetricHeap.NONE;
import static io.adrastea.symmetric.SymmetricHeap.NO_ROOM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.symmetric.SymmetricHeap.Pages;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The record of a symmetric heap, against a plain map of which grains have which object among others. */
@Timeout(240)
@Tag("loops")
class SymmetricHeapTest {
  private static final int PAGE = 4096;
  private static final Pages NO_PAGES = new Pages(0, 0);

  /** A plain map of which grains have an object, and how many bytes were asked for where one begins. */
  private static final class Model {
    private static final int GRAINS = 2000;
    private static final int PAGE_BYTES = 1024;
    private static final int LOOKS = 16;

    private final SymmetricHeap heap = new SymmetricHeap(GRAINS * GRAIN + 10, PAGE_BYTES);
    private BitSet taken = new BitSet();
    private long[] asked = new long[GRAINS]; // 0: no object begins there
    private BitSet takenBefore = new BitSet();
    private long[] askedBefore = asked;
    private long hash = heap.hash();
    private long hashBefore;
    private int calls;
    private int moves;
    private int refusals;

    private static int grains(long bytes) {
      return (int) ((bytes + GRAIN - 1) / GRAIN);
    }

    private static int aligned(int at, int step) {
      return (at + step - 1) / step * step;
    }

    private int endOfRun(int at) {
      int end = taken.nextSetBit(at);
      return end < 0 ? GRAINS : end;
    }

    /** The first run of free grains at or behind {@code at} that has so many; GRAINS: none has. */
    private int nextRun(int at, int needed) {
      int run = taken.nextClearBit(at);
      while (run < GRAINS && endOfRun(run) - run < needed) {
        run = taken.nextClearBit(endOfRun(run));
      }
      return Math.min(run, GRAINS);
    }

    private long place(long bytes, long alignment) {
      int needed = grains(bytes);
      int step = (int) Math.max(1, alignment / GRAIN);
      int looks = 0;
      for (int run = nextRun(0, needed); run < GRAINS; run = nextRun(endOfRun(run), needed)) {
        if (aligned(run, step) + needed <= endOfRun(run)) {
          return (long) aligned(run, step) * GRAIN;
        }
        if (++looks == LOOKS) {
          int large = nextRun(endOfRun(run), needed + step - 1);
          if (large < GRAINS) {
            return (long) aligned(large, step) * GRAIN;
          }
        }
      }
      return NO_ROOM;
    }

    private long align(long alignment, long bytes) {
      long place = place(bytes, alignment);
      if (place >= 0) {
        int at = (int) (place / GRAIN);
        assertTrue(taken.get(at, at + grains(bytes)).isEmpty(), "two objects in one place");
        taken.set(at, at + grains(bytes));
        asked[at] = bytes;
      }
      return place;
    }

    private long free(long offset) {
      int at = (int) (offset / GRAIN);
      if (offset % GRAIN != 0 || asked[at] == 0) {
        return SymmetricScript.INVALID;
      }
      taken.clear(at, at + grains(asked[at]));
      asked[at] = 0;
      return 0;
    }

    private long realloc(long offset, long bytes) {
      int at = (int) (offset / GRAIN);
      if (offset % GRAIN != 0 || asked[at] == 0) {
        return SymmetricScript.INVALID;
      }
      if (bytes == 0) {
        return free(offset) + NONE;
      }
      if (at + grains(bytes) > endOfRun(at + grains(asked[at]))) {
        moves++;
        return align(GRAIN, bytes);
      }
      taken.clear(at, at + grains(asked[at]));
      taken.set(at, at + grains(bytes));
      asked[at] = bytes;
      return offset;
    }

    /** Pages with a grain that has an object. */
    private static BitSet pages(BitSet grains) {
      BitSet pages = new BitSet();
      int grainsOfPage = PAGE_BYTES / GRAIN;
      for (int at = grains.nextSetBit(0); at >= 0; at = grains.nextSetBit((at / grainsOfPage + 1) * grainsOfPage)) {
        pages.set(at / grainsOfPage);
      }
      return pages;
    }

    private static BitSet pages(Pages of) {
      BitSet pages = new BitSet();
      pages.set((int) (of.offset() / PAGE_BYTES), (int) ((of.offset() + of.bytes()) / PAGE_BYTES));
      return pages;
    }

    private static BitSet without(BitSet pages, BitSet others) {
      BitSet left = (BitSet) pages.clone();
      left.andNot(others);
      return left;
    }

    void compare(SymmetricScript.Call call) {
      BitSet takenTwoBefore = takenBefore;
      long[] askedTwoBefore = askedBefore;
      takenBefore = (BitSet) taken.clone();
      askedBefore = asked.clone();
      long expected = switch (call.kind()) {
        case ALIGN -> align(call.alignment(), call.bytes());
        case REALLOC -> realloc(call.given(), call.bytes());
        case FREE -> free(call.given());
        case UNDO -> call.result(); // which the script checks
      };
      if (call.kind() == SymmetricScript.Kind.UNDO && expected == 0) {
        taken = (BitSet) takenTwoBefore.clone();
        asked = askedTwoBefore.clone();
      }
      assertEquals(expected, call.result(), call::toString);
      BitSet pages = pages(taken);
      BitSet pagesBefore = pages(takenBefore);
      assertEquals(without(pages, pagesBefore), pages(heap.came()), call::toString);
      assertEquals(without(pagesBefore, pages), pages(heap.went()), call::toString);
      if (call.kind() == SymmetricScript.Kind.UNDO && expected == 0) {
        assertEquals(hashBefore, heap.hash());
      } else if (expected == NO_ROOM || expected == SymmetricScript.INVALID) {
        assertEquals(hash, heap.hash());
      } else {
        assertNotEquals(hash, heap.hash());
      }
      if (expected > 0) {
        assertEquals(asked[(int) (expected / GRAIN)], heap.bytesOf(expected));
      }
      hashBefore = hash;
      hash = heap.hash();
      calls++;
      refusals += expected == NO_ROOM ? 1 : 0;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachCallAnswersWhatAMapOfGrainsSays(long seed) {
    Model model = new Model();
    new SymmetricScript(model.heap, model::compare).run(seed, 100_000);
    assertTrue(model.calls > 100_000 && model.moves > 1000 && model.refusals > 100,
        () -> "calls %d, objects moved %d, no room %d".formatted(model.calls, model.moves, model.refusals));
  }

  @Test
  void theWholeHeapIsOneObjectAndAgainWhenAllIsFreed() {
    SymmetricHeap heap = new SymmetricHeap(1 << 20, PAGE);
    assertEquals(0, heap.align(1 << 20, 1 << 20));
    assertEquals(NO_ROOM, heap.malloc(1));
    assertEquals(0, heap.largest());
    heap.free(0);
    assertEquals(0, heap.malloc((1 << 20) - GRAIN + 1));
    assertEquals(NO_ROOM, heap.malloc(1), "all grains are taken");
    heap.free(0);
    assertEquals(NO_ROOM, heap.malloc((1 << 20) + 1));
    assertEquals(NO_ROOM, heap.malloc(Long.MAX_VALUE));
    assertEquals(0, heap.align(1L << 60, 1), "offset 0 is a multiple of anything");
  }

  @Test
  void anObjectGrowsAndShrinksWhereItIs() {
    SymmetricHeap heap = new SymmetricHeap(64 * PAGE, PAGE);
    long first = heap.malloc(100);
    assertEquals(first, heap.realloc(first, 5 * PAGE));
    assertEquals(new Pages(PAGE, 4 * PAGE), heap.came());
    assertEquals(first, heap.realloc(first, 2 * PAGE - 1));
    assertEquals(new Pages(2 * PAGE, 3 * PAGE), heap.went());
    assertEquals(2 * PAGE - 1, heap.bytesOf(first));
    long second = heap.malloc(1);
    assertEquals(2 * PAGE, second);
    long moved = heap.realloc(first, 3 * PAGE);
    assertEquals(2 * PAGE + GRAIN, moved);
    assertEquals(new Pages(3 * PAGE, 3 * PAGE), heap.came());
    assertEquals(2 * PAGE - 1, heap.bytesOf(first), "until its caller frees it");
    heap.free(first);
    assertEquals(new Pages(0, 2 * PAGE), heap.went());
    assertEquals(NONE, heap.realloc(second, 0));
    assertEquals(NO_PAGES, heap.went(), "the moved object begins on that page");
    heap.free(moved);
    assertEquals(new Pages(2 * PAGE, 4 * PAGE), heap.went());
  }

  @Test
  void aCallIsTakenBackWithItsHashAndOnlyOnce() {
    SymmetricHeap heap = new SymmetricHeap(64 * PAGE, PAGE);
    long object = heap.malloc(3 * PAGE);
    long hash = heap.hash();
    heap.malloc(PAGE);
    heap.undo();
    assertEquals(hash, heap.hash());
    assertEquals(new Pages(3 * PAGE, PAGE), heap.went());
    assertThrows(IllegalStateException.class, heap::undo);
    heap.realloc(object, 1);
    heap.undo();
    assertEquals(3 * PAGE, heap.bytesOf(object));
    assertEquals(new Pages(PAGE, 2 * PAGE), heap.came());
    heap.realloc(object, 60 * PAGE);
    heap.undo();
    assertEquals(3 * PAGE, heap.bytesOf(object));
    assertEquals(hash, heap.hash());
    assertEquals(61 * PAGE, heap.largest());
    heap.free(object);
    assertThrows(IllegalStateException.class, heap::undo, "what was free may be in use again");
    assertEquals(NONE, heap.malloc(0));
    assertThrows(IllegalStateException.class, heap::undo);
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() {
    SymmetricHeap heap = new SymmetricHeap(64 * PAGE, PAGE);
    long object = heap.malloc(100);
    long hash = heap.hash();
    String message = assertThrows(IllegalArgumentException.class, () -> heap.free(object + 1)).getMessage();
    assertTrue(message.startsWith("free of offset 1 in the symmetric heap: no object begins there"), message);
    assertThrows(IllegalArgumentException.class, () -> heap.free(object + 128), "what is free");
    assertThrows(IllegalArgumentException.class, () -> heap.free(64 * PAGE));
    assertThrows(IllegalArgumentException.class, () -> heap.free(-2));
    assertThrows(IllegalArgumentException.class, () -> heap.realloc(object + GRAIN, 1));
    assertThrows(IllegalArgumentException.class, () -> heap.realloc(object + GRAIN, 0));
    assertThrows(IllegalArgumentException.class, () -> heap.malloc(-1));
    assertThrows(IllegalArgumentException.class, () -> heap.realloc(object, -1));
    assertThrows(IllegalArgumentException.class, () -> heap.align(0, 1));
    assertThrows(IllegalArgumentException.class, () -> heap.align(48, 1));
    assertThrows(IllegalArgumentException.class, () -> heap.align(Long.MIN_VALUE, 1));
    assertThrows(IllegalArgumentException.class, () -> new SymmetricHeap(GRAIN - 1, PAGE));
    assertThrows(IllegalArgumentException.class, () -> new SymmetricHeap(SymmetricHeap.MAX_BYTES + 1, PAGE));
    assertThrows(IllegalArgumentException.class, () -> new SymmetricHeap(PAGE, PAGE + GRAIN));
    assertThrows(IllegalArgumentException.class, () -> new SymmetricHeap(PAGE, GRAIN / 2));
    heap.free(NONE);
    assertEquals(NONE, heap.realloc(NONE, 0));
    assertEquals(hash, heap.hash());
    heap.free(object);
    assertThrows(IllegalArgumentException.class, () -> heap.free(object), "twice");
    assertEquals(0, heap.bytesOf(object));
  }

  @Test
  void differentCallsGiveDifferentHashes() {
    Map<Long, String> hashes = new HashMap<>();
    for (long bytes : new long[] {PAGE, PAGE + 1, 2 * PAGE}) {
      assertEquals(null, hashes.put(new SymmetricHeap(bytes, PAGE).hash(), "heap of " + bytes));
    }
    for (long[] call : new long[][] {{64, 8}, {64, 16}, {128, 8}, {128, 16}, {16, 8}}) {
      SymmetricHeap heap = new SymmetricHeap(PAGE, PAGE);
      heap.align(call[0], call[1]);
      assertEquals(null, hashes.put(heap.hash(), "align " + List.of(call[0], call[1])));
      heap.realloc(0, call[1] + 1);
      assertEquals(null, hashes.put(heap.hash(), "realloc after it"));
      heap.free(0);
      assertEquals(null, hashes.put(heap.hash(), "free after it"));
    }
  }

  /** Where the highest object ever ended, as a multiple of the most bytes that all objects had at a time. */
  private static double waste(long seed, int objects, boolean phases) {
    Random random = new Random(seed);
    SymmetricHeap heap = new SymmetricHeap(1L << 34, PAGE);
    List<Long> live = new ArrayList<>();
    long most = 0;
    long asked = 0;
    long highest = 0;
    for (int step = 0; step < 40 * objects; step++) {
      boolean frees = live.size() > objects || phases && step / objects % 4 == 3 && !live.isEmpty();
      if (frees) {
        int index = random.nextInt(live.size());
        long last = live.removeLast();
        long freed = index < live.size() ? live.set(index, last) : last;
        asked -= heap.bytesOf(freed);
        heap.free(freed);
      } else {
        long bytes = 1 + random.nextInt(2 << random.nextInt(16));
        long offset = heap.malloc(bytes);
        live.add(offset);
        asked += bytes;
        highest = Math.max(highest, offset + bytes);
      }
      most = Math.max(most, asked);
    }
    return (double) highest / most;
  }

  @Test
  void objectsStayAtLowOffsets() {
    for (boolean phases : new boolean[] {false, true}) {
      for (int objects : new int[] {100, 1000, 10_000}) {
        double waste = waste(7, objects, phases);
        System.out.printf("symmetric heap, %d objects, %s: highest end / most bytes at a time = %.3f%n", objects,
            phases ? "three quarters allocated, then all freed at random" : "freed and allocated at random", waste);
        assertTrue(waste < 1.35, () -> "the heap has to be %.3f times what is asked for".formatted(waste));
      }
    }
  }
}
