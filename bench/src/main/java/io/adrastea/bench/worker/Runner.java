package io.adrastea.bench.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Runs a command on one side of a link: ping-pong or stream in timed batches, then one checked. */
final class Runner {
  private static final String UNTOUCHED = "-untouched";
  private static final int LINE = 64;

  private final Link link;
  private final int side;
  private final Map<Integer, ByteBuffer> outgoings = new HashMap<>(); // by size, kept
  private final Map<Integer, ByteBuffer> incomings = new HashMap<>();
  private ByteBuffer outgoing;
  private ByteBuffer incoming;
  private byte seed;
  private boolean touches;
  private long number;
  private long sum; // what was read must go somewhere

  Runner(Link link, int side) {
    this.link = link;
    this.side = side;
  }

  /** Returns the answer to a command. */
  String run(String verb, int bytes, int batches, int exchanges) throws IOException {
    boolean untouched = verb.endsWith(UNTOUCHED);
    String plain = untouched ? verb.substring(0, verb.length() - UNTOUCHED.length()) : verb;
    // Sends and receives of a link block anyway: a stream is one loop for both figures.
    boolean stream = plain.equals("bandwidth") || plain.equals("rate");
    if (!stream && !plain.equals("latency")) {
      return "error unknown command '" + verb + "'";
    }
    prepare(bytes);
    touches = false;
    pingPong(1, 1); // no side begins before the other has read the command
    touches = !untouched;
    StringBuilder answer = new StringBuilder("ns");
    for (int batch = 0; batch < batches; batch++) {
      answer.append(' ').append(time(stream, bytes, exchanges));
    }
    touches = false;
    verify(bytes);
    return side == 0 ? answer.toString() : "done";
  }

  private void prepare(int bytes) throws IOException {
    outgoing = outgoings.computeIfAbsent(bytes, ByteBuffer::allocateDirect);
    incoming = incomings.computeIfAbsent(bytes, ByteBuffer::allocateDirect);
    link.prepare(outgoing, incoming);
  }

  private long time(boolean stream, int bytes, int exchanges) throws IOException {
    long begin = System.nanoTime();
    if (stream) {
      stream(bytes, exchanges);
    } else {
      pingPong(bytes, exchanges);
    }
    return System.nanoTime() - begin;
  }

  private void pingPong(int bytes, int exchanges) throws IOException {
    for (int i = 0; i < exchanges; i++) {
      if (side == 0) {
        send(bytes);
        receive(bytes, 1);
      } else {
        receive(bytes, 1);
        send(bytes);
      }
    }
  }

  private void send(int bytes) throws IOException {
    if (touches) {
      write(bytes);
    }
    link.send(bytes);
  }

  private void receive(int bytes, int count) throws IOException {
    if (!touches) {
      link.receive(bytes, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      link.receive(bytes, 1);
      read(bytes);
    }
  }

  /** A word of each line, another one each time; the bench's own workers do the same. */
  private void write(int bytes) {
    number++;
    outgoing.clear(); // the links move its limit
    for (int at = 0; at + Long.BYTES <= bytes; at += LINE) {
      outgoing.putLong(at, number);
    }
  }

  private void read(int bytes) {
    incoming.clear();
    for (int at = 0; at + Long.BYTES <= bytes; at += LINE) {
      sum += incoming.getLong(at);
    }
  }

  /** A stream from side 0; the answer to the last message is one byte. */
  private void stream(int bytes, int messages) throws IOException {
    if (side == 1) {
      receive(bytes, messages);
      link.send(1);
      return;
    }
    for (int i = 0; i < messages; i++) {
      send(bytes);
    }
    link.receive(1, 1);
  }

  /** Other bytes in each message than in the one before: what arrives is what was sent. */
  private void verify(int bytes) throws IOException {
    seed++;
    outgoing.clear();
    for (int i = 0; i < bytes; i++) {
      outgoing.put(i, (byte) (i * 31 + seed));
    }
    pingPong(bytes, 1);
    incoming.clear();
    for (int i = 0; i < bytes; i++) {
      if (incoming.get(i) != (byte) (i * 31 + seed)) {
        throw new IOException(
            "a message of %d bytes arrived with a wrong byte at %d".formatted(bytes, i));
      }
    }
  }
}
