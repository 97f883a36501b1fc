package io.adrastea.lock;

import static io.adrastea.lock.LockLook.ACQUIRED;
import static io.adrastea.lock.LockLook.AWAITS;
import static io.adrastea.lock.LockLook.BROKEN;
import static io.adrastea.lock.LockLook.NOBODY;
import static io.adrastea.lock.LockLook.RELEASED;
import static io.adrastea.lock.LockLook.REPAIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Locks of OpenSHMEM, looked at by several PEs in turn. */
class McsLockTest {
  private static final int PES = 5;

  private LockPes pes = new LockPes(PES);

  private void assertFound(int expected, int found, int pe, int other) {
    assertEquals(expected, found);
    assertEquals(other, pes.other(pe));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8, 16, 24, 32, 40})
  void aLockGoesByTheOrderOfEntry(long lock) {
    assertEquals(ACQUIRED, pes.set(3, lock));
    assertFound(AWAITS, pes.set(1, lock), 1, 3);
    assertFound(AWAITS, pes.set(4, lock), 4, 1);
    assertFound(AWAITS, pes.set(0, lock), 0, 4);
    int before = 3;
    for (int pe : new int[] {1, 4, 0}) {
      assertFound(AWAITS, pes.set(pe, lock), pe, before);
      assertEquals(RELEASED, pes.clear(before, lock));
      assertEquals(pe, pes.woken(before));
      assertEquals(NOBODY, pes.woken(before));
      assertEquals(ACQUIRED, pes.set(pe, lock));
      assertTrue(pes.locks.get(pe).holds(lock));
      before = pe;
    }
    assertEquals(RELEASED, pes.clear(0, lock));
    assertEquals(NOBODY, pes.woken(0));
    assertTrue(pes.isClean());
  }

  @Test
  void aTestTakesAFreeLockAndDoesNotEnterTheQueue() {
    assertEquals(ACQUIRED, pes.test(2, 8));
    assertFound(AWAITS, pes.test(1, 8), 1, 2);
    assertFound(AWAITS, pes.test(2, 8), 2, 2);
    assertEquals(ACQUIRED, pes.test(1, 16), "another lock");
    assertEquals(RELEASED, pes.clear(2, 8));
    assertEquals(NOBODY, pes.woken(2));
    assertEquals(RELEASED, pes.clear(1, 16));
    assertTrue(pes.isClean());
  }

  @Test
  void aPeDoesNotClearWhatItDoesNotHaveNorTakeWhatItHas() {
    assertFound(BROKEN, pes.clear(1, 0), 1, 1);
    assertEquals(ACQUIRED, pes.set(1, 0));
    assertFound(AWAITS, pes.set(1, 0), 1, 1);
    assertFound(AWAITS, pes.set(2, 0), 2, 1);
    assertFound(BROKEN, pes.clear(2, 0), 2, 2);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 8, 16, 24, 32, 40})
  void onesThatGiveUpDoNotTakeThePlacesOfOthers(long lock) {
    assertEquals(ACQUIRED, pes.set(0, lock));
    for (int pe = 1; pe < PES; pe++) {
      assertFound(AWAITS, pes.set(pe, lock), pe, pe - 1);
    }
    assertEquals(RELEASED, pes.withdraw(2, lock));
    assertEquals(3, pes.woken(2), "it waits for another one now");
    assertFound(AWAITS, pes.set(3, lock), 3, 1);
    assertEquals(RELEASED, pes.withdraw(1, lock));
    assertEquals(RELEASED, pes.withdraw(4, lock));
    assertFound(AWAITS, pes.set(1, lock), 1, 3);
    assertEquals(RELEASED, pes.clear(0, lock));
    assertEquals(3, pes.woken(0));
    assertEquals(RELEASED, pes.withdraw(3, lock), "it has the lock, and hands it on");
    assertEquals(1, pes.woken(3));
    assertEquals(ACQUIRED, pes.set(1, lock));
    assertEquals(RELEASED, pes.clear(1, lock));
    assertEquals(RELEASED, pes.withdraw(1, lock), "it is not in the queue");
    assertTrue(pes.isClean());
  }

  @Test
  void ofADeadHolderTheNextOneIsToldOnce() {
    assertEquals(ACQUIRED, pes.set(0, 8));
    assertFound(AWAITS, pes.set(1, 8), 1, 0);
    assertFound(AWAITS, pes.set(2, 8), 2, 1);
    pes.kill(0);
    assertFound(AWAITS, pes.set(2, 8), 2, 1);
    assertFound(REPAIRED, pes.set(1, 8), 1, 0);
    assertTrue(pes.locks.get(1).holds(8));
    assertFound(AWAITS, pes.test(3, 8), 3, 2);
    assertEquals(RELEASED, pes.clear(1, 8));
    assertEquals(ACQUIRED, pes.set(2, 8));
    assertEquals(RELEASED, pes.clear(2, 8));
    assertTrue(pes.isClean());
  }

  private int setAgain(int pe, long lock) {
    int found = pes.set(pe, lock);
    while (found == AWAITS && pes.other(pe) == NOBODY) {
      found = pes.set(pe, lock);
    }
    return found;
  }

  @Test
  void ofOnesThatDieWhileTheyWaitNobodyIsTold() {
    assertEquals(ACQUIRED, pes.set(0, 16));
    for (int pe = 1; pe < PES; pe++) {
      assertFound(AWAITS, pes.set(pe, 16), pe, pe - 1);
    }
    pes.kill(1);
    pes.kill(3);
    assertFound(AWAITS, setAgain(2, 16), 2, 0);
    pes.kill(2);
    assertFound(AWAITS, setAgain(4, 16), 4, 0);
    assertEquals(RELEASED, pes.clear(0, 16));
    assertEquals(4, pes.woken(0));
    assertEquals(ACQUIRED, pes.set(4, 16));
    assertEquals(RELEASED, pes.clear(4, 16));
    assertTrue(pes.isClean());
  }

  @Test
  void aLockThatWasHandedToADeadOneIsFree() {
    assertEquals(ACQUIRED, pes.set(0, 24));
    assertFound(AWAITS, pes.set(1, 24), 1, 0);
    pes.kill(1);
    assertEquals(RELEASED, pes.clear(0, 24));
    assertEquals(ACQUIRED, pes.test(2, 24), "nobody is told: the dead one had not looked");
    assertEquals(RELEASED, pes.clear(2, 24));
    assertTrue(pes.isClean());
  }

  @Test
  void aTestTakesALockWhoseQueueIsDead() {
    assertEquals(ACQUIRED, pes.set(0, 32));
    assertFound(AWAITS, pes.set(1, 32), 1, 0);
    pes.kill(1);
    assertFound(AWAITS, pes.test(2, 32), 2, 0);
    pes.kill(0);
    assertFound(REPAIRED, pes.test(2, 32), 2, 0);
    assertEquals(RELEASED, pes.clear(2, 32));
    assertEquals(ACQUIRED, pes.test(3, 32));
    assertEquals(RELEASED, pes.clear(3, 32));
    assertTrue(pes.isClean());
  }

  /** PE 1 has the lock, and PE 2, behind it, has not linked itself; PE 3 is behind PE 2. */
  private void enterUnlinked(long lock) {
    assertEquals(ACQUIRED, pes.set(1, lock));
    assertFound(AWAITS, pes.set(2, lock), 2, 1);
    pes.write(1, lock, LockWord.withNext(pes.word(1, lock), 0));
    pes.write(2, lock, LockWord.standing(pes.word(2, lock), LockWord.ENTERS, 2));
  }

  @Test
  void oneThatIsAboutToLinkItselfIsWaitedForUntilItIsDead() {
    enterUnlinked(40);
    assertFound(AWAITS, pes.set(3, 40), 3, 2);
    assertFound(AWAITS, pes.clear(1, 40), 1, 2);
    pes.kill(2);
    assertFound(AWAITS, pes.clear(1, 40), 1, NOBODY);
    assertEquals(RELEASED, pes.clear(1, 40));
    assertEquals(ACQUIRED, setAgain(3, 40));
    assertEquals(RELEASED, pes.clear(3, 40));
    assertTrue(pes.isClean());
  }

  @Test
  void oneBehindADeadOneThatIsNotLinkedTakesItOut() {
    enterUnlinked(40);
    assertFound(AWAITS, pes.set(3, 40), 3, 2);
    pes.kill(2);
    assertFound(AWAITS, setAgain(3, 40), 3, 1);
    assertEquals(RELEASED, pes.clear(1, 40));
    assertEquals(3, pes.woken(1));
    assertEquals(ACQUIRED, pes.set(3, 40));
    assertEquals(RELEASED, pes.clear(3, 40));
    assertTrue(pes.isClean());
  }

  @Test
  void oneThatGivesUpWaitsForTheLinkOfTheOneBehind() {
    assertEquals(ACQUIRED, pes.set(0, 40));
    assertFound(AWAITS, pes.set(1, 40), 1, 0);
    assertFound(AWAITS, pes.set(2, 40), 2, 1);
    pes.write(1, 40, LockWord.withNext(pes.word(1, 40), 0));
    assertFound(AWAITS, pes.withdraw(1, 40), 1, 2);
    pes.write(1, 40, LockWord.withNext(pes.word(1, 40), 3));
    assertEquals(RELEASED, pes.withdraw(1, 40));
    assertFound(AWAITS, pes.set(2, 40), 2, 0);
  }

  @Test
  void theTableIsTakenOverFromADeadOwnerAlone() {
    IntPredicate dead = pes.dead();
    assertTrue(LockTable.tryAcquire(pes.table, 8, 3, PES, dead));
    assertTrue(LockTable.tryAcquire(pes.table, 8, 3, PES, dead), "its own");
    assertFalse(LockTable.tryAcquire(pes.table, 8, 1, PES, dead));
    assertTrue(LockTable.tryAcquire(pes.table, 16, 1, PES, dead), "another word");
    assertEquals(ACQUIRED, pes.set(0, 8));
    assertFound(AWAITS, pes.set(1, 8), 1, 0);
    assertFound(AWAITS, pes.withdraw(1, 8), 1, NOBODY);
    pes.kill(3);
    assertEquals(RELEASED, pes.withdraw(1, 8));
    assertTrue(LockTable.tryAcquire(pes.table, 8, 2, PES, dead), "it was given back");
  }

  @Test
  void wordsThatCannotBeAreBroken() {
    assertEquals(ACQUIRED, pes.set(1, 0));
    int home = LockWord.home(0, PES);
    pes.write(home, 0, LockWord.withLast(pes.word(home, 0), PES + 1));
    assertFound(BROKEN, pes.set(2, 0), 2, home);
    assertFound(BROKEN, pes.test(2, 0), 2, home);
    assertFound(BROKEN, pes.clear(1, 0), 1, home);
    pes.write(3, 8, LockWord.standing(0, 77, 0));
    assertFound(BROKEN, pes.set(3, 8), 3, 3);
    assertFound(BROKEN, pes.withdraw(3, 8), 3, 3);
    pes.write(3, 8, LockWord.standing(0, LockWord.WAITS, 4));
    assertFound(BROKEN, pes.set(3, 8), 3, 3);
  }

  @Test
  void homesAreSpreadOverThePes() {
    Set<Integer> homes = new HashSet<>();
    for (long offset = 0; offset < 64 * Long.BYTES; offset += Long.BYTES) {
      int home = LockWord.home(offset, 7);
      assertTrue(home >= 0 && home < 7);
      homes.add(home);
    }
    assertEquals(7, homes.size());
    assertEquals(0, LockWord.home(0, LockWord.MOST_PES));
  }

  @Test
  void memoryThatIsTooShortOrNotAlignedIsRefused() {
    MemorySegment memory = Arena.ofAuto().allocate(72, 8);
    MemorySegment table = Arena.ofAuto().allocate(LockTable.bytes(), 8);
    new McsLock(memory, 24, table, 3, 2);
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory, 32, table, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory, 20, table, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory.asSlice(4), 16, table, 3, 2));
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory, 24, table.asSlice(8), 3, 2));
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory, 24, table, 3, 3));
    assertThrows(IllegalArgumentException.class, () -> new McsLock(memory, 0, table, 65_535, 3));
  }

  /** PEs take turns at random against a list of those that wait; some give up, some die. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 70})
  void randomTurnsGoAsInAList(int count) {
    for (int seed = 0; seed < 200; seed++) {
      playAtRandom(count, new Random(seed));
    }
  }

  private void playAtRandom(int count, Random random) {
    pes = new LockPes(count);
    long lock = 8L * random.nextInt(16);
    Deque<Integer> queue = new ArrayDeque<>(); // the holder first
    BitSet dead = new BitSet();
    for (int turn = 0; turn < 40; turn++) {
      int pe = random.nextInt(count);
      if (dead.get(pe)) {
        continue;
      }
      boolean isIn = queue.contains(pe);
      if (random.nextInt(12) == 0 && dead.cardinality() < count - 1) {
        pes.kill(pe);
        dead.set(pe);
        continue;
      }
      if (isIn && random.nextInt(6) == 0) {
        withdrawFully(pe, lock);
        queue.remove(pe);
        continue;
      }
      look(pe, lock, queue, dead);
    }
    endAll(count, lock, queue, dead);
  }

  private void withdrawFully(int pe, long lock) {
    int found = pes.withdraw(pe, lock);
    for (int looks = 0; found != RELEASED; looks++) {
      assertTrue(looks < 4);
      assertEquals(AWAITS, found);
      found = pes.withdraw(pe, lock);
    }
    pes.woken(pe);
  }

  /** A look for the lock, or a clear. */
  private void look(int pe, long lock, Deque<Integer> queue, BitSet dead) {
    if (pes.locks.get(pe).holds(lock)) {
      withdrawFully(pe, lock);
      queue.remove(pe);
      return;
    }
    int found = setAgain(pe, lock);
    if (!queue.contains(pe)) {
      queue.add(pe);
    }
    if (found == AWAITS) {
      int first = queue.stream().filter(each -> !dead.get(each)).findFirst().orElseThrow();
      assertTrue(first != pe || dead.get(pes.other(pe)), "nobody that lives is before it");
      return;
    }
    assertTrue(found == ACQUIRED || found == REPAIRED);
    while (queue.peek() != pe) { // all before it are dead
      assertTrue(dead.get(queue.remove()));
    }
  }

  private void endAll(int count, long lock, Deque<Integer> queue, BitSet dead) {
    for (int looks = 0; queue.stream().anyMatch(each -> !dead.get(each)); looks++) {
      assertTrue(looks < 4 * count);
      look(queue.stream().filter(each -> !dead.get(each)).findFirst().orElseThrow(), lock, queue, dead);
    }
    int living = dead.nextClearBit(0);
    int found = setAgain(living, lock);
    if (found == AWAITS) { // the first look enters the queue, the next finds the one before dead
      found = setAgain(living, lock);
    }
    assertTrue(found == ACQUIRED || found == REPAIRED);
    withdrawFully(living, lock);
    assertTrue(pes.isClean());
  }
}
