package io.adrastea.core.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.adrastea.core.AddressCore;
import io.adrastea.core.Batch;
import io.adrastea.core.Core;
import io.adrastea.link.Inbound;
import io.adrastea.core.Sleeper;
import io.adrastea.core.SlotMember;
import io.adrastea.datatype.Program;
import io.adrastea.error.JoinException;
import io.adrastea.segment.Segment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** The C core through {@code java.lang.foreign}. */
final class FfmCore implements Core, Sleeper {
  private final Segment segment;
  private final int rank;
  private final long channel;
  private final MemorySegment found = Arena.ofAuto().allocate(8 * Inbound.WORDS, 8); // its address is passed
  private final long foundAddress = found.address();

  FfmCore(Segment segment, int rank) {
    this.segment = segment;
    this.rank = rank;
    this.channel = open(segment.memory().address(), segment.memory().byteSize(), rank);
    if (channel == 0) {
      throw new JoinException(AddressCore.notOpened(rank));
    }
  }

  private static long open(long base, long bytes, int rank) {
    try {
      return (long) Native.CHANNEL_OPEN.invokeExact(base, bytes, rank);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    try {
      return (int) Native.TRY_SEND.invokeExact(channel, destination, kind, match, totalLength, source, offset, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length) {
    try {
      return (int) NativeCopies.TRY_SEND_ELEMENTS.invokeExact(
          channel, destination, match, program.segment(), memory, offset, count, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long claim(int destination, int kind, long match, long totalLength, long length) {
    try {
      return (long) NativeInPlace.CLAIM.invokeExact(channel, destination, kind, match, totalLength, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int commit(int destination) {
    try {
      return (int) NativeInPlace.COMMIT.invokeExact(channel, destination);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int abort(int destination) {
    try {
      return (int) NativeInPlace.ABORT.invokeExact(channel, destination);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int beginBurst(int destination) {
    try {
      return (int) NativeInPlace.BEGIN_BURST.invokeExact(channel, destination);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int endBurst(int destination) {
    try {
      return (int) NativeInPlace.END_BURST.invokeExact(channel, destination);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int poll(int first, Inbound inbound) {
    try {
      int status = (int) Native.POLL.invokeExact(channel, first, foundAddress);
      if (status > 0) {
        MemorySegment.copy(found, JAVA_LONG, 0, inbound.words(), 0, Inbound.WORDS);
      }
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int pollBatch(int first, Batch batch) {
    try {
      return (int) NativeInPlace.POLL_BATCH.invokeExact(channel, first, batch.memoryOfWords(), Batch.MOST);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int take(MemorySegment destination, long offset, long length) {
    try {
      return (int) Native.TAKE.invokeExact(channel, destination, offset, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int release() {
    try {
      return (int) Native.RELEASE.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int way(int destination, long length) {
    try {
      return (int) Native.WAY.handle().invokeExact(channel, destination, length);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int releaseBatch(int count, boolean more) {
    try {
      return (int) NativeInPlace.RELEASE_BATCH.invokeExact(channel, count, more ? 1 : 0);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int retain() {
    try {
      return (int) NativeInPlace.RETAIN.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int releaseRetained(int source, long place) {
    try {
      return (int) NativeInPlace.RELEASE_RETAINED.invokeExact(channel, source, place);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound) {
    try {
      int status =
          (int) Native.RECEIVE.invokeExact(
              channel, match, mask, source, destination, offset, capacity, spins, foundAddress);
      if (status >= 0) {
        inbound.words()[Inbound.SOURCE] = found.get(JAVA_LONG, 8 * Inbound.SOURCE);
        inbound.words()[Inbound.MATCH] = found.get(JAVA_LONG, 8 * Inbound.MATCH);
      }
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int spins, Inbound inbound) {
    try {
      int status =
          (int) NativeCopies.RECEIVE_ELEMENTS.invokeExact(
              channel, match, mask, source, program.segment(), memory, offset, count, capacity, spins, foundAddress);
      if (status >= 0) {
        inbound.words()[Inbound.SOURCE] = found.get(JAVA_LONG, 8 * Inbound.SOURCE);
        inbound.words()[Inbound.MATCH] = found.get(JAVA_LONG, 8 * Inbound.MATCH);
      }
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int openBox(int source) {
    try {
      return (int) Native.OPEN_BOX.invokeExact(channel, source);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int refuseBox(int source) {
    try {
      return (int) Native.REFUSE_BOX.invokeExact(channel, source);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int reclaim() {
    try {
      return (int) Native.RECLAIM.handle().invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int barrierArrive() {
    try {
      return (int) Native.BARRIER_ARRIVE.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int barrierWait(int spins) {
    try {
      return (int) Native.BARRIER_WAIT.invokeExact(channel, spins);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public SlotMember slotMember(MemorySegment slot, int self) {
    return new FfmSlotMember(segment, slot, self);
  }

  @Override
  public Sleeper sleeper() {
    return this;
  }

  @Override
  public int enableSenderFence() {
    try {
      return (int) Native.ENABLE_SENDER_FENCE.handle().invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public long announceSleep() {
    try {
      return (long) Native.ANNOUNCE_SLEEP.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int sleep(long word, long nanos) {
    try {
      int status = (int) Native.SLEEP.invokeExact(segment.memory().address(), rank, word, nanos);
      Reference.reachabilityFence(segment);
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int giveWay(long now) {
    try {
      int status = (int) Native.GIVE_WAY.invokeExact(segment.memory().address(), rank, now);
      Reference.reachabilityFence(segment);
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int worksUntil(long time) {
    try {
      int status = (int) Native.WORKS_UNTIL.invokeExact(segment.memory().address(), rank, time);
      Reference.reachabilityFence(segment);
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int wasGivenWay(long since) {
    try {
      int ranks = segment.geometry().ranks();
      int status = (int) Native.WAS_GIVEN_WAY.invokeExact(segment.memory().address(), rank, ranks, since);
      Reference.reachabilityFence(segment);
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int avoidSharedCpu(int other) {
    try {
      int status = (int) Native.AVOID_SHARED_CPU.invokeExact(segment.memory().address(), rank, other);
      Reference.reachabilityFence(segment);
      return status;
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int endSleep() {
    try {
      return (int) Native.END_SLEEP.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public int wake(int rank) {
    try {
      return (int) Native.WAKE.invokeExact(channel, rank);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
  }

  @Override
  public void close() {
    try {
      Native.CHANNEL_CLOSE.invokeExact(channel);
    } catch (Throwable e) {
      throw Native.unchecked(e);
    }
    Reference.reachabilityFence(segment); // mapped until here, since the channel points into it
  }
}
