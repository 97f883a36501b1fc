package io.adrastea.bench.measure;

import io.adrastea.Communicator;

/** The lower rank sends, the upper one sends back: one exchange is a round trip. */
final class PingPong implements Exchange {
  private static final int TAG = 2;

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Storage out;
  private final Storage in;
  private final Touch touch = new Touch();
  private boolean touches;
  private Payload outgoing;
  private Payload incoming;
  private int seed;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  PingPong(Side side, boolean touches) {
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
    this.out = side.storage();
    this.in = side.storage();
    this.touches = touches;
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
    if (touches) {
      touch.write(outgoing.memory());
    }
    outgoing.send(world, peer, TAG);
  }

  private void receive() {
    incoming.recv(world, peer, TAG);
    if (touches) {
      touch.read(incoming.memory());
    }
  }

  @Override
  public void verify() {
    boolean before = touches;
    touches = false; // the pattern is to be sent
    seed += 2; // Another one each time: what an earlier message left behind must not pass.
    Buffers.pattern(outgoing.memory(), lower ? seed : seed + 1);
    batch(1);
    Buffers.checkPattern(incoming.memory(), lower ? seed + 1 : seed);
    touches = before;
  }
}
