package io.adrastea;

import static io.adrastea.Communicator.NO_RANK;
import static io.adrastea.Communicator.UNDEFINED;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.adrastea.engine.group.Numbering;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups are lists of ranks: what is made of them has the ranks, and the order, that MPI's functions give. */
class GroupTest {
  private static final int JOB_SIZE = 10;
  private static final Object JOB = new Object();

  private static Group group(int... jobRanks) {
    Group world = Group.of(JOB, 4, Numbering.world(JOB_SIZE));
    return world.incl(jobRanks);
  }

  private static void assertRanks(Group group, int... jobRanks) {
    assertArrayEquals(jobRanks, group.jobRanks());
    assertEquals(jobRanks.length, group.size());
    for (int rank = 0; rank < jobRanks.length; rank++) {
      assertEquals(jobRanks[rank], group.jobRank(rank));
      assertEquals(rank, group.rankOf(jobRanks[rank]));
    }
  }

  @Test
  void setsKeepTheOrderOfTheFirstGroup() {
    Group one = group(5, 1, 3, 9);
    Group two = group(3, 0, 5);
    assertRanks(one.union(two), 5, 1, 3, 9, 0);
    assertRanks(one.intersection(two), 5, 3);
    assertRanks(two.intersection(one), 3, 5);
    assertRanks(one.difference(two), 1, 9);
    assertRanks(one.difference(one));
  }

  @Test
  void someRanksAndAllButSome() {
    Group one = group(5, 1, 3, 9);
    assertRanks(one.incl(3, 0), 9, 5);
    assertRanks(one.incl());
    assertRanks(one.excl(3, 0), 1, 3);
    assertRanks(one.excl(), 5, 1, 3, 9);
  }

  @Test
  void rangesGoUpAndDown() {
    Group world = group(IntStream.range(0, JOB_SIZE).toArray());
    assertRanks(world.inclRanges(new int[] {1, 6, 2}, new int[] {9, 7, -1}), 1, 3, 5, 9, 8, 7);
    assertRanks(world.inclRanges(new int[] {4, 4, 3}), 4);
    assertRanks(world.inclRanges(new int[] {4, 5, -3}, new int[] {5, 4, 3}));
    assertRanks(world.exclRanges(new int[] {0, 8, 2}), 1, 3, 5, 7, 9);
  }

  @Test
  void placesAreTranslated() {
    Group one = group(5, 1, 3, 9);
    Group two = group(3, 0, 5);
    assertArrayEquals(new int[] {2, UNDEFINED, NO_RANK, 0}, one.translate(two, 0, 1, NO_RANK, 2));
    assertEquals(UNDEFINED, one.rankOf(0));
    assertEquals(UNDEFINED, one.rankOf(-1));
    assertEquals(UNDEFINED, one.rankOf(JOB_SIZE));
    assertEquals(UNDEFINED, one.rank());
    assertEquals(1, group(2, 4).rank());
  }

  @Test
  void theEmptyGroupGoesWithGroupsOfEachJob() {
    Group empty = Group.empty();
    assertSame(empty, Group.empty());
    assertRanks(empty);
    assertEquals(UNDEFINED, empty.rank());
    assertEquals(UNDEFINED, empty.rankOf(0));
    Group other = Group.of(new Object(), 3, Numbering.world(JOB_SIZE));
    for (Group some : List.of(group(5, 1, 3), other, empty)) {
      assertEquals(some, empty.union(some));
      assertEquals(some, some.union(empty));
      assertEquals(some, some.difference(empty));
      assertEquals(empty, some.intersection(empty));
      assertEquals(empty, empty.intersection(some));
      assertEquals(empty, empty.difference(some));
      assertEquals(empty, some.incl());
      assertEquals(some.incl(), empty);
      assertEquals(empty.hashCode(), some.incl().hashCode());
      assertEquals(Group.Comparison.IDENTICAL, empty.compare(some.incl()));
      assertArrayEquals(new int[] {NO_RANK}, empty.translate(some, NO_RANK));
    }
    assertEquals(Group.Comparison.UNEQUAL, empty.compare(group(1)));
    assertNotEquals(empty, group(1));
    assertEquals(other.rank(), empty.union(other).rank());
    assertArrayEquals(new int[] {UNDEFINED}, group(1).translate(empty, 0));
    refuses(IllegalArgumentException.class, "rank 0 of a group that has no ranks", () -> empty.jobRank(0));
    refuses(NullPointerException.class, "the other group is null", () -> empty.union(null));
  }

