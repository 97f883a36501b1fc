package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** The calls of {@link Communicator} that send or receive one message, and return when that is done. */
abstract sealed class BlockingCalls extends MemoryCalls permits StartedCalls {
  BlockingCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
  }

  /**
   * Sends a segment; returns when it can be used again, which may be before it is received.
   *
   * @param buffer all of it is sent
   * @param destination rank to send to, which may be this one
   * @param tag 0 or more
   */
  public void send(MemorySegment buffer, int destination, int tag) {
    sendFrom(buffer, 0, bytes(buffer), destination, tag);
  }

  /**
   * Sends a stretch of an array, like {@link #send(MemorySegment, int, int)}.
   *
   * @param array {@code byte[]}, {@code short[]}, {@code char[]}, {@code int[]}, {@code long[]}, {@code float[]} or {@code double[]}
   * @param offset first element
   * @param count elements
   * @param destination rank to send to
   * @param tag 0 or more
   */
  public void send(Object array, int offset, int count, int destination, int tag) {
    Buffers.View view = buffers.of(array);
    sendFrom(view.memory(), view.offset(offset, count), view.bytes(count), destination, tag);
  }

  /**
   * Sends a byte buffer from position to limit, like {@link #send(MemorySegment, int, int)}.
   *
   * @param buffer its position and limit stay as they are
   * @param destination rank to send to
   * @param tag 0 or more
   */
  public void send(ByteBuffer buffer, int destination, int tag) {
    sendFrom(buffers.of(buffer).memory(), buffer.position(), buffer.remaining(), destination, tag);
  }

  /**
   * Receives into a segment; returns when the message is there.
   *
   * @param buffer its size is the most that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length; valid until the next call that returns a status
   */
  public Status recv(MemorySegment buffer, int source, int tag) {
    return receiveInto(buffer, 0, bytes(buffer), source, tag);
  }

  /**
   * Receives into a stretch of an array, like {@link #recv(MemorySegment, int, int)}.
   *
   * @param array as in {@link #send(Object, int, int, int, int)}
   * @param offset first element
   * @param count most elements that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length in bytes
   */
  public Status recv(Object array, int offset, int count, int source, int tag) {
    Buffers.View view = buffers.of(array);
    return receiveInto(view.memory(), view.offset(offset, count), view.bytes(count), source, tag);
  }

  /**
   * Receives into a byte buffer from its position, like {@link #recv(MemorySegment, int, int)}.
   *
   * @param buffer its position and limit stay as they are
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length
   */
  public Status recv(ByteBuffer buffer, int source, int tag) {
    return receiveInto(buffers.of(buffer).memory(), buffer.position(), buffer.remaining(), source, tag);
  }
}
