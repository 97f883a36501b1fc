package io.adrastea.agrona;

import static org.agrona.concurrent.ringbuffer.RingBufferDescriptor.TRAILER_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Timeout.ThreadMode.SEPARATE_THREAD;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agrona's ring buffers on a buffer over a segment, in a JVM without flags. */
@Timeout(value = 240, threadMode = SEPARATE_THREAD)
class RingBufferTest {
  private static final int CAPACITY = 4096;
  private static final int MESSAGES = 50_000; // of each producer
  private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

  private static AtomicBuffer nativeMemory() {
    return new SegmentBuffer(Arena.ofAuto().allocate(CAPACITY + TRAILER_LENGTH, 64));
  }

  private static AtomicBuffer longs() {
    return new SegmentBuffer(MemorySegment.ofArray(new long[(CAPACITY + TRAILER_LENGTH) / 8]));
  }

  /** Messages of several lengths whose every word is their number. */
  private static void produce(RingBuffer ring, int producer) {
    SegmentBuffer message = new SegmentBuffer(Arena.ofAuto().allocate(64, 8));
    for (int i = 0; i < MESSAGES; i++) {
      int length = 8 * (1 + i % 8);
      for (int at = 0; at < length; at += 8) {
        message.putLong(at, i);
      }
      while (!ring.write(producer, message, 0, length)) {
        Thread.yield();
      }
    }
  }

  /** Takes in what the producers, numbered from 1, write: each in its order, and whole. */
  private static void consume(RingBuffer ring, int producers) {
    int[] next = new int[producers + 1];
    for (int read = 0; read < producers * MESSAGES;) {
      int found =
          ring.read(
              (producer, buffer, index, length) -> {
                int number = next[producer]++;
                assertEquals(8 * (1 + number % 8), length);
                for (int at = 0; at < length; at += 8) {
                  assertEquals(number, buffer.getLong(index + at));
                }
              });
      read += found;
      if (found == 0) {
        Thread.yield();
      }
    }
    assertEquals(ring.producerPosition(), ring.consumerPosition());
  }

  private static void run(RingBuffer ring, RingBuffer sameRing, int producers) {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int producer = 1; producer <= producers; producer++) {
      int number = producer;
      threads.add(CompletableFuture.runAsync(() -> produce(ring, number), THREADS));
    }
    consume(sameRing, producers);
    threads.forEach(CompletableFuture::join);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void carriesTheMessagesOfOneThread(boolean onTheHeap) {
    AtomicBuffer buffer = onTheHeap ? longs() : nativeMemory();
    run(new OneToOneRingBuffer(buffer), new OneToOneRingBuffer(buffer), 1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void carriesTheMessagesOfSeveralThreads(boolean onTheHeap) {
    AtomicBuffer buffer = onTheHeap ? longs() : nativeMemory();
    run(new ManyToOneRingBuffer(buffer), new ManyToOneRingBuffer(buffer), 3);
  }

  @Test
  void isNotLaidOverMemoryWithoutAtomicWords() {
    AtomicBuffer bytes = new SegmentBuffer(MemorySegment.ofArray(new byte[CAPACITY + TRAILER_LENGTH]));
    assertThrows(IllegalStateException.class, () -> new ManyToOneRingBuffer(bytes));
  }
}
