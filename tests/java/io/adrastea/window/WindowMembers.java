package io.adrastea.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The members of a window in one JVM, on plain memory. */
final class WindowMembers {
  final MemorySegment[] blocks;
  final List<WindowLock> locks;
  final List<WindowSync> syncs;
  final List<WindowStripes> stripes;
  private final BitSet dead = new BitSet();

  WindowMembers(int members) {
    Arena arena = Arena.ofAuto();
    blocks =
        IntStream.range(0, members)
            .mapToObj(member -> arena.allocate(WindowBlock.bytes(members), WindowBlock.ALIGNMENT))
            .toArray(MemorySegment[]::new);
    locks = IntStream.range(0, members).mapToObj(member -> new WindowLock(blocks, member)).toList();
    syncs = IntStream.range(0, members).mapToObj(member -> new WindowSync(blocks, member)).toList();
    stripes = IntStream.range(0, members).mapToObj(member -> new WindowStripes(blocks, member)).toList();
  }

  void kill(int member) {
    dead.set(member);
  }

  IntPredicate dead() {
    return dead::get;
  }

  int exclusive(int member, int target) {
    return locks.get(member).tryExclusive(target, true, dead());
  }

  int shared(int member, int target) {
    return locks.get(member).tryShared(target, dead());
  }

  int all(int member) {
    return locks.get(member).tryAll(dead());
  }

  int settle(int member, int target) {
    return locks.get(member).settle(target, dead());
  }

  int other(int member) {
    return locks.get(member).other();
  }

  /** The members that one is to wake after its last call. */
  TreeSet<Integer> woken(int member) {
    TreeSet<Integer> woken = new TreeSet<>();
    for (int next = next(member); next != WindowLook.NOBODY; next = next(member)) {
      woken.add(next);
    }
    return woken;
  }

  private int next(int member) {
    return locks.get(member).nextWaiter(dead());
  }

  /** Whether there is no bit and no owner anywhere, but what the posts and completes count. */
  boolean isClean() {
    int members = blocks.length;
    for (MemorySegment block : blocks) {
      for (long at = 0; at < WindowBlock.posts(members, 0); at += Long.BYTES) {
        long word = block.get(ValueLayout.JAVA_LONG, at);
        if (at == 0 ? WindowBlock.owner(word) != 0 : word != 0) {
          return false;
        }
      }
      for (int stripe = 0; stripe < WindowBlock.STRIPES; stripe++) {
        long at = WindowBlock.stripe(members, stripe);
        if (WindowBlock.owner(block.get(ValueLayout.JAVA_LONG, at)) != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
