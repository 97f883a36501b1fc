package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.Intercommunicator;
import io.adrastea.Op;
import io.adrastea.Ranks;
import io.adrastea.StartedDup;
import io.adrastea.error.AdrasteaException;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RankFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Communicators of ranks on several nodes: their numbers come again, and nobody waits for a rank that never comes. */
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommunicatorsOverNodesTest {
  private static final String TWO = "ffm,java+nodes.round"; // ranks 0 and 2, 1 and 3
  private static final int ROUNDS = Integer.getInteger("adrastea.test.communicators", 20_000);
  private static final int MIXED = Math.min(ROUNDS, 20_000);
  private static final int AT_A_TIME = 50;
  private static final int IN_TURN = 2 * 1024; // numbers, of which each of two nodes has every other one
  private static final int MOST = 65_536 / 2; // numbers of a node
  private static final int TAG = 7;

  private static int number(Communicator of) {
    return Integer.parseInt(of.name().substring("communicator ".length()));
  }

  private static void talk(Communicator on, int value) {
    assertEquals((long) on.size() * value, on.allreduce((long) value, Op.SUM));
  }

  /** Makes and closes so many that numbers which do not come again are missed. */
  private static void makesMany(Communicator among) {
    for (int i = 0; i < 1100; i++) {
      try (Communicator one = among.dup()) {
        assertTrue(number(one) < IN_TURN, one::toString);
      }
    }
  }

  @Test
  void theirNumbersComeAgain() throws Exception {
    Ranks.run(TWO, 3, job -> {
      Communicator world = job.world();
      for (int i = 0; i < MIXED; i++) {
        int[] order = {i % 3, (i + 1) % 3, (i + 2) % 3};
        Communicator one = switch (i % 4) {
          case 0 -> world.dup();
          case 1 -> world.split(0, order[world.rank()]);
          case 2 -> world.subset(TAG, order);
          default -> world.split(world.rank() == 1 ? 1 : 0, 0);
        };
        talk(one, i);
        int number = number(one);
        assertTrue(number < IN_TURN, () -> "number " + number + ": others were lost");
        int maker = i % 4 == 2 ? 0 : world.node(one.jobRank(0));
        assertEquals(maker, number % 2, "each node deals its own");
        one.close();
      }
    });
  }

  @Test
  void numbersOfManyThatAreMadeAtATimeComeAgain() throws Exception {
    Ranks.run("ffm+nodes", 2, job -> {
      Communicator world = job.world();
      for (int made = 0; made < ROUNDS; made += AT_A_TIME) {
        List<StartedDup<Communicator>> started = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
          started.add(world.idup());
        }
        started.forEach(one -> one.request().await());
        List<Communicator> open = started.stream().map(StartedDup::communicator).toList();
        int[] numbers = open.stream().mapToInt(CommunicatorsOverNodesTest::number).distinct().toArray();
        assertEquals(AT_A_TIME, numbers.length, "no two have the same number");
        assertTrue(IntStream.of(numbers).allMatch(number -> number < IN_TURN), "none was lost");
        talk(open.get(made / AT_A_TIME % AT_A_TIME), made);
        open.forEach(Communicator::close);
      }
    });
  }

  @Test
  void manyAreOpenAtATimeAndClosedInAnotherOrder() throws Exception {
    Ranks.run(TWO, 2, job -> {
      Communicator world = job.world();
      List<Communicator> open = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        open.add(world.split(0, i % 2 == 0 ? world.rank() : -world.rank()));
      }
      assertEquals(3000, open.stream().map(CommunicatorsOverNodesTest::number).distinct().count());
      for (int i = 0; i < open.size(); i++) {
        open.get(world.rank() == 0 ? i : open.size() - 1 - i).close();
      }
      world.barrier();
      for (int i = 0; i < 3000; i++) {
        try (Communicator one = world.dup()) {
          assertTrue(number(one) < 8192, one::toString);
        }
      }
    });
  }

  @Test
  void aNodeWithoutAFreeNumberIsToldAtAllAndTheOtherOneGoesOn() throws Exception {
    Ranks.run("java+nodes", 2, job -> {
      Communicator world = job.world();
      List<Communicator> alive = new ArrayList<>();
      for (int i = 0; world.rank() == 0 && i < MOST - 1; i++) {
        alive.add(world.subset(0, 0));
      }
      String words = world.rank() == 0
          ? "all 32768 numbers of communicators are taken"
          : "rank 0 of the new communicator (job rank 0) could not make it, and has thrown why";
      refuses(AdrasteaException.class, words, world::dup);
      refuses(AdrasteaException.class, words, () -> world.subset(1, 0, 1));
      try (Communicator one = world.split(0, -world.rank())) {
        assertEquals(0, one.rankOf(1), "it is made on the other node");
        talk(one, 1);
      }
      alive.forEach(Communicator::close);
      world.barrier();
      try (Communicator one = world.dup()) {
        talk(one, 3);
      }
    });
  }

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedWaitException.class, call::run);
    assertTrue(Thread.interrupted(), "the interrupt stays");
  }

  /** The first call that waits for the rank is told that it is out, by it or by one that was told, as all after it. */
  private static void endsForWantOf(int rank, Communicator made) {
    CollectiveException e = assertThrows(CollectiveException.class, made::barrier);
    assertTrue(e.rank() == rank || made.size() > 2 && e.rank() != made.rank(), e::getMessage);
    assertThrows(CollectiveException.class, () -> made.bcast(Data.of(new byte[8]), 0));
    made.close();
  }

  /** One rank of three gives up. The others come then, and the one that gave up answers them. */
  private static void givesUp(
      int gone, Consumer<Communicator> one, Consumer<Communicator> others) throws Exception {
    CountDownLatch given = new CountDownLatch(1);
    Ranks.run(TWO, 3, job -> {
      Communicator world = job.world();
      Communicator talks = world.dup();
      talks.barrier(); // so all are through with what has made it
      if (world.rank() == gone) {
        one.accept(world);
        given.countDown();
        Data word = Data.of(new byte[1]);
        for (int other = 0; other < 2; other++) {
          talks.recv(word, Communicator.ANY_SOURCE, TAG);
        }
      } else {
        Ranks.await(given);
        others.accept(world);
        talks.send(Data.of(new byte[1]), gone, TAG);
      }
      makesMany(talks);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aRankThatIsInterruptedInASubsetIsMissedByNobody(int rank) throws Exception {
    givesUp(
        rank,
        world -> {
          interrupted(() -> world.subset(TAG, 0, 1, 2));
          refuses(CollectiveException.class, "has given up the making of a communicator out of", world::dup);
        },
        world -> endsForWantOf(rank, world.subset(TAG, 0, 1, 2)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRankThatIsInterruptedInADupEndsItForAll(int rank) throws Exception {
    givesUp(rank, world -> interrupted(world::dup), world -> assertThrows(CollectiveException.class, world::dup));
  }

  @Test
  void aRankThatClosesTheParentBeforeItHasReportedIsMissedByNobody() throws Exception {
    Ranks.run(TWO, 3, job -> {
      Communicator world = job.world();
      Communicator parent = world.dup();
      var started = parent.idup();
      if (world.rank() == 1) {
        parent.release();
        world.recv(Data.of(new byte[1]), 0, TAG);
        world.recv(Data.of(new byte[1]), 2, TAG);
        assertThrows(AdrasteaException.class, started.request()::await);
      } else {
        started.request().await();
        endsForWantOf(1, started.communicator());
        parent.close();
        world.send(Data.of(new byte[1]), 1, TAG);
      }
      makesMany(world);
    });
  }

  /** All ranks on one node, of which one gives up the making that goes over nodes. */
  @Test
  void aRankThatGivesUpASplitIsMissedByNobodyOfItsNode() throws Exception {
    CountDownLatch made = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Ranks.run(TWO, 4, job -> { // 0 and 2 share memory
      Communicator world = job.world();
      Communicator parent = world.dup();
      if (world.rank() == 2) {
        Ranks.await(made);
        parent.close();
        closed.countDown();
        world.recv(Data.of(new byte[1]), 0, TAG);
      } else if (world.rank() == 0) {
        Communicator two = parent.subset(TAG, 0, 2);
        made.countDown();
        Ranks.await(closed);
        endsForWantOf(1, two);
        world.send(Data.of(new byte[1]), 2, TAG);
      }
      makesMany(world);
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aRankThatDiesInTheMakingKeepsNobodyWaitingAndItsNumbersComeAgain(int dies) throws Exception {
    Ranks.run(TWO, 4, job -> {
      Communicator world = job.world();
      Communicator[] before = {world.dup(), world.split(0, -world.rank()), world.subset(TAG, 3, 2, 1, 0)};
      int[] living = IntStream.range(0, 4).filter(rank -> rank != dies).toArray();
      if (world.rank() == dies) {
        job.fail("on purpose");
        return;
      }
      assertThrows(AdrasteaException.class, world::dup);
      assertThrows(AdrasteaException.class, () -> before[1].split(0, 0));
      assertThrows(RankFailedException.class, () -> before[2].barrier());
      Communicator rest = world.subset(TAG, living);
      for (Communicator one : before) {
        one.close();
      }
      makesMany(rest);
      try (Communicator node = rest.splitNode(0)) {
        talk(node, 2);
      }
    });
  }

  @Test
  void ranksOfBothGroupsAreOnBothNodes() throws Exception {
    Ranks.run(TWO, 4, job -> {
      Communicator world = job.world();
      boolean low = world.rank() < 2;
      try (Communicator group = world.split(low ? 0 : 1, 0);
          Intercommunicator inter = Intercommunicator.create(group, 0, world, low ? 2 : 0, TAG);
          Intercommunicator again = inter.dup();
          Communicator all = again.merge(!low)) {
        assertEquals(4, all.size());
        talk(all, 5);
        int[] got = new int[2];
        again.allgather(Data.of(new int[] {world.rank()}), Data.of(got));
        assertEquals(low ? 2 : 0, got[0]);
      }
      makesMany(world);
    });
  }
}
