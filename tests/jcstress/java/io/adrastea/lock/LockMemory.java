package io.adrastea.lock;

import io.adrastea.atomic.Words;
import io.adrastea.segment.GivenView;
import java.lang.foreign.MemorySegment;

/** Three PEs, one lock, and a word that is stored under it without any order. */
class LockMemory {
  static final long LOCK = 8;

  private static final int PES = 3;
  private static final long STRIDE = 64;
  private static final long DATA = PES * STRIDE;

  private final MemorySegment memory = GivenView.memory(DATA + Long.BYTES);
  private final MemorySegment table = GivenView.memory(LockTable.bytes());

  final McsLock first = pe(0);
  final McsLock second = pe(1);
  final McsLock third = pe(2);

  private McsLock pe(int self) {
    return new McsLock(memory, STRIDE, table, PES, self);
  }

  static boolean isDead(int pe) {
    return false;
  }

  /** Changes the word, and clears the lock, which this PE has; returns what was there. */
  int change(McsLock own) {
    int before = (int) Words.loadLong(memory, DATA);
    Words.storeLong(memory, DATA, before + 1);
    while (own.clear(LOCK, LockMemory::isDead) != LockLook.RELEASED) {
      Thread.onSpinWait();
    }
    return before;
  }

  /** Waits for the lock, changes the word, and clears the lock; returns what was there. */
  int take(McsLock own) {
    while (own.set(LOCK, LockMemory::isDead) != LockLook.ACQUIRED) {
      Thread.onSpinWait();
    }
    return change(own);
  }

  /** Looks once, and gives up where the lock is not there; returns what was there under the lock, or -1. */
  int tryOnce(McsLock own) {
    if (own.set(LOCK, LockMemory::isDead) == LockLook.ACQUIRED) {
      return change(own);
    }
    while (own.withdraw(LOCK, LockMemory::isDead) != LockLook.RELEASED) {
      Thread.onSpinWait();
    }
    return -1;
  }
}
