package io.adrastea.bench.measure;

import io.adrastea.Request;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The lower rank streams messages, the upper one answers the last: an exchange is one message. Or both stream to each
 * other at once: an exchange is one message each way. Each keeps up to a window of operations of each kind outstanding.
 * Messages take turns in as many buffers as are outstanding, 4 at least where they fit, see {@link Touched#buffers}.
 */
final class Stream extends PairExchange {
  private static final int MAX_WINDOW = 64;
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int TAG = 3;
  private static final int ANSWER_TAG = 4;

  private final boolean sends;
  private final boolean receives;
  private final Storage out;
  private final Storage in;
  private final Request[] sendRequests = requests();
  private final Request[] receiveRequests = requests();
  private Payload[] outgoing = {};
  private Payload[] incoming = {};
  private int window;
  private int buffers;
  private int newest; // the buffer of the next message, which goes on from batch to batch
  private int oldest; // that of the message that is awaited next

  /**
   * @param both whether the upper rank streams too
   * @param touches whether messages are written before they are sent and read after they came
   */
  Stream(Side side, boolean both, boolean touches) {
    super(side, touches);
    this.sends = lower || both;
    this.receives = !lower || both;
    this.out = side.storage();
    this.in = side.storage();
  }

  /** Used again and again, so that no message makes garbage. */
  private static Request[] requests() {
    Request[] requests = new Request[MAX_WINDOW];
    Arrays.setAll(requests, i -> new Request());
    return requests;
  }

  /** Fewer messages are outstanding when they are large, two at least. */
  @Override
  public void prepare(int bytes) {
    window = Math.clamp(WINDOW_BYTES / Math.max(bytes, 1), 2, MAX_WINDOW);
    buffers = Math.max(window, Touched.buffers(bytes));
    newest = 0;
    oldest = 0;
    if (sends) {
      outgoing = out.take(buffers, bytes);
    }
    if (receives) {
      incoming = in.take(buffers, bytes);
    }
    touch.begin(bytes);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      if (i >= window) {
        await(oldest);
        oldest = next(oldest);
      }
      start(newest);
      newest = next(newest);
    }
    for (int i = Math.min(count, window); i > 0; i--) {
      await(oldest);
      oldest = next(oldest);
    }
    answer(ANSWER_TAG);
  }

  private int next(int slot) {
    return slot + 1 == buffers ? 0 : slot + 1;
  }

  private void start(int slot) {
    if (receives) {
      incoming[slot].irecv(world, peer, TAG, receiveRequests[slot]);
    }
    if (sends) {
      touch.write(outgoing[slot].memory());
      outgoing[slot].isend(world, peer, TAG, sendRequests[slot]);
    }
  }

  private void await(int slot) {
    if (receives) {
      receiveRequests[slot].await();
      touch.read(incoming[slot].memory());
    }
    if (sends) {
      sendRequests[slot].await();
    }
  }

  @Override
  protected MemorySegment outgoing() {
    return sends ? outgoing[newest].memory() : null;
  }

  @Override
  protected MemorySegment incoming() {
    return receives ? incoming[(oldest == 0 ? buffers : oldest) - 1].memory() : null;
  }
}
