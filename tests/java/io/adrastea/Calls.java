package io.adrastea;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** All calls that send or receive, by name, for tests that hold for each. */
final class Calls {
  private static final MemorySegment OTHER = MemorySegment.ofArray(new byte[8]);

  private Calls() {}

  /** A call with a segment. */
  @FunctionalInterface
  interface OnMemory {
    void with(MemorySegment memory, int peer, int tag);
  }

  /** A call with a stretch of an array. */
  @FunctionalInterface
  interface OnArray {
    void with(Object array, int offset, int count, int peer, int tag);
  }

  static Map<String, OnMemory> sends(Communicator world) {
    return Map.of(
        "send", world::send,
        "isend", world::isend,
        "sendInit", world::sendInit,
        "sendrecv", (memory, peer, tag) -> world.sendrecv(memory, peer, tag, OTHER, 0, 0));
  }

  static Map<String, OnMemory> receives(Communicator world) {
    return Map.of(
        "recv", world::recv,
        "irecv", world::irecv,
        "recvInit", world::recvInit,
        "sendrecv", (memory, peer, tag) -> world.sendrecv(OTHER, 0, 0, memory, peer, tag));
  }

  static Map<String, OnArray> onArrays(Communicator world) {
    byte[] other = new byte[8];
    return Map.of(
        "send", world::send,
        "isend", world::isend,
        "sendInit", world::sendInit,
        "recv", world::recv,
        "irecv", world::irecv,
        "recvInit", world::recvInit,
        "sendrecv, send",
        (array, offset, count, peer, tag) -> world.sendrecv(array, offset, count, peer, tag, other, 0, 8, 0, 0),
        "sendrecv, receive",
        (array, offset, count, peer, tag) -> world.sendrecv(other, 0, 8, 0, 0, array, offset, count, peer, tag));
  }

  static List<Runnable> probes(Communicator world, int source, int tag) {
    return List.of(
        () -> world.probe(source, tag), () -> world.iprobe(source, tag));
  }
}
