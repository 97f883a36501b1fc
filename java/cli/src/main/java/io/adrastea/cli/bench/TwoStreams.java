package io.adrastea.cli.bench;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Both ranks stream to each other at once: an exchange is one message each way. As in {@link
 * Stream}, a window of sends and one of receives is outstanding; the batch ends with an answer to
 * the lower rank.
 */
final class TwoStreams implements Exchange {
  private static final int MAX_WINDOW = 64;
  private static final int TAG = 5;
  private static final int ACK_TAG = 6;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Buffers out = new Buffers();
  private final Buffers in = new Buffers();
  private final Request[] sends = new Request[MAX_WINDOW];
  private final Request[] receives = new Request[MAX_WINDOW];
  private final MemorySegment[] incoming = new MemorySegment[MAX_WINDOW];
  private MemorySegment outgoing;
  private int window;
  private int seed;

  TwoStreams(Communicator world, int peer, boolean lower) {
    this.world = world;
    this.peer = peer;
    this.lower = lower;
  }

  @Override
  public void prepare(int bytes) {
    window = Stream.window(bytes);
    outgoing = out.take(bytes);
    long stride = bytes + 63L & ~63L;
    MemorySegment all = in.take(stride * window);
    for (int i = 0; i < window; i++) {
      incoming[i] = all.asSlice(stride * i, bytes);
    }
  }

  @Override
  public void batch(int count) {
    int slot = 0;
    for (int i = 0; i < count; i++) {
      if (i >= window) {
        await(slot);
      }
      receives[slot] = world.irecv(incoming[slot], peer, TAG);
      sends[slot] = world.isend(outgoing, peer, TAG);
      slot = slot + 1 == window ? 0 : slot + 1;
    }
    finish(Math.min(count, window), count > window ? slot : 0);
  }

  private void await(int slot) {
    receives[slot].await();
    sends[slot].await();
  }

  private void finish(int outstanding, int oldest) {
    for (int i = 0, slot = oldest; i < outstanding; i++) {
      await(slot);
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
    seed += 2; // Another one each time: what an earlier message left behind must not pass.
    Buffers.pattern(outgoing, lower ? seed : seed + 1);
    batch(1);
    Buffers.checkPattern(incoming[0], lower ? seed + 1 : seed);
  }
}
