package io.adrastea.core.pure;

import static io.adrastea.layout.CellDescriptor.*;

import io.adrastea.queue.MpscQueue;
import io.adrastea.segment.Words;
import java.lang.foreign.MemorySegment;

/** The way of a piece through a cell and the receiver's queue. Twin of {@code channel/adr_cell_path.h}. */
final class CellPath {
  private final PureState state;
  private final PureBoxes boxes;
  private final BoxPath boxPath;
  private final MemorySegment memory;

  CellPath(PureState state, PureBoxes boxes, BoxPath boxPath) {
    this.state = state;
    this.boxes = boxes;
    this.boxPath = boxPath;
    this.memory = state.memory;
  }

  /** A cell with all but the payload and its number written; below zero: what keeps it from being had. */
  long take(Outflow out, int to, int kind, long match, long totalLength, int length) {
    boxPath.show(out);
    if (!out.box.isOpen() && kind == KIND_FIRST && length <= state.boxLimit) {
      boxes.seekBox(out);
    }
    long cell = state.pool.take(to);
    if (cell < 0) {
      return cell;
    }
    Words.storeLong(memory, cell + MATCH_OFFSET, match);
    Words.storeLong(memory, cell + TOTAL_LENGTH_OFFSET, totalLength);
    Words.store(memory, cell + LENGTH_OFFSET, length);
    Words.store(memory, cell + SOURCE_OFFSET, state.rank);
    Words.store(memory, cell + KIND_OFFSET, kind);
    return cell;
  }

  /** Sends what was put into a cell. */
  int commit(Outflow out, long cell) {
    Words.storeLong(memory, cell + SEQUENCE_OFFSET, out.sequence++);
    return MpscQueue.enqueue(state.view, out.receiveQueue, state.self, cell);
  }

  /** Sends as much of a message as a cell holds: so many bytes. */
  int send(Outflow out, int to, int kind, long match, long totalLength, MemorySegment source, long offset,
      long length) {
    int taken = (int) Math.min(length, state.cellPayload);
    long cell = take(out, to, kind, match, totalLength, taken);
    if (cell < 0) {
      return (int) cell;
    }
    try {
      MemorySegment.copy(source, offset, memory, cell + BYTES, taken);
    } catch (RuntimeException | Error e) { // its arena is closed, or another thread's: nothing was sent
      state.pool.putBack(cell, to);
      throw e;
    }
    int status = commit(out, cell);
    return status < 0 ? status : taken;
  }
}
