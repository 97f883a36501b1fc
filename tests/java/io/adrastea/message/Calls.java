package io.adrastea.message;

import io.adrastea.Communicator;
import io.adrastea.Data;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** All calls that send or receive, by name, for tests that hold for each. */
public final class Calls {
  private static final MemorySegment OTHER = MemorySegment.ofArray(new byte[8]);

  private Calls() {}

  /** A call with a segment. */
  @FunctionalInterface
  public interface OnMemory {
    void with(MemorySegment memory, int peer, int tag);
  }

  /** A call with bytes of a segment. */
  @FunctionalInterface
  public interface OnRange {
    void with(MemorySegment memory, long offset, long bytes, int peer, int tag);
  }

  /** A call with data. */
  @FunctionalInterface
  public interface OnData {
    void with(Data data, int peer, int tag);
  }

  public static Map<String, OnMemory> sends(Communicator world) {
    return Map.of(
        "send", world::send,
        "isend", world::isend,
        "sendInit", (memory, peer, tag) -> world.sendInit(Data.of(memory), peer, tag),
        "ssend", (memory, peer, tag) -> world.ssend(Data.of(memory), peer, tag),
        "issend", (memory, peer, tag) -> world.issend(Data.of(memory), peer, tag),
        "ssendInit", (memory, peer, tag) -> world.ssendInit(Data.of(memory), peer, tag),
        "sendrecvReplace", (memory, peer, tag) -> world.sendrecvReplace(Data.of(memory), peer, tag, 0, 0),
        "sendrecv", (memory, peer, tag) -> world.sendrecv(Data.of(memory), peer, tag, Data.of(OTHER), 0, 0));
  }

  public static Map<String, OnMemory> receives(Communicator world) {
    return Map.of(
        "recv", world::recv,
        "irecv", world::irecv,
        "recvInit", (memory, peer, tag) -> world.recvInit(Data.of(memory), peer, tag),
        "sendrecvReplace", (memory, peer, tag) -> world.sendrecvReplace(Data.of(memory), 0, 0, peer, tag),
        "sendrecv", (memory, peer, tag) -> world.sendrecv(Data.of(OTHER), 0, 0, Data.of(memory), peer, tag));
  }

  public static Map<String, OnRange> onRanges(Communicator world) {
    return Map.of("send", world::send, "isend", world::isend, "recv", world::recv, "irecv", world::irecv);
  }

  public static Map<String, OnData> onData(Communicator world) {
    Data other = Data.of(OTHER);
    return Map.of(
        "send", world::send,
        "isend", world::isend,
        "sendInit", world::sendInit,
        "recv", world::recv,
        "irecv", world::irecv,
        "recvInit", world::recvInit,
        "sendrecv, send", (data, peer, tag) -> world.sendrecv(data, peer, tag, other, 0, 0),
        "sendrecv, receive", (data, peer, tag) -> world.sendrecv(other, 0, 0, data, peer, tag));
  }

  public static List<Runnable> probes(Communicator world, int source, int tag) {
    return List.of(
        () -> world.probe(source, tag), () -> world.iprobe(source, tag),
        () -> world.mprobe(source, tag), () -> world.improbe(source, tag));
  }
}
