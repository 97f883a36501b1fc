package io.adrastea.cli.bench;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The lower rank streams messages, the upper one answers the last: an exchange is one message. Both
 * keep up to a window of operations outstanding. All messages leave from one buffer; each receive
 * of a window has its own.
 */
final class Stream implements Exchange {
  private static final int WINDOW = 64;
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int TAG = 3;
  private static final int ACK_TAG = 4;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Buffers memory = new Buffers();
  private final Request[] requests = new Request[WINDOW];
  private final MemorySegment[] buffers = new MemorySegment[WINDOW];
  private int window;
  private int seed;

  Stream(Communicator world, int peer, boolean lower) {
    this.world = world;
    this.peer = peer;
    this.lower = lower;
  }

  @Override
  public void prepare(int bytes) {
    window = window(bytes);
    long stride = bytes + 63L & ~63L;
    MemorySegment all = memory.take(lower ? bytes : stride * window);
    for (int i = 0; i < window; i++) {
      buffers[i] = all.asSlice(lower ? 0 : stride * i, bytes);
    }
  }

  /** Outstanding messages: fewer when they are large, two at least. */
  static int window(int bytes) {
    return Math.clamp(WINDOW_BYTES / Math.max(bytes, 1), 2, WINDOW);
  }

  @Override
  public void batch(int count) {
    int slot = 0;
    for (int i = 0; i < count; i++) {
      if (i >= window) {
        requests[slot].await();
      }
      requests[slot] =
          lower ? world.isend(buffers[slot], peer, TAG) : world.irecv(buffers[slot], peer, TAG);
      slot = slot + 1 == window ? 0 : slot + 1;
    }
    finish(Math.min(count, window), count > window ? slot : 0);
  }

  /** Awaits what is outstanding, oldest first, and the answer of the receiver. */
  private void finish(int outstanding, int oldest) {
    for (int i = 0, slot = oldest; i < outstanding; i++) {
      requests[slot].await();
      slot = slot + 1 == window ? 0 : slot + 1;
    }
    if (lower) {
      world.recv(NOTHING, peer, ACK_TAG);
    } else {
      world.send(NOTHING, peer, ACK_TAG);
    }
  }

  @Override
  public void verify() {
    seed++; // Another one each time: what an earlier message left behind must not pass.
    if (lower) {
      Buffers.pattern(buffers[0], seed);
    }
    batch(1);
    if (!lower) {
      Buffers.checkPattern(buffers[0], seed);
    }
  }
}
