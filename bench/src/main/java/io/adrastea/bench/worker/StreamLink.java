package io.adrastea.bench.worker;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A link over blocking channels of bytes: a pipe or a socket. Both ends know the sizes. */
final class StreamLink implements Link {
  private final ReadableByteChannel from;
  private final WritableByteChannel to;
  private Contents contents;

  StreamLink(ReadableByteChannel from, WritableByteChannel to) {
    this.from = from;
    this.to = to;
  }

  @Override
  public void prepare(Contents contents) {
    this.contents = contents;
  }

  @Override
  public void send(int bytes) throws IOException {
    ByteBuffer outgoing = contents.outgoing(contents.write());
    outgoing.position(0).limit(bytes);
    while (outgoing.hasRemaining()) {
      to.write(outgoing);
    }
  }

  @Override
  public void receive(int bytes, int count) throws IOException {
    for (int message = 0; message < count; message++) {
      int turn = contents.next();
      ByteBuffer incoming = contents.incoming(turn);
      incoming.position(0).limit(bytes);
      while (incoming.hasRemaining()) {
        if (from.read(incoming) < 0) {
          throw new EOFException("the other side closed");
        }
      }
      contents.read(turn);
    }
  }

  @Override
  public void close() throws IOException {
    from.close();
    to.close();
  }
}
