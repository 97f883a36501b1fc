package io.adrastea.comm;

import io.adrastea.payload.Cursor;
import io.adrastea.payload.Payload;
import io.adrastea.payload.Stretch;
import java.lang.foreign.MemorySegment;

/** What is handed to calls in the place of data; calls that do not know it get its refusal. */
interface NoData extends Payload {
  /** Tells which calls know it. */
  IllegalArgumentException refusal();

  @Override
  default int memories() {
    return 1;
  }

  @Override
  default MemorySegment memory(int index) {
    throw refusal();
  }

  @Override
  default void seek(Cursor cursor, long position) {
    throw refusal();
  }

  @Override
  default void stretch(Cursor cursor, Stretch to) {
    throw refusal();
  }

  @Override
  default void pack(Cursor cursor, MemorySegment to, long at, long bytes) {
    throw refusal();
  }

  @Override
  default void unpack(Cursor cursor, MemorySegment from, long at, long bytes) {
    throw refusal();
  }

  @Override
  default void retain() {}

  @Override
  default void release() {}
}
