package io.adrastea.core.ffm;

import io.adrastea.core.Core;
import io.adrastea.core.Inbound;
import io.adrastea.error.JoinException;
import io.adrastea.segment.Segment;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** The C core through {@code java.lang.foreign}. */
final class FfmCore implements Core {
  private final Segment segment;
  private final long channel;

  FfmCore(Segment segment, int rank) {
    this.segment = segment;
    this.channel = open(segment.memory().address(), rank);
    if (channel == 0) {
      throw new JoinException("rank %d: no memory for the channel of the C core".formatted(rank));
    }
  }

  private static long open(long base, int rank) {
    try {
      return (long) Native.CHANNEL_OPEN.invokeExact(base, rank);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    try {
      return (int) Native.TRY_SEND.invokeExact(channel, destination, kind, match, totalLength, source, offset, length);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public int poll(Inbound inbound) {
    try {
      return (int) Native.POLL.invokeExact(channel, inbound.memory());
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    try {
      return (int) Native.TAKE.invokeExact(channel, destination, offset, length);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public int release() {
    try {
      return (int) Native.RELEASE.invokeExact(channel);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins, Inbound inbound) {
    try {
      return (int)
          Native.RECEIVE.invokeExact(
              channel, match, mask, source, destination, offset, capacity, spins, inbound.memory());
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
  }

  @Override
  public void close() {
    try {
      Native.CHANNEL_CLOSE.invokeExact(channel);
    } catch (Throwable e) {
      throw Rethrow.unchecked(e);
    }
    Reference.reachabilityFence(segment); // mapped until here, since the channel points into it
  }
}