  @Test
  void groupsAreCompared() {
    Group one = group(5, 1, 3);
    assertEquals(Group.Comparison.IDENTICAL, one.compare(group(5, 1, 3)));
    assertEquals(Group.Comparison.SIMILAR, one.compare(group(1, 3, 5)));
    assertEquals(Group.Comparison.UNEQUAL, one.compare(group(1, 3, 6)));
    assertEquals(Group.Comparison.UNEQUAL, one.compare(group(1, 3)));
    assertEquals(one, group(5, 1, 3));
    assertEquals(one.hashCode(), group(5, 1, 3).hashCode());
    assertNotEquals(one, group(1, 3, 5));
    assertEquals("job ranks [5, 1, 3]", one.toString());
  }

  @Test
  void randomGroupsObeyTheLawsOfSets() {
    long seed = Long.getLong("adrastea.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      Group one = random(random);
      Group two = random(random);
      String said = "-Dadrastea.seed=%d: %s, %s".formatted(seed, one, two);
      assertEquals(one.union(two).size() + one.intersection(two).size(), one.size() + two.size(), said);
      assertEquals(one.union(two), one.union(two.difference(one)), said);
      assertEquals(0, one.difference(two).intersection(two).size(), said);
      assertNotEquals(Group.Comparison.UNEQUAL, one.union(two).compare(two.union(one)), said);
    }
  }

  private static Group random(Random random) {
    List<Integer> left = new ArrayList<>(IntStream.range(0, JOB_SIZE).boxed().toList());
    int[] ranks = IntStream.range(0, random.nextInt(JOB_SIZE + 1))
        .map(any -> left.remove(random.nextInt(left.size()))).toArray();
    return group(ranks);
  }

  @Test
  void whatCannotBeIsRefused() {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    Group one = group(5, 1, 3);
    refuses(illegal, "rank 3 of a group; this one has ranks 0 to 2", () -> one.jobRank(3));
    refuses(illegal, "rank -1 of a group", () -> one.incl(0, -1));
    refuses(illegal, "rank 0 of a group that has no ranks", () -> group().jobRank(0));
    refuses(illegal, "rank 1 is named twice; a group has each at most once", () -> one.incl(1, 0, 1));
    refuses(illegal, "rank 1 is named twice", () -> one.excl(1, 1));
    refuses(illegal, "rank 1 is named twice", () -> one.inclRanges(new int[] {0, 1, 1}, new int[] {1, 2, 1}));
    refuses(illegal, "the range [0, 1, 0]", () -> one.inclRanges(new int[] {0, 1, 0}));
    refuses(illegal, "the range [0, 1]", () -> one.exclRanges(new int[] {0, 1}));
    refuses(illegal, "rank 3 of a group", () -> one.inclRanges(new int[] {0, 3, 1}));
    refuses(illegal, "rank 2 of a group; this one has ranks 0 to 1",
        () -> group(7, 8).inclRanges(new int[] {0, 2, 2})); // an end that the range does not come to, too
    refuses(illegal, "rank 2 of a group", () -> group(7, 8).exclRanges(new int[] {0, 2, 2}));
    refuses(illegal, "rank -1 of a group", () -> group(7, 8).inclRanges(new int[] {1, -1, -3}));
    refuses(illegal, "rank 5 of a group", () -> one.translate(group(1), 5));
    Group other = Group.of(new Object(), 0, Numbering.world(JOB_SIZE));
    refuses(illegal, "a group of another job", () -> one.union(other));
    refuses(illegal, "a group of another job", () -> one.compare(other));
    refuses(NullPointerException.class, "the other group is null", () -> one.difference(null));
    refuses(NullPointerException.class, "the ranks are null", () -> one.incl((int[]) null));
    refuses(NullPointerException.class, "the ranges are null", () -> one.inclRanges((int[][]) null));
    refuses(NullPointerException.class, "a range is null", () -> one.inclRanges(new int[] {0, 1, 1}, null));
    refuses(NullPointerException.class, "the ranks are null", () -> one.excl((int[]) null));
    refuses(NullPointerException.class, "the ranks are null", () -> one.translate(one, (int[]) null));
  }

  @Test
  void aCommunicatorTellsItsGroup() throws Exception {
    Ranks.run("java", 3, job -> {
      Group world = job.world().group();
      assertRanks(world, 0, 1, 2);
      assertEquals(job.world().rank(), world.rank());
      assertEquals(world, job.world().group());
    });
  }
}
