package io.adrastea.queue;

import static io.adrastea.layout.CellDescriptor.NEXT_OFFSET;
import static io.adrastea.layout.CellDescriptor.SEQUENCE_OFFSET;
import static io.adrastea.layout.CellDescriptor.SOURCE_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.BYTES;
import static io.adrastea.layout.MpscQueueDescriptor.HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.SHADOW_HEAD_OFFSET;
import static io.adrastea.layout.MpscQueueDescriptor.TAIL_OFFSET;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.GivenSegment;
import io.adrastea.atomic.Words;
import io.adrastea.layout.CellDescriptor;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The queue of cells: what it gives out in which state. Twin of tests/c/queue_test.c, with threads at the end. */
@Tag("loops")
@Timeout(240)
class MpscQueueTest {
  private static final int CELLS = 8;

  @TempDir
  Path directory;
  private Segment segment;
  private MemorySegment memory;
  private View view;
  private long queue;

  /** The receive queue of rank 0, empty; its cells are in no queue. */
  @BeforeEach
  void emptyQueue() {
    useSegment(GivenSegment.blank(directory, 1, CELLS, 64));
  }

  private void useSegment(Segment fresh) {
    segment = fresh;
    memory = segment.memory();
    view = new View(segment);
    queue = segment.geometry().receiveQueueOffset(0);
  }

  @AfterEach
  void close() {
    segment.close();
  }

  private long cell(int index) {
    return segment.geometry().cellOffset(0, index);
  }

  private long self(int rank) {
    return Intent.of(segment.geometry(), rank);
  }

  private void enqueue(int index) {
    assertEquals(0, MpscQueue.enqueue(view, queue, self(0), cell(index)));
  }

  private long dequeue() {
    return MpscQueue.dequeue(view, queue);
  }

  /** The first half of an enqueue: what an enqueuer has done that lost its CPU between its SWAP and its link. */
  private long swap(int index) {
    Words.storeLong(memory, cell(index) + NEXT_OFFSET, 0);
    return Words.swapAcqRelLong(memory, queue + TAIL_OFFSET, cell(index));
  }

  private void assertWords(long head, long tail, long shadowHead) {
    assertEquals(head, Words.loadLong(memory, queue + HEAD_OFFSET), "head");
    assertEquals(tail, Words.loadLong(memory, queue + TAIL_OFFSET), "tail");
    assertEquals(shadowHead, Words.loadLong(memory, queue + SHADOW_HEAD_OFFSET), "shadow head");
  }

  @Test
  void givesNothingWhenEmpty() {
    assertEquals(0, dequeue());
    assertWords(0, 0, 0);
  }

  @Test
  void givesTheOnlyCellOnce() {
    enqueue(3);
    assertWords(cell(3), cell(3), 0);
    assertEquals(cell(3), dequeue());
    assertEquals(0, dequeue());
    assertWords(0, 0, 0);
  }

  @Test
  void givesManyInOrderOfEnqueue() {
    for (int i = 0; i < CELLS; i++) {
      enqueue(i * 3 % CELLS);
    }
    for (int i = 0; i < CELLS; i++) {
      assertEquals(cell(i * 3 % CELLS), dequeue());
    }
    assertEquals(0, dequeue());
    assertWords(0, 0, 0);
  }

  @Test
  void worksFromItsShadowHeadWhileThereAreCells() {
    enqueue(0);
    enqueue(1);
    enqueue(2);
    assertWords(cell(0), cell(2), 0);
    assertEquals(cell(0), dequeue());
    assertWords(0, cell(2), cell(1));
    enqueue(3);
    assertWords(0, cell(3), cell(1));
    assertEquals(cell(1), dequeue());
    assertWords(0, cell(3), cell(2));
  }

  @Test
  void staysInOrderWhileCellsGoRound() {
    enqueue(0);
    enqueue(1);
    for (int i = 0; i < 1000; i++) {
      enqueue((i + 2) % CELLS);
      assertEquals(cell(i % CELLS), dequeue());
    }
  }

  @Test
  void worksAgainEachTimeItRanEmpty() {
    for (int i = 0; i < 100; i++) {
      enqueue(i % CELLS);
      enqueue((i + 1) % CELLS);
      assertEquals(cell(i % CELLS), dequeue());
      assertEquals(cell((i + 1) % CELLS), dequeue());
      assertEquals(0, dequeue());
    }
  }

  @Test
  void saysLinkPendingWhileAnEnqueuerIsBetweenSwapAndLink() {
    enqueue(0);
    assertEquals(cell(0), swap(1));
    assertEquals(MpscQueue.LINK_PENDING, dequeue());
    assertEquals(MpscQueue.LINK_PENDING, dequeue());
    assertWords(0, cell(1), cell(0));
    Words.storeReleaseLong(memory, cell(0) + NEXT_OFFSET, cell(1));
    assertEquals(cell(0), dequeue());
    assertEquals(cell(1), dequeue());
    assertEquals(0, dequeue());
    assertWords(0, 0, 0);
  }

  @Test
  void givesTheCellsBeforeAPendingLinkAndNoneBehindIt() {
    enqueue(0);
    enqueue(1);
    assertEquals(cell(1), swap(2));
    enqueue(3);
    assertEquals(cell(0), dequeue());
    assertEquals(MpscQueue.LINK_PENDING, dequeue());
    Words.storeReleaseLong(memory, cell(1) + NEXT_OFFSET, cell(2));
    assertEquals(cell(1), dequeue());
    assertEquals(cell(2), dequeue());
    assertEquals(cell(3), dequeue());
    assertEquals(0, dequeue());
  }

