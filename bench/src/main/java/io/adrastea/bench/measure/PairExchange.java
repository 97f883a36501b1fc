package io.adrastea.bench.measure;

import io.adrastea.Communicator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What all exchanges between a rank and its peer share: which ranks they are, the answer, and the look at a message's
 * content.
 */
public abstract class PairExchange implements Exchange {
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  protected final Communicator world;
  protected final int peer;
  protected final boolean lower;
  final Touch touch;
  private int seed;

  protected PairExchange(Side side) {
    this(side, false);
  }

  /**
   * @param touches whether messages are written before they are sent and read after they came
   */
  PairExchange(Side side, boolean touches) {
    this.touch = new Touch(touches);
    this.world = side.world();
    this.peer = side.peer();
    this.lower = side.lower();
  }

  /** What the next exchange sends, or null. */
  protected MemorySegment outgoing() {
    return null;
  }

  /** Where the last exchange has received, or null. */
  protected MemorySegment incoming() {
    return null;
  }

  /** One exchange of the contents as they are. */
  protected void once() {
    batch(1);
  }

  @Override
  public void check() {
    touch.check();
  }

  @Override
  public void verify() {
    int mine = nextSeed();
    if (outgoing() != null) {
      Buffers.pattern(outgoing(), lower ? mine : mine + 1);
    }
    touch.pause();
    once();
    touch.resume();
    if (incoming() != null) {
      Buffers.checkPattern(incoming(), lower ? mine + 1 : mine);
    }
  }

  /**
   * Another one each time, so that what an earlier message left behind does not pass. The upper rank's own is one more.
   */
  protected final int nextSeed() {
    return seed += 2;
  }

  /** The upper rank tells the lower one that it has received all. */
  protected final void answer(int tag) {
    if (lower) {
      hear(tag);
    } else {
      tell(tag);
    }
  }

  /** Sends a message without a payload. */
  protected final void tell(int tag) {
    world.send(NOTHING, peer, tag);
  }

  /** Receives a message without a payload. */
  protected final void hear(int tag) {
    world.recv(NOTHING, peer, tag);
  }
}
