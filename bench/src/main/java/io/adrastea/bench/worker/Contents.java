package io.adrastea.bench.worker;

import io.adrastea.bench.measure.Touched;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The messages of one side, all of one length: the buffers they take turns in, and what a program does with them before
 * they are sent and after they came, as in {@link io.adrastea.bench.measure.Touched}.
 */
final class Contents {
  private final Touched touched = new Touched();
  private final int bytes;
  private final int step;
  private final ByteBuffer[] outgoing;
  private final ByteBuffer[] incoming;
  private int sent; // the turn of the next one
  private int received;
  private boolean touches;
  private byte tail; // what was read must go somewhere

  Contents(int bytes) {
    this.bytes = bytes;
    this.step = Touched.step(bytes);
    this.outgoing = buffers(bytes);
    this.incoming = buffers(bytes);
  }

  /** Makes buffers of at least a byte, for the answers to streams. */
  private static ByteBuffer[] buffers(int bytes) {
    ByteBuffer[] buffers = new ByteBuffer[Touched.buffers(bytes)];
    for (int turn = 0; turn < buffers.length; turn++) {
      buffers[turn] = ByteBuffer.allocateDirect(Math.max(1, bytes)).order(ByteOrder.nativeOrder());
    }
    return buffers;
  }

  /** Begins anew: the first message of both sides is number 1. */
  void begin(boolean touches) {
    touched.begin(bytes);
    this.touches = touches;
    sent = 0;
    received = 0;
  }

  /** Whether messages are touched from now on. */
  void touch(boolean on) {
    touches = on;
  }

  /** Whether a message is written where it lies on its way, rather than copied there: short ones are written whole. */
  boolean inPlace() {
    return touches && step == Long.BYTES;
  }

  /** How many buffers there are for each direction. */
  int turns() {
    return outgoing.length;
  }

  ByteBuffer outgoing(int turn) {
    return outgoing[turn];
  }

  ByteBuffer incoming(int turn) {
    return incoming[turn];
  }

  /** Writes the message that is sent next; returns its turn. */
  int write() {
    int turn = sent;
    sent = turn + 1 == outgoing.length ? 0 : turn + 1;
    if (touches) {
      write(outgoing[turn], touched.next());
    }
    return turn;
  }

  private void write(ByteBuffer message, long number) {
    message.clear();
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += step) {
      message.putLong(at, number + at);
    }
    for (; step == Long.BYTES && at < bytes; at++) {
      message.put(at, (byte) (number + at));
    }
  }

  /** Writes the message that is sent next where it lies on its way. */
  void write(MutableDirectBuffer buffer, int index) {
    long number = touched.next();
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      buffer.putLong(index + at, number + at);
    }
    for (; at < bytes; at++) {
      buffer.putByte(index + at, (byte) (number + at));
    }
  }

  /** The turn of the message that comes next. */
  int next() {
    int turn = received;
    received = turn + 1 == incoming.length ? 0 : turn + 1;
    return turn;
  }

  /** Reads the message that has come into its buffer. */
  void read(int turn) {
    if (touches) {
      read(incoming[turn]);
    }
  }

  private void read(ByteBuffer message) {
    message.clear();
    long sum = 0;
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += step) {
      sum += message.getLong(at);
    }
    for (; step == Long.BYTES && at < bytes; at++) {
      tail = message.get(at);
    }
    touched.add(sum);
  }

  /** Reads a message where it lies; copies it out if it is not touched. */
  void take(DirectBuffer buffer, int index, int length) {
    if (!touches) {
      buffer.getBytes(index, incoming[next()], 0, length);
      return;
    }
    long sum = 0;
    int at = 0;
    for (; at + Long.BYTES <= bytes; at += step) {
      sum += buffer.getLong(index + at);
    }
    for (; step == Long.BYTES && at < bytes; at++) {
      tail = buffer.getByte(index + at);
    }
    touched.add(sum);
  }

  /**
   * Holds what was read against what was written.
   *
   * @throws IllegalStateException when that is something else
   */
  void check() {
    touched.check();
  }
}
