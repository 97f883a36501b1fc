package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.match.Context;
import java.lang.foreign.MemorySegment;

/**
 * What the ranks of a communicator tell each other to make another one, by messages on its internal context. The
 * context's tags below {@link #TOLD} are the barrier's.
 */
final class InternalMessages {
  /** The highest tag that a caller may name. */
  static final int MAX_TAG = (1 << 29) - 1;

  private static final int TOLD = 1 << 29; // and the caller's tag
  private static final int TOLD_TO_ALL = 1 << 30;

  private final Engine engine;
  private final Context internal;
  private final Numbering numbering;
  private final Status.Latest received;

  InternalMessages(Engine engine, Context internal, Numbering numbering) {
    this.engine = engine;
    this.internal = internal;
    this.numbering = numbering;
    this.received = new Status.Latest(Status.EMPTY, numbering);
  }

  /** Tells a rank something. */
  void tell(int rank, int tag, MemorySegment words) {
    engine.send(internal, numbering.jobRank(rank), TOLD + tag, words, 0, words.byteSize());
  }

  /** Waits for what a rank tells. */
  void hear(int rank, int tag, MemorySegment words) {
    receive(rank, TOLD + tag, words, 0, words.byteSize());
  }

  private void receive(int rank, int tag, MemorySegment words, long offset, long bytes) {
    engine.receive(internal, numbering.jobRank(rank), tag, words, offset, bytes, received.forThisCall());
  }

  /** What rank 0 tells all the others. */
  void bcast(int self, MemorySegment words) {
    if (self != 0) {
      receive(0, TOLD_TO_ALL, words, 0, words.byteSize());
      return;
    }
    for (int rank = 1; rank < numbering.size(); rank++) {
      engine.send(internal, numbering.jobRank(rank), TOLD_TO_ALL, words, 0, words.byteSize());
    }
  }

  /** Collects what all ranks tell, each as much as {@code own}, in the order of the ranks. */
  void allgather(int self, MemorySegment own, MemorySegment all) {
    long bytes = own.byteSize();
    MemorySegment.copy(own, 0, all, self * bytes, bytes);
    if (self == 0) {
      for (int rank = 1; rank < numbering.size(); rank++) {
        receive(rank, TOLD_TO_ALL, all, rank * bytes, bytes);
      }
    } else {
      engine.send(internal, numbering.jobRank(0), TOLD_TO_ALL, own, 0, bytes);
    }
    bcast(self, all);
  }
}
