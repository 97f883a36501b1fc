package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;

/** A segment, sent and received as a whole. */
record SegmentPayload(MemorySegment memory) implements Payload {
  @Override
  public void send(Communicator world, int destination, int tag) {
    world.send(memory, destination, tag);
  }

  @Override
  public void recv(Communicator world, int source, int tag) {
    world.recv(memory, source, tag);
  }

  @Override
  public Request isend(Communicator world, int destination, int tag, Request request) {
    return world.isend(memory, destination, tag, request);
  }

  @Override
  public Request irecv(Communicator world, int source, int tag, Request request) {
    return world.irecv(memory, source, tag, request);
  }
}
