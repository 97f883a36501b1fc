package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The lower rank sends in a loop, the upper one receives in a loop, all into one buffer, and answers the last: an
 * exchange is one message. Where {@link Stream} keeps a window outstanding, both calls block here, as in a program that
 * wants nothing but to pass its messages on.
 */
final class BlockingStream implements Exchange {
  private static final int TAG = 9;
  private static final int ACK_TAG = 10;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Buffers memory = new Buffers();
  private MemorySegment buffer;
  private int seed;

  BlockingStream(Communicator world, int peer, boolean lower) {
    this.world = world;
    this.peer = peer;
    this.lower = lower;
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
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      world.send(buffer, peer, TAG);
    }
    world.recv(NOTHING, peer, ACK_TAG);
  }

  private void receive(int count) {
    for (int i = 0; i < count; i++) {
      world.recv(buffer, peer, TAG);
    }
    world.send(NOTHING, peer, ACK_TAG);
  }

  @Override
  public void verify() {
    seed++; // Another one each time: what an earlier message left behind must not pass.
    if (lower) {
      Buffers.pattern(buffer, seed);
    }
    batch(1);
    if (!lower) {
      Buffers.checkPattern(buffer, seed);
    }
  }
}
