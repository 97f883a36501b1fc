package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The lower rank streams messages, the upper one answers the last: an exchange is one message. Both keep up to a window
 * of operations outstanding. All messages leave from one buffer, unless they are written before; each receive of a
 * window has its own.
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
  private final Storage memory;
  private final Touch touch = new Touch();
  private final Request[] requests = requests(WINDOW);
  private final Payload[] buffers = new Payload[WINDOW];
  private boolean touches;
  private int window;
  private int seed;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  Stream(Side side, boolean touches) {
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
    this.memory = side.storage();
    this.touches = touches;
  }

  @Override
  public void prepare(int bytes) {
    window = window(bytes);
    if (lower && !touches) {
      Arrays.fill(buffers, memory.take(bytes));
    } else {
      System.arraycopy(memory.take(window, bytes), 0, buffers, 0, window);
    }
  }

  /** Used again and again, so that no message makes garbage. */
  static Request[] requests(int count) {
    Request[] requests = new Request[count];
    Arrays.setAll(requests, i -> new Request());
    return requests;
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
        await(slot);
      }
      start(slot);
      slot = slot + 1 == window ? 0 : slot + 1;
    }
    finish(Math.min(count, window), count > window ? slot : 0);
  }

  private void start(int slot) {
    if (!lower) {
      buffers[slot].irecv(world, peer, TAG, requests[slot]);
      return;
    }
    if (touches) {
      touch.write(buffers[slot].memory());
    }
    buffers[slot].isend(world, peer, TAG, requests[slot]);
  }

  private void await(int slot) {
    requests[slot].await();
    if (touches && !lower) {
      touch.read(buffers[slot].memory());
    }
  }

  /** Awaits what is outstanding, oldest first, and the answer of the receiver. */
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
    boolean before = touches;
    touches = false; // the pattern is to be sent
    seed++; // Another one each time: what an earlier message left behind must not pass.
    if (lower) {
      Buffers.pattern(buffers[0].memory(), seed);
    }
    batch(1);
    if (!lower) {
      Buffers.checkPattern(buffers[0].memory(), seed);
    }
    touches = before;
  }
}
