package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/** The lower rank sends, the upper one sends back: one exchange is a round trip. */
final class PingPong extends PairExchange {
  private static final int TAG = 2;

  private final Storage out;
  private final Storage in;
  private Payload outgoing;
  private Payload incoming;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  PingPong(Side side, boolean touches) {
    super(side, touches);
    this.out = side.storage();
    this.in = side.storage();
  }

  @Override
  public void prepare(int bytes) {
    outgoing = out.take(bytes);
    incoming = in.take(bytes);
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
    touch.write(outgoing.memory());
    outgoing.send(world, peer, TAG);
  }

  private void receive() {
    incoming.recv(world, peer, TAG);
    touch.read(incoming.memory());
  }

  @Override
  protected MemorySegment outgoing() {
    return outgoing.memory();
  }

  @Override
  protected MemorySegment incoming() {
    return incoming.memory();
  }
}
