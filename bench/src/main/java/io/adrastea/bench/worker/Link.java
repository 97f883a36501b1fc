package io.adrastea.bench.worker;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One end of a way for messages from one process to another and back. */
interface Link extends AutoCloseable {
  /**
   * What the following calls send from and receive into: direct buffers, of at least one byte, that hold a message
   * each. Both ends are told the same size, while nothing is under way.
   */
  void prepare(ByteBuffer outgoing, ByteBuffer incoming) throws IOException;

  /** Sends the first {@code bytes} of the outgoing buffer as one message. */
  void send(int bytes) throws IOException;

  /** Waits for {@code count} messages of {@code bytes} each; every one overwrites the last. */
  void receive(int bytes, int count) throws IOException;

  @Override
  void close() throws IOException;
}
