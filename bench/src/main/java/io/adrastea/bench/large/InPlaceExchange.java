package io.adrastea.bench.large;

import io.adrastea.Communicator;
import io.adrastea.Job;
import io.adrastea.Message;
import io.adrastea.bench.measure.Buffers;
import io.adrastea.bench.measure.Exchange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The lower rank sends memory that both can reach; the upper one receives it in place, looks at the first and the last
 * byte, gives it back and answers without a payload. Or, to compare with, it receives the same message into a buffer of
 * its own.
 */
final class InPlaceExchange implements Exchange {
  private static final int TAG = 14;
  private static final int ANSWER_TAG = 15;
  private static final int PAGE = 4096;
  private static final MemorySegment NOTHING = Arena.global().allocate(8).asSlice(0, 0);

  private final Job job;
  private final Communicator world;
  private final boolean copies;
  private final boolean lower;
  private final int peer;
  private final Buffers buffers = new Buffers();
  private MemorySegment shared;
  private MemorySegment message; // what is sent, or received into
  private long sum; // what was read must go somewhere
  private int seed;

  /**
   * @param copies whether the message is received into a buffer
   */
  InPlaceExchange(Job job, boolean copies) {
    this.job = job;
    this.world = job.world();
    this.copies = copies;
    int half = world.size() / 2;
    this.lower = world.rank() < half;
    this.peer = lower ? world.rank() + half : world.rank() - half;
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
        send();
      } else {
        receive();
      }
    }
  }

  private void send() {
    world.send(message, peer, TAG);
    world.recv(NOTHING, peer, ANSWER_TAG);
  }

  private void receive() {
    if (copies) {
      world.recv(message, peer, TAG);
    } else {
      Message received = world.recvMessage(peer, TAG);
      sum += received.getByte(0) + received.getByte(received.bytes() - 1);
      received.release();
    }
    world.send(NOTHING, peer, ANSWER_TAG);
  }

  @Override
  public void verify() {
    seed++; // Another one each time: what an earlier message left behind must not pass.
    if (lower) {
      Buffers.pattern(message, seed);
      send();
    } else if (copies) {
      receive();
      Buffers.checkPattern(message, seed);
    } else {
      try (Message received = world.recvMessage(peer, TAG)) {
        Buffers.checkPattern(received.segment(), seed);
      }
      world.send(NOTHING, peer, ANSWER_TAG);
    }
  }
}
