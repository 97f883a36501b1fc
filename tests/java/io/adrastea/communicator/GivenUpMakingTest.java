package io.adrastea.communicator;

import static io.adrastea.Refusals.refuses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.adrastea.Communicator;
import io.adrastea.Data;
import io.adrastea.EverySharedCoreList;
import io.adrastea.Intercommunicator;
import io.adrastea.Ranks;
import io.adrastea.error.CollectiveException;
import io.adrastea.error.InterruptedWaitException;
import io.adrastea.error.RevokedException;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/**
 * A rank gives up while a communicator is made, and stays in the job: the others, which are in the new one already, do
 * not wait there for it for ever.
 */
@EverySharedCoreList
class GivenUpMakingTest {
  private static final int TAG = 7;

  @Parameter
  String cores;

  private static void interrupted(Runnable call) {
    Thread.currentThread().interrupt();
    assertThrows(InterruptedWaitException.class, call::run);
    assertTrue(Thread.interrupted(), "the interrupt stays");
  }

  /** The first call that waits for the rank is told that it is out, and all that come after it. */
  private static void endsForWantOf(int rank, Communicator made) {
    CollectiveException e = assertThrows(CollectiveException.class, made::barrier);
    assertEquals(rank, e.rank(), e::getMessage);
    assertThrows(CollectiveException.class, () -> made.bcast(Data.of(new byte[8]), 0));
    assertEquals(1, made.agree(1), "nobody waits there for a rank that is out");
    made.close();
  }

  /** All numbers come again. */
  private static void makesMany(Communicator among) {
    for (int i = 0; i < 1100; i++) {
      try (Communicator one = among.dup()) {
        assertTrue(Integer.parseInt(one.name().substring("communicator ".length())) < 1024, one::toString);
      }
    }
  }

  /** Goes on by {@code shrink}, which is allowed where no collective is. */
  private static void goesOn(Communicator parent) {
    try (Communicator all = parent.shrink()) {
      assertEquals(parent.size(), all.size());
      makesMany(all);
    }
  }

  /**
   * Rank 1 of three gives up while rank 0, which makes the communicator, is not there yet. The others come then, and
   * all go on once they are through.
   */
  private void rankOneGivesUp(Consumer<Communicator> one, Consumer<Communicator> others, Consumer<Communicator> all)
      throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(2);
    Ranks.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 1) {
        one.accept(world);
        interrupted.countDown();
        Ranks.await(told);
      } else {
        Ranks.await(interrupted);
        others.accept(world);
        told.countDown();
      }
      all.accept(world);
    });
  }

  @Test
  void aRankThatIsInterruptedInADupIsMissedByNobody() throws Exception {
    rankOneGivesUp(world -> interrupted(world::dup), world -> endsForWantOf(1, world.dup()),
        GivenUpMakingTest::goesOn);
  }

  @Test
  void aRankThatIsInterruptedInASubsetIsMissedByNobodyAndMakesNoMoreOutOfThatParent() throws Exception {
    rankOneGivesUp(
        world -> {
          interrupted(() -> world.subset(TAG, 0, 1, 2));
          refuses(CollectiveException.class, "has given up the making of a communicator out of",
              () -> world.subset(TAG, 0, 1, 2));
          refuses(CollectiveException.class, "make it out of another one", world::dup);
        },
        world -> endsForWantOf(1, world.subset(TAG, 0, 1, 2)),
        world -> {
          world.barrier(); // its collectives go on
          goesOn(world);
        });
  }

  @Test
  void aRankWhoseParentIsRevokedWhileItIsNotThereYetIsMissedByNobody() throws Exception {
    CountDownLatch revoked = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      if (world.rank() == 0) {
        Communicator made = world.dup();
        world.revoke();
        revoked.countDown();
        endsForWantOf(1, made);
        told.countDown();
      } else {
        Ranks.await(revoked);
        assertThrows(RevokedException.class, world::dup);
        Ranks.await(told);
      }
      goesOn(world);
    });
  }

  @Test
  void aRankThatClosesTheParentInsteadIsMissedByNobody() throws Exception {
    CountDownLatch told = new CountDownLatch(1);
    Ranks.run(cores, 2, job -> {
      Communicator world = Ranks.world(job);
      Communicator parent = world.dup();
      if (world.rank() == 0) {
        Communicator made = parent.dup();
        parent.close(); // its number is free, and its slot is used again, from now on
        world.barrier();
        try (Communicator another = world.dup()) {
          another.barrier();
          endsForWantOf(1, made);
        }
        told.countDown();
      } else {
        parent.close();
        world.barrier();
        try (Communicator another = world.dup()) {
          another.barrier();
          Ranks.await(told);
        }
      }
      makesMany(world);
    });
  }

  /** It has not come in to the parent either, which it was interrupted for: the others do not know that yet. */
  @Test
  void aRankThatIsInterruptedIsMissedInNoneOfAChain() throws Exception {
    rankOneGivesUp(
        world -> interrupted(world::dup),
        world -> {
          try (Communicator first = world.dup(); Communicator second = first.dup()) {
            endsForWantOf(1, second.dup());
          }
        },
        GivenUpMakingTest::goesOn);
  }

  /** It is in the group of rank 0, and waits for what that one is told by the other leader. */
  @Test
  void aRankThatIsInterruptedWhileAnIntercommunicatorIsMadeIsMissedByNeitherGroup() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(2);
    Ranks.run(cores, 3, job -> {
      Communicator world = Ranks.world(job);
      boolean isFirst = world.rank() < 2;
      Communicator group = world.split(isFirst ? 0 : 1, 0);
      if (world.rank() == 1) {
        interrupted(() -> Intercommunicator.create(group, 0, world, 2, TAG));
        interrupted.countDown();
        Ranks.await(told);
      } else {
        if (!isFirst) {
          Ranks.await(interrupted);
        }
        Intercommunicator inter = Intercommunicator.create(group, 0, world, isFirst ? 2 : 0, TAG);
        CollectiveException e = assertThrows(CollectiveException.class, inter::barrier);
        assertEquals(world.jobRank(1), e.jobRank(), e::getMessage);
        inter.close();
        told.countDown();
      }
      group.close();
      makesMany(world);
    });
  }
}
