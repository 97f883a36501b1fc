package io.adrastea.comm;

import io.adrastea.engine.Engine;
import io.adrastea.engine.group.Numbering;
import io.adrastea.engine.match.Context;
import io.adrastea.engine.operation.Receive;
import io.adrastea.error.InterruptedWaitException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * What some ranks of a communicator tell each other to make another one, by messages on its internal context. The
 * context's tags below {@link #TOLD} are those of collectives that go by messages.
 */
public final class InternalMessages {
  /** The highest tag that a caller may name. */
  public static final int MAX_TAG = (1 << 29) - 1;

  /** Added to the tag of what the leaders of two groups tell each other: subsets may be made with the same tag. */
  public static final int OF_LEADERS = 1 << 30;

  private static final int TOLD = 1 << 29; // and the caller's tag

  /** Takes the source and the length of what was heard, which the caller knows. */
  private static final Receive.Result UNREAD = (source, tag, bytes) -> {};

  private final Engine engine;
  private final Context internal;
  private final Numbering numbering;
  private final Map<Long, Integer> meetings = new HashMap<>(); // by the other rank and the tag, how many there were

  public InternalMessages(Engine engine, Context internal, Numbering numbering) {
    this.engine = engine;
    this.internal = internal;
    this.numbering = numbering;
  }

  /**
   * Counts the calls by which this rank and another one, under a tag, make an intercommunicator: both count alike, so
   * that each knows what was told in a call before, that the other has given up.
   */
  public synchronized int nextMeeting(int rank, int tag) {
    return meetings.merge((long) rank << 32 | tag, 1, Integer::sum);
  }

  /** Tells a rank something. That one waits for it, so an interrupt of this thread stays and does not end the call. */
  public void tell(int rank, int tag, MemorySegment words) {
    boolean interrupted = Thread.interrupted();
    try {
      while (!isSent(rank, tag, words)) {
        interrupted |= Thread.interrupted();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean isSent(int rank, int tag, MemorySegment words) {
    try {
      engine.send(internal, numbering.jobRank(rank), TOLD + tag, words, 0, words.byteSize());
      return true;
    } catch (InterruptedWaitException e) { // nothing was sent: there was no room for it
      return false;
    }
  }

  /** Waits for what a rank tells. */
  public void hear(int rank, int tag, MemorySegment words) {
    engine.receive(internal, numbering.jobRank(rank), TOLD + tag, words, 0, words.byteSize(), UNREAD);
  }
}
