package io.adrastea.bench.soak;

import io.adrastea.Data;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Memory of one kind, given out from its beginning on until it is cleared: its size never changes. */
final class Slab {
  final MemorySegment memory;
  final Data array; // null: none
  final ByteBuffer buffer; // null: none
  private int used;

  Slab(MemorySegment memory, Data array, ByteBuffer buffer) {
    this.memory = memory;
    this.array = array;
    this.buffer = buffer;
  }

  /** One of each kind. */
  static Map<Place, Slab> each(io.adrastea.Job job, int bytes) {
    Map<Place, Slab> slabs = new EnumMap<>(Place.class);
    for (Place place : Place.ALL) {
      slabs.put(place, place.slab(job, bytes));
    }
    return slabs;
  }

  /** Whether it is an array of longs. */
  boolean isOfWords() {
    return array != null && array.count() < array.bytes();
  }

  void clear() {
    used = 0;
  }

  boolean hasRoom(int bytes) {
    return used + Stretch.room(bytes) <= memory.byteSize();
  }

  /** Room for a message, at an address with or without alignment. */
  Stretch take(int bytes, SplittableRandom chance) {
    int offset = used + (isOfWords() || chance.nextBoolean() ? 0 : chance.nextInt(Long.BYTES));
    used += Stretch.room(bytes);
    return new Stretch(this, offset, bytes).guarded();
  }
}
