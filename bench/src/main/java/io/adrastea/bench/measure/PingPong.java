package io.adrastea.bench.measure;

import java.lang.foreign.MemorySegment;

/** The lower rank sends, the upper one sends back: one exchange is a round trip. Messages take turns in buffers. */
final class PingPong extends PairExchange {
  private static final int TAG = 2;

  private final Storage out;
  private final Storage in;
  private Payload[] outgoing;
  private Payload[] incoming;
  private int sent; // which one is due
  private int received;

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
    int buffers = Touched.buffers(bytes);
    outgoing = out.take(buffers, bytes);
    incoming = in.take(buffers, bytes);
    sent = 0;
    received = 0;
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
    Payload message = outgoing[sent];
    sent = next(sent);
    touch.write(message.memory());
    message.send(world, peer, TAG);
  }

  private void receive() {
    Payload message = incoming[received];
    received = next(received);
    message.recv(world, peer, TAG);
    touch.read(message.memory());
  }

  private int next(int turn) {
    return turn + 1 == outgoing.length ? 0 : turn + 1;
  }

  @Override
  protected MemorySegment outgoing() {
    return outgoing[sent].memory();
  }

  @Override
  protected MemorySegment incoming() {
    return incoming[(received + incoming.length - 1) % incoming.length].memory(); // that of the last one
  }
}
