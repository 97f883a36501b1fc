package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The calls of {@link Communicator} that start an operation, which is completed later. */
abstract sealed class StartedCalls extends BlockingCalls permits ExchangeCalls {
  StartedCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
  }

  /**
   * Starts a send.
   *
   * @param buffer not to be changed until completion
   * @param destination rank to send to
   * @param tag 0 or more
   * @return to be completed
   */
  public Request isend(MemorySegment buffer, int destination, int tag) {
    return startSend(buffer, 0, bytes(buffer), destination, tag);
  }

  /**
   * Starts a send of a stretch of an array.
   *
   * @param array as in {@link #send(Object, int, int, int, int)}
   * @param offset first element
   * @param count elements
   * @param destination rank to send to
   * @param tag 0 or more
   * @return to be completed
   */
  public Request isend(Object array, int offset, int count, int destination, int tag) {
    Buffers.View view = buffers.of(array);
    return startSend(view.memory(), view.offset(offset, count), view.bytes(count), destination, tag);
  }

  /**
   * Starts a send of a byte buffer from position to limit.
   *
   * @param buffer not to be changed until completion
   * @param destination rank to send to
   * @param tag 0 or more
   * @return to be completed
   */
  public Request isend(ByteBuffer buffer, int destination, int tag) {
    return startSend(buffers.of(buffer).memory(), buffer.position(), buffer.remaining(), destination, tag);
  }

  /**
   * Starts a receive.
   *
   * @param buffer not to be touched until completion
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   */
  public Request irecv(MemorySegment buffer, int source, int tag) {
    return startReceive(buffer, 0, bytes(buffer), source, tag);
  }

  /**
   * Starts a receive into a stretch of an array.
   *
   * @param array as in {@link #send(Object, int, int, int, int)}
   * @param offset first element
   * @param count most elements that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   */
  public Request irecv(Object array, int offset, int count, int source, int tag) {
    Buffers.View view = buffers.of(array);
    return startReceive(view.memory(), view.offset(offset, count), view.bytes(count), source, tag);
  }

  /**
   * Starts a receive into a byte buffer from its position.
   *
   * @param buffer not to be touched until completion
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   */
  public Request irecv(ByteBuffer buffer, int source, int tag) {
    return startReceive(buffers.of(buffer).memory(), buffer.position(), buffer.remaining(), source, tag);
  }
}
