package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import io.adrastea.Request;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Both ranks stream to each other at once: an exchange is one message each way. As in {@link Stream}, a window of sends
 * and one of receives is outstanding; the batch ends with an answer to the lower rank.
 */
final class TwoStreams implements Exchange {
  private static final int MAX_WINDOW = 64;
  private static final int TAG = 5;
  private static final int ACK_TAG = 6;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Communicator world;
  private final int peer;
  private final boolean lower;
  private final Storage out;
  private final Storage in;
  private final Touch touch = new Touch();
  private final Request[] sends = Stream.requests(MAX_WINDOW);
  private final Request[] receives = Stream.requests(MAX_WINDOW);
  private final Payload[] outgoing = new Payload[MAX_WINDOW];
  private final Payload[] incoming = new Payload[MAX_WINDOW];
  private boolean touches;
  private int window;
  private int seed;

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  TwoStreams(Side side, boolean touches) {
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
    this.out = side.storage();
    this.in = side.storage();
    this.touches = touches;
  }

  @Override
  public void prepare(int bytes) {
    window = Stream.window(bytes);
    if (touches) {
      System.arraycopy(out.take(window, bytes), 0, outgoing, 0, window);
    } else {
      Arrays.fill(outgoing, out.take(bytes));
    }
    System.arraycopy(in.take(window, bytes), 0, incoming, 0, window);
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
    incoming[slot].irecv(world, peer, TAG, receives[slot]);
    if (touches) {
      touch.write(outgoing[slot].memory());
    }
    outgoing[slot].isend(world, peer, TAG, sends[slot]);
  }

  private void await(int slot) {
    receives[slot].await();
    if (touches) {
      touch.read(incoming[slot].memory());
    }
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
    boolean before = touches;
    touches = false; // the pattern is to be sent
    seed += 2; // Another one each time: what an earlier message left behind must not pass.
    Buffers.pattern(outgoing[0].memory(), lower ? seed : seed + 1);
    batch(1);
    Buffers.checkPattern(incoming[0].memory(), lower ? seed + 1 : seed);
    touches = before;
  }
}
