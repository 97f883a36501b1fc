package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;

/**
 * A stretch of an array.
 *
 * @param offset its first element
 * @param count its elements
 * @param memory the same bytes
 */
record ArrayPayload(Object array, int offset, int count, MemorySegment memory)
    implements Payload {
  @Override
  public void send(Communicator world, int destination, int tag) {
    world.send(array, offset, count, destination, tag);
  }

  @Override
  public void recv(Communicator world, int source, int tag) {
    world.recv(array, offset, count, source, tag);
  }

  @Override
  public Request isend(Communicator world, int destination, int tag, Request request) {
    return world.isend(array, offset, count, destination, tag, request);
  }

  @Override
  public Request irecv(Communicator world, int source, int tag, Request request) {
    return world.irecv(array, offset, count, source, tag, request);
  }
}
