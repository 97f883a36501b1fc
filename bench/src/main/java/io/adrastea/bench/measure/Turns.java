package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/** Buffers in which the messages of one direction take turns. */
final class Turns {
  private final Storage storage;
  private Payload[] messages;
  private int due;

  Turns(Storage storage) {
    this.storage = storage;
  }

  /** Makes buffers of {@code bytes}, as many as content that is written and read needs. */
  void prepare(int bytes) {
    messages = storage.take(Touched.buffers(bytes), bytes);
    due = 0;
  }

  /** Gives the buffer whose turn it is, and passes the turn on. */
  Payload next() {
    Payload message = messages[due];
    due = due + 1 == messages.length ? 0 : due + 1;
    return message;
  }

  /** Gives the buffer whose turn it is, and leaves the turn. */
  MemorySegment due() {
    return messages[due].memory();
  }

  /** Gives the buffer that {@link #next} gave last. */
  MemorySegment last() {
    return messages[(due + messages.length - 1) % messages.length].memory();
  }
}
