package io.adrastea;

import io.adrastea.engine.Engine;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.match.Context;
import java.lang.foreign.MemorySegment;

/**
 * What some ranks of a communicator tell each other to make another one, by messages on its internal context. The
 * context's tags below {@link #TOLD} are the barrier's.
 */
final class InternalMessages {
  /** The highest tag that a caller may name. */
  static final int MAX_TAG = (1 << 29) - 1;

  private static final int TOLD = 1 << 29; // and the caller's tag

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
    engine.receive(
        internal, numbering.jobRank(rank), TOLD + tag, words, 0, words.byteSize(), received.forThisCall());
  }
}
