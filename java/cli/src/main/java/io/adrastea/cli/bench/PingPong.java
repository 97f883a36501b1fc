package io.adrastea.cli.bench;

import io.adrastea.Communicator;
import java.lang.foreign.MemorySegment;

/** The lower rank sends, the upper one sends back: one exchange is a round trip. */
final class PingPong implements Exchange {
  private static final int TAG = 2;

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Buffers out = new Buffers();
  private final Buffers in = new Buffers();
  private MemorySegment outgoing;
  private MemorySegment incoming;
  private int seed;

  PingPong(Communicator world, int peer, boolean lower) {
    this.world = world;
    this.peer = peer;
    this.lower = lower;
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
      world.send(outgoing, peer, TAG);
      world.recv(incoming, peer, TAG);
    }
  }

  private void pong(int count) {
    for (int i = 0; i < count; i++) {
      world.recv(incoming, peer, TAG);
      world.send(outgoing, peer, TAG);
    }
  }

  @Override
  public void verify() {
    seed += 2; // Another one each time: what an earlier message left behind must not pass.
    Buffers.pattern(outgoing, lower ? seed : seed + 1);
    batch(1);
    Buffers.checkPattern(incoming, lower ? seed + 1 : seed);
  }
}
