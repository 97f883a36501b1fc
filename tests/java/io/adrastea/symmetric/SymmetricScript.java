package io.adrastea.symmetric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Random calls for a symmetric heap, the same ones for the same seed as those of {@code tests/c/symmetric_script.h}.
 */
public final class SymmetricScript {
  /** What a call that is refused counts as, as in C. */
  public static final long INVALID = -22;

  private static final int MOST_OBJECTS = 4096;

  enum Kind {
    ALIGN, REALLOC, FREE, UNDO
  }

  record Call(Kind kind, long given, long alignment, long bytes, long result) {}

  private final SymmetricHeap heap;
  private final Consumer<Call> told;
  private final List<Long> objects = new ArrayList<>();
  private long state;
  private long sum;

  SymmetricScript(SymmetricHeap heap, Consumer<Call> told) {
    this.heap = heap;
    this.told = told;
  }

  /** Calls for a heap that nobody is told of. */
  public SymmetricScript(SymmetricHeap heap) {
    this(heap, call -> {});
  }

  private int below(int limit) { // Knuth's MMIX generator
    state = state * 6364136223846793005L + 1442695040888963407L;
    return (int) ((state >>> 33) % limit);
  }

  private long size() {
    return 1 + below(2 << below(14));
  }

  private long answer(Kind kind, long given, long alignment, long bytes) {
    try {
      return switch (kind) {
        case ALIGN -> heap.align(alignment, bytes);
        case REALLOC -> heap.realloc(given, bytes);
        case FREE -> {
          heap.free(given);
          yield 0;
        }
        case UNDO -> {
          heap.undo();
          yield 0;
        }
      };
    } catch (IllegalArgumentException | IllegalStateException _) {
      return INVALID;
    }
  }

  private long call(Kind kind, long given, long alignment, long bytes) {
    long result = answer(kind, given, alignment, bytes);
    SymmetricHeap.Pages came = heap.came();
    SymmetricHeap.Pages went = heap.went();
    for (long word : new long[] {result, came.offset(), came.bytes(), went.offset(), went.bytes()}) {
      sum = 31 * sum + word;
    }
    told.accept(new Call(kind, given, alignment, bytes, result));
    return result;
  }

  private void keep(long offset) {
    if (offset >= 0 && objects.size() < MOST_OBJECTS) {
      objects.add(offset);
    } else if (offset >= 0) {
      assertEquals(0, call(Kind.FREE, offset, 0, 0));
    }
  }

  /** Takes an object off the list; the last one has its place then. */
  private void drop(int index) {
    long last = objects.removeLast();
    if (index < objects.size()) {
      objects.set(index, last);
    }
  }

  private void freeAny() {
    int index = below(objects.size());
    assertEquals(0, call(Kind.FREE, objects.get(index), 0, 0));
    drop(index);
  }

  /** Makes one object larger or smaller, or takes that back at once. */
  private void reallocAny(long bytes, boolean undo) {
    int index = below(objects.size());
    long before = objects.get(index);
    long offset = call(Kind.REALLOC, before, 0, bytes);
    if (bytes == 0) {
      assertEquals(SymmetricHeap.NONE, offset);
      drop(index);
    } else if (offset >= 0 && undo) {
      assertEquals(0, call(Kind.UNDO, 0, 0, 0));
    } else if (offset >= 0 && offset != before) {
      assertEquals(0, call(Kind.FREE, before, 0, 0));
      objects.set(index, offset);
    }
  }

  private void step() {
    int what = below(100);
    if (what < 38 || objects.isEmpty()) {
      keep(call(Kind.ALIGN, 0, SymmetricHeap.GRAIN, size()));
    } else if (what < 48) {
      long alignment = 1L << below(15);
      keep(call(Kind.ALIGN, 0, alignment, size()));
    } else if (what < 60) {
      reallocAny(size(), what < 52);
    } else if (what < 61) {
      reallocAny(0, false);
    } else if (what < 64) {
      if (call(Kind.ALIGN, 0, SymmetricHeap.GRAIN, size()) >= 0) {
        assertEquals(0, call(Kind.UNDO, 0, 0, 0));
      }
    } else if (what < 66) {
      long offset = objects.get(below(objects.size()));
      assertEquals(INVALID, call(Kind.FREE, offset + 8, 0, 0));
      assertEquals(INVALID, call(Kind.REALLOC, offset + 8, 0, 1));
      assertEquals(INVALID, call(Kind.UNDO, 0, 0, 0));
    } else {
      freeAny();
    }
  }

  /**
   * Makes so many random steps, a call or two each, then frees all: the heap is one free block again.
   *
   * @return a sum of all that the calls answered, and the pages
   */
  public long run(long seed, long steps) {
    state = seed;
    objects.clear();
    sum = 0;
    for (long step = 0; step < steps; step++) {
      step();
    }
    while (!objects.isEmpty()) {
      freeAny();
    }
    assertEquals(0, heap.allocated());
    assertEquals(heap.bytes(), heap.largest());
    return sum;
  }
}
