package io.adrastea.bench.measure;

import io.adrastea.Message;
import io.adrastea.MessageHandler;
import java.lang.foreign.MemorySegment;

/**
 * As {@link BlockingStream}, but the upper rank polls with a handler, which reads each message where it lies: the loop
 * of a program that waits for events.
 */
final class PolledStream extends PairExchange {
  private static final int TAG = 9;
  private static final int ANSWER_TAG = 10;
  private static final int LIMIT = 32; // messages of one poll

  private final Turns messages;
  private final MessageHandler reader = this::read;
  private final MessageHandler copier = message -> message.copyTo(0, incoming(), 0, message.bytes());

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  PolledStream(Side side, boolean touches) {
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
    exchange(count, reader);
  }

  @Override
  protected void once() {
    exchange(1, copier);
  }

  private void exchange(int count, MessageHandler handler) {
    if (lower) {
      send(count);
    } else {
      receive(count, handler);
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

  private void receive(int count, MessageHandler handler) {
    for (int left = count; left > 0;) {
      int taken = world.poll(handler, Math.min(left, LIMIT));
      if (taken == 0) {
        Thread.onSpinWait();
      }
      left -= taken;
    }
  }

  private void read(Message message) {
    touch.read(message);
  }

  @Override
  protected MemorySegment outgoing() {
    return lower ? messages.due() : null;
  }

  @Override
  protected MemorySegment incoming() {
    return lower ? null : messages.due();
  }
}
