package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.Operation;
import java.lang.foreign.MemorySegment;

/** What the calls of {@link Communicator} come to, whatever the buffer: a stretch of memory, checked, goes to the engine. */
abstract sealed class MemoryCalls permits BlockingCalls {
  private static final long CONTEXT_MASK = 0xFFFF_FFFF_8000_0000L; // a tag has 31 bits
  private static final long EXACT_MASK = -1L;
  private static final long TAG_BITS = 0x7FFF_FFFFL;

  final Engine engine;
  final int size;
  final boolean many;
  final Buffers buffers = new Buffers();
  private final long context;
  private final Status status = new Status();

  MemoryCalls(Engine engine, int size, int context, boolean many) {
    this.engine = engine;
    this.size = size;
    this.context = (long) context << 32;
    this.many = many;
  }

  final void sendFrom(MemorySegment memory, long offset, long length, int destination, int tag) {
    requireSend(memory, destination, tag);
    engine.send(destination, context | tag, memory, offset, length);
  }

  final Status receiveInto(MemorySegment memory, long offset, long length, int source, int tag) {
    requireReceive(memory, source, tag);
    Status result = result();
    engine.receive(source, matchOf(tag), maskOf(tag), memory, offset, length, result.setter);
    return result;
  }

  final Request startSend(MemorySegment memory, long offset, long length, int destination, int tag) {
    requireSend(memory, destination, tag);
    return request(engine.start(false, destination, context | tag, EXACT_MASK, memory, offset, length));
  }

  final Request startReceive(MemorySegment memory, long offset, long length, int source, int tag) {
    requireReceive(memory, source, tag);
    return request(engine.start(true, source, matchOf(tag), maskOf(tag), memory, offset, length));
  }

  final Request prepareSend(MemorySegment memory, long offset, long length, int destination, int tag) {
    requireSend(memory, destination, tag);
    return new Request(
        engine, engine.prepare(false, destination, context | tag, EXACT_MASK, memory, offset, length), true);
  }

  final Request prepareReceive(MemorySegment memory, long offset, long length, int source, int tag) {
    requireReceive(memory, source, tag);
    return new Request(
        engine, engine.prepare(true, source, matchOf(tag), maskOf(tag), memory, offset, length), true);
  }

  /** Match word of a send with that tag, or of a receive for it. */
  final long matchOf(int tag) {
    return context | tag & TAG_BITS;
  }

  /** Bits of the match word that a receive for that tag looks at. */
  final long maskOf(int tag) {
    return tag == Communicator.ANY_TAG ? CONTEXT_MASK : EXACT_MASK;
  }

  /** The request of what was started. Where many threads call, none of the pool: another thread could be given it while this one reads its status. */
  final Request request(Operation operation) {
    return many ? Request.own(engine, operation) : Request.pooled(engine, operation);
  }

  /** The status that a call returns. */
  final Status result() {
    return many ? new Status() : status;
  }

  static long bytes(MemorySegment buffer) {
    return Buffers.requireNonNull(buffer).byteSize();
  }

  final void requireSend(MemorySegment memory, int destination, int tag) {
    Buffers.requireUsable(memory, many);
    requireSendTo(destination, tag);
  }

  final void requireSendTo(int destination, int tag) {
    requireDestination(destination);
    requireTag(tag, false);
  }

  final void requireDestination(int destination) {
    if (destination < 0 || destination >= size) {
      throw new IllegalArgumentException(
          "destination %d; this communicator has ranks 0 to %d".formatted(destination, size - 1));
    }
  }

  private void requireReceive(MemorySegment memory, int source, int tag) {
    Buffers.requireWritable(memory, many);
    requireReceiveFrom(source, tag);
  }

  final void requireReceiveFrom(int source, int tag) {
    if (source < Communicator.ANY_SOURCE || source >= size) {
      throw new IllegalArgumentException(
          "source %d; this communicator has ranks 0 to %d, and ANY_SOURCE (-1)".formatted(source, size - 1));
    }
    requireTag(tag, true);
  }

  private static void requireTag(int tag, boolean orAny) {
    if (tag < 0 && !(orAny && tag == Communicator.ANY_TAG)) {
      throw new IllegalArgumentException(
          "tag %d; allowed are 0 to %d%s".formatted(tag, Integer.MAX_VALUE, orAny ? ", and ANY_TAG (-1)" : ""));
    }
  }
}
