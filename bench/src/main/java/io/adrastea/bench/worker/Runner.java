package io.adrastea.bench.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** Runs a command on one side of a link: ping-pong or stream in timed batches, then one checked. */
final class Runner {
  private static final String UNTOUCHED = "-untouched";

  private final Link link;
  private final int side;
  private final Map<Integer, Contents> kept = new HashMap<>(); // by size
  private Contents contents;
  private byte seed;
  private boolean touches;

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
    touches = !untouched;
    prepare(bytes);
    pingPong(1, 1); // no side begins before the other has read the command
    contents.begin(touches);
    StringBuilder answer = new StringBuilder("ns");
    for (int batch = 0; batch < batches; batch++) {
      answer.append(' ').append(time(stream, bytes, exchanges));
      contents.check();
    }
    verify(bytes);
    return side == 0 ? answer.toString() : "done";
  }

  private void prepare(int bytes) throws IOException {
    contents = kept.computeIfAbsent(bytes, Contents::new);
    contents.begin(false);
    link.prepare(contents);
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
        link.send(bytes);
        link.receive(bytes, 1);
      } else {
        link.receive(bytes, 1);
        link.send(bytes);
      }
    }
  }

  /** A stream from side 0; the answer to the last message is one byte. */
  private void stream(int bytes, int messages) throws IOException {
    if (side == 1) {
      link.receive(bytes, messages);
      contents.touch(false);
      link.send(1);
    } else {
      for (int i = 0; i < messages; i++) {
        link.send(bytes);
      }
      contents.touch(false);
      link.receive(1, 1);
    }
    contents.touch(touches);
  }

  /** Other bytes in each message than in the one before: what arrives is what was sent. */
  private void verify(int bytes) throws IOException {
    seed++;
    contents.begin(false);
    ByteBuffer outgoing = contents.outgoing(0).clear();
    for (int i = 0; i < bytes; i++) {
      outgoing.put(i, (byte) (i * 31 + seed));
    }
    pingPong(bytes, 1);
    ByteBuffer incoming = contents.incoming(0).clear();
    for (int i = 0; i < bytes; i++) {
      if (incoming.get(i) != (byte) (i * 31 + seed)) {
        throw new IOException(
            "a message of %d bytes arrived with a wrong byte at %d".formatted(bytes, i));
      }
    }
  }
}
