package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/**
 * The lower rank sends in a loop, the upper one receives in a loop, all into one buffer, and answers the last: an
 * exchange is one message. Where {@link Stream} keeps a window outstanding, both calls block here, as in a program that
 * wants nothing but to pass its messages on.
 */
final class BlockingStream extends PairExchange {
  private static final int TAG = 9;
  private static final int ANSWER_TAG = 10;

  private final Buffers memory = new Buffers();
  private MemorySegment buffer;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  BlockingStream(Side side, boolean touches) {
    super(side, touches);
  }

  @Override
  public void prepare(int bytes) {
    buffer = memory.take(bytes);
  }

  @Override
  public void batch(int count) {
    if (lower) {
      send(count);
    } else {
      receive(count);
    }
    answer(ANSWER_TAG);
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      touch.write(buffer);
      world.send(buffer, peer, TAG);
    }
  }

  private void receive(int count) {
    for (int i = 0; i < count; i++) {
      world.recv(buffer, peer, TAG);
      touch.read(buffer);
    }
  }

  @Override
  protected MemorySegment outgoing() {
    return lower ? buffer : null;
  }

  @Override
  protected MemorySegment incoming() {
    return lower ? null : buffer;
  }
}
