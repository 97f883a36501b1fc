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
  private long currentCell; // at the front of the receive queue, still in it; 0: none is known
  private long currentTo; // free queue it goes back to
  private boolean spent; // its piece was taken: it leaves the queue at the next look

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
    if (destination < 0 || destination >= sent.length || length < 0) {
      return EINVAL;
    }
    long cell = pool.take(destination);
    if (cell < 0) {
      return (int) cell;
    }
    int taken = (int) Math.min(length, cellPayload);
    try {
      MemorySegment.copy(source, offset, memory, cell + BYTES, taken);
    } catch (RuntimeException e) { // its arena is closed, or another thread's: nothing was sent
      pool.putBack(cell, destination);
      throw e;
    }
    Words.storeLong(memory, cell + MATCH_OFFSET, match);
    Words.storeLong(memory, cell + TOTAL_LENGTH_OFFSET, totalLength);
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, sent[destination]++);
    Words.store(memory, cell + LENGTH_OFFSET, taken);
    Words.store(memory, cell + SOURCE_OFFSET, rank);
    Words.store(memory, cell + KIND_OFFSET, kind);
    int status = MpscQueue.enqueue(view, receiveQueueOf[destination], cell);
    return status < 0 ? status : taken;
  }

  /** Reads the header of the cell just found, each field once, and checks it. */
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

  /** Takes the spent cell out of the queue and gives it back: 0, AGAIN or CORRUPT. */
  private int retire() {
    long cell = currentCell;
    long status = MpscQueue.advance(view, receiveQueue, cell);
    if (status < 0) {
      return status == MpscQueue.LINK_PENDING ? AGAIN : CORRUPT;
    }
    currentCell = 0;
    spent = false;
    return MpscQueue.enqueue(view, currentTo, cell);
  }

  /** 1: {@code current} is set, and not spent; AGAIN or CORRUPT otherwise. */
  private int nextPiece() {
    if (spent) {
      int status = retire();
      if (status < 0) {
        return status;
      }
    }
    if (currentCell != 0) {
      return 1;
    }
    long cell = MpscQueue.peek(view, receiveQueue);
    if (cell == 0) {
      return AGAIN;
    }
    return cell < 0 || acceptCell(cell) < 0 ? CORRUPT : 1;
  }

  private boolean atHand() {
    return currentCell != 0 && !spent;
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
    if (!atHand() || length < 0 || length > current.length()) {
      return EINVAL;
    }
    MemorySegment.copy(memory, current.words()[Inbound.PAYLOAD], destination, offset, length);
    spent = true;
    return 0;
  }

  @Override
  public int release() {
    if (!atHand()) {
      return EINVAL;
    }
    spent = true;
    return 0;
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
    take(destination, offset, current.length());
    return current.length();
  }

  @Override
  public void close() {
    if (spent) {
      retire();
    }
  }
}
