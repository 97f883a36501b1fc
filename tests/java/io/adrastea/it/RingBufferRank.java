package io.adrastea.it;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Job;
import io.adrastea.agrona.SegmentBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * Ranks above 0 write messages into one of Agrona's ring buffers in memory of rank 0, which takes them in, checks them
 * and says how many there were.
 */
public final class RingBufferRank {
  private static final int CAPACITY = 4096;
  private static final int MESSAGES = 100_000; // of each producer

  private RingBufferRank() {}

  public static void main(String[] args) {
    try (Job job = Job.join()) {
      RingBuffer ring = new ManyToOneRingBuffer(new SegmentBuffer(memory(job)));
      if (job.world().rank() == 0) {
        consume(ring, job.world().size());
      } else {
        produce(ring, job.world().rank());
      }
    }
  }

  /** Returns the same memory in all ranks: rank 0 allocates it and tells where it is. */
  private static MemorySegment memory(Job job) {
    Communicator world = job.world();
    int bytes = CAPACITY + TRAILER_LENGTH;
    long[] offset = new long[1];
    if (world.rank() > 0) {
      world.recv(Data.of(offset, 0, 1), 0, 0);
      return job.shared(0, offset[0], bytes);
    }
    MemorySegment memory = job.allocate(bytes, 64);
    offset[0] = job.offset(memory);
    for (int rank = 1; rank < world.size(); rank++) {
      world.send(Data.of(offset, 0, 1), rank, 0);
    }
    return memory;
  }

  private static void produce(RingBuffer ring, int rank) {
    SegmentBuffer message = new SegmentBuffer(Arena.ofAuto().allocate(64, 8));
    for (int i = 0; i < MESSAGES; i++) {
      int length = length(i);
      for (int at = 0; at < length; at += Long.BYTES) {
        message.putLong(at, number(rank, i));
      }
      while (!ring.write(rank, message, 0, length)) {
        Thread.yield();
      }
    }
  }

  private static void consume(RingBuffer ring, int ranks) {
    int[] next = new int[ranks];
    int producers = ranks - 1;
    for (int read = 0; read < producers * MESSAGES;) {
      int found =
          ring.read(
              (rank, buffer, index, length) -> {
                int i = next[rank]++;
                require(length == length(i), "length", rank, i);
                for (int at = 0; at < length; at += Long.BYTES) {
                  require(buffer.getLong(index + at) == number(rank, i), "contents", rank, i);
                }
              });
      read += found;
      if (found == 0) {
        Thread.yield();
      }
    }
    System.out.printf("%d messages from %d ranks in their order%n", producers * MESSAGES, producers);
  }

  private static int length(int i) {
    return Long.BYTES * (1 + i % 8);
  }

  private static long number(int rank, int i) {
    return (long) rank << 32 | i;
  }

  private static void require(boolean condition, String what, int rank, int i) {
    if (!condition) {
      throw new IllegalStateException("wrong %s in message %d of rank %d".formatted(what, i, rank));
    }
  }
}
