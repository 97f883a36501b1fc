package io.adrastea.window;

import static io.adrastea.window.WindowLook.ACQUIRED;
import static io.adrastea.window.WindowLook.AWAITS;
import static io.adrastea.window.WindowLook.BROKEN;
import static io.adrastea.window.WindowLook.NOBODY;
import static io.adrastea.window.WindowLook.REPAIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.atomic.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The locks, stripes and counts of a window, looked at by several members in turn. */
class WindowLockTest {
  private static final int TARGET = 1;

  private WindowMembers window = new WindowMembers(70); // two words a set
  private static final int FAR = 66;

  private void assertAwaits(int found, int member, int other) {
    assertEquals(AWAITS, found);
    assertEquals(other, window.other(member));
  }

  private void assertRepaired(int found, int member, int other) {
    assertEquals(REPAIRED, found);
    assertEquals(other, window.other(member));
  }

  @Test
  void anExclusiveLockExcludesAllOthersOfItsTargetAlone() {
    assertEquals(ACQUIRED, window.exclusive(FAR, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, FAR);
    assertAwaits(window.shared(3, TARGET), 3, FAR);
    assertEquals(ACQUIRED, window.all(4));
    assertAwaits(window.settle(4, TARGET), 4, FAR);
    assertEquals(ACQUIRED, window.settle(4, 5));
    assertEquals(ACQUIRED, window.shared(3, 7));
    window.locks.get(3).releaseShared(7);
    window.locks.get(FAR).releaseExclusive(TARGET);
    assertEquals(Set.of(2, 3, 4), window.woken(FAR));
    assertEquals(ACQUIRED, window.settle(4, TARGET));
    assertEquals(ACQUIRED, window.shared(3, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 4);
    window.locks.get(4).releaseAll();
    assertEquals(Set.of(2), window.woken(4));
    assertAwaits(window.exclusive(2, TARGET), 2, 3);
    window.locks.get(3).releaseShared(TARGET);
    assertEquals(Set.of(2), window.woken(3));
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    window.locks.get(2).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void sharersThatComeLaterWaitForOneThatHoldsThemBack() {
    assertEquals(ACQUIRED, window.shared(0, TARGET));
    assertEquals(ACQUIRED, window.shared(FAR, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    assertAwaits(window.shared(3, TARGET), 3, 2);
    window.locks.get(0).releaseShared(TARGET);
    assertAwaits(window.exclusive(2, TARGET), 2, FAR);
    assertEquals(AWAITS, window.locks.get(2).tryExclusive(TARGET, false, window.dead()));
    assertEquals(new TreeSet<>(Set.of(3)), window.woken(2), "the word is given back");
    assertEquals(ACQUIRED, window.shared(3, TARGET));
    assertEquals(AWAITS, window.locks.get(2).tryExclusive(TARGET, false, window.dead()));
    assertEquals(ACQUIRED, window.shared(4, TARGET));
    for (int sharer : List.of(FAR, 3, 4)) {
      window.locks.get(sharer).releaseShared(TARGET);
      assertEquals(Set.of(2), window.woken(sharer));
    }
    assertEquals(ACQUIRED, window.locks.get(2).tryExclusive(TARGET, false, window.dead()));
    window.locks.get(2).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void oneThatComesToLockAllLaterWaitsForOneThatHoldsItBack() {
    assertEquals(ACQUIRED, window.all(FAR));
    assertAwaits(window.exclusive(2, TARGET), 2, FAR);
    assertAwaits(window.all(3), 3, 2);
    assertEquals(ACQUIRED, window.settle(FAR, TARGET), "the word was given back");
    assertEquals(AWAITS, window.locks.get(2).tryExclusive(TARGET, false, window.dead()));
    assertEquals(Set.of(3), window.woken(2), "which is not held back any more");
    assertEquals(ACQUIRED, window.all(3));
    window.locks.get(3).releaseAll();
    assertAwaits(window.exclusive(2, TARGET), 2, FAR);
    assertAwaits(window.all(3), 3, 2);
    window.locks.get(FAR).releaseAll();
    assertEquals(Set.of(2, 3), window.woken(FAR));
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    assertEquals(Set.of(3), window.woken(2));
    assertEquals(ACQUIRED, window.all(3));
    assertAwaits(window.settle(3, TARGET), 3, 2);
    window.locks.get(2).releaseExclusive(TARGET);
    assertEquals(ACQUIRED, window.settle(3, TARGET));
    window.locks.get(3).releaseAll();
    assertTrue(window.isClean());
  }

  @Test
  void anOwnerThatStillWaitsForSharersGivesWayToOneInLockAll() {
    assertEquals(ACQUIRED, window.shared(0, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    assertEquals(ACQUIRED, window.all(3));
    assertAwaits(window.settle(3, TARGET), 3, 2);
    assertEquals(Set.of(2), window.woken(3), "it may sleep until the sharer goes");
    assertAwaits(window.exclusive(2, TARGET), 2, 3);
    assertEquals(Set.of(3), window.woken(2));
    assertEquals(ACQUIRED, window.settle(3, TARGET));
    window.locks.get(3).releaseAll();
    window.locks.get(0).releaseShared(TARGET);
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    window.locks.get(2).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void whatIsGivenUpLeavesNothing() {
    assertEquals(ACQUIRED, window.shared(0, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    assertAwaits(window.exclusive(3, TARGET), 3, 2);
    assertAwaits(window.shared(4, TARGET), 4, 2);
    for (int member : List.of(4, 3, 2)) {
      window.locks.get(member).withdraw(TARGET);
    }
    assertEquals(Set.of(), window.woken(2));
    window.locks.get(0).releaseShared(TARGET);
    assertEquals(ACQUIRED, window.all(0));
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    assertAwaits(window.exclusive(2, 3), 2, 0);
    assertAwaits(window.all(FAR), FAR, 2);
    window.locks.get(2).withdraw(TARGET);
    assertAwaits(window.all(FAR), FAR, 2);
    window.locks.get(2).withdraw(3);
    assertEquals(Set.of(FAR), window.woken(2));
    window.locks.get(FAR).withdrawAll();
    window.locks.get(0).releaseAll();
    assertEquals(Set.of(), window.woken(0));
    assertTrue(window.isClean());
  }

  @Test
  void theNextOneClearsUpBehindADeadOwnerOnce() {
    assertEquals(ACQUIRED, window.exclusive(FAR, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, FAR);
    assertAwaits(window.shared(3, TARGET), 3, FAR);
    assertEquals(ACQUIRED, window.all(4));
    assertAwaits(window.settle(4, TARGET), 4, FAR);
    window.kill(FAR);
    assertRepaired(window.shared(3, TARGET), 3, FAR);
    assertEquals(Set.of(2, 4), window.woken(3));
    assertEquals(ACQUIRED, window.settle(4, TARGET));
    window.locks.get(4).releaseAll();
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    window.locks.get(2).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void aSettleClearsUpAndStaysInLockAll() {
    assertEquals(ACQUIRED, window.exclusive(0, TARGET));
    assertEquals(ACQUIRED, window.all(4));
    window.kill(0);
    assertRepaired(window.settle(4, TARGET), 4, 0);
    assertEquals(ACQUIRED, window.settle(4, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 4);
    window.locks.get(2).withdraw(TARGET);
    window.locks.get(4).releaseAll();
    assertTrue(window.isClean());
  }

  @Test
  void theNextOneClearsUpBehindDeadSharersOnceAndHoldsNothing() {
    assertEquals(ACQUIRED, window.shared(0, TARGET));
    assertEquals(ACQUIRED, window.shared(FAR, TARGET));
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    assertAwaits(window.exclusive(3, TARGET), 3, 2);
    window.kill(0);
    window.kill(FAR);
    assertRepaired(window.exclusive(2, TARGET), 2, 0);
    assertEquals(Set.of(3), window.woken(2));
    assertEquals(ACQUIRED, window.exclusive(3, TARGET), "both are gone, and the word is free");
    window.locks.get(3).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void theNextOneClearsUpBehindADeadMemberInLockAll() {
    assertEquals(ACQUIRED, window.all(FAR));
    assertEquals(ACQUIRED, window.all(0));
    window.kill(FAR);
    assertRepaired(window.exclusive(2, TARGET), 2, FAR);
    assertAwaits(window.exclusive(2, TARGET), 2, 0);
    window.locks.get(0).releaseAll();
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    window.locks.get(2).releaseExclusive(TARGET);
    assertTrue(window.isClean());
  }

  @Test
  void deadMembersThatOnlyWaitedAreNoHolders() {
    assertEquals(ACQUIRED, window.all(0));
    assertAwaits(window.exclusive(FAR, TARGET), FAR, 0);
    assertAwaits(window.all(3), 3, FAR);
    window.kill(FAR);
    assertEquals(ACQUIRED, window.all(3));
    window.locks.get(3).releaseAll();
    window.locks.get(0).releaseAll();
    assertEquals(Set.of(), window.woken(0));
    assertEquals(ACQUIRED, window.exclusive(2, TARGET));
    assertAwaits(window.exclusive(4, TARGET), 4, 2);
    window.kill(4);
    window.locks.get(2).releaseExclusive(TARGET);
    assertEquals(Set.of(), window.woken(2));
    assertTrue(window.isClean());
  }

  @Test
  void whatABrokenMemberWroteIsTold() {
    Words.storeLong(window.blocks[TARGET], 0, 71);
    for (int found : new int[] {window.exclusive(2, TARGET), window.shared(2, TARGET), window.settle(2, TARGET)}) {
      assertEquals(BROKEN, found);
      assertEquals(70, window.other(2));
    }
    Words.storeLong(window.blocks[TARGET], 0, 0xFFFF_FFFFL);
    assertEquals(BROKEN, window.exclusive(2, TARGET));
    Words.storeLong(window.blocks[TARGET], 0, 0);
    Words.storeLong(window.blocks[TARGET], WindowBlock.holders(1), 1L << 63);
    assertEquals(BROKEN, window.exclusive(2, TARGET));
    assertEquals(127, window.other(2));
    Words.storeLong(window.blocks[TARGET], WindowBlock.holders(1), 0);
    assertTrue(window.isClean());
  }

  @Test
  void aStripeIsHeldByOneAndTakenOverOnce() {
    WindowStripes first = window.stripes.get(FAR);
    WindowStripes second = window.stripes.get(2);
    assertEquals(ACQUIRED, first.tryAcquire(TARGET, 63, window.dead()));
    assertEquals(ACQUIRED, second.tryAcquire(TARGET, 62, window.dead()));
    assertEquals(AWAITS, second.tryAcquire(TARGET, 63, window.dead()));
    assertEquals(FAR, second.other());
    window.kill(FAR);
    assertEquals(REPAIRED, second.tryAcquire(TARGET, 63, window.dead()));
    assertEquals(ACQUIRED, second.tryAcquire(TARGET, 63, window.dead()));
    second.release(TARGET, 63);
    second.release(TARGET, 62);
    assertEquals(2L << 32, Words.loadLong(window.blocks[TARGET], WindowBlock.stripe(70, 63)));
    assertEquals(63, WindowBlock.stripeOf(64 * 64 - 1));
    assertEquals(0, WindowBlock.stripeOf(64 * 64));
    assertTrue(window.isClean());
  }

  @Test
  void postsAndCompletesAreCountedByPair() {
    WindowSync target = window.syncs.get(TARGET);
    WindowSync origin = window.syncs.get(FAR);
    WindowSync other = window.syncs.get(2);
    assertFalse(origin.hasPosted(TARGET, 1));
    target.post(FAR);
    target.post(FAR);
    assertTrue(origin.hasPosted(TARGET, 2));
    assertFalse(origin.hasPosted(TARGET, 3));
    assertFalse(other.hasPosted(TARGET, 1));
    origin.complete(TARGET);
    assertTrue(target.hasCompleted(FAR, 1));
    assertFalse(target.hasCompleted(FAR, 2));
    assertFalse(target.hasCompleted(2, 1));
    assertFalse(other.hasCompleted(FAR, 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 63, 64, 65, 128, 1000})
  void theWordsOfABlockLieApart(int members) {
    TreeSet<Long> words = new TreeSet<>(Set.of(0L));
    List<Long> begins = new ArrayList<>(List.of(WindowBlock.whole(members)));
    begins.addAll(List.of(WindowBlock.posts(members, 0), WindowBlock.completes(members, 0)));
    begins.addAll(List.of(WindowBlock.stripe(members, 0), 0L));
    int sets = (members + 63) / 64;
    for (int word = 0; word < sets; word++) {
      for (long line : new long[] {0, WindowBlock.whole(members)}) {
        words.add(line + WindowBlock.holders(word));
        words.add(line + WindowBlock.waiters(word));
      }
      words.add(WindowBlock.wanted(members, word));
    }
    for (int member = 0; member < members; member++) {
      words.add(WindowBlock.posts(members, member));
      words.add(WindowBlock.completes(members, member));
    }
    for (int stripe = 0; stripe < WindowBlock.STRIPES; stripe++) {
      words.add(WindowBlock.stripe(members, stripe));
    }
    assertEquals(1 + 5 * sets + 2 * members + WindowBlock.STRIPES, words.size());
    assertTrue(words.stream().allMatch(at -> at % Long.BYTES == 0));
    assertTrue(words.last() + Long.BYTES <= WindowBlock.bytes(members));
    assertTrue(begins.stream().allMatch(at -> at % WindowBlock.ALIGNMENT == 0 && words.contains(at) || at > 0));
  }

  /** What a member has, as the model knows it. */
  private static final class Held {
    final Set<Integer> exclusive = new TreeSet<>();
    final Set<Integer> shared = new TreeSet<>();
    final Set<Integer> settled = new TreeSet<>();
    boolean all;
  }

  private static void assertAllowed(List<Held> members, int targets) {
    for (int target = 0; target < targets; target++) {
      int at = target;
      long owners = members.stream().filter(each -> each.exclusive.contains(at)).count();
      long others = members.stream().filter(each -> each.shared.contains(at) || each.settled.contains(at)).count();
      assertTrue(owners == 0 || owners == 1 && others == 0, "target " + target);
    }
  }

  /** One look or release drawn at random, held against the model. */
  private static void step(WindowMembers window, List<Held> members, int member, int target, int choice) {
    Held held = members.get(member);
    WindowLock lock = window.locks.get(member);
    boolean free = !held.all && !held.exclusive.contains(target) && !held.shared.contains(target);
    if (choice == 0 && free) {
      if (lock.tryExclusive(target, true, window.dead()) == ACQUIRED) {
        held.exclusive.add(target);
      }
    } else if (choice == 1 && free) {
      lock.withdraw(target);
      if (lock.tryShared(target, window.dead()) == ACQUIRED) {
        held.shared.add(target);
      }
    } else if (choice == 2 && free && held.exclusive.isEmpty() && held.shared.isEmpty()) {
      for (int each = 0; each < members.size(); each++) {
        lock.withdraw(each);
      }
      held.all = lock.tryAll(window.dead()) == ACQUIRED;
    } else if (choice == 3 && held.all) {
      if (lock.settle(target, window.dead()) == ACQUIRED) {
        held.settled.add(target);
      }
    } else if (choice == 4) {
      release(lock, held, target);
    } else if (choice == 5) {
      if (!held.exclusive.contains(target)) {
        lock.withdraw(target);
      }
      lock.withdrawAll();
    }
    window.woken(member);
  }

  private static void release(WindowLock lock, Held held, int target) {
    if (held.exclusive.remove(target)) {
      lock.releaseExclusive(target);
    } else if (held.shared.remove(target)) {
      lock.releaseShared(target);
    } else if (held.all) {
      for (int each = 0; each < 4; each++) {
        lock.withdraw(each);
      }
      lock.releaseAll();
      held.all = false;
      held.settled.clear();
    }
  }

  @Test
  void nothingThatIsDrawnAtRandomLetsTwoHaveWhatOneMay() {
    Random random = new Random(31);
    for (int round = 0; round < 2000; round++) {
      WindowMembers few = new WindowMembers(4);
      List<Held> members = List.of(new Held(), new Held(), new Held(), new Held());
      for (int step = 0; step < 60; step++) {
        step(few, members, random.nextInt(4), random.nextInt(2), random.nextInt(6));
        assertAllowed(members, 2);
      }
      for (int member = 0; member < 4; member++) {
        for (int target = 0; target < 4; target++) {
          release(few.locks.get(member), members.get(member), target);
          few.locks.get(member).withdraw(target);
        }
        few.locks.get(member).withdrawAll();
      }
      assertTrue(few.isClean());
    }
  }

  @Test
  void blocksThatCannotBeAreRefused() {
    MemorySegment[] blocks = window.blocks.clone();
    blocks[3] = MemorySegment.ofArray(new long[1000]);
    assertThrows(IllegalArgumentException.class, () -> new WindowLock(blocks, 0));
    blocks[3] = window.blocks[3].asSlice(0, WindowBlock.bytes(70) - 1);
    assertThrows(IllegalArgumentException.class, () -> new WindowLock(blocks, 0));
    blocks[3] = Arena.ofAuto().allocate(WindowBlock.bytes(70) + 128, 128).asSlice(8);
    assertThrows(IllegalArgumentException.class, () -> new WindowLock(blocks, 0));
  }

  @Test
  void nobodyIsNoMember() {
    assertEquals(NOBODY, window.other(0));
    assertEquals(Set.of(), window.woken(0));
  }
}
