package io.adrastea;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Views of arrays and byte buffers as memory segments. The views of small ones used lately are kept, so that no object
 * is made per message; those of large ones are held weakly, since a view keeps what it shows from the garbage
 * collector.
 */
final class Buffers {
  private static final int PLACES = 16;
  private static final int LARGE_PLACES = 4;
  private static final long KEPT_BYTES = 1 << 16;

  /** A thread that owns nothing: what it may touch, every thread may. */
  private static final Thread ANY_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private static final WeakReference<View> NONE = new WeakReference<>(null);

  private final View[] views = new View[PLACES];
  private final List<WeakReference<View>> largeViews = new ArrayList<>(Collections.nCopies(LARGE_PLACES, NONE));
  private int nextPlace;
  private int nextLargePlace;

  /**
   * A whole array or byte buffer as memory.
   *
   * @param shift log2 of the bytes of an element
   */
  record View(Object object, MemorySegment memory, int shift) {
    /** Where a range of elements begins, in bytes, after a check that it lies inside. */
    long offset(int offset, int count) {
      Objects.checkFromIndexSize((long) offset, count, memory.byteSize() >> shift);
      return (long) offset << shift;
    }

    long bytes(int count) {
      return (long) count << shift;
    }
  }

  View of(Object object) {
    int place = System.identityHashCode(object) & (PLACES - 1);
    View view = views[place];
    return view != null && view.object == object ? view : find(object, place);
  }

  /** Out of line: its own place is free, or taken by another. */
  private View find(Object object, int ownPlace) {
    for (View view : views) {
      if (view != null && view.object == object) {
        return view;
      }
    }
    for (int place = 0; place < LARGE_PLACES; place++) {
      View view = largeViews.get(place).get();
      if (view != null && view.object == object) {
        return view;
      }
    }
    return keep(make(object), ownPlace);
  }

  private View keep(View view, int ownPlace) {
    if (view.memory.byteSize() > KEPT_BYTES) {
      largeViews.set(nextLargePlace++ & (LARGE_PLACES - 1), new WeakReference<>(view));
    } else {
      views[views[ownPlace] == null ? ownPlace : freePlace()] = view;
    }
    return view;
  }

  /** A place that is free or, all being taken, the next one in turn. */
  private int freePlace() {
    for (int place = 0; place < PLACES; place++) {
      if (views[place] == null) {
        return place;
      }
    }
    return nextPlace++ & (PLACES - 1);
  }

  /** A view that is not kept here. */
  static View make(Object object) {
    return switch (object) {
      case null -> throw new NullPointerException("the buffer is null");
      case byte[] array -> new View(array, MemorySegment.ofArray(array), 0);
      case short[] array -> new View(array, MemorySegment.ofArray(array), 1);
      case char[] array -> new View(array, MemorySegment.ofArray(array), 1);
      case int[] array -> new View(array, MemorySegment.ofArray(array), 2);
      case float[] array -> new View(array, MemorySegment.ofArray(array), 2);
      case long[] array -> new View(array, MemorySegment.ofArray(array), 3);
      case double[] array -> new View(array, MemorySegment.ofArray(array), 3);
      case MemorySegment memory -> new View(memory, memory, 0);
      case ByteBuffer buffer -> new View(buffer, MemorySegment.ofBuffer(buffer.duplicate().clear()), 0);
      default ->
        throw new IllegalArgumentException(
            ("a buffer cannot be a %s; allowed are byte[], short[], char[], int[], long[], float[], double[], "
                + "MemorySegment"
                + " and ByteBuffer; Agrona's buffers go by AgronaData")
                .formatted(object.getClass().getTypeName()));
    };
  }

  void clear() {
    Arrays.fill(views, null);
    Collections.fill(largeViews, NONE);
  }

  /** Explicit, since an implicit null check of compiled code may throw without a message. */
  static MemorySegment requireNonNull(MemorySegment buffer) {
    return Objects.requireNonNull(buffer, "the buffer is null");
  }

  /**
   * Refuses a buffer that cannot be read now, before anything is sent.
   *
   * @param many whether another thread may move the message on, and must be able to read the buffer too
   */
  static void requireUsable(MemorySegment buffer, boolean many) {
    requireNonNull(buffer);
    if (!buffer.scope().isAlive()) {
      throw new IllegalStateException("the buffer's arena is closed");
    }
    if (!buffer.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the buffer is confined to another thread");
    }
    if (many && !buffer.isAccessibleBy(ANY_THREAD)) {
      throw new WrongThreadException(
          "the buffer is confined to one thread, but with ThreadLevel.MULTIPLE any thread of the rank may move "
              + "its message; allowed are Arena.ofShared, ofAuto and global, and heap memory");
    }
  }

  /** Refuses a buffer that cannot be written now, before a message is taken for it. */
  static void requireWritable(MemorySegment buffer, boolean many) {
    requireUsable(buffer, many);
    if (buffer.isReadOnly()) {
      throw new IllegalArgumentException("the receive buffer is read-only; a writable one is needed");
    }
  }
}
