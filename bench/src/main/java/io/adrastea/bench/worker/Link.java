package io.adrastea.bench.worker;

import java.io.IOException;

/** One end of a way for messages from one process to another and back. */
interface Link extends AutoCloseable {
  /** What the following calls send and receive. Both ends are told the same size, while nothing is under way. */
  void prepare(Contents contents) throws IOException;

  /** Sends the first {@code bytes} of the message that is due. */
  void send(int bytes) throws IOException;

  /** Waits for {@code count} messages of {@code bytes} each. */
  void receive(int bytes, int count) throws IOException;

  @Override
  void close() throws IOException;
}
