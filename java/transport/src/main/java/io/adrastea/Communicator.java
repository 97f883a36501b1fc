package io.adrastea;

import io.adrastea.engine.Engine;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A group of ranks that exchange messages among themselves. Messages are matched by source and tag; between two ranks they do not
 * overtake each other (MPI's rules; 000 section 3.1).
 *
 * <p>Buffers are {@link MemorySegment}s, native or heap, sent as a whole; primitive arrays with offset and count in elements;
 * {@link ByteBuffer}s from position to limit, neither of which is changed; Agrona's buffers with index and length in bytes; or
 * lists of several parts of memory, {@link IoVector}. A send may be shorter than the receive buffer, never longer. Messages are
 * also read, and written, where they lie: {@link #recvMessage}, {@link #claim}.
 *
 * <p>A large message ({@code adrastea.eager.bytes}) is not buffered: its bytes stay where they are until a receive has matched it, and then
 * go straight to the receiver's memory where the system allows it (000 section 3.2). So a blocking send of one returns when it was received, and
 * two ranks that both send one before they receive wait for each other: use {@link #sendrecv} or {@link #isend}. Fastest are {@link
 * Job#allocate shared allocations}, then native memory, then arrays. Operations that were started and are not waited for move on inside
 * other calls only.
 *
 * <p>All calls check their arguments before anything is sent, and throw: {@link NullPointerException}, {@link
 * IllegalArgumentException} (rank, tag, read-only receive buffer), {@link IndexOutOfBoundsException} (offset, count), {@link
 * IllegalStateException} (closed arena, closed job), {@link WrongThreadException} (confined buffer), {@link
 * io.adrastea.error.ConcurrentUseException}; calls that wait also {@link io.adrastea.error.RankFailedException} when the peer
 * died or left, and receives {@link io.adrastea.error.TruncationException}.
 */
public final class Communicator extends InPlaceCalls {
  /** Receive from whoever sends. Fails when any rank has failed whose failure is not acknowledged: {@link Job#acknowledgeFailedRanks}. */
  public static final int ANY_SOURCE = -1;

  /** Receive whatever the tag. */
  public static final int ANY_TAG = -1;

  private final int rank;

  Communicator(Engine engine, int rank, int size, int context, boolean many) {
    super(engine, size, context, many);
    this.rank = rank;
  }

  /**
   * This process's number here.
   *
   * @return 0 to size − 1
   */
  public int rank() {
    return rank;
  }

  /**
   * How many ranks there are here.
   *
   * @return 1 or more
   */
  public int size() {
    return size;
  }

  /**
   * Waits for a message without receiving it; a receive with the same arguments gets it next.
   *
   * @param source rank to receive from, or {@link #ANY_SOURCE}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @return its source, tag and length
   */
  public Status probe(int source, int tag) {
    requireReceiveFrom(source, tag);
    Status result = result();
    engine.probe(source, matchOf(tag), maskOf(tag), result.setter);
    return result;
  }

  /**
   * Looks for a message without receiving it. A source that has failed is no error here: who asks again and again hears of it by {@link
   * Job#onRankFailure} and {@link Job#failedRanks}.
   *
   * @param source rank to receive from, or {@link #ANY_SOURCE}
   * @param tag 0 or more, or {@link #ANY_TAG}
   * @param result told source, tag and length if there is one
   * @return whether there is one
   */
  public boolean iprobe(int source, int tag, Status result) {
    requireReceiveFrom(source, tag);
    return engine.probeNow(source, matchOf(tag), maskOf(tag), result.setter);
  }

  /**
   * Waits until all ranks have called this (000 section 3.4). What a rank wrote before, to shared memory too, the others see
   * afterwards. Messages move on meanwhile: sends that were started, and receives.
   *
   * @throws io.adrastea.error.RankFailedException when a rank died or left, so that it cannot come; another call goes on
   *     waiting for the same barrier
   * @throws io.adrastea.error.ConcurrentUseException when another thread of this rank is at the barrier
   */
  public void barrier() {
    engine.barrier();
  }

  void close() {
    buffers.clear();
  }
}
