package io.adrastea.engine;

import io.adrastea.transfer.Cookies;
import io.adrastea.transfer.EagerLimits;
import io.adrastea.transfer.TransferSettings;
import io.adrastea.transfer.Outlook;
import io.adrastea.ranktable.RankTable;
import io.adrastea.shared.SharedHeap;
import java.lang.foreign.MemorySegment;

/**
 * Which messages of a rank are large: by their buffer, and by what came from the ranks lately. A base rather than a
 * part, since each small message asks it.
 */
abstract sealed class EagerRule permits Rendezvous {
  private final EagerLimits limits;
  private final long least;
  private final boolean reaches; // without a way into memory every buffer is as an array
  private final SharedHeap heap;
  private final boolean[] speaks;
  private final boolean[] heard; // ranks that have sent something since the last message that might have been large
  private boolean expected; // the last message was large

  /**
   * That of a rank.
   *
   * @param cellPayload most bytes of a message of one piece; with very small cells there is no rendezvous
   */
  EagerRule(TransferSettings settings, SharedHeap heap, RankTable table, int rank, int cellPayload) {
    this.limits = settings.eager();
    this.least = limits.least();
    this.reaches = settings.reaches();
    this.heap = heap;
    this.speaks = new boolean[table.size()];
    this.heard = new boolean[table.size()];
    for (int other = 0; other < speaks.length; other++) {
      speaks[other] = other != rank && !table.isChannel(other) && cellPayload >= Cookies.LEAST_BYTES;
    }
  }

  /** Whether a rank knows of rendezvous. */
  final boolean speaks(int rank) {
    return speaks[rank];
  }

  /** Whether a message is sent only once its receive is known. */
  final boolean applies(int destination, MemorySegment memory, long offset, long length) {
    return length > least && speaks[destination] && length > limit(destination, memory, offset, length);
  }

  private long limit(int destination, MemorySegment memory, long offset, long length) {
    return limits.of(reaches ? place(memory, offset, length) : Outlook.Memory.ARRAY, reaches, heard[destination]);
  }

  private Outlook.Memory place(MemorySegment memory, long offset, long length) {
    if (!memory.isNative()) {
      return Outlook.Memory.ARRAY;
    }
    return heap.locate(memory, offset, length) >= 0 ? Outlook.Memory.SHARED : Outlook.Memory.NATIVE;
  }

  /** A message went to a rank; whether another is part of a stream depends on what comes from there now. */
  final void sent(int destination, long length) {
    if (length > least) {
      heard[destination] = false;
    }
  }

  /** Something came from a rank. */
  final void heard(int source) {
    heard[source] = true;
  }

  /** An RTS came from a rank. */
  final void heardLarge(int source) {
    expected = true;
    heard[source] = true;
  }

  /** An ordinary message was received. */
  final void surprised() {
    expected = false;
  }

  /** Whether the next message for a receive of so many bytes is likely to be large: the last one was. */
  final boolean expects(long capacity) {
    return expected && capacity > least;
  }
}
