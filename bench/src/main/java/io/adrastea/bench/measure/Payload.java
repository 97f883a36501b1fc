package io.adrastea.bench.measure;

import io.adrastea.Communicator;
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

  /** The same bytes, to be written and looked at. */
  MemorySegment memory();
}
