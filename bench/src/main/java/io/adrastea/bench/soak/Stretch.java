package io.adrastea.bench.soak;

import io.adrastea.Communicator;
import io.adrastea.Request;
import io.adrastea.Status;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

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

  private int unit() {
    boolean words = slab.array instanceof long[];
    return words && bytes % Long.BYTES == 0 ? Long.BYTES : words ? 0 : 1; // 0: no whole elements
  }

  private boolean asArray() {
    return slab.array != null && unit() > 0;
  }

  private ByteBuffer view() {
    return slab.buffer.duplicate().limit(offset + bytes).position(offset);
  }

  void send(Communicator world, int destination, int tag) {
    if (asArray()) {
      world.send(slab.array, offset / unit(), bytes / unit(), destination, tag);
    } else if (slab.buffer != null) {
      world.send(view(), destination, tag);
    } else {
      world.send(memory(), destination, tag);
    }
  }

  Request isend(Communicator world, int destination, int tag) {
    if (asArray()) {
      return world.isend(slab.array, offset / unit(), bytes / unit(), destination, tag);
    }
    return slab.buffer != null
        ? world.isend(view(), destination, tag)
        : world.isend(memory(), destination, tag);
  }

  Request sendInit(Communicator world, int destination, int tag) {
    return asArray()
        ? world.sendInit(slab.array, offset / unit(), bytes / unit(), destination, tag)
        : world.sendInit(memory(), destination, tag);
  }

  Status recv(Communicator world, int source, int tag) {
    if (asArray()) {
      return world.recv(slab.array, offset / unit(), bytes / unit(), source, tag);
    }
    return slab.buffer != null ? world.recv(view(), source, tag) : world.recv(memory(), source, tag);
  }

  Request irecv(Communicator world, int source, int tag) {
    if (asArray()) {
      return world.irecv(slab.array, offset / unit(), bytes / unit(), source, tag);
    }
    return slab.buffer != null
        ? world.irecv(view(), source, tag)
        : world.irecv(memory(), source, tag);
  }

  Request recvInit(Communicator world, int source, int tag) {
    return asArray()
        ? world.recvInit(slab.array, offset / unit(), bytes / unit(), source, tag)
        : world.recvInit(memory(), source, tag);
  }
}
