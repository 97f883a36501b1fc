package io.adrastea.lock;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** PEs in one JVM, with their locks on plain memory. */
final class LockPes {
  static final long STRIDE = 256; // 32 locks

  final MemorySegment memory;
  final MemorySegment table = Arena.ofAuto().allocate(LockTable.bytes(), Long.BYTES);
  final List<McsLock> locks;
  private final BitSet dead = new BitSet();

  LockPes(int pes) {
    memory = Arena.ofAuto().allocate(STRIDE * pes, Long.BYTES);
    locks = IntStream.range(0, pes).mapToObj(pe -> new McsLock(memory, STRIDE, table, pes, pe)).toList();
  }

  void kill(int pe) {
    dead.set(pe);
  }

  IntPredicate dead() {
    return dead::get;
  }

  int set(int pe, long offset) {
    return locks.get(pe).set(offset, dead());
  }

  int test(int pe, long offset) {
    return locks.get(pe).test(offset, dead());
  }

  int clear(int pe, long offset) {
    return locks.get(pe).clear(offset, dead());
  }

  int withdraw(int pe, long offset) {
    return locks.get(pe).withdraw(offset, dead());
  }

  int other(int pe) {
    return locks.get(pe).other();
  }

  int woken(int pe) {
    return locks.get(pe).nextWaiter();
  }

  long word(int pe, long offset) {
    return memory.get(ValueLayout.JAVA_LONG, STRIDE * pe + offset);
  }

  void write(int pe, long offset, long word) {
    memory.set(ValueLayout.JAVA_LONG, STRIDE * pe + offset, word);
  }

  /** Whether the words of the living are zeros, and no queue has a last PE. */
  boolean isClean() {
    for (int pe = 0; pe < locks.size(); pe++) {
      for (long offset = 0; offset < STRIDE; offset += Long.BYTES) {
        long word = word(pe, offset);
        if (dead.get(pe) ? LockWord.last(word) != 0 : word != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
