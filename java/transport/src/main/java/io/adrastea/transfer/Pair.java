package io.adrastea.transfer;

import java.lang.foreign.MemorySegment;

/** What this rank knows of another one for transfers, and what the two share. */
final class Pair {
  final int rank;
  final int pid; // 0: its process cannot be addressed from here
  int refused; // paths that failed
  boolean probed; // CMA from it was tried
  boolean seen; // it was looked at ...
  long seenAt; // ... and was there, in nanoseconds

  // receiving from it
  MemorySegment ring;
  long ringOffset; // in the file
  long promised; // bytes of the ring's stream that transfers have been promised, since its start
  final TransferQueue in = new TransferQueue(); // those, in the order of the stream
  MemorySegment split;
  long splitOffset;
  int splitTag; // of the last transfer
  boolean splitBusy;

  // sending to it
  MemorySegment farRing;
  long farRingOffset;
  long entered; // bytes of the ring's stream that were promised to this rank
  final TransferQueue out = new TransferQueue();

  Pair(int rank, int pid) {
    this.rank = rank;
    this.pid = pid;
  }
}
