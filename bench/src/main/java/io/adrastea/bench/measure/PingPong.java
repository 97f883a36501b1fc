package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/** The lower rank sends, the upper one sends back: one exchange is a round trip. Messages take turns in buffers. */
final class PingPong extends PairExchange {
  private static final int TAG = 2;

  private final Turns outgoing;
  private final Turns incoming;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  PingPong(Side side, boolean touches) {
    super(side, touches);
    this.outgoing = new Turns(side.storage());
    this.incoming = new Turns(side.storage());
  }

  @Override
  public void prepare(int bytes) {
    outgoing.prepare(bytes);
    incoming.prepare(bytes);
    touch.begin(bytes);
  }

  @Override
  public void batch(int count) {
    if (lower) {
      ping(count);
    } else {
      pong(count);
    }
  }

  private void ping(int count) {
    for (int i = 0; i < count; i++) {
      send();
      receive();
    }
  }

  private void pong(int count) {
    for (int i = 0; i < count; i++) {
      receive();
      send();
    }
  }

  private void send() {
    Payload message = outgoing.next();
    touch.write(message.memory());
    message.send(world, peer, TAG);
  }

  private void receive() {
    Payload message = incoming.next();
    message.recv(world, peer, TAG);
    touch.read(message.memory());
  }

  @Override
  protected MemorySegment outgoing() {
    return outgoing.due();
  }

  @Override
  protected MemorySegment incoming() {
    return incoming.last();
  }
}
