package io.adrastea.bench.large;

import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.PairExchange;
import io.adrastea.bench.measure.Side;
import java.lang.foreign.MemorySegment;

/**
 * The lower rank sends memory that both can reach; the upper one receives it in place, looks at the first and the last
 * byte, gives it back and answers without a payload. Or, to compare with, it receives the same message into a buffer of
 * its own.
 */
final class InPlaceExchange extends PairExchange {
  private static final int TAG = 14;
  private static final int ANSWER_TAG = 15;
  private static final int PAGE = 4096;

  private final Job job;
  private final boolean copies;
  private final Buffers buffers = new Buffers();
  private MemorySegment shared;
  private MemorySegment message; // what is sent, or received into
  private long sum; // what was read must go somewhere

  /**
   * @param copies whether the message is received into a buffer
   */
  InPlaceExchange(Side side, boolean copies) {
    super(side);
    this.job = side.job();
    this.copies = copies;
  }

  @Override
  public void prepare(int bytes) {
    message = lower ? allocated(bytes) : buffers.take(copies ? bytes : 0);
  }

  /** The old memory goes first: no message is under way, and /dev/shm may be small. */
  private MemorySegment allocated(int bytes) {
    if (shared == null || shared.byteSize() < bytes) {
      if (shared != null) {
        job.free(shared);
        shared = null; // stays so when there is no room
      }
      shared = job.allocate(bytes, PAGE).fill((byte) 1);
    }
    return shared.asSlice(0, bytes);
  }

  @Override
  public void batch(int count) {
    for (int i = 0; i < count; i++) {
      if (lower) {
        world.send(message, peer, TAG);
      } else if (copies) {
        world.recv(message, peer, TAG);
      } else {
        look();
      }
      answer(ANSWER_TAG);
    }
  }

  private void look() {
    Message received = world.recvMessage(peer, TAG);
    sum += received.getByte(0) + received.getByte(received.bytes() - 1);
    received.release();
  }

  @Override
  protected MemorySegment outgoing() {
    return lower ? message : null;
  }

  @Override
  protected MemorySegment incoming() {
    return !lower && copies ? message : null;
  }

  @Override
  public void verify() {
    if (lower || copies) {
      super.verify();
      return;
    }
    try (Message received = world.recvMessage(peer, TAG)) {
      Buffers.checkPattern(received.segment(), nextSeed());
    }
    answer(ANSWER_TAG);
  }
}
