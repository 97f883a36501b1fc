package io.adrastea.core;

import io.adrastea.datatype.Program;
import io.adrastea.error.JoinException;
import io.adrastea.link.CopyInterrupt;
import io.adrastea.link.Inbound;
import io.adrastea.segment.Segment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

/**
 * The C core behind a binding that passes numbers only: the functions of {@code adrastea/channel.h} with addresses as
 * {@code
 * long}. A binding supplies those; what is the same for all of them is here.
 *
 * <p>
 * C is given a buffer's own address only when nobody can free that memory during the call ({@link LastingMemory}).
 * Everything else (arrays, arenas that another thread may close) passes through {@code stage}, native memory that holds
 * one piece, copied by {@link MemorySegment}, which checks that the buffer may be used. A piece that poll found is
 * copied straight out of the segment.
 */
public abstract class AddressCore implements Core, Sleeper {
  private static final int WORDS = 8;

  private final Segment segment;
  private final int rank;
  private final long channel;
  private final MemorySegment found; // of struct adr_inbound as many as a batch has, written by C
  private final MemorySegment stage;
  private boolean atHand; // `found` tells of a piece that is neither taken, released nor held

  /**
   * A core on a channel that is open.
   *
   * @param channel what {@code adr_channel_open_within} gave
   * @throws JoinException when it gave nothing
   */
  protected AddressCore(Segment segment, int rank, long channel) {
    if (channel == 0) {
      throw new JoinException(notOpened(rank));
    }
    this.segment = segment;
    this.rank = rank;
    this.channel = channel;
    int largest = Math.max(segment.geometry().cellPayload(), segment.geometry().boxes().limit());
    Arena arena = Arena.ofAuto();
    this.found = arena.allocate(ValueLayout.JAVA_LONG, (long) WORDS * Batch.MOST);
    this.stage = arena.allocate(largest, ValueLayout.JAVA_LONG.byteAlignment());
  }

  /** Why a channel was not opened, whatever the binding. */
  public static String notOpened(int rank) {
    return ("rank %d: the C core has no memory for its channel, or the segment's header was overwritten by a "
        + "rank that is broken")
        .formatted(rank);
  }

  protected abstract void close(long channel);
  protected abstract int trySend(
      long channel, int destination, int kind, long match, long totalLength, long source, long offset, long length);
  protected abstract int trySendElements(
      long channel, int destination, long match, long program, long memory, long offset, long count, long length);
  protected abstract long claim(long channel, int destination, int kind, long match, long totalLength, long length);
  protected abstract int commit(long channel, int destination);
  protected abstract int abort(long channel, int destination);
  protected abstract int beginBurst(long channel, int destination);
  protected abstract int endBurst(long channel, int destination);
  protected abstract int poll(long channel, int first, long inbound);
  protected abstract int pollBatch(long channel, int first, long inbound, int most);
  protected abstract int release(long channel);
  protected abstract int releaseBatch(long channel, int count, int more);

  protected abstract int way(long channel, int destination, long length);
  protected abstract int retain(long channel);
  protected abstract int releaseRetained(long channel, int source, long place);
  protected abstract int receive(
      long channel, long match, long mask, int source, long destination, long offset, long capacity, int spins,
      long inbound);
  protected abstract int receiveElements(
      long channel, long match, long mask, int source, long program, long memory, long offset, long count,
      long capacity, int spins, long inbound);
  protected abstract int openBox(long channel, int source);
  protected abstract int refuseBox(long channel, int source);
  protected abstract int reclaim(long channel);
  protected abstract int barrierArrive(long channel);
  protected abstract int barrierWait(long channel, int spins);
  protected abstract int enableSenderFence(long channel);
  protected abstract long announceSleep(long channel);
  protected abstract int sleep(long base, int rank, long word, long nanos);
  protected abstract int giveWay(long base, int rank, long now);
  protected abstract int worksUntil(long base, int rank, long time);
  protected abstract int wasGivenWay(long base, int rank, int ranks, long since);
  protected abstract int avoidSharedCpu(long base, int rank, int other);
  protected abstract int endSleep(long channel);
  protected abstract int wake(long channel, int rank);

