package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;

/** The calls of {@link Communicator} that prepare an operation, which is started again and again. */
abstract sealed class PersistentCalls extends ExchangeCalls permits AgronaCalls {
  PersistentCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
  }

  /**
   * Prepares a send that is started again and again.
   *
   * @param buffer sent anew at each start
   * @param destination rank to send to
   * @param tag 0 or more
   * @return a persistent request, idle
   */
  public Request sendInit(MemorySegment buffer, int destination, int tag) {
    return prepareSend(buffer, 0, bytes(buffer), destination, tag);
  }

  /**
   * Prepares a send of a stretch of an array that is started again and again.
   *
   * @param array as in {@link #send(Object, int, int, int, int)}
   * @param offset first element
   * @param count elements
   * @param destination rank to send to
   * @param tag 0 or more
   * @return a persistent request, idle
   */
  public Request sendInit(Object array, int offset, int count, int destination, int tag) {
    Buffers.View view = buffers.of(array);
    return prepareSend(view.memory(), view.offset(offset, count), view.bytes(count), destination, tag);
  }

  /**
   * Prepares a receive that is started again and again.
   *
   * @param buffer filled anew at each start
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return a persistent request, idle
   */
  public Request recvInit(MemorySegment buffer, int source, int tag) {
    return prepareReceive(buffer, 0, bytes(buffer), source, tag);
  }

  /**
   * Prepares a receive into a stretch of an array that is started again and again.
   *
   * @param array as in {@link #send(Object, int, int, int, int)}
   * @param offset first element
   * @param count most elements that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return a persistent request, idle
   */
  public Request recvInit(Object array, int offset, int count, int source, int tag) {
    Buffers.View view = buffers.of(array);
    return prepareReceive(view.memory(), view.offset(offset, count), view.bytes(count), source, tag);
  }
}
