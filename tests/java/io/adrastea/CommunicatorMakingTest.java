package io.adrastea;

import static io.adrastea.Communicator.ANY_SOURCE;
import static io.adrastea.Communicator.NO_COLOR;
import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.error.CollectiveException;
import io.adrastea.error.RankFailedException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators made out of others: which ranks they have, in which order, and that they talk among themselves. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"ffm", "java", "jni,jna,ffm,java", "ffm+mixed", "java+nodes.round.tcp", "ffm,java+nodes.round"})
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorMakingTest {
  private static final int TAG = 7;
  private static final int ROUNDS = 200;
  private static final int CHAIN = 400;

  @Parameter
  String cores;

  /**
   * Each rank sends its number in the job to all, itself included, which find out that they have the ranks in order.
   */
  private static void talk(Communicator on) {
    for (int rank = 0; rank < on.size(); rank++) {
      on.send(Data.of(new int[] {on.jobRank(on.rank())}), rank, TAG);
    }
    for (int rank = 0; rank < on.size(); rank++) {
      int[] got = new int[1];
      on.recv(Data.of(got), rank, TAG);
      assertEquals(on.jobRank(rank), got[0]);
    }
    on.barrier();
    assertNull(on.iprobe(ANY_SOURCE, TAG));
  }

  /** So many numbers are taken in turn, on two nodes every other one of twice as many. */
  private int mostNumbers() {
    return SeveralNodes.is(cores) ? 2048 : 1024;
  }

  @Test
  void dupHasTheSameRanksAndOtherMessages() throws Exception {
    Ranks.run(cores, 4, job -> {
      Communicator world = job.world();
      world.send(Data.of(new int[] {1}), (world.rank() + 1) % 4, TAG);
      try (Communicator one = world.dup(); Communicator two = one.dup()) {
        assertEquals(world.group(), one.group());
        assertEquals(world.group(), two.group());
        talk(one);
        talk(two);
      }
      assertEquals((world.rank() + 3) % 4, world.recv(Data.of(new int[1]), ANY_SOURCE, TAG).source());
    });
  }

  @Test
  void splitPutsRanksOfOneColorTogetherByTheirKeys() throws Exception {
    Ranks.run(cores, 6, job -> {
      int self = job.world().rank();
      try (Communicator one = job.world().split(self % 2, -self)) {
        assertArrayEquals(self % 2 == 0 ? new int[] {4, 2, 0} : new int[] {5, 3, 1}, one.group().jobRanks());
        talk(one);
        try (Communicator two = one.split(one.rank() == 0 ? 7 : 3, 0)) {
          assertEquals(one.rank() == 0 ? 1 : 2, two.size());
          talk(two);
        }
      }
      try (Communicator same = job.world().split(0, 5)) {
        assertEquals(job.world().group(), same.group(), "equal keys: the order stays");
      }
      try (Communicator some = job.world().split(self < 2 ? NO_COLOR : 9, Integer.MAX_VALUE - self)) {
        if (self < 2) {
          assertNull(some);
        } else {
          assertArrayEquals(new int[] {5, 4, 3, 2}, some.group().jobRanks());
          talk(some);
        }
      }
      assertNull(job.world().split(NO_COLOR, 0), "nobody is in any");
    });
  }

  @Test
  void ranksOfANodeACacheAndANumaNodeAreTogether() throws Exception {
    Ranks.run(cores, 3, job -> {
      try (Communicator node = job.world().splitNode(0)) {
        int own = job.world().node(job.world().rank());
        assertEquals(IntStream.range(0, 3).filter(rank -> job.world().node(rank) == own).count(), node.size());
        talk(node);
      }
      for (Communicator one : new Communicator[] {job.world().splitCache(0), job.world().splitNuma(0)}) {
        if (one != null) { // else this rank runs on CPUs of several
          talk(one);
          one.close();
        }
      }
    });
  }

  @Test
  void aRankMayBeInNoneOfANodeACacheOrANumaNode() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      boolean takesPart = world.rank() != 1;
      for (Function<Communicator, Communicator> kind : List.<Function<Communicator, Communicator>>of(
          all -> all.splitNode(0), all -> all.splitCache(0), all -> all.splitNuma(0))) {
        Communicator one = takesPart ? kind.apply(world) : world.split(NO_COLOR, 0);
        if (one != null) { // else this rank does not take part, or runs on CPUs of several
          assertTrue(takesPart);
          assertEquals(Communicator.UNDEFINED, one.rankOf(1));
          talk(one);
          one.close();
        }
      }
    });
  }

  @Test
  void aSubsetIsMadeWhileTheOthersDoSomethingElse() throws Exception {
    CountDownLatch made = new CountDownLatch(3);
    Ranks.run(cores, 5, job -> {
      int self = job.world().rank();
      if (self == 0 || self == 4) {
        Ranks.await(made);
      } else {
        try (Communicator three = job.world().subset(1, 3, 1, 2)) {
          assertArrayEquals(new int[] {3, 1, 2}, three.group().jobRanks());
          talk(three);
          if (self != 2) {
            try (Communicator two = three.subset(1, 1, 0)) {
              assertArrayEquals(new int[] {1, 3}, two.group().jobRanks());
              talk(two);
            }
          }
        }
        made.countDown();
      }
      try (Communicator alone = job.world().subset(0, self)) {
        assertEquals(1, alone.size());
        talk(alone);
      }
      job.world().barrier();
    });
  }

  @Test
  void threadsMakeSubsetsAtTheSameTimeByTheirTags() throws Exception {
    Ranks.run(cores, ThreadLevel.MULTIPLE, 2, job -> {
      Threads.run(4, own -> {
        for (int round = 0; round < 50; round++) {
          try (Communicator one = job.world().subset(own, 1, 0)) {
            one.send(Data.of(new int[] {own}), 1 - one.rank(), TAG);
            int[] got = new int[1];
            one.recv(Data.of(got), 1 - one.rank(), TAG);
            assertEquals(own, got[0]);
          }
        }
      });
    });
  }

  @Test
  void whatCannotBeMadeIsRefused() throws Exception {
    Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
    Ranks.run(cores, 2, job -> {
      Communicator world = job.world();
      refuses(illegal, "color -2; allowed are 0 to 2147483647, and NO_COLOR (-1)", () -> world.split(-2, 0));
      refuses(illegal, "tag -1; allowed are 0 to 536870911", () -> world.subset(-1, 0, 1));
      refuses(illegal, "tag 536870912", () -> world.subset(1 << 29, 0, 1));
      refuses(illegal, "rank 2 of a group; this one has ranks 0 to 1", () -> world.subset(0, 0, 2));
      refuses(illegal, "rank 1 is named twice", () -> world.subset(0, 1, 1));
      refuses(illegal, "a group of no ranks", () -> world.subset(0));
      refuses(illegal, "rank %d is not among the ranks [%d]".formatted(world.rank(), 1 - world.rank()),
          () -> world.subset(0, 1 - world.rank()));
      refuses(IllegalStateException.class, "the communicator of all ranks ends with the job", world::close);
      Communicator one = world.dup();
      one.close();
      closed("close", one, one::close);
      closed("dup", one, one::dup);
      closed("split", one, () -> one.split(0, 0));
      closed("splitNode", one, () -> one.splitNode(0));
      closed("splitCache", one, () -> one.splitCache(0));
      closed("splitNuma", one, () -> one.splitNuma(0));
      closed("subset", one, () -> one.subset(0, 0, 1));
      closed("agree", one, () -> one.agree(0));
      closed("shrink", one, one::shrink);
      closed("revoke", one, one::revoke);
      closed("barrier", one, one::barrier);
      closed("bcast", one, () -> one.bcast(Data.of(new int[1]), 0));
      closed("allreduce", one, () -> one.allreduce(1, Op.SUM));
      closed("allgather", one, () -> one.allgather(Data.of(new int[1]), Data.of(new int[2])));
      closed("a send", one, () -> one.send(Data.of(new int[1]), 0, TAG));
      closed("a receive", one, () -> one.recv(Data.of(new int[1]), 0, TAG));
      closed("poll", one, () -> one.poll(message -> {}, 1));
    });
  }

  /** It has told all: a rank that comes late has a communicator as those that came before. By messages all tell all. */
  @Test
  void rankZeroMayLeaveBeforeAllHaveGotWhatItMade() throws Exception {
    Ranks.assumeShared(cores);
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      if (world.rank() == 1) {
        Ranks.await(closed);
      }
      try (Communicator one = world.dup()) {
        assertEquals(3, one.size());
        if (world.rank() == 2) {
          assertThrows(RankFailedException.class, () -> world.recv(Data.of(new int[1]), 0, TAG)); // until it has left
        }
      }
      if (world.rank() == 2) {
        closed.countDown();
      }
    });
  }

  @Test
  void aSubsetOfOtherRanksThanTheLowestOneNamesIsRefused() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      if (world.rank() == 0) {
        try (Communicator two = world.subset(TAG, 0, 1)) {
          refuses(CollectiveException.class, "rank 1 has closed the communicator", two::barrier);
        }
        world.subset(TAG, 0, 2, 1).close();
      } else if (world.rank() == 1) {
        refuses(CollectiveException.class, "subset of rank 1 names the ranks [0, 1, 2], and rank 0, the lowest of them",
            () -> world.subset(TAG, 0, 1, 2));
        refuses(CollectiveException.class, "names others", () -> world.subset(TAG, 0, 1, 2));
      } else {
        world.subset(TAG, 0, 2, 1).close();
      }
      for (int i = 0; i < 1100; i++) { // no number was lost
        try (Communicator one = world.dup()) {
          assertTrue(Integer.parseInt(one.name().substring("communicator ".length())) < mostNumbers(), one::toString);
        }
      }
    });
  }

  /** Each takes another rank for the first one. */
  @Test
  void ranksThatNameEachOtherInAnotherOrderAreToldAndDoNotWaitForEachOther() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      int self = world.rank();
      for (int round = 0; round < 3; round++) {
        int[] ranks = {(self + 1 + round) % 3, (self + 2 + round) % 3, (self + round) % 3};
        if (self == 0) {
          try (Communicator alone = world.subset(TAG, ranks)) {
            refuses(CollectiveException.class, "has closed the communicator", alone::barrier);
          }
        } else {
          refuses(CollectiveException.class, "and rank 0, the lowest of them, names others",
              () -> world.subset(TAG, ranks));
        }
      }
      try (Communicator all = world.subset(TAG, 2, 0, 1)) {
        talk(all);
      }
    });
  }

  /** Rank 0 of the communicator has not made it: it gives the stages back, and the maker the slot. */
  @Test
  void aSubsetWhoseLowestRankIsNotItsFirstTakesItsMemoryAgain() throws Exception {
    Ranks.run(cores, 3, job -> {
      Set<Long> places = new HashSet<>(); // of an allocation as large as the stages: it moves on when they are lost
      for (int round = 0; round < ROUNDS; round++) {
        try (Communicator one = job.world().subset(TAG, 2, 0, 1)) {
          int[] values = new int[1000];
          values[0] = one.rank() == 0 ? round : -1;
          one.bcast(Data.of(values), 0);
          assertEquals(round, values[0]);
        }
        job.world().barrier();
        MemorySegment place = job.allocate(3 << 17, 128);
        places.add(place.address());
        job.free(place);
      }
      assertTrue(places.size() < ROUNDS / 2, () -> "places: " + places.size());
    });
  }

  private static void closed(String call, Communicator closed, Runnable refused) {
    refuses(IllegalStateException.class, "%s of rank %d in %s: the communicator is closed".formatted(call,
        closed.rank(), closed.name()), refused);
  }

  @Test
  void ranksWithoutSharedMemoryAgree() throws Exception {
    Ranks.run("java+pipes", 2, job -> {
      try (Communicator one = job.world().dup()) {
        talk(one);
        assertEquals(4, one.agree(5 + one.rank()));
      }
    });
  }

  @Test
  void communicatorsHaveNames() throws Exception {
    Ranks.run(cores, 2, job -> {
      assertEquals("world", job.world().name());
      assertEquals("world: rank %d of 2".formatted(job.world().rank()), job.world().toString());
      Communicator one = job.world().dup();
      assertNotEquals("world", one.name());
      one.setName("halo");
      assertEquals("halo", one.name());
      one.close();
      assertEquals("halo: rank %d of 2, closed".formatted(one.rank()), one.toString());
      refuses(NullPointerException.class, "the name of a communicator is null", () -> one.setName(null));
    });
  }

  @Test
  void numbersComeAgainInLaterGenerationsAndLateMessagesAreDropped() throws Exception {
    int rounds = 5000; // more than there are numbers in turn
    Ranks.run(cores, 2, job -> {
      for (int round = 0; round < rounds; round++) {
        try (Communicator one = job.world().dup()) {
          int[] got = new int[1];
          one.send(Data.of(new int[] {-round}), 1 - one.rank(), TAG + 1); // nobody receives it
          one.sendrecv(Data.of(new int[] {round}), 1 - one.rank(), TAG, Data.of(got), 1 - one.rank(), TAG);
          assertEquals(round, got[0]);
        }
      }
    });
  }

  @Test
  void manyAreAliveAndClosedInAnyOrder() throws Exception {
    ConcurrentHashMap<String, Integer> names = new ConcurrentHashMap<>();
    Ranks.run(cores, 3, job -> {
      Random random = new Random(1); // all ranks make and close the same
      Deque<Communicator> alive = new ArrayDeque<>();
      for (int round = 0; round < 6000; round++) {
        if (alive.size() < 100 || random.nextInt(5) > 1) {
          int[] ranks = random.nextBoolean() ? new int[] {0, 1, 2} : new int[] {2, 0, 1};
          alive.add(job.world().subset(0, ranks));
        } else {
          (random.nextBoolean() ? alive.poll() : alive.pollLast()).close();
        }
      }
      alive.forEach(one -> names.merge(one.name(), 1, Integer::sum));
      alive.forEach(CommunicatorMakingTest::talk);
      alive.forEach(Communicator::close);
    });
    names.forEach((name, count) -> assertEquals(3, count, name));
  }

  /** How many communicators, and slots of them, are in memory. */
  private static long inMemory() throws JMException {
    String all = (String) ManagementFactory.getPlatformMBeanServer().invoke(
        new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
        new Object[] {new String[0]}, new String[] {String[].class.getName()});
    return all.lines().map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length > 3 && words[3].matches(".*[.](CommunicatorState|CommunicatorSlot|Origin)"))
        .mapToLong(words -> Long.parseLong(words[1])).sum();
  }

  /** Makes one out of the other, and closes each when the next is made. */
  private static void chain(Communicator first, int count, UnaryOperator<Communicator> next) {
    Communicator last = next.apply(first);
    for (int i = 1; i < count; i++) {
      Communicator made = next.apply(last);
      last.close();
      last = made;
      if (i % 100 == 0) {
        last.barrier(); // the others may be so far behind
      }
    }
    last.close();
  }

  @Test
  void aChainOfDuplicatesIsForgotten() throws Exception {
    Ranks.run(cores, 3, job -> {
      Communicator world = job.world();
      long before = 0;
      for (int round = 0; round < 2; round++) {
        world.barrier();
        long now = world.rank() == 0 ? inMemory() : 0;
        world.barrier();
        assertTrue(round == 0 || now < before + CHAIN / 2, before + ", then " + now);
        before = now;
        chain(world, CHAIN, Communicator::dup);
      }
    });
  }

  /** The lowest rank is far ahead of the others, which close what it has closed long ago. */
  @Test
  void aChainOfSubsetsMayBeClosedBeforeTheOthersCome() throws Exception {
    Ranks.run(cores, 3, job -> chain(job.world(), 10 * CHAIN, last -> last.subset(TAG, 0, 1, 2)));
  }

  @Test
  void aJobIsLeftWithCommunicatorsOpen() throws Exception {
    Ranks.run(cores, 2, job -> {
      for (int i = 0; i < 10; i++) {
        job.world().dup();
      }
      talk(job.world().dup());
    });
  }
}
