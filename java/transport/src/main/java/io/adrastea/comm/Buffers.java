package io.adrastea.comm;

import io.adrastea.error.ArgumentException;
import io.adrastea.error.ArgumentException.Reason;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * Views of arrays as memory segments, for data that is made for a single call. The views of small ones used lately are
 * kept, so that no segment is made per message; those of large ones are held weakly, since a view keeps what it shows
 * from the garbage collector.
 */
public final class Buffers {
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

  /** A whole array as memory. */
  public record View(Object array, MemorySegment memory) {}

  /** Finds the view of an array, or makes one. */
  public View of(Object array) {
    int place = System.identityHashCode(array) & (PLACES - 1);
    View view = views[place];
    return view != null && view.array == array ? view : find(array, place);
  }

  /** Out of line: its own place is free, or taken by another. */
  private View find(Object array, int ownPlace) {
    for (View view : views) {
      if (view != null && view.array == array) {
        return view;
      }
    }
    for (int place = 0; place < LARGE_PLACES; place++) {
      View view = largeViews.get(place).get();
      if (view != null && view.array == array) {
        return view;
      }
    }
    return keep(make(array), ownPlace);
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
  public static View make(Object array) {
    return new View(array, switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case short[] shorts -> MemorySegment.ofArray(shorts);
      case char[] chars -> MemorySegment.ofArray(chars);
      case int[] ints -> MemorySegment.ofArray(ints);
      case float[] floats -> MemorySegment.ofArray(floats);
      case long[] longs -> MemorySegment.ofArray(longs);
      default -> MemorySegment.ofArray((double[]) array);
    });
  }

  /** Forgets all views: they keep arrays from the garbage collector. */
  public void clear() {
    Arrays.fill(views, null);
    Collections.fill(largeViews, NONE);
  }

  /** Explicit, since an implicit null check of compiled code may throw without a message. */
  public static MemorySegment requireNonNull(MemorySegment buffer) {
    return Objects.requireNonNull(buffer, "the buffer is null");
  }

  /** Refuses bytes that a segment does not hold. */
  public static void requireRange(MemorySegment memory, long offset, long bytes) {
    requireInside(offset, bytes, requireNonNull(memory).byteSize(), "a segment");
  }

  /** Refuses a stretch that does not lie in what has that length, which {@code what} names. */
  public static void requireInside(long offset, long count, long length, String what) {
    if ((offset | count) < 0 || count > length - offset) {
      throw outside(offset, count, length, what);
    }
  }

  private static IndexOutOfBoundsException outside(long offset, long count, long length, String what) {
    return new IndexOutOfBoundsException(
        "offset %d and count %d do not lie in %s of length %d; both are to be 0 or more, and together at most %d"
            .formatted(offset, count, what, length, length));
  }

  /**
   * Refuses a buffer that cannot be read now, before anything is sent.
   *
   * @param multithreaded whether another thread may move the call on, and must be able to read the buffer too
   */
  public static void requireUsable(MemorySegment buffer, boolean multithreaded) {
    requireNonNull(buffer);
    if (!buffer.scope().isAlive()) {
      throw new IllegalStateException("the buffer's arena is closed");
    }
    if (!buffer.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the buffer is confined to another thread");
    }
    if (multithreaded && !buffer.isAccessibleBy(ANY_THREAD)) {
      throw new WrongThreadException(
          "the buffer is confined to one thread, but with ThreadLevel.MULTIPLE any thread of the rank may move "
              + "its message or collective; allowed are Arena.ofShared, ofAuto and global, and heap memory");
    }
  }

  /** Refuses a buffer that cannot be written now, before a message is taken for it. */
  public static void requireWritable(MemorySegment buffer, boolean multithreaded) {
    requireUsable(buffer, multithreaded);
    if (buffer.isReadOnly()) {
      throw new ArgumentException(Reason.BUFFER, "the receive buffer is read-only; a writable one is needed");
    }
  }
}