  @Override
  public final int trySend(
      int destination, int kind, long match, long totalLength, MemorySegment source, long offset, long length) {
    if (length < 0) {
      return INVAL;
    }
    if (!LastingMemory.is(source)) {
      long staged = Math.min(length, stage.byteSize()); // no piece is longer
      CopyInterrupt.copy(source, offset, stage, 0, staged);
      return trySend(channel, destination, kind, match, totalLength, stage.address(), 0, staged);
    }
    int taken = trySend(channel, destination, kind, match, totalLength, source.address(), offset, length);
    Reference.reachabilityFence(source);
    return taken;
  }

  @Override
  public final int trySendElements(
      int destination, long match, Program program, MemorySegment memory, long offset, long count, long length) {
    if (!LastingMemory.outlasts(memory, true)) {
      return NOSYS;
    }
    MemorySegment words = program.lasting();
    int taken =
        trySendElements(channel, destination, match, words.address(), memory.address(), offset, count, length);
    Reference.reachabilityFence(words);
    Reference.reachabilityFence(memory);
    return taken;
  }

  @Override
  public final long claim(int destination, int kind, long match, long totalLength, long length) {
    return claim(channel, destination, kind, match, totalLength, length);
  }

  @Override
  public final int commit(int destination) {
    return commit(channel, destination);
  }

  @Override
  public final int abort(int destination) {
    return abort(channel, destination);
  }

  @Override
  public final int beginBurst(int destination) {
    return beginBurst(channel, destination);
  }

  @Override
  public final int endBurst(int destination) {
    return endBurst(channel, destination);
  }

  @Override
  public final int poll(int first, Inbound inbound) {
    int status = poll(channel, first, found.address());
    atHand = status == PIECE;
    if (status > 0) {
      tell(inbound, status == PIECE ? WORDS : 1); // of a rank that wants a fastbox there is its number alone
    }
    return status;
  }

  @Override
  public final int pollBatch(int first, Batch batch) {
    int status = pollBatch(channel, first, found.address(), Batch.MOST);
    atHand = status > 0;
    if (status >= 0) {
      MemorySegment.copy(found, ValueLayout.JAVA_LONG, 0, batch.words(), 0, WORDS * Math.max(status, 1));
    }
    return status;
  }

  @Override
  public final int way(int destination, long length) {
    return way(channel, destination, length);
  }

  @Override
  public final int releaseBatch(int count, boolean more) {
    atHand = false; // `found` tells of the first one, and the next poll of the next
    return releaseBatch(channel, count, more ? 1 : 0);
  }

  /** Hands the first words on; SOURCE is the first. */
  private void tell(Inbound inbound, int words) {
    MemorySegment.copy(found, ValueLayout.JAVA_LONG, 0, inbound.words(), 0, words);
  }

  private long foundWord(int word) {
    return found.getAtIndex(ValueLayout.JAVA_LONG, word);
  }

  @Override
  public final int take(MemorySegment destination, long offset, long length) {
    if (!atHand || length < 0 || length > foundWord(Inbound.LENGTH)) {
      return INVAL;
    }
    CopyInterrupt.copy(segment.memory(), foundWord(Inbound.PAYLOAD), destination, offset, length);
    return release();
  }

  @Override
  public final int release() {
    atHand = false;
    return release(channel);
  }

  @Override
  public final int retain() {
    int status = retain(channel);
    atHand &= status < 0;
    return status;
  }

  @Override
  public final int releaseRetained(int source, long place) {
    return releaseRetained(channel, source, place);
  }

