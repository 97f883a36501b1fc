package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;

/** The calls of {@link Communicator} that send and receive at once. */
abstract sealed class ExchangeCalls extends StartedCalls permits PersistentCalls {
  ExchangeCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
  }

  /**
   * Sends and receives at once; the two may have any partners, also each other.
   *
   * @param sendBuffer all of it is sent
   * @param destination rank to send to
   * @param sendTag 0 or more
   * @param recvBuffer its size is the most that can be received; it must not overlap the send buffer
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param recvTag 0 or more, or {@link Communicator#ANY_TAG}
   * @return what was received
   */
  public Status sendrecv(
      MemorySegment sendBuffer, int destination, int sendTag, MemorySegment recvBuffer, int source, int recvTag) {
    requireSend(sendBuffer, destination, sendTag);
    Request receive = irecv(recvBuffer, source, recvTag);
    sendBeside(receive, sendBuffer, 0, bytes(sendBuffer), destination, sendTag);
    return receive.await();
  }

  /**
   * Sends and receives stretches of arrays at once.
   *
   * @param sendArray as in {@link #send(Object, int, int, int, int)}
   * @param sendOffset first element to send
   * @param sendCount elements to send
   * @param destination rank to send to
   * @param sendTag 0 or more
   * @param recvArray array to receive into; the stretches must not overlap
   * @param recvOffset first element to receive
   * @param recvCount most elements that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param recvTag 0 or more, or {@link Communicator#ANY_TAG}
   * @return what was received
   */
  public Status sendrecv(
      Object sendArray,
      int sendOffset,
      int sendCount,
      int destination,
      int sendTag,
      Object recvArray,
      int recvOffset,
      int recvCount,
      int source,
      int recvTag) {
    Buffers.View view = buffers.of(sendArray);
    long offset = view.offset(sendOffset, sendCount);
    requireSend(view.memory(), destination, sendTag);
    Request receive = irecv(recvArray, recvOffset, recvCount, source, recvTag);
    sendBeside(receive, view.memory(), offset, view.bytes(sendCount), destination, sendTag);
    return receive.await();
  }

  /** Sends; when that fails, nothing is left of the receive. */
  final void sendBeside(
      Request receive, MemorySegment memory, long offset, long length, int destination, int tag) {
    try {
      sendFrom(memory, offset, length, destination, tag);
    } catch (RuntimeException e) {
      try {
        receive.cancel();
        receive.await(); // to its end, if its message has begun to arrive
      } catch (RuntimeException more) {
        e.addSuppressed(more);
      }
      throw e;
    }
  }
}
