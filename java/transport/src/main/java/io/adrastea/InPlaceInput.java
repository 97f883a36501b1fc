package io.adrastea;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.lang.foreign.MemorySegment;

/** What {@link Data#IN_PLACE} is to the calls that do not know it: data that nothing can be done with. */
final class InPlaceInput implements Payload {
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public int memories() {
    return 1;
  }

  @Override
  public MemorySegment memory(int index) {
    throw refusal();
  }

  @Override
  public void seek(Cursor cursor, long position) {
    throw refusal();
  }

  @Override
  public void stretch(Cursor cursor, Stretch to) {
    throw refusal();
  }

  @Override
  public void pack(Cursor cursor, MemorySegment to, long at, long bytes) {
    throw refusal();
  }

  @Override
  public void unpack(Cursor cursor, MemorySegment from, long at, long bytes) {
    throw refusal();
  }

  @Override
  public void retain() {}

  @Override
  public void release() {}

  private static IllegalArgumentException refusal() {
    return new IllegalArgumentException(
        "Data.IN_PLACE is no memory: it stands for what a rank gives and takes in one place; only collectives of which "
            + "this can be said take it, a rooted one at its root");
  }
}
