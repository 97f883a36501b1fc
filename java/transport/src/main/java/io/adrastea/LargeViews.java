package io.adrastea;

import java.lang.ref.WeakReference;

/**
 * Views of large arrays and byte buffers used lately, so that small messages out of them make no object. They are held
 * weakly, since a view keeps what it shows from the garbage collector.
 */
final class LargeViews {
  private static final int PLACES = 4;

  private final Place[] places = new Place[PLACES];
  private int nextPlace;

  private static final class Place extends WeakReference<Buffers.View> {
    Place(Buffers.View view) {
      super(view);
    }
  }

  /** The view of {@code object}, or null. */
  Buffers.View find(Object object) {
    for (Place place : places) {
      Buffers.View view = place == null ? null : place.get();
      if (view != null && view.object() == object) {
        return view;
      }
    }
    return null;
  }

  void keep(Buffers.View view) {
    places[nextPlace++ & (PLACES - 1)] = new Place(view);
  }

  void clear() {
    java.util.Arrays.fill(places, null);
  }
}
