package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Request;
import java.lang.foreign.MemorySegment;

/**
 * What a message is sent from or received into, by the calls for its kind of memory. A worker has one kind, so that the
 * calls below are direct ones once they are compiled.
 */
interface Payload {
  void send(Communicator world, int destination, int tag);

  void recv(Communicator world, int source, int tag);

  Request isend(Communicator world, int destination, int tag, Request request);

  Request irecv(Communicator world, int source, int tag, Request request);

  /** Returns the same bytes, to be written and looked at. */
  MemorySegment memory();

  /** A segment, sent and received as a whole. */
  record OfSegment(MemorySegment memory) implements Payload {
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

  /**
   * A stretch of an array, made once for all messages.
   *
   * @param memory the same bytes
   */
  record OfArray(Data data, MemorySegment memory) implements Payload {
    @Override
    public void send(Communicator world, int destination, int tag) {
      world.send(data, destination, tag);
    }

    @Override
    public void recv(Communicator world, int source, int tag) {
      world.recv(data, source, tag);
    }

    @Override
    public Request isend(Communicator world, int destination, int tag, Request request) {
      return world.isend(data, destination, tag, request);
    }

    @Override
    public Request irecv(Communicator world, int source, int tag, Request request) {
      return world.irecv(data, source, tag, request);
    }
  }
}