  @Test
  void looksEmptyWhileTheFirstEnqueuerIsBetweenSwapAndHead() {
    assertEquals(0, swap(0));
    enqueue(1);
    assertEquals(0, dequeue());
    Words.storeReleaseLong(memory, queue + HEAD_OFFSET, cell(0));
    assertEquals(cell(0), dequeue());
    assertEquals(cell(1), dequeue());
    assertEquals(0, dequeue());
  }

  private long[] badOffsets() {
    return new long[] {64, segment.geometry().segmentBytes(), -64, cell(1) + 8, -1, Long.MIN_VALUE};
  }

  @Test
  void refusesAHeadThatNamesNoCell() {
    for (long bad : badOffsets()) {
      Words.storeLong(memory, queue + SHADOW_HEAD_OFFSET, 0);
      Words.storeLong(memory, queue + HEAD_OFFSET, bad);
      assertEquals(MpscQueue.CORRUPT, dequeue(), Long.toHexString(bad));
      assertEquals(MpscQueue.CORRUPT, dequeue(), "and stays so: " + Long.toHexString(bad));
    }
  }

  @Test
  void refusesALinkThatNamesNoCell() {
    for (long bad : badOffsets()) {
      enqueue(0);
      Words.storeLong(memory, cell(0) + NEXT_OFFSET, bad);
      long first = dequeue(); // sound itself; a link with the sign bit reads as an error already here
      assertTrue(first == cell(0) || first < 0, Long.toHexString(bad));
      assertTrue(dequeue() < 0, Long.toHexString(bad));
      memory.asSlice(queue, BYTES).fill((byte) 0);
    }
  }

  @Test
  void refusesToEnqueueBehindATailThatNamesNoCell() {
    for (long bad : badOffsets()) {
      Words.storeLong(memory, queue + TAIL_OFFSET, bad);
      assertEquals(MpscQueue.CORRUPT, MpscQueue.enqueue(view, queue, self(0), cell(0)), Long.toHexString(bad));
    }
  }

  @Test
  void formatPutsAllCellsIntoTheFreeQueueInOrderWithTheirOwner() {
    try (Segment two = GivenSegment.blank(directory, 2, CELLS, 64)) {
      MpscQueue.formatFreeQueue(two, 1);
      View all = new View(two);
      for (int i = 0; i < CELLS; i++) {
        long free = MpscQueue.dequeue(all, two.geometry().freeQueueOffset(1));
        assertEquals(two.geometry().cellOffset(1, i), free);
        assertEquals(1, Words.load(two.memory(), free + CellDescriptor.OWNER_OFFSET));
      }
      assertEquals(0, MpscQueue.dequeue(all, two.geometry().freeQueueOffset(1)));
      assertEquals(0, MpscQueue.dequeue(all, two.geometry().freeQueueOffset(0)), "rank 0 formats its own");
    }
  }

  /**
   * Each enqueuer has cells of its own, writes source and number into one and enqueues it; the dequeuer gives it back.
   * No cell may come twice, out of the order of its source, or with contents written later than its link. Enough cells
   * that a thread which lost its CPU does not stop all others at once; a dequeuer that spins before it yields, so that
   * the queue often runs empty under an enqueue.
   */
  @RepeatedTest(5)
  void keepsTheOrderAndContentsOfEachOfManyEnqueuers() throws InterruptedException {
    int enqueuers = 2;
    int cellsOfEach = 128;
    int count = 100_000;
    segment.close();
    useSegment(GivenSegment.blank(directory, enqueuers, enqueuers * cellsOfEach, 64));
    AtomicBoolean stop = new AtomicBoolean();
    Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    Queue<?>[] given = new Queue<?>[enqueuers];
    Thread[] threads = new Thread[enqueuers];
    for (int source = 0; source < enqueuers; source++) {
      Queue<Long> own = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < cellsOfEach; i++) {
        own.add(cell(source * cellsOfEach + i));
      }
      given[source] = own;
      int number = source;
      threads[source] = Thread.ofPlatform().daemon().start(() -> produce(number, count, own, stop, failures));
    }
    try {
      consume(enqueuers, count, given, failures);
    } finally {
      stop.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    assertEquals(0, failures.size(), failures.toString());
    assertEquals(0, dequeue());
    assertWords(0, 0, 0);
  }

  private void produce(int source, int count, Queue<Long> own, AtomicBoolean stop, Queue<Throwable> failures) {
    for (int number = 0; number < count; number++) {
      Long cell = own.poll();
      while (cell == null) {
        if (stop.get()) {
          return;
        }
        Thread.yield();
        cell = own.poll();
      }
      Words.store(memory, cell + SOURCE_OFFSET, source);
      Words.storeLong(memory, cell + SEQUENCE_OFFSET, number);
      if (MpscQueue.enqueue(view, queue, self(source), cell) != 0) {
        failures.add(new AssertionError("enqueue failed"));
        return;
      }
    }
  }

  @SuppressWarnings("unchecked")
  private void consume(int enqueuers, int count, Queue<?>[] given, Queue<Throwable> failures) {
    long[] next = new long[enqueuers];
    int looks = 0;
    for (long left = (long) enqueuers * count; left > 0 && failures.isEmpty();) {
      long cell = dequeue();
      if (cell == 0 || cell == MpscQueue.LINK_PENDING) {
        assertTrue(!Thread.currentThread().isInterrupted(), "still waiting for " + left);
        if (++looks % 1000 == 0) {
          Thread.yield();
        }
        continue;
      }
      assertTrue(cell > 0, "dequeue gave " + cell);
      int source = Words.load(memory, cell + SOURCE_OFFSET);
      assertEquals(next[source]++, Words.loadLong(memory, cell + SEQUENCE_OFFSET), "from " + source);
      ((Queue<Long>) given[source]).add(cell);
      left--;
    }
  }
}
