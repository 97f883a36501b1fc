package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The calls of {@link Communicator} that take Agrona's buffers: over a {@code byte[]}, a {@code ByteBuffer}, native memory by its address, or a
 * {@link io.adrastea.agrona.SegmentBuffer}. What a buffer lies over when the call is made counts; native memory known by its address alone is kept
 * reachable by the caller until completion.
 */
abstract sealed class AgronaCalls extends PersistentCalls permits InPlaceCalls {
  AgronaCalls(Engine engine, int size, int context, boolean many) {
    super(engine, size, context, many);
  }

  /**
   * Sends a stretch of one of Agrona's buffers; returns when it can be used again, which may be before it is received.
   *
   * @param buffer of at least index + length bytes of capacity
   * @param index first byte
   * @param length bytes
   * @param destination rank to send to
   * @param tag 0 or more
   */
  public void send(DirectBuffer buffer, int index, int length, int destination, int tag) {
    MemorySegment memory = DirectBuffers.memory(buffers, buffer);
    sendFrom(memory, DirectBuffers.offset(buffer, memory, index, length), length, destination, tag);
    Reference.reachabilityFence(buffer); // the memory at its address may be its own
  }

  /**
   * Receives into a stretch of one of Agrona's buffers, which is not made to grow; returns when the message is there.
   *
   * @param buffer of at least index + length bytes of capacity
   * @param index first byte
   * @param length most bytes that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return source, tag and length; valid until the next call that returns a status
   */
  public Status recv(MutableDirectBuffer buffer, int index, int length, int source, int tag) {
    MemorySegment memory = DirectBuffers.writable(buffers, buffer);
    Status status = receiveInto(memory, DirectBuffers.offset(buffer, memory, index, length), length, source, tag);
    Reference.reachabilityFence(buffer);
    return status;
  }

  /**
   * Starts a send of a stretch of one of Agrona's buffers.
   *
   * @param buffer its bytes are not to be changed until completion
   * @param index first byte
   * @param length bytes
   * @param destination rank to send to
   * @param tag 0 or more
   * @return to be completed
   */
  public Request isend(DirectBuffer buffer, int index, int length, int destination, int tag) {
    MemorySegment memory = DirectBuffers.memory(buffers, buffer);
    return startSend(memory, DirectBuffers.offset(buffer, memory, index, length), length, destination, tag);
  }

  /**
   * Starts a receive into a stretch of one of Agrona's buffers.
   *
   * @param buffer its bytes are not to be touched, and it is not to grow, until completion
   * @param index first byte
   * @param length most bytes that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return to be completed
   */
  public Request irecv(MutableDirectBuffer buffer, int index, int length, int source, int tag) {
    MemorySegment memory = DirectBuffers.writable(buffers, buffer);
    return startReceive(memory, DirectBuffers.offset(buffer, memory, index, length), length, source, tag);
  }

  /**
   * Sends and receives stretches of Agrona's buffers at once.
   *
   * @param sendBuffer of at least sendIndex + sendLength bytes of capacity
   * @param sendIndex first byte to send
   * @param sendLength bytes to send
   * @param destination rank to send to
   * @param sendTag 0 or more
   * @param recvBuffer of at least recvIndex + recvLength bytes of capacity; the stretches must not overlap
   * @param recvIndex first byte to receive
   * @param recvLength most bytes that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param recvTag 0 or more, or {@link Communicator#ANY_TAG}
   * @return what was received
   */
  public Status sendrecv(
      DirectBuffer sendBuffer,
      int sendIndex,
      int sendLength,
      int destination,
      int sendTag,
      MutableDirectBuffer recvBuffer,
      int recvIndex,
      int recvLength,
      int source,
      int recvTag) {
    MemorySegment memory = DirectBuffers.memory(buffers, sendBuffer);
    long offset = DirectBuffers.offset(sendBuffer, memory, sendIndex, sendLength);
    requireSend(memory, destination, sendTag);
    Request receive = irecv(recvBuffer, recvIndex, recvLength, source, recvTag);
    sendBeside(receive, memory, offset, sendLength, destination, sendTag);
    Status status = receive.await();
    Reference.reachabilityFence(sendBuffer);
    Reference.reachabilityFence(recvBuffer);
    return status;
  }

  /**
   * Prepares a send, of what the buffer lies over now, that is started again and again.
   *
   * @param buffer its bytes are sent anew at each start
   * @param index first byte
   * @param length bytes
   * @param destination rank to send to
   * @param tag 0 or more
   * @return a persistent request, idle
   */
  public Request sendInit(DirectBuffer buffer, int index, int length, int destination, int tag) {
    MemorySegment memory = DirectBuffers.memory(buffers, buffer);
    return prepareSend(memory, DirectBuffers.offset(buffer, memory, index, length), length, destination, tag);
  }

  /**
   * Prepares a receive, into what the buffer lies over now, that is started again and again.
   *
   * @param buffer filled anew at each start
   * @param index first byte
   * @param length most bytes that can be received
   * @param source rank to receive from, or {@link Communicator#ANY_SOURCE}
   * @param tag 0 or more, or {@link Communicator#ANY_TAG}
   * @return a persistent request, idle
   */
  public Request recvInit(MutableDirectBuffer buffer, int index, int length, int source, int tag) {
    MemorySegment memory = DirectBuffers.writable(buffers, buffer);
    return prepareReceive(memory, DirectBuffers.offset(buffer, memory, index, length), length, source, tag);
  }
}
