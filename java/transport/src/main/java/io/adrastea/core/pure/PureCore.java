package io.adrastea.core.pure;

import static io.adrastea.layout.CellDescriptor.*;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Geometry;
import io.adrastea.segment.Segment;
import io.adrastea.segment.View;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/** The core in Java alone. Twin of {@code channel/adr_channel.c}: same functions, same order, same bytes. */
final class PureCore implements Core {
  private static final int EINVAL = -22;

  private final View view;
  private final MemorySegment memory;
  private final int rank;
  private final int cellPayload;
  private final long receiveQueue;
  private final long[] receiveQueueOf;
  private final long[] freeQueueOf;
  private final CellPool pool;
  private final long[] sent;
  private final long[] received;
  private final Inbound current = new Inbound();
  private long currentCell;
  private long currentTo;

  PureCore(Segment segment, int rank) {
    Geometry geometry = segment.geometry();
    this.view = new View(segment);
    this.memory = segment.memory();
    this.rank = rank;
    this.cellPayload = geometry.cellPayload();
    this.receiveQueueOf = new long[geometry.ranks()];
    this.freeQueueOf = new long[geometry.ranks()];
    for (int i = 0; i < geometry.ranks(); i++) {
      receiveQueueOf[i] = geometry.receiveQueueOffset(i);
      freeQueueOf[i] = geometry.freeQueueOffset(i);
    }
    this.receiveQueue = receiveQueueOf[rank];
    this.pool = new CellPool(segment, view, rank);
    this.sent = new long[geometry.ranks()];
    this.received = new long[geometry.ranks()];
  }

  @Override
  public int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    if (destination < 0 || destination >= sent.length) {
      return EINVAL;
    }
    long cell = pool.take(destination);
    if (cell < 0) {
      return (int) cell;
    }
    int taken = (int) Math.min(length, cellPayload);
    Words.storeLong(memory, cell + MATCH_OFFSET, match);
    Words.storeLong(memory, cell + TOTAL_LENGTH_OFFSET, totalLength);
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, sent[destination]++);
    Words.store(memory, cell + LENGTH_OFFSET, taken);
    Words.store(memory, cell + SOURCE_OFFSET, rank);
    Words.store(memory, cell + KIND_OFFSET, kind);
    MemorySegment.copy(source, offset, memory, cell + BYTES, taken);
    int status = MpscQueue.enqueue(view, receiveQueueOf[destination], cell);
    return status < 0 ? status : taken;
  }

  /** Reads the header of the cell just dequeued, each field once, and checks it. */
  private int acceptCell(long cell) {
    int source = Words.load(memory, cell + SOURCE_OFFSET);
    int owner = Words.load(memory, cell + OWNER_OFFSET);
    int length = Words.load(memory, cell + LENGTH_OFFSET);
    int kind = Words.load(memory, cell + KIND_OFFSET);
    long sequence = Words.loadLong(memory, cell + SEQUENCE_OFFSET);
    long totalLength = Words.loadLong(memory, cell + TOTAL_LENGTH_OFFSET);
    if (Integer.compareUnsigned(source, received.length) >= 0
        || Integer.compareUnsigned(owner, received.length) >= 0
        || Integer.compareUnsigned(length, cellPayload) > 0
        || totalLength < length
        || kind < KIND_FIRST
        || kind > KIND_ABORT
        || sequence != received[source]) {
      return CORRUPT;
    }
    received[source] = sequence + 1;
    currentCell = cell;
    currentTo = freeQueueOf[owner];
    long[] words = current.words();
    words[Inbound.SOURCE] = source;
    words[Inbound.KIND] = kind;
    words[Inbound.MATCH] = Words.loadLong(memory, cell + MATCH_OFFSET);
    words[Inbound.LENGTH] = length;
    words[Inbound.TOTAL_LENGTH] = totalLength;
    words[Inbound.PAYLOAD] = cell + BYTES;
    words[Inbound.SEQUENCE] = sequence;
    words[Inbound.CELL] = cell;
    return 0;
  }

  /** 1: {@code current} is set; AGAIN or CORRUPT otherwise. */
  private int nextPiece() {
    if (currentCell != 0) {
      return 1;
    }
    long cell = MpscQueue.dequeue(view, receiveQueue);
    if (cell == 0 || cell == MpscQueue.LINK_PENDING) {
      return AGAIN;
    }
    return cell < 0 || acceptCell(cell) < 0 ? CORRUPT : 1;
  }

  private int giveBack() {
    long cell = currentCell;
    currentCell = 0;
    return MpscQueue.enqueue(view, currentTo, cell);
  }

  @Override
  public int poll(Inbound inbound) {
    int status = nextPiece();
    if (status == 1) {
      System.arraycopy(current.words(), 0, inbound.words(), 0, current.words().length);
    }
    return status;
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    if (currentCell == 0 || length < 0 || length > current.length()) {
      return EINVAL;
    }
    MemorySegment.copy(memory, current.words()[Inbound.PAYLOAD], destination, offset, length);
    return giveBack();
  }

  @Override
  public int release() {
    return currentCell == 0 ? EINVAL : giveBack();
  }

  /** Whether the piece at hand is the whole message that {@link #receive} asks for. */
  private static boolean wanted(Inbound in, long match, long mask, int source, long capacity) {
    return in.kind() == KIND_FIRST
        && ((in.match() ^ match) & mask) == 0
        && (source < 0 || in.source() == source)
        && in.length() == in.totalLength()
        && in.length() <= capacity;
  }

  @Override
  public int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins, Inbound inbound) {
    int status;
    while ((status = nextPiece()) == AGAIN && --spins > 0) {
      Thread.onSpinWait();
    }
    if (status != 1) {
      return status;
    }
    if (!wanted(current, match, mask, source, capacity)) {
      return NOMSG;
    }
    inbound.words()[Inbound.SOURCE] = current.words()[Inbound.SOURCE];
    inbound.words()[Inbound.MATCH] = current.words()[Inbound.MATCH];
    int length = current.length();
    status = take(destination, offset, length);
    return status < 0 ? status : length;
  }

  @Override
  public void close() {
    // all of its own memory is on the heap
  }
}
