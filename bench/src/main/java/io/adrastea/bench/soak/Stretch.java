package io.adrastea.bench.soak;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory of a message at one end, sent and received by the calls that are made for where it lies. A word behind it is
 * not to change.
 *
 * @param slab what it is a part of
 * @param offset its first byte
 * @param bytes its length
 */
record Stretch(Slab slab, int offset, int bytes) {
  private static final long GUARD = 0x5AFE5AFE5AFE5AFEL;

  /** Bytes that it takes, alignment and guard included. */
  static int room(int bytes) {
    return (bytes + 3 * Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }

  Stretch guarded() {
    slab.memory.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + bytes, GUARD);
    return this;
  }

  /** Whether the word behind it is as it was. */
  boolean isGuarded() {
    return slab.memory.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + bytes) == GUARD;
  }

  MemorySegment memory() {
    return slab.memory.asSlice(offset, bytes);
  }

  /** The data of an array, where it is whole elements of it, or of a byte buffer; null: it is a segment. */
  private Data data() {
    if (slab.buffer != null) {
      return Data.of(slab.buffer.duplicate().limit(offset + bytes).position(offset));
    }
    int unit = slab.isOfWords() ? Long.BYTES : 1;
    return slab.array != null && bytes % unit == 0 ? slab.array.part(offset / unit, bytes / unit) : null;
  }

  void send(Communicator world, int destination, int tag) {
    Data data = data();
    if (data != null) {
      world.send(data, destination, tag);
    } else {
      world.send(slab.memory, offset, bytes, destination, tag);
    }
  }

  Request isend(Communicator world, int destination, int tag) {
    Data data = data();
    return data != null
        ? world.isend(data, destination, tag)
        : world.isend(slab.memory, offset, bytes, destination, tag);
  }

  Request sendInit(Communicator world, int destination, int tag) {
    Data data = data();
    return world.sendInit(data != null ? data : Data.of(slab.memory, offset, bytes), destination, tag);
  }

  Status recv(Communicator world, int source, int tag) {
    Data data = data();
    return data != null ? world.recv(data, source, tag) : world.recv(slab.memory, offset, bytes, source, tag);
  }

  Request irecv(Communicator world, int source, int tag) {
    Data data = data();
    return data != null ? world.irecv(data, source, tag) : world.irecv(slab.memory, offset, bytes, source, tag);
  }

  Request recvInit(Communicator world, int source, int tag) {
    Data data = data();
    return world.recvInit(data != null ? data : Data.of(slab.memory, offset, bytes), source, tag);
  }
}
