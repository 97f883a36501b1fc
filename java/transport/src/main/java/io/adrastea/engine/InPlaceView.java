package io.adrastea.engine;

/** Somebody's view of a message, or of room for one, where it lies in shared memory. */
public interface InPlaceView {
  /** The place is the view's no more: its rank has left the job. */
  void lost();
}