  @Override
  public final int receive(
      long match, long mask, int source, MemorySegment destination, long offset, long capacity, int spins,
      Inbound inbound) {
    boolean direct = LastingMemory.is(destination);
    int length;
    if (direct) {
      length = receive(channel, match, mask, source, destination.address(), offset, capacity, spins, found.address());
      Reference.reachabilityFence(destination);
    } else {
      requireUsable(destination); // before a message is used up for it
      long room = Math.min(capacity, stage.byteSize());
      length = receive(channel, match, mask, source, stage.address(), 0, room, spins, found.address());
    }
    if (length < 0) {
      return length;
    }
    atHand = false;
    inbound.words()[Inbound.SOURCE] = foundWord(Inbound.SOURCE);
    inbound.words()[Inbound.MATCH] = foundWord(Inbound.MATCH);
    if (!direct) {
      CopyInterrupt.copy(stage, 0, destination, offset, length);
    }
    return length;
  }

  @Override
  public final int receiveElements(
      long match, long mask, int source, Program program, MemorySegment memory, long offset, long count,
      long capacity, int spins, Inbound inbound) {
    if (!LastingMemory.outlasts(memory, true)) {
      return NOSYS;
    }
    MemorySegment words = program.lasting();
    int length =
        receiveElements(channel, match, mask, source, words.address(), memory.address(), offset, count, capacity,
            spins, found.address());
    Reference.reachabilityFence(words);
    Reference.reachabilityFence(memory);
    if (length >= 0) {
      atHand = false;
      inbound.words()[Inbound.SOURCE] = foundWord(Inbound.SOURCE);
      inbound.words()[Inbound.MATCH] = foundWord(Inbound.MATCH);
    }
    return length;
  }

  private static void requireUsable(MemorySegment buffer) {
    if (!buffer.scope().isAlive()) {
      throw new IllegalStateException("the arena of the buffer is closed");
    }
    if (!buffer.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException("the buffer belongs to the arena of another thread");
    }
  }

  @Override
  public final int openBox(int source) {
    return openBox(channel, source);
  }

  @Override
  public final int refuseBox(int source) {
    return refuseBox(channel, source);
  }

  @Override
  public final int reclaim() {
    return reclaim(channel);
  }

  @Override
  public final int barrierArrive() {
    return barrierArrive(channel);
  }

  @Override
  public final int barrierWait(int spins) {
    return barrierWait(channel, spins);
  }

  @Override
  public final Sleeper sleeper() {
    return this;
  }

  @Override
  public final int enableSenderFence() {
    return enableSenderFence(channel);
  }

  @Override
  public final long announceSleep() {
    return announceSleep(channel);
  }

  @Override
  public final int sleep(long word, long nanos) {
    int status = sleep(segment.memory().address(), rank, word, nanos);
    Reference.reachabilityFence(segment);
    return status;
  }

  @Override
  public final int giveWay(long now) {
    int status = giveWay(segment.memory().address(), rank, now);
    Reference.reachabilityFence(segment);
    return status;
  }

  @Override
  public final int worksUntil(long time) {
    int status = worksUntil(segment.memory().address(), rank, time);
    Reference.reachabilityFence(segment);
    return status;
  }

  @Override
  public final int wasGivenWay(long since) {
    int status = wasGivenWay(segment.memory().address(), rank, segment.geometry().ranks(), since);
    Reference.reachabilityFence(segment);
    return status;
  }

  @Override
  public final int avoidSharedCpu(int other) {
    int status = avoidSharedCpu(segment.memory().address(), rank, other);
    Reference.reachabilityFence(segment);
    return status;
  }

  @Override
  public final int endSleep() {
    return endSleep(channel);
  }

  @Override
  public final int wake(int rank) {
    return wake(channel, rank);
  }

  @Override
  public final void close() {
    close(channel);
    Reference.reachabilityFence(segment); // mapped until here, since the channel points into it
    Reference.reachabilityFence(this); // and so is what C writes to
  }
}
