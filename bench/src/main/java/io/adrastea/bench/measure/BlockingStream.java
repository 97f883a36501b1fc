package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/**
 * The lower rank sends in a loop, the upper one receives in a loop, and answers the last: an exchange is one message.
 * Messages take turns in buffers. Where {@link Stream} keeps a window outstanding, both calls block here, as in a
 * program that wants nothing but to pass its messages on.
 */
final class BlockingStream extends PairExchange {
  private static final int TAG = 9;
  private static final int ANSWER_TAG = 10;

  private final Turns messages;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  BlockingStream(Side side, boolean touches) {
    super(side, touches);
    this.messages = new Turns(side.storage());
  }

  @Override
  public void prepare(int bytes) {
    messages.prepare(bytes);
    touch.begin(bytes);
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
      Payload message = messages.next();
      touch.write(message.memory());
      message.send(world, peer, TAG);
    }
  }

  private void receive(int count) {
    for (int i = 0; i < count; i++) {
      Payload message = messages.next();
      message.recv(world, peer, TAG);
      touch.read(message.memory());
    }
  }

  @Override
  protected MemorySegment outgoing() {
    return lower ? messages.due() : null;
  }

  @Override
  protected MemorySegment incoming() {
    return lower ? null : messages.last();
  }
}
